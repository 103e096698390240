"""Renders pages that need JavaScript in the Chromium of the system, driven by Playwright.

    Response ─► Renderer ─► a fresh context ─► the page ─► quiet, or its time is over ─► Rendered
                               │  ▲
                    each request  └─ answered by our own fetcher, or refused (requests.py)

The browser has no network of its own: it resolves no name, its proxy leads nowhere, and where the system has them it
runs in a network namespace without interfaces (find.py, launch.py). Its sandbox is always on.
"""
