"""Parses pages: bytes ─► sniff ─► decode ─► html (collect) or plain ─► `Page`; read.py runs all steps."""
