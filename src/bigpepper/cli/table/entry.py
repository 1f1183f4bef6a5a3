"""A round told in words, in one line or bit by bit: who bid, what, the strain, alone or not, the tricks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from bigpepper import explain
from bigpepper.cards import Strain
from bigpepper.cli.table.pad import THROWN_IN, Entry, Pad, quoted
from bigpepper.errors import InvalidGame
from bigpepper.rules import Rules
from bigpepper.text import SOURCE_LANGUAGE, Message, listed, msg

Ask = Callable[[Message], str]
Say = Callable[[Message], None]
T = TypeVar("T")
_SIGNS: Final = str.maketrans({**dict.fromkeys(",:\ufe0e\ufe0f", " "), **{sign: f" {sign} " for sign in "♣♦♥♠"}})
"""What parts words besides blanks; the signs of the suits are words of their own."""
_BIDS: Final = ("bid", "bids")
_TOOK: Final = ("take", "takes", "took")
_ALONE = ("alone", "a")
_YES = ("y", "yes", *_ALONE)
_NO = ("n", "no")


class Told:
    """The words of a line, taken one by one; what is missing is asked for."""

    def __init__(self, pad: Pad, line: str, ask: Ask, say: Say, language: str = SOURCE_LANGUAGE) -> None:
        self.pad = pad
        self._say = say
        self.words = _words(line)
        self._ask = ask
        self._language = language

    def round(self) -> Entry | None:
        """The round; None for one that was thrown in. Raises `InvalidGame` with what would be right."""
        rules = self.pad.rules
        if self.words and self.words[0].lower() in THROWN_IN:
            if self.words[1:] and self.words[1].lower() != "in":
                raise InvalidGame(
                    msg("“{words}” is too much for a round that was thrown in.", words=quoted(listed(self.words)))
                )
            return None
        maker = self._take(msg("Who was the highest bidder?"), self._seat)
        self._skip(_BIDS)
        bid = self._take(msg("What did {name} bid?", name=self.pad.names[maker]), self._bid)
        strain = self._take(msg("Which suit was named?"), self._strain)
        alone = self._alone(maker) if rules.alone != "no" else False
        self._skip(_TOOK)
        tricks = self._tricks(maker)
        if self.words:
            raise InvalidGame(
                msg("“{words}” is left over: a round is like “Anna 4 hearts 5”.", words=quoted(listed(self.words)))
            )
        return Entry(maker, bid, strain, alone, tricks)

    def _take(self, question: Message, read: Callable[[str], T]) -> T:
        """The next word, read; a wrong answer is asked for again. Raises `InvalidGame` for a wrong word of the line."""
        if self.words:
            return read(self.words.pop(0))
        while True:
            self.words = _words(self._ask(question))
            try:
                if self.words:
                    return read(self.words.pop(0))
            except InvalidGame as error:
                self._say(error.message)

    def _skip(self, said: tuple[str, ...]) -> None:
        """Pass over a word that people say and that tells nothing."""
        if self.words and self.words[0].lower() in said:
            self.words.pop(0)

    # --- the words --------------------------------------------------------------------------------------------------

    def _seat(self, word: str) -> int:
        return seat_of(self.pad.names, word)

    def _bid(self, word: str) -> str:
        bids = self.pad.rules.bids
        exact = [bid.name for bid in bids if word.lower() == bid.name.lower()]
        begun = [bid.name for bid in bids if bid.name.lower().startswith(word.lower())]
        if not exact and len(begun) != 1:
            raise InvalidGame(
                msg("“{word}” is no bid here; the bids are {bids}.", word=quoted(word), bids=listed(bids))
            )
        if self.words and self.words[0].lower() == "pepper":
            self.words.pop(0)
        return (exact or begun)[0]

    def _strain(self, word: str) -> Strain:
        if word.lower() == "no" and self.words and self.words[0].lower() in ("trump", "trumps"):
            word = f"no-{self.words.pop(0)}"
        form = word.lower().replace("notrump", "no-trump").removesuffix("s" if word.lower().endswith("trumps") else "")
        names = [explain.strain_name(strain).text(self._language).lower() for strain in self.pad.rules.strains]
        for strain, name in zip(self.pad.rules.strains, names, strict=True):
            sign = explain.suit_sign(strain.suit) if strain.suit else name
            if form in (str(strain).lower(), sign, name) or (len(form) > 2 and name.startswith(form)):
                return strain
        raise InvalidGame(
            msg("“{word}” is no strain here; there are {strains}.", word=quoted(word), strains=listed(names))
        )

    def _alone(self, maker: int) -> bool:
        if self.words:
            alone = self.words[0].lower() in _ALONE
            if alone:
                self.words.pop(0)
            return alone
        name = self.pad.names[maker]
        return self._take(msg("Did {name} go alone? (y/n)", name=name), _yes)

    def _tricks(self, maker: int) -> tuple[int, ...]:
        """Tricks a seat; with partners the makers' are put down to the maker, the others' to the player on his left."""
        rules, names = self.pad.rules, self.pad.names
        side = explain.side_names(rules, names)[rules.side_of(maker)]
        tricks = [0] * rules.players
        tricks[maker] = self._take(msg("How many tricks did {side} take?", side=side), self._number)
        others = [(maker + i) % rules.players for i in range(1, rules.players)]
        if rules.sides == 3 and (self.words or tricks[maker] < rules.cards):
            name = names[others[0]]
            tricks[others[0]] = self._take(msg("How many tricks did {name} take?", name=name), self._number)
            if self.words:
                tricks[others[1]] = self._take(msg("{name}?", name=names[others[1]]), self._number)
                return tuple(tricks)
            others = others[1:]
        tricks[others[0]] = rules.cards - sum(tricks)
        return _checked(rules, tricks)

    def _number(self, word: str) -> int:
        most = self.pad.rules.cards
        if word.lower() == "all":
            return most
        number = _count(word)
        if number is None or number > most:
            raise InvalidGame(msg("“{word}” is no number of tricks from 0 to {most}.", word=quoted(word), most=most))
        return number


def _words(line: str) -> list[str]:
    """The words of a line."""
    return line.translate(_SIGNS).split()


def _count(word: str) -> int | None:
    """A number of at most two digits; None for anything else. Python refuses to read thousands of digits."""
    return int(word) if word.isdecimal() and len(word) <= 2 else None


def _yes(word: str) -> bool:
    if word.lower() not in (*_YES, *_NO):
        raise InvalidGame(msg("“{word}” is neither yes nor no.", word=quoted(word)))
    return word.lower() in _YES


def _checked(rules: Rules, tricks: list[int]) -> tuple[int, ...]:
    if min(tricks) < 0:
        raise InvalidGame(msg("These are too many tricks: a round has {n}.", n=rules.cards))
    return tuple(tricks)


def seat_of(names: tuple[str, ...], word: str) -> int:
    """A seat by name, by the beginning of one, or by number from 1. Raises `InvalidGame`."""
    number = _count(word)
    if number is not None and 1 <= number <= len(names):
        return number - 1
    exact = [seat for seat, name in enumerate(names) if name.lower() == word.lower()]
    begun = [seat for seat, name in enumerate(names) if name.lower().startswith(word.lower())]
    if not exact and len(begun) != 1:
        raise InvalidGame(
            msg("“{word}” is nobody at this table; there are {names}.", word=quoted(word), names=listed(names))
        )
    return (exact or begun)[0]
