"""The record of a table's game, for download: the asker's view while it is played, the whole of it once it is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec.structs import replace

from bigpepper import __version__
from bigpepper.notation import PRACTICE, End, GameRecord, Player, RoundRecord, Takeover, round_of, round_seen
from bigpepper.notation.model import How
from bigpepper.notation.ruleform import form_of
from bigpepper.server.facts import Facts, Seat, Table
from bigpepper.server.fairness import bot_seed
from bigpepper.server.frames import proof_of
from bigpepper.server.seen import Names, Seen, see

ABANDONED: Final = "abandoned"


def record(table: Table, player: str | None, names: Names) -> GameRecord | None:
    """The record of the game being played, or of the last one, as `player` may have it; None before the first deal.

    Once the game is over everybody may have all of it, the cards of a round that was given up too.
    """
    if table.facts.round is None:
        return None
    if table.facts.phase == "finished":
        return _whole(table, names)
    return _seen(see(table, player), names)


def _whole(table: Table, names: Names) -> GameRecord:
    facts, state = table.facts, table.hidden.state
    assert state is not None
    rounds = (*facts.rounds, *(() if state.is_over else (round_of(state),)))
    return _record(facts, rounds, _players(facts, names), facts.how or ABANDONED)


def _seen(seen: Seen, names: Names) -> GameRecord:
    assert seen.observation is not None
    going = () if seen.observation.is_over else (round_seen(seen.observation),)
    rounds = (*seen.facts.rounds, *going)
    players = _players(seen.facts, names)
    return replace(_record(seen.facts, rounds, players, "unfinished"), view=seen.seat)


def _record(facts: Facts, rounds: Sequence[RoundRecord], players: Sequence[Player], how: How) -> GameRecord:
    date = datetime.fromtimestamp(facts.created_at // 1_000, UTC)
    return GameRecord(
        form=form_of(facts.rules),
        players=tuple(players) if any(player != Player() for player in players) else (),
        date=date.strftime("%Y-%m-%dT%H:%M:%SZ"),
        tags=(PRACTICE,) if facts.practice else (),
        proof=proof_of(facts.commitment, facts.seeds, facts.secret),
        rounds=tuple(_with_takeovers(round, facts.takeovers[n]) for n, round in enumerate(rounds)),
        end=End(how=how, scores=facts.scores, winners=facts.winners),
    )


def _with_takeovers(round: RoundRecord, takeovers: Sequence[Takeover]) -> RoundRecord:
    """Undos can leave a takeover behind the actions that are left."""
    acts = len(round.acts)
    version = {True: __version__, False: None}
    kept = (replace(one, at=min(one.at, acts), version=version[one.bot is not None]) for one in takeovers)
    return replace(round, takeovers=tuple(kept))


def _players(facts: Facts, names: Names) -> list[Player]:
    """Who sits on each seat; the bots' seeds once the game is over, when its secret is told."""
    return [_player(seat, number, facts.secret, names) for number, seat in enumerate(facts.seats)]


def _player(seat: Seat, number: int, secret: str | None, names: Names) -> Player:
    if seat.bot is None:
        return Player(name=names.get(seat.player or ""))
    seed = bot_seed(bytes.fromhex(secret), number) if secret else None
    return Player(bot=seat.bot, version=__version__, seed=seed)
