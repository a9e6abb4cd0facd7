"""The audit as a JSON document, of the form that ``schemas/audit.schema.json`` fixes."""

from __future__ import annotations

import json

from tgite_checks.audit.judgement import Confirmation, Entry, Evidence, Judged, Trial
from tgite_checks.audit.report.slack import slack
from tgite_checks.audit.runner import Finished
from tgite_checks.audit.sources import digest_of_everything, versions
from tgite_checks.audit.store import Json, enclosure_to_json, result_to_json
from tgite_checks.check import Number
from tgite_checks.enclosure import Enclosure

FORMAT = "tgite-audit/1"


def document(judged: Judged) -> dict[str, Json]:
    """Return the audit as JSON."""
    return {
        "format": FORMAT,
        "depth": str(judged.depth),
        "sources": digest_of_everything(),
        "versions": {**versions()},
        "as_recorded": not judged.differences(),
        "differences": list(judged.differences()),
        "notes": list(judged.notes),
        "reused": judged.reused,
        "ran": judged.ran,
        "mutants": judged.mutants,
        "claims": [_claim(entry) for entry in judged.entries],
        "findings": [_finding(confirmation) for confirmation in judged.findings],
        "proofs": {
            "rechecked": judged.rechecked,
            "theorems": [
                {
                    "name": theorem.name,
                    "file": theorem.file,
                    "labels": list(theorem.labels),
                    "statement": theorem.statement,
                    "constants": {**theorem.constants},
                    "axioms": list(theorem.axioms),
                }
                for theorem in judged.theorems
            ],
        },
    }


def written(content: dict[str, Json]) -> str:
    """Return the document's text."""
    return json.dumps(content, allow_nan=False, ensure_ascii=False, indent=1) + "\n"


def _claim(entry: Entry) -> Json:
    claim = entry.claim
    return {
        "label": claim.label,
        "kind": str(claim.kind),
        "title": claim.title,
        "place": claim.place,
        "hypotheses": claim.hypotheses,
        "statement": claim.statement,
        "transcription": list(claim.transcription),
        "not_established": claim.not_established,
        "nothing_to_check": claim.nothing_to_check,
        "command": entry.command,
        "verdicts": {
            str(question): {
                "outcome": str(judgement.verdict.outcome),
                "domain": judgement.verdict.domain,
                "amendment": judgement.verdict.amendment,
                "status": str(judgement.status),
            }
            for question, judgement in entry.judgements.items()
        },
        "checks": [_check(evidence) for evidence in entry.evidence],
    }


def _check(evidence: Evidence) -> Json:
    check = evidence.check
    statistics = check.statistics
    return {
        "name": check.name,
        "question": str(check.question),
        "kind": str(check.kind),
        "domain": check.domain,
        "holds": evidence.holds,
        **_finished(evidence.finished),
        "statistics": None
        if statistics is None
        else {
            "alpha": statistics.alpha,
            "power": statistics.power,
            "alternative": statistics.alternative,
        },
        "certifies": list(check.certifies),
        "unproved": list(evidence.missing),
        "rejects": list(check.rejects),
        "refuses": list(check.refuses),
        "trials": [_trial(trial) for trial in evidence.trials],
    }


def _trial(trial: Trial) -> Json:
    return {
        "against": trial.name,
        "explanation": trial.explanation,
        "told_apart": trial.told_apart,
        **_finished(trial.finished),
    }


def _finding(confirmation: Confirmation) -> Json:
    finding, finished = confirmation.finding, confirmation.finished
    return {
        "name": finding.name,
        "label": finding.label,
        "severity": str(finding.severity),
        "place": finding.place,
        "claim": finding.claim,
        "reason": finding.reason,
        "correction": finding.correction,
        "status": str(confirmation.status),
        "demonstration": None if finished is None else _finished(finished),
    }


def _finished(finished: Finished) -> dict[str, Json]:
    result = finished.result
    return {
        "seconds": round(finished.seconds, 3),
        "reused": finished.reused,
        "error": finished.error,
        "result": None
        if result is None
        else result_to_json(result) | {"numbers": [_number(one) for one in result.numbers]},
    }


def _number(number: Number) -> Json:
    ratio = slack(number)
    return {
        "name": number.name,
        "value": enclosure_to_json(number.value),
        "bound": _enclosure(number.bound),
        "slack": _enclosure(ratio),
    }


def _enclosure(enclosure: Enclosure | None) -> Json:
    return None if enclosure is None else enclosure_to_json(enclosure)
