"""The commands ``conform`` and ``vectors``; the helper for pytest."""

from __future__ import annotations

import os
import threading
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from golden import table
from implementations import numpy_tgite
from odd_implementations import folding, only_bkt
from shipped_vectors import PYTHONPATH, REFERENCE
from tgite import InvalidInput
from tgite_conform import vector_files
from tgite_conform.format import VERSIONS, read_folder
from tgite_conform.referee import Level
from tgite_conform.testing import cases, conformance
from tgite_laws.cli.main import status

SHORT = ("--algorithm", "tg_ite_bai")


@pytest.mark.parametrize("bad", table("conform/programs.toml", "commands")["bad"])
def test_no_report_of_an_earlier_run_is_left_by_bad_input(bad: str, tmp_path: Path) -> None:
    words = bad.replace("REFERENCE", REFERENCE).split()
    junit = tmp_path / "junit.xml"
    for said in ((f"--junit={junit}", *words), ("--junit", str(junit), *words)):
        junit.write_text("of an earlier run")
        assert status(["conform", *said]) == 2
        assert junit.read_text() == ""


def test_no_report_of_an_earlier_run_is_left_by_a_crash_or_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    junit = tmp_path / "junit.xml"
    words = ["conform", REFERENCE, *SHORT, "--junit", str(junit)]
    for where in ("read_vectors", "examine", "causes_of"):
        for raised in (RuntimeError("the kit crashes"), KeyboardInterrupt()):

            def fails(*_: object, error: BaseException = raised) -> None:
                assert junit.read_text() == ""
                raise error

            junit.write_text("of an earlier run")
            with monkeypatch.context() as patched:
                patched.setattr(f"tgite_conform.cli.conform.{where}", fails)
                if isinstance(raised, RuntimeError):
                    with pytest.raises(RuntimeError, match="the kit crashes"):
                        status(words)
                else:
                    assert status(words) == 130
            assert junit.read_text() == ""


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nothing(*_: object) -> None:
        pytest.fail("it plays")

    monkeypatch.setattr("tgite_conform.cli.conform.read_vectors", nothing)
    for junit in (tmp_path, tmp_path / "none" / "junit.xml"):
        assert status(["conform", REFERENCE, *SHORT, "--junit", str(junit)]) == 2
        assert "cannot be written" in capsys.readouterr().err


def test_a_report_goes_into_a_pipe_once(tmp_path: Path) -> None:
    """What is no file, as what a shell's substitution makes, is neither removed nor begun."""
    pipe, told = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: told.append(pipe.read_text()), daemon=True)
    reader.start()
    assert status(["conform", REFERENCE, *SHORT, "--junit", str(pipe)]) == 0
    reader.join(20)
    assert told
    assert ET.fromstring(told[0]).get("name") == f"tgite conform {REFERENCE}"


def test_a_case_that_conforms_alone_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    words = ("--algorithm", "bkt", "--flag", "rounds-4")
    assert status(["conform", "odd_implementations:leaking", *words]) == 1
    assert "\nalone, bkt-" in capsys.readouterr().out
    assert status(["conform", "odd_implementations:one_arm_less", *words]) == 1
    assert "\nalone, bkt-" not in capsys.readouterr().out


def test_what_is_printed_in_a_process_of_its_own_is_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    words = ("--isolate", "--algorithm", "bkt", "--flag", "no-match")
    assert status(["conform", "odd_implementations:printing", *words]) == 0


def test_vectors_can_be_written_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Generating everything is tested with the vectors; here a part will do.
    import tgite_conform.cli.vectors as command

    parts = {
        version: min(version.folder().glob("*.json"), key=lambda path: path.stat().st_size).stem
        for version in VERSIONS
    }
    monkeypatch.setattr(
        command, "all_cases", lambda version: read_folder(version.folder(), {parts[version]})
    )
    folder = tmp_path
    assert status(["vectors", str(folder)]) == 0
    for version, algorithm in parts.items():
        written = version.folder(folder) / f"{algorithm}.json"
        assert written.read_bytes() == (version.folder() / written.name).read_bytes()
    assert status(["conform", REFERENCE, "--vectors", str(folder)]) == 0
    assert status(["conform", REFERENCE, "--vectors", str(folder / "v1.1")]) == 0
    monkeypatch.setattr(vector_files, "SHIPPED", tmp_path / "an" / "installed" / "package")
    with pytest.raises(InvalidInput, match="must be named, as in: tgite vectors my-vectors"):
        command.write()


# The helper for other projects' tests.

test_numpy_conforms = conformance(numpy_tgite.play, cases(["tg_ite_bai"], flags=["bye"]))
test_the_reference_by_name = conformance(REFERENCE, cases(["bkt"], ["no-match"]), Level.ORDER)


def test_cases_are_those_that_have_all_of_the_flags() -> None:
    flags = {"bye", "rounds-4"}
    assert cases(["bkt"], flags) == [one for one in cases(["bkt"]) if flags <= set(one.flags)] != []


def test_a_failing_case_shows_the_divergence() -> None:
    case = next(case for case in cases(["bkt"]) if case.name.startswith("4 arms: the lower"))
    with pytest.raises(pytest.fail.Exception, match=r"at duel 1 it asks another duel") as failed:
        conformance(folding)(case)
    assert failed.value.__suppress_context__
    with pytest.raises(pytest.skip.Exception):
        conformance(only_bkt)(cases(["duel_test"])[0])
    with pytest.raises(TypeError):
        conformance(7)
