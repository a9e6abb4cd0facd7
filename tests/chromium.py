"""Debian's Chromium, headless, driven through a pipe: what it says and asks for, page by page."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any

CHROMIUM = shutil.which("chromium")
SWITCHES = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"),
)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a page did while it was loaded, and how much wider than its window it then was."""

    too_wide_by: float
    complaints: list[str]
    requests: list[str]


class Browser:
    """A running browser with one tab. Use :func:`browser`."""

    def __init__(self, asks: IO[bytes], answers: IO[bytes]) -> None:
        """Take the ends of its pipes, and open the tab."""
        self._asks, self._answers = asks, answers
        self._number, self._session, self._events, self._left = 0, "", list[Any](), b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> Any:
        """Call a method of the browser; return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._asks.write(json.dumps(message).encode() + b"\0")
        self._asks.flush()
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self._events.append(answer)

    def _next(self) -> Any:
        while b"\0" not in self._left:
            more = os.read(self._answers.fileno(), 1 << 16)
            assert more, "the browser has ended"
            self._left += more
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression, awaited if it is a promise."""
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def resize(self, width: int, height: int = 900) -> None:
        """Give the window a size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def open(self, address: str) -> Seen:
        """Load a page to its end, and say what was seen."""
        self._events.clear()
        self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self._events):
            self._events.append(self._next())
        too_wide = self.too_wide_by()
        complaints = [told for event in self._events for told in _complaints(event)]
        requests = [one for one in self._events if one.get("method") == _ASKED]
        return Seen(too_wide, complaints, [one["params"]["request"]["url"] for one in requests])

    def too_wide_by(self) -> float:
        """Return by how much the page is wider than its window, once it is laid out."""
        # Two frames later its scripts have begun what they do.
        wide: float = self.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() =>"
            "done(document.documentElement.scrollWidth - document.documentElement.clientWidth))))"
        )
        return wide


_ASKED = "Network.requestWillBeSent"


def _complaints(event: Any) -> list[str]:
    match event:
        case (
            {"method": "Runtime.exceptionThrown", "params": {"exceptionDetails": told}}
            | {"method": "Log.entryAdded", "params": {"entry": told}}
            | {"method": "Network.loadingFailed", "params": told}
            | {
                "method": "Runtime.consoleAPICalled",
                "params": {"type": "error" | "warning"} as told,
            }
        ):
            return [str(told)]
    return []


@contextmanager
def browser() -> Iterator[Browser]:
    """Start a browser with a profile of its own, and end it."""
    assert CHROMIUM is not None
    # The browser reads from descriptor 3 and writes to 4.
    words = ["bash", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "bash", CHROMIUM, *SWITCHES]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [*words, f"--user-data-dir={profile}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            with process.stdin as asks, process.stdout as answers:
                yield Browser(asks, answers)
        finally:
            process.terminate()
            process.wait(timeout=30)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of what is served."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine alone; yield its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
