"""The audit as a JSON document with the schema ``schemas/audit.schema.json``."""

from __future__ import annotations

import msgspec

from tgite_checks.audit.json_form import Json, plain
from tgite_checks.audit.judgement import Confirmation, Entry, Evidence, Judged, Shown, Trial
from tgite_checks.audit.report.numbers import slack
from tgite_checks.audit.report.prose import in_characters
from tgite_checks.audit.report.words import in_words
from tgite_checks.audit.sources import digest_of_everything, versions
from tgite_checks.audit.tasks import Finished
from tgite_checks.check import Result

FORMAT = "tgite-audit/1"


def document(judged: Judged) -> Json:
    """Return the audit as JSON."""
    differences = judged.differences()
    return plain(
        {
            "format": FORMAT,
            "depth": judged.depth,
            "sources": digest_of_everything(),
            "versions": versions(),
            "as_recorded": not differences,
            "differences": differences,
            **_fields(judged, "notes", "reused", "ran", "mutants"),
            "claims": [_claim(entry) for entry in judged.entries],
            "beyond": [_claim(entry) for entry in judged.beyond],
            "findings": [_finding(confirmation) for confirmation in judged.findings],
            "proofs": {
                "rechecked": judged.rechecked,
                "theorems": [
                    _fields(one, "name", "file", "labels", "statement", "constants", "axioms")
                    for one in judged.theorems
                ],
            },
        }
    )


def written(content: Json) -> str:
    """Return the text of a JSON document."""
    return msgspec.json.format(msgspec.json.encode(content), indent=1).decode() + "\n"


def _fields(of: object, *names: str) -> dict[str, object]:
    return {name: getattr(of, name) for name in names}


def _texts(of: object, *names: str) -> dict[str, object]:
    """Return texts of the ledger, with formulas in plain characters."""
    return {name: in_characters(getattr(of, name)) for name in names}


def _claim(entry: Entry) -> dict[str, object]:
    return {
        **_fields(entry.claim, "label", "kind", "transcription", "repeats"),
        **_texts(entry.claim, "title", "place", "hypotheses", "statement"),
        **_texts(entry.claim, "not_established", "nothing_to_check", "argument"),
        "command": entry.command,
        "verdicts": {
            question: {
                **_fields(entry.claim.verdicts[question], "outcome"),
                **_texts(entry.claim.verdicts[question], "domain", "amendment", "explicit"),
                "status": status,
            }
            for question, status in entry.statuses.items()
        },
        "checks": [_check(evidence) for evidence in entry.evidence],
    }


def _check(evidence: Evidence) -> dict[str, object]:
    return {
        **_fields(evidence.check, "name", "question", "kind"),
        "domain": in_words(evidence.check),
        "holds": evidence.holds,
        **_finished(evidence.finished),
        **_fields(evidence.check, "statistics", "certifies"),
        "unproved": evidence.missing,
        "rejects": evidence.check.rejects,
        "refuses": list(evidence.check.refuses),
        "trials": [_trial(trial) for trial in evidence.trials],
    }


def _trial(trial: Trial) -> dict[str, object]:
    return {
        "against": trial.name,
        **_fields(trial, "explanation", "told_apart"),
        **_finished(trial.finished),
    }


def _finding(confirmation: Confirmation) -> dict[str, object]:
    finished = confirmation.finished
    return {
        **_fields(confirmation.finding, "name", "label", "severity"),
        **_texts(confirmation.finding, "title", "place", "claim", "reason", "correction"),
        **_texts(confirmation.finding, "reading", "answer", "rebuttal"),
        "status": confirmation.status,
        "demonstration": None if finished is None else _finished(finished),
        "consequences": [_consequence(shown) for shown in confirmation.consequences],
    }


def _consequence(shown: Shown) -> dict[str, object]:
    return {
        **_fields(shown.part, "name", "label"),
        **_texts(shown.part, "title", "place", "follows"),
        "status": shown.status,
        "demonstration": None if shown.finished is None else _finished(shown.finished),
    }


def _finished(finished: Finished) -> dict[str, object]:
    return {
        "seconds": round(finished.seconds, 3),
        **_fields(finished, "reused", "error"),
        "result": None if finished.result is None else _result(finished.result),
    }


def _result(result: Result) -> dict[str, object]:
    return {
        **_fields(result, "passed", "examined", "summary", "counterexample", "plots"),
        "numbers": [
            {**_fields(number, "name", "value", "bound"), "slack": slack(number)}
            for number in result.numbers
        ],
    }
