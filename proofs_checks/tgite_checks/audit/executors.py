"""Executors that run tasks: this process, processes of this machine, or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_any
from typing import ParamSpec, Protocol, TypeVar, cast

from tgite.errors import InvalidInput, require_whole_number
from tgite_checks.audit.sources import digest_of_everything
from tgite_checks.audit.tasks import Finished, Task, perform
from tgite_checks.check import Depth

_CONNECT_SECONDS = 10

_P = ParamSpec("_P")
_T = TypeVar("_T")


@dataclass(slots=True)
class Workers:
    """An executor for ``width`` tasks at once, which starts on demand and restarts after a failure.

    ``leave`` is called at the end. Workers must have the same sources as this process.
    """

    width: int
    start: Callable[[], Executor]
    leave: Callable[[], None] = lambda: None
    _executor: Executor | None = field(default=None, init=False)

    def submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        """Start a task of the ledger that ``source`` names, or queue it."""
        try:
            return self._submit(task, depth, source)
        except BrokenExecutor:  # A worker has died since the last task.
            self.renew()
            return self._submit(task, depth, source)

    def _submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        if self._executor is None:
            self._executor = self.start()
        return self._executor.submit(perform, task, depth, source, digest_of_everything())

    def renew(self) -> None:
        """Abandon the running tasks; the next task starts another executor."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self._executor = None

    def stop(self) -> None:
        """Abandon the running tasks and release all resources."""
        self.renew()
        self.leave()


def workers(jobs: int, scheduler: str | None = None) -> Workers:
    """Return workers: ``jobs`` processes (1: only this process), or a Dask cluster.

    Raises :class:`~tgite.errors.InvalidInput` for a bad number of jobs, or if the cluster cannot be
    reached.
    """
    require_whole_number("jobs", jobs, at_least=1)
    if scheduler is not None:
        return _cluster(scheduler)
    return Workers(jobs, _SameProcess if jobs == 1 else lambda: _WorkerProcesses(jobs))


class _SameProcess(Executor):
    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _WorkerProcesses(ProcessPoolExecutor):
    """Processes of this machine, each for one task at a time.

    They ignore Ctrl-C, which this process handles. They end when this process ends in any way.
    """

    def __init__(self, width: int) -> None:
        # Not forked, because this process has threads (the progress display) that hold locks.
        context = multiprocessing.get_context("spawn")
        held, self._lifeline = context.Pipe(duplex=False)
        super().__init__(width, context, initializer=_become_worker, initargs=(held,))

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        with _ctrl_c_blocked():
            return super().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """Kill all processes at once."""
        self._lifeline.close()
        super().shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in processes that are started within this context.

    A new process cannot ignore Ctrl-C until its modules are loaded. In this process, Ctrl-C is only
    delayed.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _become_worker(lifeline: Connection) -> None:
    """Leave Ctrl-C to the parent, and exit when the parent closes the connection or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        wait_for_any([lifeline])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Client(Protocol):
    """The part of ``distributed.Client`` that is used here."""

    def get_executor(self) -> Executor: ...

    def ncores(self) -> dict[str, int]: ...

    def close(self) -> None: ...


def _cluster(address: str) -> Workers:
    try:
        distributed = import_module("distributed")
    except ImportError:
        needs = "needs dask.distributed (pip install distributed)"
        raise InvalidInput("scheduler", address, needs) from None
    connect = cast(Callable[..., _Client], distributed.Client)
    try:
        client = connect(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        unanswered = f"no scheduler answers there ({error})"
        raise InvalidInput("scheduler", address, unanswered) from None
    width = sum(client.ncores().values())
    if width == 0:
        client.close()
        raise InvalidInput("scheduler", address, "has no workers")
    return Workers(width, client.get_executor, client.close)
