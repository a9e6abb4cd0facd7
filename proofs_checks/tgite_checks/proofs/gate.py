"""The gate: what a Coq development may contain, and what Coq and ``coqchk`` may print about it.

The gate refuses everything that it does not expect: lines of the project file, commands and
attributes in the sources, and output of the prover and of the independent checker.
"""

from __future__ import annotations

import re
from pathlib import Path

BELIEVED = ("Setting", "Algorithms", "Statements")
"""The files that a reader must check, in reading order. They import no others of ours."""

AXIOMS = {
    "ClassicalDedekindReals.sig_forall_dec": "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec": "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep": (
        "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep"
    ),
    "Classical_Prop.classic": "Coq.Logic.Classical_Prop.classic",
}
"""The allowed axioms, those of Coq's classical reals: names in ``coqc``, names in ``coqchk``."""

_PROJECT_LINE = re.compile(
    r"-Q \. TGITE|-arg -w -arg -ambiguous-paths,-notation-overridden|[A-Z]\w*\.v|"
)
_COMMANDS = re.compile(
    "Arguments|Class|Context|Corollary|Defined|Definition|End|Example|Existing|Fixpoint|"
    "From|Hypothesis|Import|Inductive|Instance|Lemma|Let|Ltac|Module|Notation|Open|Proof|"
    "Qed|Record|Section|Theorem|Variable|Variables"
)
_ROOTS = frozenset({"Coq", "Coquelicot", "Flocq", "mathcomp"})
_REQUIRED = re.compile(
    r"From (?P<root>Coq|Coquelicot|Flocq|TGITE) Require (Import )?"
    r"(?P<names>((?!Export\b)[A-Z]\w*\s*)+)",
    re.ASCII,
)
# Braces for what the sentence before introduces: no scopes, and nothing of what others introduce.
_ARGUMENTS = re.compile(r"\s*Arguments (\w+) \{[\w ]+\}")
_INTRODUCED = r"(?:Definition|Fixpoint|Variable) {0}\b|Class [\w ():]*:= {0} :|\| {0} \(\w+ : "
# A plain module, neither a functor nor a module type.
_MODULE = re.compile(r"Module ([A-Z]\w*)", re.ASCII)
_MARK = re.compile(r'\(\*|\*\)|"')
# Others, also in comments, can show a reader another text than the prover reads.
_PLAIN = re.compile(rb"[\n -~]*")
_SENTENCE_END = re.compile(r"\.(?=\s|\Z)")
_BULLETS = re.compile(r"\A(?:[-+*{}\s]|\d+:|all:|\[[^\]]*\]\s*:)*")
_ATTRIBUTE = re.compile(r"#\[([^\]]*)\]\s*")
_WORD = re.compile(r"[A-Za-z_][\w']*")
# Within a section these are hypotheses. Outside of a section they are axioms.
_ASSUMING = frozenset({"Hypothesis", "Variable", "Variables", "Context"})

_PRINTED_AXIOM = re.compile(r"(?P<name>[A-Za-z_][\w.']*)\s*(?::|$)")
_SUMMARY = re.compile(
    r"CONTEXT SUMMARY\s+=+\s+\* Theory: Set is predicative\s+"
    r"\* Axioms:(?P<axioms>[^*]*)"
    r"\* Constants/Inductives relying on type-in-type: <none>\s+"
    r"\* Constants/Inductives relying on unsafe \(co\)fixpoints: <none>\s+"
    r"\* Inductives whose positivity is assumed: <none>\s*"
)


class ProofsFailed(Exception):
    """The development does not compile, or proves less than it must; the message says why."""


def without_comments(text: str) -> str:
    """Return Coq source without its (nested) comments; strings, also in them, are no marks."""
    kept: list[str] = []
    depth = position = 0
    quoted = False
    for mark in _MARK.finditer(text):
        if depth == 0:
            kept.append(text[position : mark.start()])
        if mark.group() == '"':
            quoted = not quoted
        if depth == 0 and (quoted or mark.group() != "(*"):
            kept.append(mark.group())
        elif not quoted and mark.group() != '"':
            depth += 1 if mark.group() == "(*" else -1
        position = mark.end()
    return "".join([*kept, text[position:]])


def sources(directory: Path) -> list[Path]:
    """Return the development's files in their order.

    Raises :class:`ProofsFailed` for an unexpected file or an unexpected line of the project file.
    A file of Coq in a subfolder is unexpected: the prover would find it as a library.
    """
    lines = (directory / "_CoqProject").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if not _PROJECT_LINE.fullmatch(line):
            raise ProofsFailed(f"_CoqProject: {line!r} is not allowed")
    listed = [line for line in lines if line.endswith(".v")]
    found = {str(path.relative_to(directory)) for path in directory.rglob("*.v*") if path.is_file()}
    unlisted = sorted(one for one in found - set(listed) if "/" in one or one.endswith(".v"))
    if unlisted:
        raise ProofsFailed(f"not compiled, because not in _CoqProject: {', '.join(unlisted)}")
    return [directory / line for line in listed]


def refuse_unproved(directory: Path) -> None:
    """Raise :class:`ProofsFailed` if a source has what proofs do not need, outside of comments."""
    listed = sources(directory)
    stems = frozenset(path.stem for path in listed)
    for path in listed:
        source = path.read_bytes()
        text = without_comments(source.decode(errors="replace"))
        # Strings make notations, and ":>" makes coercions that the prover does not print.
        if any(one in text for one in ('"', ":>", "..", "(*", "*)")):
            raise ProofsFailed(f"{path.name} has a string, ':>', '..' or a mark of comments")
        if not _PLAIN.fullmatch(source):
            raise ProofsFailed(f"{path.name} has a character that is not plain ASCII")
        read = stems.intersection(BELIEVED) if path.stem in BELIEVED else stems
        opened, before = list[str](), ""
        for sentence in _SENTENCE_END.split(text):
            command = _command(sentence, path.name, read)
            named = _ARGUMENTS.fullmatch(sentence)
            if command != "Arguments":
                before = sentence
            elif named is None or not re.search(_INTRODUCED.format(named[1]), before):
                raise ProofsFailed(f"{path.name} hides arguments: {_shown(sentence)}")
            if command in {"Section", "Module"}:
                opened.append(command)
            elif command == "End" and opened:
                opened.pop()
            elif command in _ASSUMING and "Section" not in opened:
                raise ProofsFailed(f"{path.name} assumes outside of a section: {_shown(sentence)}")


def axioms_of(printed: str, name: str) -> tuple[str, ...]:
    """Return the axioms that ``Print Assumptions`` lists, in order.

    Raises :class:`ProofsFailed` for an axiom that is not in :data:`AXIOMS`, and for any other
    output, such as an unchecked assumption on guardedness, positivity or universes.
    """
    printed = printed.strip()
    if printed == "Closed under the global context":
        return ()
    heading, _, listed = printed.partition("\n")
    if heading.strip() != "Axioms:":
        raise ProofsFailed(f"{name}: the prover prints {_shown(printed)}")
    found = []
    for line in listed.splitlines():
        if line.startswith(" "):  # continues the type on the line above
            continue
        axiom = _PRINTED_AXIOM.match(line)
        if axiom is None or axiom["name"] not in AXIOMS:
            raise ProofsFailed(f"{name} assumes {_shown(line)}")
        found.append(axiom["name"])
    return tuple(sorted(found))


def refuse_summary(printed: str) -> None:
    """Raise :class:`ProofsFailed` unless ``coqchk``'s summary has the expected form and axioms."""
    summary = _SUMMARY.search(printed)
    if summary is None:
        raise ProofsFailed(f"coqchk's summary is not as expected:\n{printed[-2000:]}")
    excess = set(summary["axioms"].split()) - set(AXIOMS.values()) - {"<none>"}
    if excess:
        raise ProofsFailed(f"coqchk finds the axioms {', '.join(sorted(excess))}")


def refuse_libraries(printed: str, directory: Path) -> None:
    """Raise :class:`ProofsFailed` unless ``Print Libraries`` lists what the sources may load.

    That is the listed files, and libraries of Coq, Coquelicot, Flocq and mathcomp. No file and no
    module of ours may have the name of one, so that a short name in the output is that library's.
    """
    listed = sources(directory)
    loaded = set(printed.partition(":")[2].split())
    own = {f"TGITE.{path.stem}" for path in listed}
    foreign = {name for name in loaded - own if name.split(".")[0] not in _ROOTS}
    if foreign or own - loaded:
        raise ProofsFailed(f"loaded, or not: {', '.join(sorted(foreign | own - loaded))}")
    names = {path.stem for path in listed}.union(
        *(_MODULE.findall(without_comments(path.read_text(encoding="utf-8"))) for path in listed)
    )
    if taken := names & {name.rpartition(".")[2] for name in loaded - own}:
        raise ProofsFailed(f"has the name of a library: {', '.join(sorted(taken))}")


def _command(sentence: str, file: str, stems: frozenset[str]) -> str:
    """Return a sentence's command, or nothing for a tactic, which starts with a small letter."""
    rest = _BULLETS.sub("", sentence, count=1)
    while (attribute := _ATTRIBUTE.match(rest)) is not None:
        if set(re.split(r"[\s,]+", attribute[1].strip())) - {"global", "local", "refine"}:
            raise ProofsFailed(f"{file} contains {_shown(sentence)}")
        rest = rest[attribute.end() :]
    words = _WORD.findall(rest)
    if not words or not words[0][0].isupper():
        return ""
    command: str = words[1] if words[0] in {"Local", "Global"} and len(words) > 1 else words[0]
    if not _COMMANDS.fullmatch(command):
        raise ProofsFailed(f"{file} contains {_shown(sentence)}")
    if command == "From":
        required = _REQUIRED.fullmatch(rest.strip())
        own = required is not None and required["root"] == "TGITE"
        if required is None or (own and not stems.issuperset(required["names"].split())):
            raise ProofsFailed(f"{file} imports a library that is not allowed: {_shown(sentence)}")
    # Notations that other files export would change how statements are printed.
    exported = command == "Notation" and words[0] != "Local" and file[:-2] not in BELIEVED
    if exported or (command == "Module" and not _MODULE.fullmatch(rest.strip())):
        raise ProofsFailed(f"{file} contains {_shown(sentence)}")
    return command


def _shown(text: str) -> str:
    return " ".join(text.split())[:100]
