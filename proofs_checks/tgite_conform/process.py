"""A program's process: started in a group of its own, and ended with all that it started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from tgite import InvalidInput
from tgite_conform.channel import LineChannel
from tgite_conform.faults import Fault, FaultKind

_LONGEST_LINE = 1 << 24
_LAST_WORDS = 2.0


class ProcessConnection:
    """A command that is started when it is needed, and again after it was ended."""

    def __init__(self, command: Sequence[str]) -> None:
        """Note the command; raises :class:`~tgite.errors.InvalidInput` if there is no such one."""
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
        """Return the channel to the process; start it if there is none."""
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
        """Say how the process ended, or that it goes on without an output."""
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
        # Also where the process itself has exited: what it started may go on.
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
