"""The page on the proofs holds the table of what is recorded; no Coq is needed to see that."""

from __future__ import annotations

import re

from tgite_checks.proofs import gate, record

RECORDED = tuple(record.proved().values())


def test_the_record_is_written_as_the_extract_writes_it() -> None:
    assert record.dump(record.recorded()) == record.RECORD.read_text(encoding="utf-8")


def test_every_recorded_theorem_assumes_only_the_allowed_axioms() -> None:
    assert RECORDED
    assert all(set(theorem.axioms) <= gate.AXIOMS.keys() for theorem in RECORDED)


def test_every_theorem_of_the_paper_is_met_by_an_example() -> None:
    examples = "".join(
        (record.COQ / name).read_text(encoding="utf-8")
        for name in ("Examples.v", "ExamplesPolicies.v")
    )
    code = gate.without_comments(examples)
    used = set(re.findall(r"[\w']+", code))
    unmet = [t.name for t in RECORDED if t.labels and t.name not in used]
    assert unmet == []
