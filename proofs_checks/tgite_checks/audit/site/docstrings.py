"""What the docstrings of a module say of its public names, as Markdown.

Docstrings are written plainly: paragraphs, lists, double backticks, and ``:class:`` before a name.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

import griffe

from tgite_checks.audit.site.places import ROOT

_ROLE = re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`")
_DOUBLE = re.compile(r"``([^`\n]+)``")


def documented(file: str, linked: Callable[[str], str | None]) -> Iterator[str]:
    """Yield what there is to say of the module in a file of either package, block by block."""
    module = _module(file)
    yield _said(module, linked)
    for one in _public(module):
        yield f'<a id="{one.name}"></a>'
        yield f"### `{one.name}`"
        yield f"```python\n{signature(one)}\n```"
        yield _said(one, linked)
        for member in _public(one) if isinstance(one, griffe.Class) else ():
            if member.docstring is not None:
                yield f"```python\n{signature(member)}\n```"
                yield _said(member, linked)


def signature(of: griffe.Object) -> str:
    """Return how a function is called, or what a class or a name is."""
    match of:
        case griffe.Function():
            static = "@staticmethod\n" if "staticmethod" in of.labels else ""
            written = of.signature()
            if len(written) > _WIDEST:
                head, _, rest = written.partition("(")
                inside, _, back = rest.rpartition(")")
                written = f"{head}(\n    {_broken(inside)},\n){back}"
            return f"{static}def {written}"
        case griffe.Class():
            bases = ", ".join(map(str, of.bases))
            fields = [
                f"    {member.name}: {member.annotation}"
                for member in _public(of)
                if isinstance(member, griffe.Attribute) and member.annotation is not None
            ]
            return "\n".join([f"class {of.name}{bases and f'({bases})'}", *fields])
        case griffe.Attribute():
            typed = "" if of.annotation is None else f": {of.annotation}"
            value = str(of.value)
            return f"{of.name}{typed}" + (f" = {value}" if len(value) < _WIDEST else "")
        case _:
            return of.name


_WIDEST = 80


def _broken(parameters: str) -> str:
    """Put each parameter on a line of its own: commas within brackets part none."""
    depth, parts = 0, [""]
    for letter in parameters:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return ",\n    ".join(part.strip() for part in parts)


@functools.cache
def _loaded(package: str, source: str) -> griffe.Module:
    loaded = griffe.load(package, search_paths=[ROOT / source], allow_inspection=False)
    if not isinstance(loaded, griffe.Module):
        raise LookupError(f"{package} is no package of {source}")
    return loaded


def _module(file: str) -> griffe.Module:
    source, package, *rest = file.removesuffix(".py").removesuffix("/__init__").split("/")
    found = _loaded(package, source)
    for name in rest:
        inner = found.members[name]
        if not isinstance(inner, griffe.Module):
            raise LookupError(f"{file} is no module")
        found = inner
    return found


def _public(of: griffe.Module | griffe.Class) -> Iterator[griffe.Object]:
    """Yield what is defined in a module or a class for others, in the order of the file."""
    own = [
        member
        for name, member in of.members.items()
        if isinstance(member, griffe.Function | griffe.Class | griffe.Attribute)
        and not name.startswith("_")
    ]
    yield from sorted(own, key=lambda member: member.lineno or 0)


def _said(of: griffe.Object, linked: Callable[[str], str | None]) -> str:
    if of.docstring is None:
        return ""

    def code(found: re.Match[str]) -> str:
        address = linked(found[1])
        return f"[`{found[1]}`]({address})" if address else f"`{found[1]}`"

    return _DOUBLE.sub(code, _ROLE.sub(r"`\1`", of.docstring.value))
