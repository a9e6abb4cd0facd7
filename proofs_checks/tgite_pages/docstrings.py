"""A griffe extension for mkdocstrings: names in roles, such as ``:class:`Name```, become code."""

from __future__ import annotations

import re

import griffe

_ROLE = re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`")


class NamesInRoles(griffe.Extension):
    """Rewrites the docstrings as they are loaded."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Rewrite the docstring of ``obj``."""
        if obj.docstring is not None:
            obj.docstring.value = _ROLE.sub(r"`\1`", obj.docstring.value)
