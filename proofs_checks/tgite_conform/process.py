"""Runs a program in its own process group, so that everything it starts can be ended."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

from tgite import InvalidInput
from tgite_conform.faults import Fault, FaultKind

_LONGEST_LINE = 1 << 24
_LAST_WORDS = 2.0
_OUT_OF_TURN = "wrote a line that no message asks for"


class ProcessConnection:
    """A command that is started on demand, and again after it was ended."""

    def __init__(self, command: Sequence[str]) -> None:
        """Store the command; raises :class:`~tgite.errors.InvalidInput` if it does not exist."""
        if not command:
            raise InvalidInput("program", "nothing", "must be a command that can be run")
        if shutil.which(command[0]) is None:
            why = "found, but cannot be executed" if os.path.exists(command[0]) else "not found"
            raise InvalidInput(
                "program", " ".join(command), f"must be a command that can be run ({why})"
            )
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: LineChannel | None = None

    def channel(self) -> LineChannel:
        """Return the channel to the process, which is started if there is none."""
        if self._channel is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    self._command, 0, None, pipe, pipe, pipe, start_new_session=True
                )
            except OSError as error:
                raise Fault(FaultKind.NOT_STARTED, str(error)) from None
            pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
            write_to, read_from, complaints = (one.fileno() for one in pipes if one is not None)
            self._channel = LineChannel(write_to, read_from, complaints, _LONGEST_LINE)
        return self._channel

    def fault(self) -> Fault:
        """Return the fault of a process that ended or closed its output."""
        process = self._process
        if process is None:
            return Fault(FaultKind.NOT_STARTED, "there is no process")
        try:
            status = process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            return Fault(FaultKind.EXITED_EARLY, "closed its output and went on")
        if status == 0:
            return Fault(FaultKind.EXITED_EARLY, "exited with status 0")
        if status < 0:
            return Fault(FaultKind.CRASHED, f"ended by signal {signal.Signals(-status).name}")
        return Fault(FaultKind.CRASHED, f"exited with status {status}")

    def end(self) -> str:
        """Kill the process and its group; return the end of its standard error."""
        process, channel = self._process, self._channel
        self._process = self._channel = None
        if process is None or channel is None:
            return ""
        # This is needed after its exit, too, because what it started may still run.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        channel.drain_complaints()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        return channel.stderr

    def finish(self, seconds: float) -> None:
        """Wait for the process to exit by itself."""
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)


_CHUNK = 65536
_KEPT_OF_STDERR = 2000
_MOST_CHUNKS = 64


class Ended(Exception):
    """The other side has closed its output."""


class LineChannel:
    """Three non-blocking file descriptors: lines to send, lines received, standard error."""

    def __init__(
        self, write_to: int, read_from: int, complaints: int | None = None, longest: int = 1 << 20
    ) -> None:
        """Use the descriptors; they are never closed here."""
        self._write_to = write_to
        self._read_from = read_from
        self._complaints = complaints
        self._longest = longest
        self._buffer = bytearray()
        self._ended = False
        self._stderr = b""
        for descriptor in (write_to, read_from, complaints):
            if descriptor is not None:
                os.set_blocking(descriptor, False)

    @property
    def stderr(self) -> str:
        """The last part of the other side's standard error."""
        return self._stderr.decode("utf-8", errors="replace").strip()

    def send(self, line: bytes, seconds: float) -> None:
        """Send a line within a time limit in seconds.

        Raises :class:`Fault` if the other side does not read, or wrote without being asked. Raises
        :class:`Ended` if it has exited.
        """
        self.require_silence()
        data = memoryview(line + b"\n")
        deadline = time.monotonic() + seconds
        while True:
            try:
                data = data[os.write(self._write_to, data) :]
            except BlockingIOError:
                pass
            except BrokenPipeError:
                raise Ended from None
            if not data:
                return
            readable, writable = self._poll(deadline, writing=True)
            if not readable and not writable:
                raise Fault(FaultKind.HUNG, f"does not read its input for {seconds:g} s")

    def require_silence(self, seconds: float = -1, fault: str = _OUT_OF_TURN) -> None:
        """Raise :class:`Fault` if a line has come, or comes within a time limit in seconds."""
        if seconds > 0 and not self._buffer:
            self._poll(time.monotonic() + seconds, writing=False)
        if self._buffer:
            line = _shown(bytes(self._buffer.partition(b"\n")[0]))
            raise Fault(FaultKind.NONSENSE, f"{fault}: {line}")

    def receive(self, seconds: float) -> bytes:
        """Return a line received within a time limit; raises :class:`Fault` or :class:`Ended`."""
        deadline = time.monotonic() + seconds
        searched = 0
        while True:
            at = self._buffer.find(b"\n", searched)
            if at > self._longest or (at < 0 and len(self._buffer) > self._longest):
                raise Fault(FaultKind.FLOODED, f"a line of more than {self._longest} bytes")
            if at >= 0:
                line = bytes(self._buffer[:at])
                del self._buffer[: at + 1]
                return line
            searched = len(self._buffer)
            if self._ended:
                raise Ended
            readable, _ = self._poll(deadline, writing=False)
            if not readable:
                raise Fault(FaultKind.HUNG, f"no answer within {seconds:.3g} s")

    def _poll(self, deadline: float, writing: bool) -> tuple[bool, bool]:
        """Wait for a descriptor; return whether output has come and whether input is accepted."""
        while True:
            poller = select.poll()
            if not self._ended and len(self._buffer) <= self._longest:
                poller.register(self._read_from, select.POLLIN)
            if writing:
                poller.register(self._write_to, select.POLLOUT)
            if self._complaints is not None:
                poller.register(self._complaints, select.POLLIN)
            left = deadline - time.monotonic()
            if left <= 0:
                return False, False
            readable = writable = False
            for descriptor, events in poller.poll(left * 1000):
                if descriptor == self._write_to and events:
                    writable = True
                elif descriptor == self._read_from and events:
                    data = _read(descriptor)
                    readable = data is not None
                    self._ended = data == b""
                    self._buffer += data or b""
                elif events:
                    self._take_complaints()
            if readable or writable:
                return readable, writable

    def _take_complaints(self) -> bool:
        """Read from the other side's standard error; return whether there may be more."""
        data = None if self._complaints is None else _read(self._complaints)
        if data == b"":
            self._complaints = None
        self._stderr = (self._stderr + (data or b""))[-_KEPT_OF_STDERR:]
        return bool(data)

    def drain_complaints(self) -> None:
        """Read the other side's standard error as far as it has come, without waiting."""
        # A limited number of times, because what the program started may go on writing.
        for _ in range(_MOST_CHUNKS):
            if not self._take_complaints():
                return


def _read(descriptor: int) -> bytes | None:
    """Return the bytes that have come: b"" at the end, None if there are none yet."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _shown(data: bytes) -> str:
    text = data[:60].decode("utf-8", errors="replace")
    return repr(text + ("..." if len(data) > 60 else ""))
