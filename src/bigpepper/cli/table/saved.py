"""A session as a game record (`.pep`), and a record as a session that goes on."""

from __future__ import annotations

from datetime import UTC, datetime

from bigpepper import notation
from bigpepper.actions import Claim
from bigpepper.cli.table.remarks import with_remarks
from bigpepper.cli.table.session import Session, Setup
from bigpepper.errors import InvalidGame
from bigpepper.game import Game
from bigpepper.notation import PRACTICE, GameRecord, Player
from bigpepper.notation.build import claimed
from bigpepper.text import msg


def dump(session: Session) -> str:
    """The record of a session, with the seeds that its future depends on."""
    return notation.dumps(record_of(session))


def record_of(session: Session) -> GameRecord:
    """The same, as data. Event, date, players, tags and remarks are those of the session's first record."""
    setup, origin = session.setup, session.origin
    tags = origin.tags if origin else ()
    record = notation.from_game(
        session.game,
        players=origin.players if origin else [_player(session, seat) for seat in range(setup.rules.players)],
        seed=setup.seed,
        date=origin.date if origin else f"{datetime.now(UTC):%Y-%m-%d}",
        event=origin.event if origin else None,
        tags=[*tags, PRACTICE] if session.practice and PRACTICE not in tags else tags,
    )
    session.origin = origin or record
    return with_remarks(record, origin) if origin else record


def _player(session: Session, seat: int) -> Player:
    setup = session.setup
    if seat == setup.seat:
        return Player()
    return Player(name=session.names.seats[seat], bot=setup.bots[seat], seed=setup.bot_seeds[seat])


def load(text: str) -> Session:
    """The session of a record that was saved at the table. Raises `NotationError`, `InvalidGame`, `UnknownBot`."""
    return session_of(notation.loads(text))


def session_of(record: GameRecord) -> Session:
    """The same, from data: every action is done again, so that it can be taken back. Raises as `load`."""
    setup = _setup(record)
    final = notation.to_game(record)
    if final.is_over:
        raise InvalidGame(msg("This game is over; it cannot go on. “bigpepper replay FILE” shows it."))
    states = (*final.rounds, final.state)
    session = Session(setup, Game.new(setup.rules, seed=setup.seed, dealer=states[0].dealer, scores=states[0].scores))
    for state in states:
        for turn in state.history:
            if isinstance(turn.action, Claim):
                session.game = claimed(session.game, turn.seat, turn.action)
            else:
                session.act(turn.action)
    session.practice = PRACTICE in record.tags
    session.origin = record
    if session.game.state != final.state:
        raise InvalidGame(msg("The record's deals are not those of its seed, so the game cannot go on."))
    return session


def _setup(record: GameRecord) -> Setup:
    people = [seat for seat, player in enumerate(record.players) if player.bot is None]
    if len(people) != 1 or record.seed is None or any(p.bot and p.seed is None for p in record.players):
        raise InvalidGame(
            msg(
                "This record was not saved at the table: it lacks your seat, or the seeds that the game needs to go on."
            )
        )
    bots = tuple(player.bot or "" for player in record.players)
    seeds = tuple(player.seed or 0 for player in record.players)
    return Setup(record.rules, record.seed, people[0], bots, seeds)
