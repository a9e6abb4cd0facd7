"""Failures of files, judges and tables, by their kind: nothing wrong is named with a guarantee."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tgite import InvalidInput
from tgite_judge import find_best
from tgite_judge.cli.judge import read_items
from tgite_judge.judges import JudgeProgram
from tgite_judge.reader import read_data
from tgite_judge.replies import JudgeFailed, Said, Vocabulary

TEARING = [one for one in map(chr, range(0x3000)) if len(f"a{one}b".splitlines()) > 1]
"""The characters at which ``str.splitlines`` tears a line."""
TABLES = (
    "winner,loser\n{0},b\n",
    'loser;winner\nb;"{0}"\n',
    "winner loser\n{0} b\n",
    '{{"winner": "{0}", "loser": "b"}}\n',
    "{0},b\n0,3\n2,0\n",
    '{{"format":"tgite-journal/2","head":{{"items":["{0}","b"],"judge":{{"command":"x"}},'
    '"rules":{{}}}}}}\n{{"stage":"find","pair":[0,1],"number":0,"swapped":true,"said":"tie"}}\n',
)


@pytest.mark.parametrize("name", ["{}red", "red{}wine", "wine{}", "{}"])
def test_no_name_is_torn_where_lines_do_not_end(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    for tearing in TEARING:
        if tearing in "\r\n":
            continue
        torn, code = name.format(tearing), f"U\\+{ord(tearing):04X}"
        path.write_text(f"{torn}\nale\n", encoding="utf-8")
        with pytest.raises(InvalidInput, match=code):
            read_items(path)
        with pytest.raises(InvalidInput, match=code):
            find_best([torn, "ale"], min)
        for table in TABLES:
            path.write_text(table.format(torn), encoding="utf-8")
            with pytest.raises(InvalidInput):
                read_data(path)
        for answer in ("red", f"red{tearing}wine", f"red{tearing}", f"{tearing}wine"):
            if tearing in answer:
                with pytest.raises(JudgeFailed):
                    Vocabulary(["red", "wine"]).read(answer, "red", "wine")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_alike_in_items_tables_journals_and_answers(tmp_path: Path, end: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(f"ale{end} red wine {end}{end}tea".encode())
    assert read_items(path) == ("ale", "red wine", "tea")
    for table in TABLES:
        path.write_bytes(table.format("ale").replace("\n", end).encode())
        counts = read_data(path).counts
        assert counts is not None
        assert set(counts.names) == {"ale", "b"}
    journal = tmp_path / "journal"
    find_best(["ale", "tea"], min, journal=journal, version="1", budget=5)
    journal.write_bytes(journal.read_bytes().replace(b"\n", end.encode()))
    assert find_best(["ale", "tea"], min, journal=journal, version="1").comparisons == 16
    # The end of a line may come in two parts.
    source = (
        "import sys, time\nfor line in sys.stdin:\n    for one in {!r}:\n"
        "        sys.stdout.buffer.write(one); sys.stdout.flush(); time.sleep(0.02)\n"
    )
    (tmp_path / "judge.py").write_text(
        source.format([b"second", *(one.encode() for one in end)]), encoding="utf-8"
    )
    judge = JudgeProgram(f"{sys.executable} {tmp_path}/judge.py", Vocabulary("pq"), 20, 0)
    assert [judge.compare("p", "q").said for _ in "123"] == [Said.SECOND] * 3
    judge.close()
