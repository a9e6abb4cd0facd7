"""The store of results: one file per task, written at once and whole, so that a run can resume.

A file says for which sources its result was found. One that is torn, or says anything else than was
written, is as good as none: it is noted and the task is run again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeAlias

from tgite.errors import InvalidInput
from tgite_checks.audit.runner import Finished, Task
from tgite_checks.check import Depth, Number, Plot, Result, Role, Series
from tgite_checks.enclosure import Enclosure

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_FORMAT = "tgite-result/1"
_LONGEST_SLUG = 80


@dataclass(slots=True)
class FileStore:
    """Results in a folder; ``notes`` says which files were of no use.

    Raises :class:`~tgite.errors.InvalidInput` where the folder cannot be made.
    """

    folder: Path
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the folder."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput("out", str(self.folder), f"cannot be made ({error})") from None

    def path(self, task: Task, depth: Depth) -> Path:
        """Return the file of a task's result at a depth."""
        name = f"{depth} {task}"
        slug = re.sub(r"[^A-Za-z0-9.]+", "-", name)[:_LONGEST_SLUG].strip("-")
        return self.folder / f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:12]}.json"

    def find(self, task: Task, depth: Depth, digest: str) -> Finished | None:
        """Return the stored result for these sources; note a file that is torn or corrupt."""
        path = self.path(task, depth)
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            self.notes.append(f"{path.name} cannot be read ({error}); run anew")
            return None
        try:
            return _read(text, task, depth, digest)
        except (ValueError, KeyError, TypeError, AttributeError):
            self.notes.append(f"{path.name} is torn or corrupt; run anew")
            return None

    def keep(self, finished: Finished, depth: Depth, digest: str) -> None:
        """Store a result; whoever reads meanwhile sees the old file or the new one, whole."""
        if finished.result is None:
            raise ValueError("only a result is stored")
        body: dict[str, Json] = {
            "format": _FORMAT,
            "task": str(finished.task),
            "depth": str(depth),
            "digest": digest,
            "seconds": round(finished.seconds, 3),
            "result": result_to_json(finished.result),
        }
        text = json.dumps(body | {"sha256": _seal(body)}, allow_nan=False, ensure_ascii=False)
        path = self.path(finished.task, depth)
        try:
            with NamedTemporaryFile(
                "w", encoding="utf-8", dir=self.folder, prefix=".", suffix=".part", delete=False
            ) as file:
                file.write(text + "\n")
            os.replace(file.name, path)
        except OSError as error:
            raise InvalidInput("out", str(self.folder), f"cannot be written ({error})") from None


def result_to_json(result: Result) -> dict[str, Json]:
    """Return a result in its JSON form."""
    return {
        "passed": result.passed,
        "examined": result.examined,
        "summary": result.summary,
        "numbers": [_number_to_json(number) for number in result.numbers],
        "counterexample": result.counterexample,
        "plots": [_plot_to_json(plot) for plot in result.plots],
    }


def result_from_json(content: Json) -> Result:
    """Read a result's JSON form; raises ``ValueError`` (or a kind of it) for anything else."""
    return Result(
        passed=_bool(content, "passed"),
        examined=_int(content, "examined"),
        summary=_str(content, "summary"),
        numbers=tuple(_number_from_json(number) for number in _list(content, "numbers")),
        counterexample=_str(content, "counterexample"),
        plots=tuple(_plot_from_json(plot) for plot in _list(content, "plots")),
    )


def enclosure_to_json(enclosure: Enclosure) -> dict[str, Json]:
    """Return :meth:`Enclosure.to_json`, typed as JSON."""
    return {**enclosure.to_json()}


def enclosure_from_json(content: Json) -> Enclosure:
    """Read :meth:`Enclosure.to_json`."""
    return Enclosure(_end(content, "low"), _end(content, "high"))


def _read(text: str, task: Task, depth: Depth, digest: str) -> Finished | None:
    content: Json = json.loads(text)
    body = {name: _field(content, name) for name in _names(content) if name != "sha256"}
    if _str(content, "sha256") != _seal(body) or _str(content, "format") != _FORMAT:
        raise ValueError("not what was written")
    if (_str(content, "task"), _str(content, "depth")) != (str(task), str(depth)):
        raise ValueError("another task's")
    if _str(content, "digest") != digest:
        return None
    result = result_from_json(_field(content, "result"))
    return Finished(task, result, seconds=_float(content, "seconds"), reused=True)


def _seal(body: dict[str, Json]) -> str:
    text = json.dumps(body, allow_nan=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _number_to_json(number: Number) -> dict[str, Json]:
    return {
        "name": number.name,
        "value": enclosure_to_json(number.value),
        "bound": None if number.bound is None else enclosure_to_json(number.bound),
    }


def _number_from_json(content: Json) -> Number:
    bound = _field(content, "bound")
    return Number(
        _str(content, "name"),
        enclosure_from_json(_field(content, "value")),
        None if bound is None else enclosure_from_json(bound),
    )


def _plot_to_json(plot: Plot) -> dict[str, Json]:
    return {
        "title": plot.title,
        "x": plot.x,
        "y": plot.y,
        "log_x": plot.log_x,
        "log_y": plot.log_y,
        "series": [
            {
                "name": series.name,
                "role": str(series.role),
                "points": [[x, enclosure_to_json(y)] for x, y in series.points],
            }
            for series in plot.series
        ],
    }


def _plot_from_json(content: Json) -> Plot:
    return Plot(
        title=_str(content, "title"),
        x=_str(content, "x"),
        y=_str(content, "y"),
        series=tuple(_series_from_json(series) for series in _list(content, "series")),
        log_x=_bool(content, "log_x"),
        log_y=_bool(content, "log_y"),
    )


def _series_from_json(content: Json) -> Series:
    points = []
    for point in _list(content, "points"):
        if not isinstance(point, list) or len(point) != 2 or not isinstance(point[0], int | float):
            raise ValueError("not a point")
        points.append((float(point[0]), enclosure_from_json(point[1])))
    return Series(_str(content, "name"), tuple(points), Role(_str(content, "role")))


# Readers of one field: JSON says nothing of types, and a store may hold anything.


def _names(content: Json) -> list[str]:
    if not isinstance(content, dict):
        raise ValueError("not an object")
    return list(content)


def _field(content: Json, name: str) -> Json:
    if not isinstance(content, dict):
        raise ValueError("not an object")
    return content[name]


def _str(content: Json, name: str) -> str:
    value = _field(content, name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a string")
    return value


def _bool(content: Json, name: str) -> bool:
    value = _field(content, name)
    if not isinstance(value, bool):
        raise ValueError(f"{name} is not a bool")
    return value


def _int(content: Json, name: str) -> int:
    value = _field(content, name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} is not a whole number")
    return value


def _float(content: Json, name: str) -> float:
    value = _field(content, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} is not a number")
    return float(value)


def _list(content: Json, name: str) -> list[Json]:
    value = _field(content, name)
    if not isinstance(value, list):
        raise ValueError(f"{name} is not a list")
    return value


def _end(content: Json, name: str) -> float:
    infinite = {"inf": inf, "-inf": -inf}
    value = _field(content, name)
    return infinite[value] if isinstance(value, str) else _float(content, name)
