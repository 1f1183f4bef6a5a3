"""Measuring: each section within its time, from where it was stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

import bigpepper as bp
from bigpepper.arena import Match
from bigpepper.arena.entrants import entrant
from bigpepper.arena.estimate import interval, resampled_means
from bigpepper.arena.selfplay import Count, Counts, SelfPlay, total
from bigpepper.deal import DealStream
from bigpepper.workers import results
from tools.strength import folder, plan

_DRAWN_DEALS: Final = 40
"""Deals whose decisions are timed, for each bot and rulebook."""


class Run(NamedTuple):
    """How a section is measured."""

    section: str
    deadline: float
    """By `time.monotonic`."""
    processes: int
    say: Callable[[str], None]

    def share(self, left: int) -> float:
        """When the next of `left` equal parts has to end."""
        now = time.monotonic()
        return now + max(0.0, self.deadline - now) / max(1, left)


# --- matches --------------------------------------------------------------------------------------------------------


def play_matches(run: Run) -> dict[str, Any]:
    """All matches of a section, each in its part of the time that is left."""
    planned = plan.matches(run.section)
    played = []
    for i, one in enumerate(planned):
        match = Match(
            one.rules, one.bots, one.goal, seed=plan.SEED, sprt=one.test, path=folder.under_way(run.section, one.name)
        )
        _play_until(match, run.share(len(planned) - i), run.processes)
        data = match.result().data()
        extra = gap_closed(match) if run.section == "oracle" else {}
        played.append({"name": one.name, **data, **extra})
        run.say(f"{i + 1}/{len(planned)} {one.name}: {match.result().points}, {data['deals']} deals")
    return {"matches": played}


def _play_until(match: Match, end: float, processes: int) -> None:
    with closing(match.play(processes)) as steps:
        for _ in steps:
            if time.monotonic() > end:
                return


def gap_closed(match: Match) -> dict[str, Any]:
    """How much of novice's gap to the oracle the best bot closes: 1 - (oracle over best) / (oracle over novice).

    With its 95 % interval; deals are drawn anew for both gaps together. Nothing where novice is the best bot.
    """
    if len(match.work.entrants) < 3 or not match.tally.deals:
        return {}
    import numpy as np

    rows = np.column_stack([match.tally.differences(0), match.tally.differences(1)])  # over novice, over the best
    draws = resampled_means(rows)
    low, high = interval(1 - draws[:, 1] / draws[:, 0])
    means = rows.mean(axis=0)
    return {"gap_closed": {"mean": float(1 - means[1] / means[0]), "low": low, "high": high, "n": len(rows)}}


# --- bids -----------------------------------------------------------------------------------------------------------


def count_bids(run: Run) -> dict[str, Any]:
    """Self-play of the best bot in every rulebook."""
    best = plan.LADDER[-1]
    tables = []
    for i, name in enumerate(plan.RULEBOOKS):
        games, counts = _self_play(run, best, name, run.share(len(plan.RULEBOOKS) - i))
        tables.append({"rules": name, "games": games, "bids": {bid: list(count) for bid, count in counts.items()}})
        run.say(f"{name}: {games} games of {best}")
    return {"bot": best, "fields": list(Count._fields), "tables": tables}


def _self_play(run: Run, bot: str, name: str, end: float) -> tuple[int, Counts]:
    path = folder.under_way(run.section, f"{bot} {name}")
    games, counts = 0, dict[str, Count]()
    if path.exists():
        kept = json.loads(path.read_text("utf-8"))
        games, counts = kept["games"], {bid: Count(*count) for bid, count in kept["bids"].items()}
    work = SelfPlay(bp.Rules.load(name), entrant(bot), plan.SEED)
    tasks = (range(game, game + 1) for game in range(games, plan.SELF_GAMES))
    with closing(results(work, tasks, run.processes)) as parts:
        for part in parts:
            games, counts = games + 1, total([counts, part])
            folder.put(path, {"games": games, "bids": counts})
            if time.monotonic() > end:
                break
    return games, counts


# --- time -----------------------------------------------------------------------------------------------------------


def time_decisions(run: Run) -> dict[str, Any]:
    """Milliseconds of computing for a decision: the ladder in every rulebook, and the budgets in one."""
    asked = [(bot, name) for name in plan.RULEBOOKS for bot in plan.LADDER]
    asked += [(spec, plan.OF_BUDGETS) for spec in plan.WORLDS if spec not in plan.LADDER]
    rows = []
    for i, (bot, name) in enumerate(asked):
        taken = sorted(_times(bot, bp.Rules.load(name), run.share(len(asked) - i)))
        rows.append({"bot": bot, "rules": name, **_summary(taken)})
        run.say(f"{name}, {bot}: mean {rows[-1]['mean']:.2f} ms, p99 {rows[-1]['p99']:.2f} ms")
    return {"times": rows}


def _times(bot: str, rules: bp.Rules, end: float) -> Iterator[float]:
    """Each decision that leaves a choice, from several scores; the first round is played before, for the compiler."""
    stream, player = DealStream(rules, plan.SEED), bp.bots.load(bot, 1)
    for i in range(-1, _DRAWN_DEALS):
        scores = [7 * (i + 2) * (side + 1) % rules.target for side in range(rules.sides)]
        state = bp.State.new(rules, deal=stream(max(0, i)), dealer=i % rules.players, scores=scores)
        while state.turn is not None:
            seen = state.observation(state.turn)
            start = time.thread_time()
            action = player.act(seen)
            if i >= 0 and len(seen.legal) > 1:
                yield 1000 * (time.thread_time() - start)
            state = state.apply(action)
        if i >= 0 and time.monotonic() > end:
            return


def _summary(taken: list[float]) -> dict[str, float]:
    """Of rising times."""
    n = len(taken)
    return {
        "n": n,
        "mean": sum(taken) / n,
        "p50": taken[n // 2],
        "p99": taken[n * 99 // 100],
        "most": taken[-1],
    }


SECTIONS: Final[dict[str, Callable[[Run], dict[str, Any]]]] = {
    "ladder": play_matches,
    "oracle": play_matches,
    "worlds": play_matches,
    "time": time_decisions,
    "bids": count_bids,
    "parts": play_matches,
}
