"""A sentence for every option of a rulebook and for each of its values, as one would say it at a kitchen table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import groupby
from typing import Final, TypeVar

from bigpepper.actions import Bid
from bigpepper.cards import Suit
from bigpepper.explain.terms import bid_name, either, joined, rank_name, strain_name, suit_name
from bigpepper.options import Award, Rung
from bigpepper.rules import Rules
from bigpepper.text import Message, msg, msgn

Sentences = tuple[Message, ...]
_AwardOf = Callable[[Rung], Award]
_Value = TypeVar("_Value", bound=Hashable)


def option_sentences(rules: Rules, key: str) -> Sentences:
    """What the option `key` of rules §6 says in this rulebook."""
    return _SENTENCES[key](rules)


# --- players and cards ----------------------------------------------------------------------------------------------


def _players(rules: Rules) -> Sentences:
    return _one_of(
        rules.players,
        {
            2: msg("Two play against each other."),
            3: msg("Three play, each for themselves."),
            4: msg("Four play, two against two; partners sit opposite each other."),
        },
    )


def _cards(rules: Rules) -> Sentences:
    return (msgn("Everybody gets one card.", "Everybody gets {n} cards.", rules.cards),)


def _suits(rules: Rules) -> Sentences:
    return (msg("The suits are {suits}.", suits=suits_listed(rules)),)


def suits_listed(rules: Rules) -> Message | str:
    """ "clubs, diamonds, hearts and spades"."""
    return joined([suit_name(Suit(suit)) for suit in rules.suits])


def _ranks(rules: Rules) -> Sentences:
    return (msg("Each suit has {ranks}.", ranks=ranks_listed(rules)),)


def ranks_listed(rules: Rules) -> Message | str:
    """ "ace, king, queen, jack, ten and nine"."""
    return joined([rank_name(rank) for rank in reversed(rules.ranks)])


def _dead_hand(rules: Rules) -> Sentences:
    if not rules.dead_hand:
        return (msg("No hand is left over."),)
    return (
        msgn(
            "One more hand of one card is dealt face down: nobody looks at it, and it is not played.",
            "One more hand of {n} cards is dealt face down: nobody looks at it, and it is not played.",
            rules.cards,
        ),
    )


def _joker(rules: Rules) -> Sentences:
    return _one_of(rules.joker, {True: msg("The Joker is in the deck."), False: msg("There is no Joker.")})


def _widow(rules: Rules) -> Sentences:
    return _one_of(
        rules.widow,
        {
            "none": msg("No card is left over."),
            "pick-up": msg("One card is left over and lies face down: the widow, which the maker will take."),
            "dead": msg("One card is left over and lies face down: the widow, which nobody sees."),
        },
    )


# --- the auction ----------------------------------------------------------------------------------------------------


def _auction(rules: Rules) -> Sentences:
    return _one_of(
        rules.auction,
        {
            "re-entry": msg(
                "The bidding goes round until all others have passed in a row after the highest bid; "
                "whoever passed before may bid again."
            ),
            "final-pass": msg("Whoever passes is out of the bidding; it ends when only the highest bidder is left."),
            "one-round": msg("Everybody speaks once, the dealer last; then the highest bid stands."),
        },
    )


def _all_pass(rules: Rules) -> Sentences:
    if rules.all_pass == "joker-bids-3":
        return (_joker_bids(rules),)
    return _one_of(
        rules.all_pass,
        {
            "throw-in": msg("If everybody passes, nobody scores and the next dealer deals."),
            "same-dealer": msg("If everybody passes, nobody scores and the same dealer deals again."),
            "stick-dealer": msg("As long as nobody has bid, the dealer may not pass."),
        },
    )


def _joker_bids(rules: Rules) -> Message:
    bid = bid_name(rules.bids[rules.tables.joker_bid])
    return msg(
        "If everybody passes, whoever holds the Joker must bid {bid}, and that ends the bidding; if nobody holds it, "
        "nobody scores and the next dealer deals.",
        bid=bid,
    )


def _minimum_bid(rules: Rules) -> Sentences:
    return (msg("The lowest bid is {bid}.", bid=bid_name(Bid(rules.minimum_bid))),)


def _ladder(rules: Rules) -> Sentences:
    return (*bid_sentences(rules), *promise_sentences(rules), *made_sentences(rules), *failed_sentences(rules))


def permitted(rules: Rules) -> tuple[Rung, ...]:
    """The part of the ladder that may be said."""
    return tuple(rung for i, rung in enumerate(rules.ladder) if rules.tables.bids_mask >> (i + 1) & 1)


def bid_sentences(rules: Rules) -> Sentences:
    """Which bids there are."""
    rungs = permitted(rules)
    if len(rungs) == 1:
        return (msg("There is one bid: {bid}.", bid=_name(rungs[0])),)
    return (msg("The bids, from low to high, are {bids}.", bids=joined([_name(rung) for rung in rungs])),)


def promise_sentences(rules: Rules) -> Sentences:
    """How many tricks each bid promises."""
    rungs = permitted(rules)
    plain = [rung for rung in rungs if rung.name == str(rung.tricks)]
    others = [rung for rung in rungs if rung not in plain]
    numbers = msg("A number promises at least that many tricks.")
    return (*([numbers] if plain else []), *_promises(rules, others))


def _promises(rules: Rules, rungs: list[Rung]) -> Iterator[Message]:
    for tricks, group in groupby(rungs, lambda rung: rung.tricks):
        bids = [_name(rung) for rung in group]
        if tricks == rules.cards:
            yield msg("Whoever bids {bids} must take every trick.", bids=either(bids))
        else:
            yield msgn(
                "Whoever bids {bids} must take at least one trick.",
                "Whoever bids {bids} must take at least {n} tricks.",
                tricks,
                bids=either(bids),
            )


# --- what bids are worth --------------------------------------------------------------------------------------------


def made_sentences(rules: Rules, base: Rules | None = None) -> Sentences:
    """What made bids score, bids of the same worth together; only what is new to those who know `base`."""
    groups = _grouped(rules, _made_award)
    return tuple(_made(group[0], _subject(group, len(groups) == 1)) for group in _new(groups, base, _made_award))


def failed_sentences(rules: Rules, base: Rules | None = None) -> Sentences:
    """What failed bids cost, bids of the same cost together; only what is new to those who know `base`."""
    groups = _grouped(rules, _failed_award)
    return tuple(_failed(group[0], _subject(group, len(groups) == 1)) for group in _new(groups, base, _failed_award))


def _grouped(rules: Rules, award: _AwardOf) -> list[list[Rung]]:
    return [list(group) for _, group in groupby(permitted(rules), lambda rung: _worth(award(rung), rung.tricks))]


def _new(groups: list[list[Rung]], base: Rules | None, award: _AwardOf) -> list[list[Rung]]:
    """Without the groups of which every bid brings in `base` the same points as here, however they are reckoned."""
    known = {(rung.name, _points(award(rung), rung.tricks)) for rung in permitted(base)} if base else set()
    return [
        group for group in groups if any((rung.name, _points(award(rung), rung.tricks)) not in known for rung in group)
    ]


def _points(award: Award, tricks: int) -> tuple[int, int]:
    """Points for each trick won, and points whatever was won."""
    return (award.each, 0) if award.each else (0, award.points(tricks))


def _made_award(rung: Rung) -> Award:
    return rung.made


def _failed_award(rung: Rung) -> Award:
    return rung.failed


def _worth(award: Award, tricks: int) -> tuple[str, int]:
    """Equal for awards that one sentence can tell: multiples above the double are told as numbers."""
    if award.factor == 0 or (award.unit == "bid" and award.factor > 2):
        return "", award.points(tricks)
    return award.unit, award.factor


def _subject(rungs: list[Rung], are_all: bool) -> Message | str:
    if are_all and len(rungs) > 1:
        return msg("any bid")
    if len(rungs) > 2:
        return msg("any bid from {first} to {last}", first=_name(rungs[0]), last=_name(rungs[-1]))
    return joined([_name(rung) for rung in rungs])


def _made(rung: Rung, bids: Message | str) -> Message:
    unit, worth = _worth(rung.made, rung.tricks)
    if unit == "tricks-won" and worth == 1:
        return msg("Make {bids} and you score one point for each trick you won.", bids=bids)
    if unit == "tricks-won":
        return msg("Make {bids} and you score {points} points for each trick you won.", bids=bids, points=worth)
    if unit == "bid" and worth == 1:
        return msg("Make {bids} and you score what you bid.", bids=bids)
    if unit == "bid" and worth == 2:
        return msg("Make {bids} and you score twice what you bid.", bids=bids)
    points = rung.made.points(rung.tricks)
    if points == 0:
        return msg("Make {bids} and you score nothing.", bids=bids)
    return msgn("Make {bids} and you score one point.", "Make {bids} and you score {n} points.", points, bids=bids)


def _failed(rung: Rung, bids: Message | str) -> Message:
    unit, worth = _worth(rung.failed, rung.tricks)
    if unit == "tricks-won" and worth == 1:
        return msg(
            "Fail at {bids} and you lose one point for each trick you won, so nothing if you won none.", bids=bids
        )
    if unit == "tricks-won":
        return msg(
            "Fail at {bids} and you lose {points} points for each trick you won, so nothing if you won none.",
            bids=bids,
            points=worth,
        )
    if unit == "bid" and worth == 1:
        return msg("Fail at {bids} and you lose what you bid.", bids=bids)
    if unit == "bid" and worth == 2:
        return msg("Fail at {bids} and you lose twice what you bid.", bids=bids)
    points = rung.failed.points(rung.tricks)
    if points == 0:
        return msg("Fail at {bids} and you lose nothing.", bids=bids)
    return msgn("Fail at {bids} and you lose one point.", "Fail at {bids} and you lose {n} points.", points, bids=bids)


def _name(rung: Rung) -> Message | str:
    return bid_name(Bid(rung.name))


def _defenders(rules: Rules) -> Sentences:
    if rules.defenders == "none":
        return (msg("Defenders score nothing."),)
    return _one_of(
        rules.players,
        {
            2: msg("The defender scores one point for each trick, whether the bid is made or fails."),
            3: msg("Each defender scores one point for each trick of their own, whether the bid is made or fails."),
            4: msg("The defenders score one point for each trick they won, whether the bid is made or fails."),
        },
    )


# --- naming, alone, lead --------------------------------------------------------------------------------------------


def _strains(rules: Rules) -> Sentences:
    suits = [strain for strain in rules.strains if strain.suit]
    no_trump = len(suits) < len(rules.strains)
    if len(suits) == len(rules.suits):
        if no_trump:
            return (msg("The maker names the trump suit, or no-trump."),)
        return (msg("The maker names the trump suit."),)
    listed = either([strain_name(strain) for strain in suits])
    if no_trump:
        return (msg("The maker names trumps, which can only be {suits}, or no-trump.", suits=listed),)
    return (msg("The maker names trumps, which can only be {suits}.", suits=listed),)


def _alone(rules: Rules) -> Sentences:
    alone = msg(
        "The maker may go alone, and says so when naming trumps: the partner lays the cards down, face down, and sits "
        "out."
    )
    answer = msg(
        "Then each defender, from the maker's left, is asked; the first who says “I defend alone” plays alone against "
        "the maker, and that partner sits out too."
    )
    return {
        "no": (msg("Nobody goes alone."),),
        "makers": (alone, msg("Nobody defends alone.")),
        "makers-and-defender": (alone, answer),
    }[rules.alone]


def _alone_stakes(rules: Rules) -> Sentences:
    if rules.alone_stakes == 1:
        return (msg("Going alone scores the same as playing with a partner."),)
    if rules.alone_stakes == 2:
        return (msg("A lone maker who takes every trick scores twice as much."),)
    return (msg("A lone maker who takes every trick scores {stakes} times as much.", stakes=rules.alone_stakes),)


def _lead(rules: Rules) -> Sentences:
    return _one_of(
        rules.lead,
        {
            "maker": msg("The maker leads to the first trick."),
            "left-of-dealer": msg("The player left of the dealer leads to the first trick."),
        },
    )


# --- the end --------------------------------------------------------------------------------------------------------


def _target(rules: Rules) -> Sentences:
    return (
        msgn(
            "The game ends after the round in which somebody reaches one point.",
            "The game ends after the round in which somebody reaches {n} points.",
            rules.target,
        ),
    )


def _finish(rules: Rules) -> Sentences:
    return _one_of(
        rules.finish,
        {
            "highest": msg("Of those who are there the highest score wins; equal scores win jointly."),
            "makers-first": msg(
                "If the makers of that round are there, they win alone; otherwise the highest score wins, and equal "
                "scores win jointly."
            ),
        },
    )


def _round_limit(rules: Rules) -> Sentences:
    if rules.round_limit is None:
        return (msg("There is no limit of rounds."),)
    return (
        msgn(
            "After one round the game is over in any case: the highest score wins, equal ones jointly.",
            "After {n} rounds the game is over in any case: the highest score wins, equal ones jointly.",
            rules.round_limit,
        ),
    )


def _one_of(value: _Value, sentences: Mapping[_Value, Message]) -> Sentences:
    return (sentences[value],)


_SENTENCES: Final[dict[str, Callable[[Rules], Sentences]]] = {
    "players": _players,
    "cards": _cards,
    "suits": _suits,
    "ranks": _ranks,
    "dead_hand": _dead_hand,
    "auction": _auction,
    "all_pass": _all_pass,
    "minimum_bid": _minimum_bid,
    "ladder": _ladder,
    "defenders": _defenders,
    "lead": _lead,
    "strains": _strains,
    "joker": _joker,
    "widow": _widow,
    "alone": _alone,
    "alone_stakes": _alone_stakes,
    "target": _target,
    "finish": _finish,
    "round_limit": _round_limit,
}
