"""Work on all cores: results in order, nothing begun that is not asked for, and a key that interrupts cleanly."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, cast

import pytest

from bigpepper.workers import cores, in_order, results, uninterrupted


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_tasks(processes: int) -> None:
    assert list(results(abs, range(-30, 0), processes)) == list(range(30, 0, -1))
    assert list(results(abs, [], processes)) == []
    assert list(results(abs, [-1], processes)) == [1]


@pytest.mark.parametrize("processes", [1, 2])
def test_tasks_are_taken_only_a_few_ahead(processes: int) -> None:
    def tasks() -> Iterator[int]:
        for task in range(1000):
            taken.append(task)
            yield task

    taken: list[int] = []
    found = cast("Any", results(abs, tasks(), processes))
    assert [next(found), next(found)] == [0, 1]
    found.close()
    assert len(taken) <= 2 + 4 * processes


def test_there_is_a_core() -> None:
    assert cores() >= 1


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no signal masks")
def test_processes_are_begun_with_the_key_put_off_and_none_is_lost() -> None:
    def blocked() -> bool:
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set())

    def interrupted() -> None:
        with uninterrupted():
            assert blocked()
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    reached: list[str] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores the key
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    finally:
        signal.signal(signal.SIGINT, before)
    assert reached == ["the end"]
    assert not blocked()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no signal masks")
def test_every_task_is_given_with_the_key_put_off() -> None:
    class Pool:
        def submit(self, *_: object) -> Future[int]:
            masked.append(signal.pthread_sigmask(signal.SIG_BLOCK, set()) >= {signal.SIGINT, signal.SIGTERM})
            done: Future[int] = Future()
            done.set_result(1)
            return done

    masked: list[bool] = []
    assert list(in_order(cast("Any", Pool()), range(3), 2)) == [1, 1, 1]
    assert masked == [True] * 3
