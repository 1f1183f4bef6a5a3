"""What is typed at the table: an action by number or text, or a word to the table itself. Pure: text in, value out."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, NamedTuple

from bigpepper import explain
from bigpepper.actions import Action, Defend, Discard, Pass, Play
from bigpepper.cards import Card, Suit
from bigpepper.cli.table import words
from bigpepper.cli.table.session import View
from bigpepper.errors import IllegalAction, InvalidAction
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.text import SOURCE_LANGUAGE, Message, msg


class Word(StrEnum):
    """The words to the table itself."""

    HELP = "help"
    RULES = "rules"
    SCORE = "score"
    LAST = "last"
    LOG = "log"
    UNDO = "undo"
    SAVE = "save"
    SPEED = "speed"
    QUIT = "quit"


class Request(NamedTuple):
    """A word to the table, with what was typed behind it."""

    word: Word
    rest: str


class Option(NamedTuple):
    """An action with the number it can be called by."""

    key: str
    action: Action
    legal: bool


_ALIASES: Final = {"?": Word.HELP, "u": Word.UNDO, "q": Word.QUIT, "exit": Word.QUIT}
_SYMBOLS: Final = str.maketrans({"♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S"})
_SUITS: Final = {word: str(suit) for suit in Suit for word in (str(suit).lower(), f"{suit.name}".lower())}
_SUITS.update({word.removesuffix("s"): suit for word, suit in list(_SUITS.items()) if len(word) > 1})
_APART: Final = re.compile(rf"([9tjqka])-(?:of-)?({'|'.join(_SUITS)})")
"""A card with its suit apart: `q-d`, `j-of-hearts`."""
_NUMBERS: Final = dict(zip(("one", "two", "three", "four", "five", "six", "seven", "eight"), "12345678", strict=True))
_VERBS: Final = ("discard-", "play-", "bid-", "lead-", "the-")


# --- what can be chosen ---------------------------------------------------------------------------------------------


def options(now: Observation) -> tuple[Option, ...]:
    """What there is to choose from in this phase, legal or not, with the numbers that stand beside it."""
    legal = set(now.legal)
    return tuple(Option(key, action, action in legal) for key, action in _keyed(now))


def _keyed(now: Observation) -> list[tuple[str, Action]]:
    match now.phase:
        case Phase.AUCTION:
            return _calls(now)
        case Phase.NAMING:
            return [(str(i), name) for i, name in enumerate(now.rules.names, 1)]
        case Phase.DEFENCE:
            return [("0", Pass()), ("1", Defend())]
    kind = Discard if now.phase is Phase.DISCARD else Play
    return [(str(i), kind(card)) for i, card in enumerate(words.hand_row(now), 1)]


def _calls(now: Observation) -> list[tuple[str, Action]]:
    """Pass is 0; a bid has its place on the ladder where its name does not say another number, else its name alone."""
    bids = now.rules.bids
    numbered = all(not bid.name.isdigit() or bid.name == str(i) for i, bid in enumerate(bids, 1))
    keyed: list[tuple[str, Action]] = [(str(i) if numbered else bid.name, bid) for i, bid in enumerate(bids, 1)]
    return [("pass" if "0" in dict(keyed) else "0", Pass()), *keyed]


# --- reading --------------------------------------------------------------------------------------------------------


def read(typed: str, view: View, language: str = SOURCE_LANGUAGE) -> Action | Request | None:
    """What was typed; None for an empty line.

    Raises `InvalidAction` for what is nothing at all, `IllegalAction` with the reason for what the rules do not allow.
    """
    text = " ".join(typed.split())
    if not text:
        return None
    request = _read_request(text)
    if request is not None:
        return request
    action = read_action(text, view.now, language)
    if reason := explain.why_not(view.now, action, view.names.seats):
        raise IllegalAction(reason)
    return action


def _read_request(text: str) -> Request | None:
    first, _, rest = text.partition(" ")
    word = _ALIASES.get(first.lower()) or next((word for word in Word if word == first.lower()), None)
    if word is Word.QUIT and rest:  # “q d” is a queen: only the bare word leaves
        return None
    return Request(word, rest) if word else None


def read_action(text: str, now: Observation, language: str = SOURCE_LANGUAGE) -> Action:
    """The action meant, legal or not: by number, by text, or begun clearly enough. Raises `InvalidAction`."""
    form, known = _form(text), options(now)
    exact = (o.action for o in known if form == o.key or form in _texts(now, o.action, language))
    if (action := next(exact, None)) is not None:
        return action
    begun = [o.action for o in known if o.legal and any(t.startswith(form) for t in _texts(now, o.action, language))]
    if len(begun) == 1:
        return begun[0]
    _ask_for_more(text, form, now, begun)
    return _elsewhere(text, form, now)


def _form(text: str) -> str:
    """One form for all ways to write an action: small letters, hyphens, T for 10, no verb."""
    form = text.translate(_SYMBOLS).lower().replace(",", "").replace(" ", "-")
    if not form.isdigit():
        form = form.replace("10", "t")
    for verb in _VERBS:
        form = form.removeprefix(verb)
    if card := _APART.fullmatch(form):
        return card[1] + card[2][0]
    return _NUMBERS.get(form, form)


def _texts(now: Observation, action: Action, language: str) -> set[str]:
    """The texts of an action: the short one, and its names in words."""
    names: list[str | Message] = [str(action), explain.choice_name(now, action)]
    if isinstance(action, Play | Discard) and action.card:
        names += [str(action.card), explain.card_name(action.card)]
    return {_form(name.text(language) if isinstance(name, Message) else name) for name in names}


def _ask_for_more(text: str, form: str, now: Observation, begun: list[Action]) -> None:
    """Ask for the rest of what is clear so far. Raises `InvalidAction`; nothing is clear where it returns."""
    if now.phase is Phase.AUCTION and _bid_with_suit(form, now):
        raise InvalidAction(msg("Bid only the number of tricks now: the suit is named when the auction is over."))
    if now.phase in (Phase.PLAY, Phase.DISCARD) and form in _SUITS:
        held = [o for o in options(now) if isinstance(o.action, Play | Discard) and _suit(o.action) == _SUITS[form]]
        begun = [o.action for o in held if o.legal] or [o.action for o in held]
    if begun:
        either = _either([_short(now, action) for action in begun])
        raise InvalidAction(msg("“{text}” could be {either}: say which one.", text=text, either=either))


def _bid_with_suit(form: str, now: Observation) -> bool:
    bid, _, strain = form.partition("-")
    return _NUMBERS.get(bid, bid) in {bid.name for bid in now.rules.bids} and (
        strain in _SUITS or strain in ("nt", "no-trump")
    )


def _suit(action: Play | Discard) -> str:
    return str(action.card.suit or "") if action.card else ""


def _short(now: Observation, action: Action) -> Message | str:
    if isinstance(action, Play | Discard) and action.card:
        return explain.card_sign(action.card)
    return explain.choice_name(now, action)


def _either(names: list[Message | str]) -> Message | str:
    """ "a, b or c"."""
    *first, last = names
    if not first:
        return last
    joined = first[0]
    for name in first[1:]:
        joined = msg("{items}, {item}", items=joined, item=name)
    return msg("{items} or {last}", items=joined, last=last)


def _elsewhere(text: str, form: str, now: Observation) -> Action:
    """An action of another moment, or a card of another hand: it can be refused with its reason."""
    if text.isdecimal():
        raise InvalidAction(msg("There is no choice {text} now. Type ? to see what you can do.", text=text))
    codes = {str(card).lower(): card for card in now.rules.deck}
    if form in codes:
        return _with_card(codes[form], now)
    try:
        return now.rules.action(form)
    except InvalidAction:
        raise InvalidAction(msg("“{text}” says nothing to me. Type ? to see what you can do.", text=text)) from None


def _with_card(card: Card, now: Observation) -> Action:
    return Discard(card) if now.phase is Phase.DISCARD else Play(card)
