"""Commands that convert an option only where it is given, texts and flags not at all, and whole numbers by themselves.

Typer converts every option by pydantic, also those that are not given. To import that and to build it for the flags of
`topicrawl crawl` takes .1 s; our settings convert their texts themselves. Without such a step in Typer nothing changes.
"""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

_AS_GIVEN = (str, list[str], bool)


class PlainCommand(TyperCommand):
    """A command of Typer with conversions of our own."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options, `--help` too."""
        return _plain(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """The same for the options before a command."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options, `--help` too."""
        return _plain(super().get_params(ctx))


def _plain(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if getattr(parameter, "_runtime_param", 0) is None:  # not built yet
            parameter._runtime_param = _WhenGiven()
    return parameters


class _WhenGiven:
    """In place of Typer's conversion."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as given where its type allows it, else as Typer converts it."""
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if param.type_descriptor.annotation in _AS_GIVEN:
            return list(value) if many else value
        if (number := _whole(value, param.type_descriptor)) is not None:
            return number
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _whole(value: Any, wanted: Any) -> int | None:
    """A whole number within its range; None for anything else, of which Typer says what is wrong."""
    if wanted.annotation is not int or not str(value).isdecimal():
        return None
    number, info = int(value), wanted.parameter_info
    is_small = info.min is not None and number < info.min
    return None if is_small or (info.max is not None and number > info.max) else number
