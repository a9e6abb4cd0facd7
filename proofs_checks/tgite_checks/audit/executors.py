"""What runs tasks: this process, processes of this machine, or a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor as FuturesExecutor
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_any
from typing import Protocol, cast

from tgite.errors import InvalidInput, require_whole_number
from tgite_checks.audit.runner import Executor, Finished, Task, perform
from tgite_checks.audit.sources import digest_of_everything
from tgite_checks.check import Depth

_CONNECT_SECONDS = 10


class NoDask(InvalidInput):
    """A Dask scheduler was named, but ``dask.distributed`` is not installed."""


class NoScheduler(InvalidInput):
    """No Dask scheduler answers at the address."""


def executor(jobs: int, scheduler: str | None = None) -> Executor:
    """Return what runs tasks: ``jobs`` processes (1: none but this), or a Dask cluster.

    Raises :class:`~tgite.errors.InvalidInput` for a bad number of jobs, :class:`NoDask` or
    :class:`NoScheduler` where there is no cluster to be had.
    """
    require_whole_number("jobs", jobs, at_least=1)
    if scheduler is not None:
        return _cluster(scheduler)
    return Serial() if jobs == 1 else Processes(jobs)


@dataclass(slots=True)
class Serial:
    """This process, one task after the other."""

    width: int = 1

    def submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        """Perform the task, then return its future, done."""
        future: Future[Finished] = Future()
        future.set_result(perform(task, depth, source))
        return future

    def renew(self) -> None:
        """Do nothing: nobody can have died."""

    def stop(self) -> None:
        """Do nothing: nothing is running."""


@dataclass(slots=True)
class Processes:
    """Processes of this machine, each for one task at a time.

    They ignore Ctrl-C, which is this process's to handle, and end when it ends, however it does.
    """

    width: int
    _pool: ProcessPoolExecutor | None = field(default=None, init=False)
    _lifeline: Connection | None = field(default=None, init=False)

    def submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        """Hand the task to a free process."""
        try:
            return self._submit(task, depth, source)
        except BrokenProcessPool:  # A worker has died, and nobody has been told so far.
            self.renew()
            return self._submit(task, depth, source)

    def _submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        # The pool is made first: what multiprocessing starts with it resets the mask.
        workers = self._workers()
        with _deaf_children():
            return workers.submit(perform, task, depth, source)

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Not forked: this process has threads (the progress display), and they hold locks.
            context = multiprocessing.get_context("spawn")
            held, self._lifeline = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self.width, context, initializer=_become_worker, initargs=(held,)
            )
        return self._pool

    def renew(self) -> None:
        """Drop the broken pool; the next task starts another."""
        self.stop()

    def stop(self) -> None:
        """End all processes at once, whatever they do."""
        if self._lifeline is not None:
            self._lifeline.close()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._lifeline = None


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Let the processes that start meanwhile inherit a mask that keeps Ctrl-C from them.

    They could not ignore it before they have loaded enough to say so. Here it is only put off.
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
    """Leave Ctrl-C to the parent, and die when it lets go of the line, or dies itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        wait_for_any([lifeline])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Client(Protocol):
    """What is used of ``distributed.Client``."""

    def get_executor(self) -> FuturesExecutor: ...

    def ncores(self) -> dict[str, int]: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Cluster:
    """A Dask cluster. Its workers must have the same sources and versions as this process."""

    client: _Client
    width: int
    _executor: FuturesExecutor | None = field(default=None, init=False)

    def submit(self, task: Task, depth: Depth, source: str) -> Future[Finished]:
        """Queue the task on the cluster."""
        if self._executor is None:
            self._executor = self.client.get_executor()
        return self._executor.submit(_perform_there, task, depth, source, digest_of_everything())

    def renew(self) -> None:
        """Do nothing: the scheduler replaces its workers."""

    def stop(self) -> None:
        """Give up what is running and leave the cluster."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self.client.close()


def _perform_there(task: Task, depth: Depth, source: str, digest: str) -> Finished:
    if digest_of_everything() != digest:
        return Finished(task, None, lost="could not be run: the worker has other sources")
    return perform(task, depth, source)


def _cluster(address: str) -> Cluster:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise NoDask(
            "scheduler", address, "needs dask.distributed (pip install distributed)"
        ) from None
    connect = cast(Callable[..., _Client], distributed.Client)
    try:
        client = connect(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoScheduler("scheduler", address, f"no scheduler answers there ({error})") from None
    width = sum(client.ncores().values())
    if width == 0:
        client.close()
        raise NoScheduler("scheduler", address, "has no workers")
    return Cluster(client, width)
