"""The page that explains a rulebook, made from its data alone: shipped ones and house rules alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bigpepper.actions import Bid
from bigpepper.cards import Card, Strain, Suit
from bigpepper.explain import family
from bigpepper.explain.examples import photo_finish, worked
from bigpepper.explain.page import Block, Items, Page, Paragraph, Picture, Row, Section, Table
from bigpepper.explain.score import score_lines, shown, winners_line
from bigpepper.explain.sentences import (
    Sentences,
    bid_sentences,
    failed_sentences,
    made_sentences,
    option_sentences,
    permitted,
    promise_sentences,
    ranks_listed,
    suits_listed,
)
from bigpepper.explain.terms import bid_name, either, is_left_bower, is_right_bower, signed, suit_name, trumps
from bigpepper.options import Award, Rung
from bigpepper.rules import Rules
from bigpepper.state import State
from bigpepper.text import Message, msg, msgn

_MOST_SENTENCES: Final = 6
EXAMPLE_NAMES: Final = ("You", "Paprika", "Jalapeño", "Habanero")
"""Who sits at the table of the worked examples."""


def rule_page(rules: Rules) -> Page:
    """Any rulebook, explained as to a friend: what is different first, then from the aim to the end of the game."""
    sections = (
        _recommended(rules),
        _differences(rules),
        _aim(rules),
        _deal(rules),
        _ranks(rules),
        _bidding(rules),
        _before_play(rules),
        _play(rules),
        _score(rules),
        _end(rules),
    )
    return Page(family.title(rules), family.summary(rules), tuple(section for section in sections if section.blocks))


def _recommended(rules: Rules) -> Section:
    lines = family.recommended_lines(rules)
    return Section(msg("The recommended form"), (Paragraph(lines),) if lines else ())


def _differences(rules: Rules) -> Section:
    base = family.parent(rules)
    heading = (
        msg("What is different") if base is None else msg("Where it differs from {title}", title=family.title(base))
    )
    found = family.differences(rules)
    return Section(heading, (Items(tuple((sentence,) for sentence in found)),) if found else ())


# --- aim, deal ------------------------------------------------------------------------------------------------------


def _aim(rules: Rules) -> Section:
    purpose = msgn(
        "There is one trick to win in a round, and you bid for it.",
        "There are {n} tricks to win in a round, and you bid how many of them you will take.",
        rules.cards,
    )
    return Section(
        msg("The aim"),
        (Paragraph((*option_sentences(rules, "players"), purpose, _makers(rules), _played_to(rules))),),
    )


def _played_to(rules: Rules) -> Message:
    return msgn("You play to one point.", "You play to {n} points.", rules.target)


def _makers(rules: Rules) -> Message:
    naming = msg("names trumps or no-trump") if Strain.NO_TRUMP in rules.strains else msg("names trumps")
    if rules.partners:
        return msg(
            "Whoever bids highest is the maker and {naming}. The maker and partner are the makers and have to take "
            "at least what was bid; the other two, the defenders, try to stop them.",
            naming=naming,
        )
    if rules.players == 3:
        return msg(
            "Whoever bids highest is the maker, {naming} and has to take at least what was bid; the two "
            "defenders try to stop that, but each scores for themselves.",
            naming=naming,
        )
    return msg(
        "Whoever bids highest is the maker, {naming} and has to take at least what was bid; the other, the "
        "defender, tries to stop that.",
        naming=naming,
    )


def _deal(rules: Rules) -> Section:
    hands = [*option_sentences(rules, "cards"), _manner(rules)]
    if rules.dead_hand:
        hands += option_sentences(rules, "dead_hand")
    if rules.joker:
        hands += option_sentences(rules, "widow")
    dealer = msg("The first dealer is drawn by lot; after each round the deal passes to the left.")
    return Section(msg("The deal"), (Paragraph((_deck(rules),)), Paragraph((*hands, dealer))))


def _deck(rules: Rules) -> Message:
    fields = {"n": len(rules.deck), "ranks": ranks_listed(rules), "suits": suits_listed(rules)}
    if rules.joker:
        return msg("The deck has {n} cards: {ranks} of {suits}, and the Joker.", **fields)
    return msg("The deck has {n} cards: {ranks} of {suits}.", **fields)


def _manner(rules: Rules) -> Message:
    """How many cards are dealt at a time; only for some games the source says it (rules §1)."""
    if rules.players == 4 and rules.cards == 6:
        for kin in family.ancestors(rules):
            if kin.name == "pepper-4":
                return msg("They are dealt one at a time.")
            if kin.name == "hasenpfeffer":
                return msg("They are dealt three at a time.")
    return msg("Deal them one at a time, or as many at a time as you like: the rules do not say.")


# --- ranks ----------------------------------------------------------------------------------------------------------


def _ranks(rules: Rules) -> Section:
    strain = _example_strain(rules)
    blocks: list[Block] = [Paragraph(tuple(_rank_sentences(rules)))]
    blocks.append(Paragraph((msg("With {suit} as trumps, highest first:", suit=suit_name(_suit(strain))),)))
    blocks.append(Picture(tuple(_rows(rules, strain))))
    return Section(msg("The ranks"), tuple(blocks))


def _example_strain(rules: Rules) -> Strain:
    """Hearts where they can be trumps and have a left bower, else the first suit that has one, else the first suit."""
    suits = [strain for strain in (Strain.HEARTS, *rules.strains) if strain in rules.strains and strain.suit]
    return next((strain for strain in suits if _suit(strain).colour_partner in rules.suits), suits[0])


def _suit(strain: Strain) -> Suit:
    assert strain.suit is not None
    return strain.suit


def _rank_sentences(rules: Rules) -> Iterator[Message]:
    if rules.joker:
        yield msg("The Joker is the highest trump.")
    if "J" in rules.ranks:
        yield _right_bower(rules)
        yield from _left_bower(rules)
    yield from _plain_ranks(rules)
    if Strain.NO_TRUMP in rules.strains:
        yield from _no_trump_sentences(rules)


def _plain_ranks(rules: Rules) -> Iterator[Message]:
    if len(rules.ranks) == 1:
        return
    if "J" in rules.ranks or rules.joker:
        yield msg("Otherwise every suit ranks {ranks}, from high to low.", ranks=ranks_listed(rules))
    else:
        yield msg("Every suit ranks {ranks}, from high to low, the trump suit too.", ranks=ranks_listed(rules))


def _right_bower(rules: Rules) -> Message:
    if rules.joker:
        return msg("Below it comes the jack of trumps, called the right bower.")
    return msg("The highest trump is the jack, called the right bower.")


def _left_bower(rules: Rules) -> Iterator[Message]:
    with_left = [strain for strain in rules.strains if _has_left_bower(rules, strain)]
    without: list[Message | str] = [
        suit_name(_suit(strain)) for strain in rules.strains if strain.suit and strain not in with_left
    ]
    if not with_left:
        yield msg("There is no left bower.")
        return
    yield msg("Next comes the left bower, the jack of the other suit of the same colour.")
    yield msg(
        "The left bower belongs to the trump suit in every respect: it follows trumps, not the suit printed on it."
    )
    if without:
        yield msg("When {suits} are trumps there is no left bower.", suits=either(without))


def _has_left_bower(rules: Rules, strain: Strain) -> bool:
    return any(is_left_bower(rules, card, strain) for card in trumps(rules, strain))


def _no_trump_sentences(rules: Rules) -> Iterator[Message]:
    if "J" in rules.ranks:
        yield msg("At no-trump there are no bowers: every jack ranks in the suit printed on it.")
    else:
        yield msg("At no-trump no suit is above the others.")
    if rules.joker:
        yield msg(
            "At no-trump the Joker belongs to no suit: you may play it only when you lead or have none of the suit "
            "led, and it wins the trick; when it is led, the others play any card."
        )


def _rows(rules: Rules, strain: Strain) -> Iterator[Row]:
    for suit, cards in sorted(rules.suits_in_play(strain).items(), key=lambda item: item[0] is not strain.suit):
        order = tuple(reversed(cards))
        if suit is not None and order:
            label = msg("{suit} (trumps)", suit=suit_name(suit)) if suit is strain.suit else suit_name(suit)
            yield Row(label, order, tuple(_marks(rules, strain, order)))


def _marks(rules: Rules, strain: Strain, cards: tuple[Card, ...]) -> Iterator[tuple[Card, Message]]:
    for card in cards:
        if is_right_bower(rules, card, strain):
            yield card, msg("right bower")
        elif is_left_bower(rules, card, strain):
            yield card, msg("left bower")


# --- bidding, naming, play ------------------------------------------------------------------------------------------


def _bidding(rules: Rules) -> Section:
    turns = [_first_to_speak(rules)]
    turns.append(msg("You pass, or bid more than the bid that stands; you may skip bids."))
    if rules.partners:
        turns.append(msg("You may raise your own partner's bid."))
    end = [*option_sentences(rules, "auction"), *_top(rules), *option_sentences(rules, "all_pass")]
    bids = (*bid_sentences(rules), *promise_sentences(rules))
    return Section(msg("The bidding"), (Paragraph(tuple(turns)), Paragraph(bids), Paragraph(tuple(end))))


def _first_to_speak(rules: Rules) -> Message:
    if rules.players == 2:
        return msg("The dealer's opponent speaks first, then you take turns.")
    return msg("The player left of the dealer speaks first, then the others clockwise.")


def _top(rules: Rules) -> Iterator[Message]:
    if rules.auction != "one-round":
        yield msg("Nobody is asked while their own bid stands.")
    yield msg("The top bid, {bid}, ends the bidding at once.", bid=bid_name(rules.bids[-1]))


def _before_play(rules: Rules) -> Section:
    steps: list[Message] = []
    if rules.widow == "pick-up":
        steps.append(msg("The maker takes the widow, without showing it."))
    steps += option_sentences(rules, "strains")
    if rules.widow == "pick-up":
        steps.append(_discard(rules))
    blocks: list[Block] = [Paragraph(tuple(steps))]
    if rules.alone != "no":
        blocks.append(Paragraph(option_sentences(rules, "alone")))
    return Section(msg("Before the play"), tuple(blocks))


def _discard(rules: Rules) -> Message:
    return msg(
        "Then the maker discards one of the {n} cards, face down: any of them, the Joker or a trump too.",
        n=rules.cards + 1,
    )


def _play(rules: Rules) -> Section:
    leads = [*option_sentences(rules, "lead"), *_lone_leads(rules)]
    follow = [
        msg(
            "Follow the suit that was led if you can; if not, play any card: you need not trump, and you need not win."
        ),
        msg("The highest trump takes the trick, or the highest card of the suit led if there is no trump in it."),
        msg("Whoever takes a trick leads to the next; a round is always played to the end."),
    ]
    return Section(msg("The play"), (Paragraph(tuple(leads)), Paragraph((*follow, *_hidden(rules)))))


def _lone_leads(rules: Rules) -> Iterator[Message]:
    if rules.alone != "no":
        yield msg("Against a lone maker the nearest player to the maker's left who is still in leads.")
    if rules.alone == "makers-and-defender":
        yield msg("A lone defender leads in any case.")


def _hidden(rules: Rules) -> Iterator[Message]:
    if rules.dead_hand or rules.joker or rules.alone != "no":
        yield msg("Cards that lie face down stay so until the round is over.")


# --- score, end -----------------------------------------------------------------------------------------------------


def _score(rules: Rules) -> Section:
    sentences = [*_in_short(rules), *option_sentences(rules, "defenders")]
    if rules.alone != "no":
        sentences += [*option_sentences(rules, "alone_stakes"), *_alone_else(rules)]
    examples = Items(tuple(_told(state) for state in worked(rules)))
    blocks = (Paragraph(tuple(sentences)), _worth(rules), Paragraph((msg("For example:"),)), examples)
    return Section(msg("The score"), blocks)


def _in_short(rules: Rules) -> Sentences:
    """What bids are worth in sentences, unless they are so many that the table alone says it better."""
    sentences = (*made_sentences(rules), *failed_sentences(rules))
    return sentences if len(sentences) <= _MOST_SENTENCES else ()


def _alone_else(rules: Rules) -> Iterator[Message]:
    if rules.alone_stakes != 1:
        yield msg("With one trick lost, going alone changes nothing in the score.")
    if rules.alone == "makers-and-defender":
        yield msg("Defending alone never does.")


def _worth(rules: Rules) -> Table:
    heads = (msg("Bid"), msg("Tricks"), msg("Made"), msg("Failed"))
    return Table(heads, tuple(_worth_row(rules, rung) for rung in permitted(rules)))


def _worth_row(rules: Rules, rung: Rung) -> tuple[Message | str, ...]:
    every = rung.tricks == rules.cards > 1
    tricks = msg("all {n}", n=rung.tricks) if every else msg("at least {n}", n=rung.tricks)
    return bid_name(Bid(rung.name)), tricks, _plus(rung.made, rung.tricks), _minus(rung.failed, rung.tricks)


def _plus(award: Award, tricks: int) -> Message | str:
    return msg("{points} a trick won", points=signed(award.each)) if award.each else signed(award.points(tricks))


def _minus(award: Award, tricks: int) -> Message | str:
    return msg("{points} a trick won", points=signed(-award.each)) if award.each else signed(-award.points(tricks))


def _told(state: State) -> tuple[Message, ...]:
    return score_lines(state.observation(0), EXAMPLE_NAMES)


def _end(rules: Rules) -> Section:
    sentences = [*option_sentences(rules, "target"), *option_sentences(rules, "finish")]
    if rules.round_limit is not None:
        sentences += option_sentences(rules, "round_limit")
    sentences.append(msg("Scores may fall below zero."))
    last = photo_finish(rules)
    return Section(msg("The end"), (Paragraph(tuple(sentences)), *([Paragraph(_finish(last))] if last else [])))


def _finish(state: State) -> tuple[Message, ...]:
    assert state.points is not None
    scores = tuple(before + points for before, points in zip(state.scores, state.points, strict=True))
    won = winners_line(state.rules, state.winners(1), scores, EXAMPLE_NAMES, 0)
    return (_before(state.scores), *_told(state), won)


def _before(scores: tuple[int, ...]) -> Message:
    points = [shown(score) for score in scores]
    if len(points) == 2:
        return msg("For example, it stands {a} to {b}.", a=points[0], b=points[1])
    return msg("For example, it stands {a}, {b} and {c}.", a=points[0], b=points[1], c=points[2])
