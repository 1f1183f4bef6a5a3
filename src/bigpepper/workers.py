"""Work on all cores: the results come in the order of the tasks, so they do not depend on how many cores there are."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, TypeVar

from bigpepper.errors import BigPepperError
from bigpepper.text import msg

T = TypeVar("T")
R = TypeVar("R")

_ENDING: Final = frozenset(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_work: Callable[[Any], Any] | None = None
"""In a process that works for another one: what it does with a task."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results(work: Callable[[T], R], tasks: Iterable[T], processes: int) -> Generator[R]:
    """`work(task)` of each task, in order; tasks are taken only a few ahead, and closing the iterator ends the work.

    With one process all is done here. Otherwise `work` is sent once to each process, and has to be picklable. The
    processes end with this one, however it ends. Raises `BigPepperError` when a process dies.
    """
    first = list(islice(tasks := iter(tasks), processes))
    if len(first) < 2:
        yield from map(work, chain(first, tasks))
        return
    context = get_context("spawn")
    theirs, lifeline = context.Pipe(duplex=False)
    with ProcessPoolExecutor(len(first), context, _begin, (work, theirs)) as pool:
        try:
            yield from in_order(pool, chain(first, tasks), 4 * len(first))
            pool.shutdown()
        except BrokenProcessPool:
            raise BigPepperError(msg("A process that played games was ended from outside.")) from None
        finally:
            lifeline.close()  # what is still under way is wanted by nobody
            pool.shutdown(cancel_futures=True)
            theirs.close()


def in_order(pool: ProcessPoolExecutor, tasks: Iterable[Any], ahead: int) -> Iterator[Any]:
    """The results in the order of the tasks, with only so many tasks under way that memory stays small."""
    waiting: list[Future[Any]] = []
    for task in tasks:
        with uninterrupted():  # the pool begins a process when it is given a task
            waiting.append(pool.submit(_do, task))
        if len(waiting) >= ahead:
            yield waiting.pop(0).result()
    for future in waiting:
        yield future.result()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off the key that interrupts, and signals that are taken as it is.

    A process begun meanwhile inherits that, until `_begin` runs in it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(work: Callable[[Any], Any], lifeline: Connection) -> None:
    """End at once, and without a word, by the key that interrupts and with the first process; that one says so."""
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    global _work
    _work = work


def _end_with(lifeline: Connection) -> None:
    """Nothing is ever sent: the other end closes when it is let go, or when its process is no more."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def _do(task: Any) -> Any:
    assert _work is not None
    return _work(task)
