"""Language models as judges, at a server of this test that behaves well or badly."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

import pytest

from tgite import InvalidInput
from tgite_judge.endpoint import PROMPT, JudgeEndpoint
from tgite_judge.replies import Answers, JudgeFailed, Said, Vocabulary
from tgite_laws.cli.main import status

KEY, TEXT = "sk-secret-0123456789", PROMPT.read_text("utf-8")
WORDS = Vocabulary(["ale", "tea"], Answers.POSITIONS)
TABLE = Path(__file__).with_name("endpoints.txt").read_text("utf-8").splitlines()
ANSWERS: list[dict[str, Any]] = []
"""What the server sends: each of them once, and the last one again and again."""
ASKED: list[tuple[str, str]] = []
"""The heads of requests, and their prompts."""


class Handler(StreamRequestHandler):
    """Sends one answer; without a text, that of a model that prefers the first by the alphabet."""

    def handle(self) -> None:
        """Keep the request and send the next answer."""
        head = b"".join(iter(self.rfile.readline, b"\r\n")).decode()
        assert head.startswith("POST /v1/chat/completions ")
        length = int(head.lower().partition("content-length: ")[2].split()[0])
        body = json.loads(self.rfile.read(length))
        assert (body["model"], body["temperature"]) == ("m", 1.0)
        ASKED.append((head, body["messages"][0]["content"]))
        answer = ANSWERS.pop(0) if len(ANSWERS) > 1 else ANSWERS[0]
        first, second = (part.split("\n")[0] for part in ASKED[-1][1].split(" begins]\n")[1:])
        text = f"Both are fine.\n\n**Verdict: {'A' if first < second else 'B'}**"
        choice = {"message": {"content": answer.get("content", text)}, "finish_reason": "stop"}
        whole = {"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
        sent = str(answer.get("body", json.dumps(whole))) * answer.get("times", 1)
        sent = " " * answer.get("pad", 0) + sent.replace("KEY", KEY)
        headers = {"Content-Length": answer.get("length", len(sent)), **answer.get("headers", {})}
        lines = [f"{name}: {value}" for name, value in headers.items()]
        lines = [f"HTTP/1.1 {answer.get('status', 200)} so", *lines, "", sent]
        reply = answer.get("raw", "\r\n".join(lines)).encode()
        time.sleep(answer.get("sleep", 0))
        for at in range(0, 0 if answer.get("drop") else len(reply), answer.get("step", len(reply))):
            time.sleep(0.02 if "step" in answer else 0)
            self.wfile.write(reply[at : at + answer.get("step", len(reply))])


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve at 127.0.0.1; pauses between attempts are short."""
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("TGITE_API_KEY", f"{KEY}\n")
    monkeypatch.setattr("random.uniform", lambda low, high: 0.01)
    monkeypatch.setattr(ThreadingTCPServer, "handle_error", lambda *_: None)
    ANSWERS[:], ASKED[:] = [{}], []
    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: json.loads(row)[0])
def test_an_endpoint_is_read_refused_or_asked_again(url: str, row: str) -> None:
    """What it says, how often it is asked, and how often that counts as in vain."""
    _, says, asked, missed, ANSWERS[:] = json.loads(row)
    judge = JudgeEndpoint(url, "m", TEXT, WORDS, key=KEY, timeout=0.5, retries=2)
    try:
        reply = judge.compare("ale", "tea")
        told, counted = str(reply.said), reply.missed
    except JudgeFailed as failed:
        told, counted = str(failed), failed.missed
    assert says in told
    assert KEY not in told
    assert (len(ASKED), counted) == (asked, missed)
    assert f"\r\nAuthorization: Bearer {KEY}\r\n" in ASKED[0][0]


def test_a_model_finds_the_best_and_only_the_same_one_continues(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With four requests at once; the key is in no output; an endpoint that vanishes loses none."""
    monkeypatch.chdir(tmp_path)
    Path("items").write_text("tea\nale\n{first}\n", encoding="utf-8")
    Path("mine").write_text("{first} or {second}?", encoding="utf-8")
    asks = f"judge items --delta 0.05 --endpoint {url} --model m --retries 1".split()
    ANSWERS[:] = [*[{}] * 9, {"status": 400}]
    assert status(asks) == 1
    for other in ("--model=n", "--prompt=mine", "--temperature=0"):
        assert status([*asks, other]) == 2
    assert status([*asks, "--endpoint", "http://127.0.0.1:1"]) == 1
    told = "".join(capsys.readouterr())
    assert told.count("the 9 answers so far are kept in items.journal") == 2
    assert all(one in told for one in ("status 400", "not m temperature=0;", "Connection refused"))
    ANSWERS[:], asked = [{}], len(ASKED)
    assert status([*asks, *["--concurrency", "4", "--price-in", "1e6", "--price-out", "2e6"]]) == 0
    now, asked = capsys.readouterr(), len(ASKED) - asked
    assert now.out.startswith("ale is the best item")
    assert f"{7 * asked} asked, {2 * asked} answered; cost {11 * asked}." in now.err
    journal = Path("items.journal").read_text("utf-8")
    assert journal.count('"nothing"') == 1
    assert KEY not in journal + told + now.out + now.err


def test_requests_keep_to_a_rate_and_an_unusable_key_is_not_shown(url: str) -> None:
    judge = JudgeEndpoint(f"{url}/chat/completions", "m", TEXT, WORDS, per_minute=1200)
    begun = time.monotonic()
    assert {judge.compare("{second}", "~").said for _ in range(5)} == {Said.FIRST}
    assert time.monotonic() - begun > 4 * 60 / 1200
    assert "\n{second}\n" in ASKED[0][1]
    with pytest.raises(InvalidInput) as refused:
        JudgeEndpoint("http://x", "m", TEXT, WORDS, key="sk-\nsecret")
    assert "secret" not in str(refused.value)
