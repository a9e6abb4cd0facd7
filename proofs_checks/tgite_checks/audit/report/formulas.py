r"""Convert the ledger's LaTeX formulas to MathML or to plain characters.

latex2mathml parses the LaTeX, and both forms are made from its tree. Words in a formula are
``\text{...}``, because otherwise they would be products of letters.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator
from unicodedata import normalize
from xml.etree.ElementTree import Element, fromstring, tostring

from latex2mathml.converter import convert
from markupsafe import Markup

_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
_THIN_SPACE = "0.17em"
_UPRIGHT = "ΓΔΘΛΞΠΣΦΨΩ"
_OPENING, _CLOSING, _TIGHT = "([{⌈⌊", ")]}⌉⌋", "/|!."
_ASCII = str.maketrans("\u2212\u2217\u2032", "-*'")
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_OVER = {"\u00af": "\u0304", "\u2015": "\u0304", "^": "\u0302", "~": "\u0303"}
"""Accents, each with the combining character that puts it over the preceding letter."""


class NotFormula(ValueError):
    """A text is not a formula that can be converted."""


@functools.cache
def mathml(latex: str, displayed: bool = False) -> Markup:
    """Return a formula as MathML; raise :class:`NotFormula` if it cannot be converted."""
    math = _tree(latex)
    math.attrib.pop("display", None)
    if displayed:
        math.set("display", "block")
    math.set("alttext", plain(latex))
    for row in list(math.iter()):
        children = list(row)
        for number, (one, following) in reversed(list(enumerate(itertools.pairwise(children)))):
            if _is_function(one) and (following.text or " ") not in _OPENING + _CLOSING:
                row.insert(number + 1, Element("mspace", width=_THIN_SPACE))
    return Markup(tostring(math, encoding="unicode"))


@functools.cache
def plain(latex: str) -> str:
    """Return a formula in plain characters; raise :class:`NotFormula` if it cannot be converted."""
    return _row(_tree(latex))[1]


def _tree(latex: str) -> Element:
    try:
        math = fromstring(convert(latex).replace(_NAMESPACE, ""))
    except Exception as error:  # latex2mathml's exceptions have no common base class
        raise NotFormula(f"{latex}: {error}") from error
    for one in math.iter():
        # latex2mathml leaves what it cannot parse unchanged.
        left = one.text if one.tag == "mi" and set(one.text or "") & set("\\{}&") else ""
        if left or (one.tag == "mfrac" and len(one) != 2):
            raise NotFormula(f"{latex}: {left or 'half a fraction'}")
        if one.tag == "mi" and (one.text or " ") in _UPRIGHT:
            one.set("mathvariant", "normal")
    return math


def _is_function(one: Element) -> bool:
    return one.tag in ("mi", "mo") and len(one.text or "") > 1 and (one.text or "").isalpha()


# Each part of a row has a mark for its kind: an atom (a), a number (n), a function (f), a quotient
# (q), an operator (o), a bracket, a comma, a space, or a part without space around it (/). The
# marks of neighbours decide the space between them. A row's marks decide how it fits into another
# formula.
_APART = frozenset({"aa", "an", "af", "fa", "fn", "ff", "nf", "nn", ")a", ")n", ")f"})


def _row(elements: Iterable[Element]) -> tuple[str, str]:
    """Return the marks of a row's parts, and the row in plain characters."""
    parts = [part for element in elements for part in _parts(element)]
    marks = "".join(mark for mark, _ in parts)
    written = ""
    for number, (mark, text) in enumerate(parts):
        before, after = marks[number - 1 : number] if number else "", marks[number + 1 : number + 2]
        if mark == "q" and (before in tuple("anfq)") or after in tuple("anfq(")):
            text = f"({text})"
            if before in ("a", "n"):
                text = f" {text}"
        elif mark == "o" and before not in ("", "o", "(", ","):
            text = f" {text} "
        elif before + mark in _APART:
            text = f" {text}"
        written += text
    return marks, " ".join(written.split())


def _parts(element: Element) -> Iterator[tuple[str, str]]:
    children = list(element)
    match element.tag:
        case "mrow" | "mstyle" | "mtd":
            for child in children:
                yield from _parts(child)
        case "mfrac":
            (above, numerator), (below, denominator) = (_row([child]) for child in children)
            over = f"({numerator})" if set(_outside(above)) & set("o,") else numerator
            under = denominator if len(below) == 1 else f"({denominator})"
            yield "q", f"{over}/{under}"
        case "msqrt":
            yield "a", f"√({_row(children)[1]})"
        case "msup":
            yield from _raised(children[0], "", children[1])
        case "msub" | "munder":
            yield from _raised(children[0], _lowered(children[1]))
        case "msubsup" | "munderover":
            yield from _raised(children[0], _lowered(children[1]), children[2])
        case "mover":
            yield "a", _row(children[:1])[1] + _OVER[children[1].text or ""]
        case "mspace":
            yield ",", " "
        case _:
            yield _leaf(element)


def _leaf(element: Element) -> tuple[str, str]:
    text = normalize("NFKC", element.text or "").translate(_ASCII)
    match element.tag:
        case "mn":
            return "n", text
        case "mtext":
            return "a", text.strip()
        case _ if text in ",;":
            return ",", f"{text} "
        case "mi" | "mo" if _is_function(element) or text in "∑∏":
            return "f", text
        case "mi" if text not in _OPENING + _CLOSING:
            return "a", text
    if text in _OPENING:
        return "(", text
    if text in _CLOSING:
        return ")", text
    return ("/" if text in _TIGHT else "o"), text


def _outside(marks: str) -> str:
    inner = re.sub(r"\([^()]*\)", "", marks)
    return inner if inner == marks else _outside(inner)


def _close(text: str) -> str:
    """Return a row without the spaces around its operators, for an index or an exponent."""
    return re.sub(r" ([^\w\s(]) |(,) ", r"\1\2", text)


def _lowered(element: Element) -> str:
    marks, text = _row([element])
    text = text.replace(" ", "") if set(marks) <= set("an") else _close(text)
    return f"_{text}" if len(marks) == 1 or set(marks) <= set("an") else f"_{{{text}}}"


def _raised(base: Element, below: str, above: Element | None = None) -> Iterator[tuple[str, str]]:
    """Yield a base with its index and exponent, as a part of the base's kind."""
    *before, (mark, text) = _parts(base)
    yield from before
    text += below
    if above is not None:
        marks, power = _row([above])
        power = _close(power)
        if power in ("*", "'"):
            text += power
        elif set(power) <= set("0123456789-"):
            text += power.translate(_RAISED)
        else:
            text += f"^{power}" if len(marks) == 1 else f"^{{{power}}}"
    yield mark, text
