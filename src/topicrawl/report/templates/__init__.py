"""The files that reports and plots are made from: HTML, CSS and JavaScript that load nothing from elsewhere."""

from __future__ import annotations

from importlib.resources import files


def template(name: str, package: str = __name__) -> str:
    """The text of the file `name` in this folder, or in that of another `package`."""
    return files(package).joinpath(name).read_text("utf-8")
