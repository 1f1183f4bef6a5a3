"""What a round says about its players, for their statistics: only of finished rounds, of which every card is known."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from bigpepper.server.facts import Facts, Table


class Result(Struct, frozen=True, kw_only=True):
    """One player's round."""

    game: int
    round: int
    seat: int
    player: str
    rules: str
    """The rulebook's name."""
    points: int
    """Of his side."""
    tricks: int
    """His own."""
    maker: bool
    """Whether the contract was his."""
    made: bool
    """Whether it was made; false for all others."""
    won: bool
    """Whether his side won the game with this round."""


def results(before: Facts, after: Table) -> Iterator[Result]:
    """The results of the rounds that have ended since `before`, for every player who was there himself."""
    if after.facts.game != before.game:
        return
    for number in range(len(before.rounds), len(after.facts.rounds)):
        for seat, who in enumerate(after.facts.seats):
            if who.player is not None and who.present:
                yield _result(after, number, seat, who.player)


def _result(table: Table, number: int, seat: int, player: str) -> Result:
    facts, state = table.facts, table.hidden.states[number]
    maker = state.maker == seat and not state.thrown_in
    return Result(
        game=facts.game,
        round=number,
        seat=seat,
        player=player,
        rules=facts.rules.name,
        points=state.points_of(seat) or 0,
        tricks=state.tricks_won[seat],
        maker=maker,
        made=maker and bool(state.made),
        won=number == len(facts.rounds) - 1 and facts.rules.side_of(seat) in facts.winners,
    )
