"""Game → record, record → Game, and the record of a game as one seat sees it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from bigpepper.actions import Claim, Defend, Discard, Name, Pass, Play, Turn
from bigpepper.deal import Deal, Deals, DealStream
from bigpepper.errors import InvalidGame
from bigpepper.game import Game
from bigpepper.notation.errors import NotationError
from bigpepper.notation.model import UNKNOWN, Act, End, GameRecord, How, Player, Proof, Result, RoundRecord
from bigpepper.notation.ruleform import form_of
from bigpepper.notation.verify import final_end, verify
from bigpepper.observation import Observation
from bigpepper.public import PublicRound
from bigpepper.state import State
from bigpepper.text import msg


def from_game(
    game: Game,
    *,
    players: Sequence[Player] = (),
    seed: int | str | None = None,
    date: str | None = None,
    event: str | None = None,
    tags: Sequence[str] = (),
    proof: Proof | None = None,
    abandoned: bool = False,
) -> GameRecord:
    """The complete record of a game, finished or not.

    `seed` is that of its deals: with it the record is a save that `to_game` can play on. Comments, times, takeovers and
    evaluations are added to the record afterwards (`msgspec.structs.replace`). Raises `NotationError`.
    """
    states = game.rounds if game.is_over else (*game.rounds, game.state)
    how: How = "finished" if game.is_over else "abandoned" if abandoned else "unfinished"
    record = GameRecord(
        form=form_of(game.rules),
        players=tuple(players),
        date=date,
        event=event,
        tags=tuple(tags),
        proof=proof,
        seed=None if seed is None else str(seed),
        rounds=tuple(map(round_of, states)),
        end=End(how=how, scores=game.scores, winners=game.winners),
    )
    verify(record)
    return record


def round_of(state: State) -> RoundRecord:
    """The complete record of one round."""
    deal = state.deal
    hands = tuple(tuple(map(str, hand)) for hand in deal.hands)
    widow = str(deal.widow) if deal.widow else None
    return replace(_public_round(state, state.history), hands=hands, widow=widow, dead=tuple(map(str, deal.dead)))


def round_seen(
    observation: Observation, *, history: tuple[Turn, ...] | None = None, public: RoundRecord | None = None
) -> RoundRecord:
    """The record of one round as one seat, or a spectator, sees it.

    `history` is the observation's and `public` is how a spectator sees the same round at the same moment, for whoever
    has one of them at hand.
    """
    rules = observation.rules
    unknown = (UNKNOWN,) * rules.cards
    dealt = tuple(map(str, observation.dealt))
    hands = tuple(dealt if seat == observation.seat else unknown for seat in range(rules.players))
    widow = str(observation.widow) if observation.widow else UNKNOWN if rules.joker else None
    dead = unknown if rules.dead_hand else ()
    if public is None:
        public = _public_round(observation, observation.history if history is None else history)
    discard = public.discard
    if observation.seat is not None and observation.discarded is not None:
        discard = Act(seat=observation.seat, action=str(Discard(observation.discarded)))
    return replace(public, hands=hands, widow=widow, dead=dead, discard=discard)


def _public_round(seen: PublicRound, history: tuple[Turn, ...]) -> RoundRecord:
    """The record of what was done, without the cards that were dealt."""
    acts: dict[str, list[Act]] = {"auction": [], "naming": [], "discard": [], "defence": [], "claim": []}
    plays: list[Act] = []
    for turn in history:
        act = Act(seat=turn.seat, action=str(turn.action))
        if isinstance(turn.action, Play):
            plays.append(act)
        else:
            acts[_phase(turn, bool(acts["naming"]))].append(act)
    width = len(seen.playing)
    return RoundRecord(
        dealer=seen.dealer,
        scores=seen.scores,
        hands=(),
        auction=tuple(acts["auction"]),
        naming=next(iter(acts["naming"]), None),
        discard=next(iter(acts["discard"]), None),
        defence=tuple(acts["defence"]),
        tricks=tuple(tuple(plays[i : i + width]) for i in range(0, len(plays), width)),
        claim=next(iter(acts["claim"]), None),
        result=None
        if seen.points is None
        else Result(tricks=seen.tricks_won, points=seen.points, thrown_in=seen.thrown_in),
    )


def _phase(turn: Turn, named: bool) -> str:
    """The step of the round to which an action other than a play belongs."""
    if isinstance(turn.action, Defend) or (named and isinstance(turn.action, Pass)):
        return "defence"
    kinds: tuple[tuple[type, str], ...] = ((Name, "naming"), (Discard, "discard"), (Claim, "claim"))
    return next((phase for kind, phase in kinds if isinstance(turn.action, kind)), "auction")


def from_observations(
    observations: Sequence[Observation],
    *,
    players: Sequence[Player] = (),
    date: str | None = None,
    event: str | None = None,
    tags: Sequence[str] = (),
    first_round: int = 1,
    abandoned: bool = False,
) -> GameRecord:
    """The record of a game as one seat sees it: its last observation of each round, the present round's last.

    `first_round` is the number of the first of them. Nothing that the seat cannot know goes into it.
    """
    if not observations:
        raise NotationError(msg("There is nothing to record: no observation is given."))
    record = GameRecord(
        form=form_of(observations[-1].rules),
        players=tuple(players),
        date=date,
        event=event,
        tags=tuple(tags),
        view=observations[-1].seat,
        first_round=first_round,
        rounds=tuple(map(round_seen, observations)),
    )
    return replace(record, end=final_end(record, abandoned))


def to_game(record: GameRecord, deals: Deals | None = None) -> Game:
    """The game of a complete record, to be looked at or played on.

    Rounds after the record's are dealt by its seed (a save has one), or by `deals`. Raises `NotationError` where cards
    are unknown, the record does not begin with the first round, or a deal is needed that nothing gives.
    """
    verify(record)
    if not record.rounds or record.first_round != 1 or not record.is_complete:
        raise NotationError(msg("The record is not complete: a game needs every round from the first, and every card."))
    rules = record.rules
    given = [Deal(rules, [" ".join(hand) for hand in round.hands], round.widow) for round in record.rounds]
    if deals is None and record.seed is not None:
        deals = DealStream(rules, record.seed)
    later = deals

    def deal(round: int) -> Deal:
        if round < len(given):
            return given[round]
        if later is None:
            raise InvalidGame(msg("The record has no deal for round {n}, and no seed that would give it.", n=round + 1))
        return later(round)

    first = record.rounds[0]
    game = Game.new(rules, deals=deal, dealer=first.dealer, scores=first.scores)
    try:
        for round in record.rounds:
            game = _play_on(game, round)
    except InvalidGame as error:
        raise NotationError(error.message) from None
    return game


def claimed(game: Game, seat: int, claim: Claim) -> Game:
    """The game after a claim as records write it. Raises `InvalidClaim`."""
    n = claim.tricks[seat]
    return game.claim(seat, n, None if n or game.rules.sides == 2 else claim.tricks)


def _play_on(game: Game, round: RoundRecord) -> Game:
    for step in round.steps():
        if step.phase == "claim":
            tricks = tuple(int(part) for part in step.act.action.split("-")[1:])
            game = claimed(game, step.act.seat, Claim(tricks))
        else:
            game = game.apply(step.act.action)
    return game
