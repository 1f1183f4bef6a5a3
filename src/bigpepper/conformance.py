"""Conformance: laws that every rulebook and every bot keeps, for anybody to run on their own.

`check_rules(rules)` plays random rounds under a rulebook, `check_bot(bot, rules)` whole games with a bot in every seat.
The first law that is broken is raised as `NotConforming`; its sentence names the law, the seed and the position.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Final, Generic, NamedTuple, TypeVar

from bigpepper import worlds
from bigpepper.actions import Action, Claim, Pass
from bigpepper.errors import IllegalAction, NotConforming
from bigpepper.game import Bot, Game, require_bot
from bigpepper.observation import Observation
from bigpepper.rules import Rules, require_rules
from bigpepper.state import State
from bigpepper.text import Message, msg

T = TypeVar("T")


class Position(NamedTuple):
    """A moment of a round at which laws are checked."""

    state: State
    before: tuple[State, ...]
    """The earlier states of the round, the first one first."""
    seed: str
    """The deal is that of `State.new(rules, seed=seed, dealer=state.dealer)`, or of `Game.new` for a bot."""
    rng: Random


class Decision(NamedTuple):
    """A moment at which a bot is asked, and what it answered."""

    position: Position
    bot: Bot
    fresh: Bot | None
    """A copy of the bot made before it was ever asked; None for a bot that cannot be copied."""
    answer: Action

    @property
    def observation(self) -> Observation:
        """What the bot is asked about, built anew."""
        return self.position.state.observation(self.position.state.turn)


class Law(NamedTuple, Generic[T]):
    """What holds for every rulebook, position, game or decision, and the sentence that says so."""

    holds: Callable[[T], bool]
    says: Message


LAWS_OF_RULES: Final[list[Law[Rules]]] = []
LAWS_OF_POSITIONS: Final[list[Law[Position]]] = []
LAWS_AT_THE_END: Final[list[Law[Position]]] = []
LAWS_OF_GAMES: Final[list[Law[Game]]] = []
LAWS_OF_BOTS: Final[list[Law[Decision]]] = []
_LEGAL_ANSWERS: Final = msg("A bot answers with one of the legal actions.")
_SAME_AGAIN: Final = msg("Asked again, a bot answers the same: its answer depends on its seed and what it sees alone.")


def _law(laws: list[Law[T]], says: Message) -> Callable[[Callable[[T], bool]], Callable[[T], bool]]:
    """Add the function to these laws; the sentence is its documentation too."""

    def add(holds: Callable[[T], bool]) -> Callable[[T], bool]:
        holds.__doc__ = says.id
        laws.append(Law(holds, says))
        return holds

    return add


# --- the suites -----------------------------------------------------------------------------------------------------


def check_rules(rules: Rules, *, rounds: int = 20, seed: int | str = 0) -> None:
    """Check a rulebook: as data, at every step of so many random rounds, and in a random game to its end.

    Raises `NotConforming`. The same seed checks the same rounds.
    """
    require_rules(rules)
    _check(LAWS_OF_RULES, rules)
    for number in range(rounds):
        for position in random_round(rules, f"{seed}-{number}", dealer=number % rules.players):
            _check(LAWS_OF_POSITIONS, position, position)
            if position.state.is_over:
                _check(LAWS_AT_THE_END, position, position)
    _check(LAWS_OF_GAMES, _random_game(rules, f"{seed}-game"))


def check_bot(bot: Bot, rules: Rules, *, games: int = 2, seed: int | str = 0) -> None:
    """Check a bot: it plays every seat of so many games, to their ends (200 rounds at most).

    Raises `NotConforming`. It is asked more often than a game needs: again, in another order, and as a fresh copy.
    """
    require_rules(rules)
    require_bot(bot)
    rules, fresh = rules.for_programs(), _copied(bot)
    for number in range(games):
        decisions = []
        for decision in _decisions(bot, fresh, rules, f"{seed}-{number}"):
            _check(LAWS_OF_BOTS, decision, decision.position)
            decisions.append(decision)
        Random(f"{seed}-{number}").shuffle(decisions)
        for decision in decisions:
            _check([Law(same_answer_again, _SAME_AGAIN)], decision, decision.position)


def _check(laws: Iterable[Law[T]], subject: T, at: Position | None = None) -> None:
    """Raise `NotConforming` for the first law that does not hold; an error in it breaks it too, and is its cause."""
    for law in laws:
        cause: Exception | None = None
        try:
            if law.holds(subject):
                continue
        except Exception as error:  # noqa: BLE001  whatever a stranger's code raises: the position is what helps
            cause = error
        raise NotConforming(_broken(law.holds.__name__, law.says, at)) from cause


def _broken(name: str, says: Message, at: Position | None) -> Message:
    if at is None:
        return msg("The law {law} is broken: {says}", law=name, says=says)
    return msg(
        "The law {law} is broken: {says} Seed “{seed}”, dealer {dealer}, after [{history}].",
        law=name,
        says=says,
        seed=at.seed,
        dealer=at.state.dealer,
        history=str(at.state),
    )


# --- rounds and games to check --------------------------------------------------------------------------------------


def random_round(rules: Rules, seed: str, dealer: int = 0) -> Iterator[Position]:
    """Every position of one random round, the last one over; some seeds make players who pass a lot."""
    rng = Random(seed)
    state = State.new(rules, seed=seed, dealer=dealer)
    before: tuple[State, ...] = ()
    reluctance = rng.choice((0.0, 0.7, 0.95))
    yield Position(state, before, seed, rng)
    while not state.is_over:
        before = (*before, state)
        state = state.apply(_random_action(state, rng, reluctance))
        yield Position(state, before, seed, rng)


def _random_action(state: State, rng: Random, reluctance: float) -> Action:
    if Pass() in state.legal and rng.random() < reluctance:
        return Pass()
    return rng.choice(state.legal)


def _random_game(rules: Rules, seed: str) -> Game:
    rng = Random(seed)
    game = Game.new(rules.for_programs(), seed=seed)
    while not game.is_over:
        position = Position(game.state, (), seed, rng)
        _check(LAWS_OF_POSITIONS[:1], position, position)  # or there would be nothing to choose from
        game = game.apply(_random_action(game.state, rng, 0.5))
    return game


def _decisions(bot: Bot, fresh: Bot | None, rules: Rules, seed: str) -> Iterator[Decision]:
    """Every decision of a game in which the bot plays all seats; goes on once the answer has been checked."""
    game, rng = Game.new(rules, seed=seed), Random(seed)
    while not game.is_over:
        position = Position(game.state, (), seed, rng)
        answer = _ask(bot, position)
        yield Decision(position, bot, fresh, answer)
        game = game.apply(answer)


def _ask(bot: Bot, at: Position) -> Action:
    try:
        return bot.act(at.state.observation(at.state.turn))
    except Exception as error:
        raise NotConforming(_broken("answers_what_is_legal", _LEGAL_ANSWERS, at)) from error


def _copied(bot: Bot) -> Bot | None:
    try:
        return copy.deepcopy(bot)
    except Exception:  # noqa: BLE001  copying is not asked of a bot
        return None


# --- laws of rulebooks ----------------------------------------------------------------------------------------------


@_law(LAWS_OF_RULES, msg("What is written as TOML is read as the same rulebook."))
def toml_gives_it_back(rules: Rules) -> bool:
    again = Rules.from_toml(rules.to_toml())
    return (
        again == rules
        and again.digest == rules.digest
        and Rules.from_options(rules.options()).options() == rules.options()
    )


@_law(LAWS_OF_RULES, msg("Every action has a text and a number of its own, and both give it back."))
def texts_name_actions(rules: Rules) -> bool:
    texts = [str(action) for action in rules.actions]
    read = [rules.action(form) for text in texts for form in (text, text.lower(), text.upper())]
    return (
        len(set(texts)) == len(texts)
        and not any(" " in text for text in texts)
        and read == [action for action in rules.actions for _ in range(3)]
        and [rules.number_of[action] for action in rules.actions] == list(range(len(rules.actions)))
    )


@_law(LAWS_OF_RULES, msg("A deal uses every card of the deck once."))
def every_card_is_dealt(rules: Rules) -> bool:
    deal = State.new(rules, seed=0).deal
    cards = [*(card for hand in deal.hands for card in hand), *deal.dead, *([deal.widow] if deal.widow else [])]
    return sorted(cards) == list(rules.deck) and [len(hand) for hand in deal.hands] == [rules.cards] * rules.players


# --- laws of positions ----------------------------------------------------------------------------------------------


@_law(LAWS_OF_POSITIONS, msg("Until a round is over, a seat is to act and may."))
def something_is_legal_until_the_end(at: Position) -> bool:
    state = at.state
    return bool(state.legal) == (state.turn is not None) == (not state.is_over) == (state.points is None)


@_law(LAWS_OF_POSITIONS, msg("Legal actions stand in the order of their numbers, each once."))
def legal_actions_stand_in_order(at: Position) -> bool:
    numbers = [at.state.rules.number_of[action] for action in at.state.legal]
    return numbers == sorted(set(numbers))


@_law(LAWS_OF_POSITIONS, msg("Every legal action applies, is written down and leaves the old state as it was."))
def legal_actions_apply(at: Position) -> bool:
    before = at.state.record
    for action in at.state.legal:
        after = at.state.apply(action)
        if after.history != (*at.state.history, (at.state.turn, action)) or after != at.state.apply(str(action)):
            return False
    return State.of_record(at.state.rules, before) == at.state


@_law(LAWS_OF_POSITIONS, msg("Every other action is refused and changes nothing."))
def other_actions_are_refused(at: Position) -> bool:
    before = at.state.record
    legal = set(at.state.legal)
    refused = [_refuses(at.state, action) for action in at.state.rules.actions if action not in legal]
    return all(refused) and State.of_record(at.state.rules, before) == at.state


def _refuses(state: State, action: Action) -> bool:
    try:
        state.apply(action)
    except IllegalAction:
        return True
    return False


@_law(LAWS_OF_POSITIONS, msg("Tricks won and tricks left make up the hand."))
def tricks_add_up(at: Position) -> bool:
    state = at.state
    won = tuple(sum(trick.winner == seat for trick in state.tricks) for seat in range(state.rules.players))
    return won == state.tricks_won and sum(won) + state.tricks_left == state.rules.cards


@_law(LAWS_OF_POSITIONS, msg("Every card is in exactly one place."))
def no_card_is_lost(at: Position) -> bool:
    state = at.state
    cards = [card for seat in range(state.rules.players) for card in state.hand(seat)]
    cards += [card for trick in state.tricks for _, card in trick.cards]
    cards += [card for _, card in state.trick.cards] if state.trick else []
    cards += [*state.deal.dead, *([state.discarded] if state.discarded else [])]
    taken = state.rules.widow == "pick-up" and state.phase != "auction" and not state.thrown_in
    cards += [state.deal.widow] if state.deal.widow and not taken else []
    return sorted(cards) == list(state.rules.deck)


@_law(LAWS_OF_POSITIONS, msg("A seat sees its own hand and choices, a spectator none."))
def a_seat_sees_its_own(at: Position) -> bool:
    state = at.state
    for seat in range(state.rules.players):
        seen = state.observation(seat)
        own = (state.hand(seat), state.deal.hands[seat], state.legal if seat == state.turn else ())
        if (seen.hand, seen.dealt, seen.legal) != own:
            return False
    spectator = state.observation(None)
    return not (spectator.hand or spectator.dealt or spectator.legal or spectator.widow or spectator.discarded)


@_law(LAWS_OF_POSITIONS, msg("Replacing what a seat has not seen changes nothing that it sees."))
def nothing_hidden_shows(at: Position) -> bool:
    return all(_same(world.observation(seen.seat), seen) for seen, world in _sampled(at))


@_law(LAWS_OF_POSITIONS, msg("A sampled world is legal for the whole history."))
def sampled_worlds_are_possible(at: Position) -> bool:
    return all(replayed(world) == world for _, world in _sampled(at))


def _sampled(at: Position) -> Iterable[tuple[Observation, State]]:
    for seat in (None, *range(at.state.rules.players)):
        seen = at.state.observation(seat)
        yield seen, worlds.sample(seen, at.rng)


def _same(one: Observation, other: Observation) -> bool:
    return one == other and bytes(one) == bytes(other) and repr(one) == repr(other) and one.legal == other.legal


def replayed(state: State) -> State:
    """The state that the history of `state` leads to, from its deal."""
    again = State.new(state.rules, deal=state.deal, dealer=state.dealer, scores=state.scores)
    for seat, action in state.history:
        if isinstance(action, Claim):
            own, split = action.tricks[seat], action.tricks if state.rules.sides == 3 else None
            again = again.claim(seat, own, None if own else split)
        else:
            again = again.apply(action)
    return again


# --- laws of the end of a round or game -----------------------------------------------------------------------------


@_law(LAWS_AT_THE_END, msg("A round gives points to each side, as its contract was kept or not."))
def points_follow_the_contract(at: Position) -> bool:
    state, points = at.state, at.state.points
    if points is None or len(points) != state.rules.sides:
        return False
    if state.thrown_in or state.maker is None:
        return state.thrown_in and not any(points) and not state.tricks
    makers = state.rules.side_of(state.maker)
    won = sum(n for seat, n in enumerate(state.tricks_won) if state.rules.side_of(seat) == makers)
    promised = next(rung.tricks for rung in state.rules.ladder if rung.name == str(state.contract))
    others = [score for side, score in enumerate(points) if side != makers]
    return (points[makers] >= 0 if won >= promised else points[makers] <= 0) and min(others) >= 0


@_law(LAWS_AT_THE_END, msg("A claim of what the play gives scores the same as the play."))
def claims_score_like_play(at: Position) -> bool:
    for earlier in at.before:
        if earlier.phase == "play" and earlier.turn is not None:
            gains = [now - then for now, then in zip(at.state.tricks_won, earlier.tricks_won, strict=True)]
            seat, sides = earlier.turn, earlier.rules.sides
            own = sum(gains[seat % sides :: sides])
            if sides == 3 and 0 < own < sum(gains):
                continue
            if earlier.claim(seat, own, gains if sides == 3 and not own else None).points != at.state.points:
                return False
    return True


@_law(LAWS_OF_GAMES, msg("A game ends with winners, and its scores are the points of its rounds."))
def games_add_up(game: Game) -> bool:
    points = [state.points or () for state in game.rounds]
    dealers = [state.dealer for state in game.rounds]
    nexts = [state.next_dealer() for state in game.rounds]
    return (
        game.scores == tuple(map(sum, zip(*points, strict=True)))
        and dealers[1:] == nexts[:-1]
        and [state.winners(number) for number, state in enumerate(game.rounds, 1)]
        == [*([()] * (len(game.rounds) - 1)), game.winners]
        and bool(game.winners)
    )


# --- laws of bots ---------------------------------------------------------------------------------------------------


@_law(LAWS_OF_BOTS, _LEGAL_ANSWERS)
def answers_what_is_legal(it: Decision) -> bool:
    return any(type(it.answer) is type(action) and it.answer == action for action in it.position.state.legal)


@_law(LAWS_OF_BOTS, _SAME_AGAIN)
def same_answer_again(it: Decision) -> bool:
    return it.bot.act(it.observation) == it.answer


@_law(LAWS_OF_BOTS, msg("A copy of a bot that was never asked answers the same."))
def same_answer_from_a_fresh_bot(it: Decision) -> bool:
    return it.fresh is None or copy.deepcopy(it.fresh).act(it.observation) == it.answer


@_law(LAWS_OF_BOTS, msg("What a seat does not know has no influence on its bot."))
def same_answer_in_another_world(it: Decision) -> bool:
    world = worlds.sample(it.observation, it.position.rng)
    return it.bot.act(world.observation(world.turn)) == it.answer


@_law(LAWS_OF_BOTS, msg("A bot leaves the observation as it is."))
def leaves_the_observation_as_it_is(it: Decision) -> bool:
    given = it.observation
    it.bot.act(given)
    return _same(given, it.observation)


class _Watched(Observation):
    """An observation that tells when nobody holds it any more."""

    __slots__ = ("__weakref__",)


@_law(LAWS_OF_BOTS, msg("A bot keeps no observation."))
def keeps_no_observation(it: Decision) -> bool:
    given = _Watched(it.position.state.rules, it.observation.view)
    held = weakref.ref(given)
    it.bot.act(given)
    del given
    return held() is None or _is_gone(held)


def _is_gone(held: weakref.ref[_Watched]) -> bool:
    import gc

    gc.collect()
    return held() is None
