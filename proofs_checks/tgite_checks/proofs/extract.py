"""The machine-checked proofs: build them, extract what they prove, compare with the record.

Run as ``python -m tgite_checks.proofs.extract [keep] [extract] [compare] [check]``.

The development is ``proofs_checks/coq``. It needs Debian's ``coq``, ``libcoq-coquelicot`` and
``libcoq-flocq``. :func:`extract` makes the record ``data/proved.json``, which nobody edits by hand.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path

from tgite_checks.proofs.definitions import Ask, answers, definition, foundations
from tgite_checks.proofs.gate import (
    BELIEVED,
    ProofsFailed,
    axioms_of,
    refuse_libraries,
    refuse_summary,
    refuse_unproved,
    sources,
    without_comments,
)
from tgite_checks.proofs.record import COQ, RECORD, ProvedTheorem, Record, dump, recorded

_THEOREM = re.compile(r"^Theorem (?P<name>[\w']+) : (?P=name)_statement\.", re.MULTILINE)
_STATED = re.compile(r"\bDefinition ([\w']+_statement)\b")
# The comment before a statement, with the labels of the paper's statements that it formalises.
_LABELS = re.compile(
    r"\(\*\* Of the paper: (?P<labels>[\w:-]+(?:, [\w:-]+)*)\.\s(?:[^*]|\*(?!\)))*\*\)\s+"
    r"Definition (?P<name>[\w']+)_statement\b"
)
# A number, or a function to numbers, as the prover prints it on one line. Names of one letter are
# left out, because in statements they are bound variables.
_NUMBER = re.compile(
    r"(?:\w+\.)?(?P<name>[\w']{2,}) =\s+(?P<function>fun [^=]* => )?(?P<value>[^\n]*)\s+: .*\bR"
)
_NAME = re.compile(r"[A-Za-z_][\w']*")
_WITH_LARGE_STACK = (
    "ulimit -s unlimited 2>/dev/null || ulimit -s hard; "
    'ulimit -v "$3" && exec coqc -q -w none -Q "$1" TGITE "$2"'
)
# No variable and no home has libraries or flags for Coq.
_ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": os.devnull}
MOST_MEMORY = 4
"""The most memory of a query to the prover, in GiB; all theorems at once take about one."""


class ProverMissing(Exception):
    """Coq, one of its two libraries or the development itself is not on this machine."""


def require_prover() -> None:
    """Raise :class:`ProverMissing`, with the reason, unless the proofs can be compiled here."""
    for command in ("coqc", "coq_makefile", "make"):
        if shutil.which(command) is None:
            raise ProverMissing(f"{command} is not installed (Debian packages: coq, make)")
    if not (COQ / "_CoqProject").is_file():
        raise ProverMissing("an installed wheel does not contain the proofs; use a source tree")
    for library, module in (("Coquelicot", "Coquelicot"), ("Flocq", "Core")):
        try:
            query(f"From {library} Require {module}.\n")
        except ProofsFailed:
            package = f"libcoq-{library.lower()}"
            missing = f"the library {library} is not installed (Debian: {package})"
            raise ProverMissing(missing) from None


@contextmanager
def compiled_anew(directory: Path = COQ) -> Iterator[Path]:
    """Compile the listed sources alone in an empty folder, with commands of our own; yield it.

    No object, Makefile or other file of the development has an influence. Raises
    :class:`ProofsFailed` if the gate refuses a source, or if the compilation fails.
    """
    refuse_unproved(directory)
    with tempfile.TemporaryDirectory() as folder:
        for path in [directory / "_CoqProject", *sources(directory)]:
            shutil.copy(path, folder)
        _run(["coq_makefile", "-f", "_CoqProject", "-o", "Makefile"], folder)
        _run(["make", "-j2"], folder)
        yield Path(folder)


def _run(command: Sequence[str], folder: str | None = None) -> None:
    done = subprocess.run(
        command, cwd=folder, env=_ENVIRONMENT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise ProofsFailed(f"{' '.join(command)} failed:\n{done.stderr[-3000:]}")


def check(directory: Path = COQ) -> None:
    """Run the independent checker ``coqchk`` on the compiled development.

    Raises :class:`ProofsFailed` if it refuses a file, or reports an axiom that is not allowed.
    """
    names = [f"TGITE.{path.stem}" for path in sources(directory)]
    command = ["coqchk", "-silent", "-o", "-Q", str(directory), "TGITE", *names]
    done = subprocess.run(command, env=_ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ProofsFailed(f"coqchk refuses the proofs:\n{done.stderr[-3000:]}")
    refuse_summary(done.stdout + done.stderr)


def query(vernacular: str, directory: Path = COQ) -> str:
    """Compile ``vernacular`` beside the compiled development and return what the prover prints.

    A refusal, or more memory than :data:`MOST_MEMORY`, raises :class:`ProofsFailed`. The prover
    gets a large stack, because it prints long trees by recursion.
    """
    limit = str(int(MOST_MEMORY * 2**20))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "query.v"
        source.write_text(vernacular, encoding="utf-8")
        done = subprocess.run(
            ["bash", "-c", _WITH_LARGE_STACK, "coqc", str(directory), str(source), limit],
            env=_ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode == 0:
        return done.stdout
    if "out of memory" in done.stderr.lower():
        raise ProofsFailed(f"a query takes more than {MOST_MEMORY} GiB of the prover: ask for less")
    raise ProofsFailed(f"the prover refuses a query:\n{done.stderr[-3000:]}")


def extract(directory: Path = COQ) -> Record:
    """Return what the compiled development proves, and the definitions that it depends on.

    Every ``Theorem X : X_statement`` counts. Raises :class:`ProofsFailed` if an axiom is not
    allowed, if the gate refuses a file, or if there is no theorem.
    """
    refuse_unproved(directory)
    theorems = [
        (path.stem, found["name"])
        for path in sources(directory)
        for found in _THEOREM.finditer(without_comments(path.read_text(encoding="utf-8")))
    ]
    if not theorems:
        raise ProofsFailed("the development states no theorem")
    made = [
        (name, f"{path.stem}.{name}")
        for path in sources(directory)
        for name in _STATED.findall(without_comments(path.read_text(encoding="utf-8")))
    ]
    places = dict(made)
    if len(places) < len(made) or len({name for _, name in theorems}) < len(theorems):
        raise ProofsFailed("two statements or theorems have the same name")
    stems = [path.stem for path in sources(directory)]

    ask = partial(query, directory=directory)
    refuse_libraries(ask("\n".join([*_loading(stems), "Print Libraries.\n"])), directory)
    opening = ["Set Printing Width 110.", *_loading(stems)]
    qualified = [f"{file}.{name}" for file, name in theorems]
    printed = answers(ask, opening, [f"Check {one}." for one in qualified])
    assumed = _assumed(qualified, opening, ask)
    found = foundations([_stated(text) for text in printed], stems, ask)
    names = sorted({name for one in found.values() for name in one.names})
    definitions = _without_fields(readable(names, stems, ask))
    statements = _statements(list(found), stems, ask)
    texts = [path.read_text(encoding="utf-8") for path in sources(directory)]
    labels = _labels(texts)
    found_proved: list[ProvedTheorem] = []
    for (file, name), stated in zip(theorems, printed, strict=True):
        if _stated(stated) != places.get(f"{name}_statement"):
            raise ProofsFailed(f"{name} proves another statement than the one of its name")
        statement = statements[_stated(stated)]
        foundation = found[_stated(stated)]
        rests_on = tuple(one for one in foundation.names if one in definitions)
        found_proved.append(
            ProvedTheorem(
                name,
                f"{file}.v",
                labels.get(name, ()),
                statement,
                _constants_in(statement, (definitions[one] for one in rests_on)),
                assumed[f"{file}.{name}"],
                rests_on,
                foundation.digest,
            )
        )
    return Record(tuple(found_proved), definitions)


def _assumed(names: Sequence[str], opening: Sequence[str], ask: Ask) -> dict[str, tuple[str, ...]]:
    """Return the axioms of each theorem: the recorded ones where these and no others suffice.

    The prover goes through everything below a theorem for each question. So it is asked once about
    all theorems with the same recorded axioms, and singly only where the answer is another one.
    """
    before = {f"{one.file[:-2]}.{one.name}": one.axioms for one in recorded().theorems}
    found = {name: before[name] for name in names if name in before}
    groups = [[name for name in found if found[name] == one] for one in set(found.values())]
    together = [
        f"Definition all_{k} := ({', '.join(f'@{name}' for name in group)}). "
        f"Print Assumptions all_{k}."
        for k, group in enumerate(groups)
    ]
    for group, text in zip(groups, answers(ask, opening, together), strict=True):
        if axioms_of(text, f"{group[0]} or one like it") != found[group[0]]:
            found = {name: axioms for name, axioms in found.items() if name not in group}
    singly = [name for name in names if name not in found]
    printed = answers(ask, opening, [f"Print Assumptions {name}." for name in singly])
    return found | {name: axioms_of(text, name) for name, text in zip(singly, printed, strict=True)}


def compare(now: Record, before: Record | None = None) -> list[str]:
    """Return the differences of an extract from a record, by default the committed one.

    The list is empty if there are none. It names each changed definition once, and then the
    theorems that no longer depend on what is recorded.
    """
    before = recorded() if before is None else before
    return [
        *_differences(
            before.definitions, now.definitions, "no theorem rests on it any more", "defined"
        ),
        *_differences(
            {theorem.name: theorem for theorem in before.theorems},
            {theorem.name: theorem for theorem in now.theorems},
            "no longer proved",
            "proved, or what it rests on,",
        ),
    ]


def _differences(
    before: Mapping[str, object], now: Mapping[str, object], gone: str, word: str
) -> list[str]:
    return [
        *(f"{name}: {gone}" for name in sorted(before.keys() - now.keys())),
        *(f"{name}: not recorded" for name in sorted(now.keys() - before.keys())),
        *(
            f"{name}: {word} otherwise than recorded"
            for name in sorted(now.keys() & before.keys())
            if now[name] != before[name]
        ),
    ]


def _loading(stems: Sequence[str]) -> list[str]:
    return [f"From TGITE Require {' '.join(stems)}."]


def _printing(stems: Sequence[str]) -> list[str]:
    """Return the commands that make the prover print definitions as in the source files."""
    return [
        "Set Printing Width 100.",
        "From Coq Require Import Reals List.",
        "From Coquelicot Require Import Coquelicot.",
        "Import ListNotations.",
        *(f"From TGITE Require Import {stem}." for stem in BELIEVED if stem in stems),
        "Open Scope R_scope.",
    ]


def readable(names: Sequence[str], stems: Sequence[str], ask: Ask) -> dict[str, str]:
    """Return the definitions of the given names as the record has them."""
    opening = [*_loading(stems), *_printing(stems)]
    printed = answers(ask, opening, [f"Print {name}." for name in names])
    return {
        name: "\n".join(line.rstrip() for line in definition(text).splitlines())
        for name, text in zip(names, printed, strict=True)
    }


def _without_fields(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the definitions without the fields of records, whose texts contain them."""
    fields = {
        f"{record.partition('.')[0]}.{field}"
        for record, text in texts.items()
        if text.startswith("Record ")
        for field in re.findall(r"[{;]\s*([\w']+) :", text)
    }
    return {name: text for name, text in texts.items() if name not in fields}


def _stated(printed: str) -> str:
    """Return the name, with its file, of a theorem's statement."""
    return printed.partition(" : ")[2].strip()


def _statements(names: Sequence[str], stems: Sequence[str], ask: Ask) -> dict[str, str]:
    """Return the right-hand sides of ``X_statement = ... : Prop``, with the files imported."""
    opening = [
        *_loading(stems),
        *_printing(stems),
        "Set Printing Width 110.",
        # Tree has short names, so it stays qualified, as in the files; other names that are also
        # believed ones are qualified, too.
        *(f"Import {one}." for one in sorted(stems, key=BELIEVED.__contains__) if one != "Tree"),
    ]
    printed = answers(ask, opening, [f"Print {name}." for name in names])
    sides = [text.partition("=")[2].strip().removesuffix(": Prop").strip() for text in printed]
    return dict(zip(names, sides, strict=True))


def _constants_in(statement: str, definitions: Iterable[str]) -> dict[str, str]:
    """Return the numbers that a statement depends on, and the functions to numbers that it names.

    ``definitions`` are all that it depends on. A function that another one names counts, too.
    Raises :class:`ProofsFailed` if two numbers have the same name.
    """
    printed = [found for text in definitions if (found := _NUMBER.fullmatch(text))]
    values = {one["name"]: one["value"] for one in printed}
    if len(values) < len(printed):
        raise ProofsFailed("a statement depends on two numbers with the same name")
    constants = {one["name"]: one["value"] for one in printed if one["function"] is None}
    unread = [statement, *constants.values()]
    while unread:
        for name in (values.keys() - constants.keys()) & set(_NAME.findall(unread.pop())):
            constants[name] = values[name]
            unread.append(values[name])
    return dict(sorted(constants.items()))


def _labels(texts: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the paper's labels of each theorem; raise for a label that the paper does not have."""
    listed = files("tgite_checks").joinpath("data/labels.txt").read_text(encoding="utf-8")
    known = {line.split()[-1] for line in listed.splitlines() if line.strip()}
    labels = {
        found["name"]: tuple(found["labels"].split(", "))
        for text in texts
        for found in _LABELS.finditer(text)
    }
    for name, named in labels.items():
        if not known.issuperset(named):
            raise ProofsFailed(f"{name}: no label of the paper is {sorted(set(named) - known)[0]}")
    return labels


def main(arguments: Sequence[str]) -> int:
    """Compile the proofs anew, and do what the arguments say in their order.

    ``keep`` puts the compiled files beside the sources, ``extract`` rewrites the record,
    ``compare`` compares with it, ``check`` runs the independent checker ``coqchk``. Returns 0 for
    success, 1 for a difference or a failed proof, and 2 for a missing prover or a wrong argument.
    """
    if not arguments or not {"keep", "extract", "compare", "check"}.issuperset(arguments):
        print("usage: python -m tgite_checks.proofs.extract [keep] [extract] [compare] [check]")
        return 2
    try:
        require_prover()
        with compiled_anew() as folder:
            for argument in arguments:
                match argument:
                    case "keep":
                        for path in folder.glob("*.vo*"):
                            shutil.copy2(path, COQ)  # with its time, by which make goes
                    case "extract":
                        RECORD.write_text(dump(extract(folder)), encoding="utf-8")
                    case "compare":
                        differences = compare(extract(folder))
                        print("\n".join(differences) or "the proofs are as recorded", flush=True)
                        if differences:
                            return 1
                    case _:
                        check(folder)
                        print("the independent checker accepts the proofs", flush=True)
    except (ProverMissing, ProofsFailed) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, ProverMissing) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
