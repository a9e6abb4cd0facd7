"""A judge that asks a language model: ``POST URL/chat/completions``."""

from __future__ import annotations

import hashlib
import json
import random
import re
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import partial
from http.client import HTTPException
from math import isfinite
from pathlib import Path
from socket import gaierror
from threading import Lock
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from tgite.errors import require
from tgite_judge.fingerprint import Fingerprint
from tgite_judge.judges import LONGEST_REPLY, Retrying
from tgite_judge.replies import JudgeFailed, Vocabulary

KEY = "TGITE_API_KEY"
PROMPT = Path(__file__).with_name("prompt.txt")
"""The prompt for every purpose."""
_LATER = (408, 409, 425, 429, *range(500, 600))
"""The statuses after which to ask again."""
_STATUS = {
    **dict.fromkeys((401, 403), "the key was refused, or there was none"),
    **dict.fromkeys((301, 302, 303, 307, 308), "a redirect, which is not followed"),
}
_LONGEST_WAIT = 120.0
_SHORT, _MANY = 7, 1 << 40
"""No key of so few characters is a secret, and no answer has so many tokens."""


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect, because the key would go to another address."""

    def redirect_request(self, *_: object) -> None:
        """Refuse, so that a redirect is an error."""


class JudgeEndpoint(Retrying):
    """A language model that gets a prompt with two items and answers with a verdict.

    One object serves several threads. The key is sent to this URL only, and never stored or shown.
    A request that cannot have reached the server is no question asked in vain. ``tokens`` are those
    asked and answered so far, and ``prices`` are for a million of each.
    """

    def __init__(
        self,
        url: str,
        model: str,
        prompt: str,
        words: Vocabulary,
        *,
        key: str = "",
        temperature: float = 1.0,
        per_minute: float = 0.0,
        prices: tuple[float, float] = (0.0, 0.0),
        timeout: float = 60.0,
        retries: int = 5,
    ) -> None:
        """Prepare to ask; refuse a URL that could hold a secret, which a journal would store."""
        super().__init__(words, timeout, retries)
        require(bool(model.strip()), "model", repr(model), "must be given")
        plain = re.fullmatch(r"https?://[\w.:\[\]-]+(/[\w.~%+/-]*)?", url, re.ASCII)
        require(plain is not None, "endpoint", url, "must be http(s)://HOST/PATH and nothing else")
        for one in ("{first}", "{second}"):
            require(one in prompt, "prompt", prompt, f"must contain {one}")
        # An HTTP library would show a key that it refuses.
        readable = key.isascii() and key.isprintable()
        require(readable, "key", "the given one", "must consist of printable ASCII characters")
        base = url.removesuffix("/chat/completions").rstrip("/")
        digest = hashlib.sha256(prompt.encode()).hexdigest()
        setting = (model, f"temperature={temperature:g}")
        self.fingerprint = Fingerprint(f"{model} at {url}", (("prompt", digest),), setting)
        self.tokens = [0, 0]
        self._url, self._prompt, self._key = f"{base}/chat/completions", prompt, key
        self._body = {"model": model, "temperature": temperature}
        self._gap, self._prices = 60 / per_minute if per_minute else 0.0, prices
        self._lock, self._next = Lock(), 0.0
        self._opener = build_opener(_NoRedirect)

    @property
    def cost(self) -> float:
        """What the tokens so far cost."""
        return sum(n * price for n, price in zip(self.tokens, self._prices, strict=True)) / 1e6

    def attempt(self, first: str, second: str) -> str:
        """Send one request when its turn comes, and return what the model answers."""
        texts = {"first": first, "second": second}
        text = re.sub(r"\{(first|second)\}", lambda found: texts[found[1]], self._prompt)
        body = self._body | {"messages": [{"role": "user", "content": text}]}
        headers = {"Content-Type": "application/json", "User-Agent": "tgite"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + self._gap
        if self.stopped.wait(start - now):
            raise JudgeFailed("it was stopped", 0)
        request = Request(self._url, json.dumps(body).encode(), headers)
        return self._content(self.within_limit(partial(self._sent, request)))

    def recover(self, failure: JudgeFailed, failures: int) -> None:
        """Let all threads wait if the endpoint gave no answer."""
        if failure.wait is not None:
            seconds = max(failure.wait, min(2.0 ** (failures - 1), 60) * random.uniform(1, 1.5))
            failure.final = failure.final or seconds > _LONGEST_WAIT
            with self._lock:
                self._next = max(self._next, time.monotonic() + seconds)

    def _sent(self, request: Request) -> str:
        why, missed, final, wait = "", 1, False, 0.0
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return self._text(response.read(LONGEST_REPLY + 1))
        except HTTPError as error:
            with suppress(OSError, HTTPException), error:
                why = _short(self._text(error.read(1 << 12)))
            where = f" from {self._url}" if error.code == 404 else ""
            why = f"status {error.code}{where}: {_STATUS.get(error.code, why)}"
            final, wait = error.code not in _LATER, _seconds(error.headers.get("Retry-After", ""))
            # A wrong key or address does not depend on the items.
            missed = int(error.code not in (401, 404))
        except (OSError, HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            why = f"no answer: {type(reason).__name__} {_short(str(reason))}"
            missed = int(not isinstance(reason, ConnectionRefusedError | gaierror))
        raise JudgeFailed(why, missed, final=final, wait=wait)

    def _text(self, body: bytes) -> str:
        """Return a body as text without the key."""
        text = body.decode("utf-8", "replace")
        return text.replace(self._key, "[key]") if len(self._key) > _SHORT else text

    def _content(self, text: str) -> str:
        try:
            completion = json.loads(text)
            used = completion.get("usage") or {}
            spent = [int(used.get(f"{one}_tokens", 0)) for one in ("prompt", "completion")]
            (choice,) = completion["choices"]
            content, reason = choice["message"]["content"], choice.get("finish_reason")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError):
            raise JudgeFailed(f"its answer is no chat completion: {_short(text)}") from None
        with self._lock:
            for place, number in enumerate(spent):
                self.tokens[place] += min(max(0, number), _MANY)
        if reason in ("length", "content_filter") or not isinstance(content, str):
            raise JudgeFailed(f"its answer is not complete ({_short(str(reason))})")
        return content


def _short(text: str) -> str:
    return repr(" ".join(text.split())[:150])


def _seconds(after: str) -> float:
    """Return the seconds that a header Retry-After states, also by a date; 0 if it is unclear."""
    seconds = 0.0
    with suppress(ValueError, TypeError, OverflowError):
        seconds = parsedate_to_datetime(after).timestamp() - time.time()
    with suppress(ValueError):
        seconds = float(after)
    return max(0.0, seconds) if isfinite(seconds) else 0.0
