"""Who sits where: the shown names of bots, told apart by compass where two are of one kind. You sit in the south."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from bigpepper.text import SOURCE_LANGUAGE, Message, msg

PEPPERS: Final = {"random": "Bell", "novice": "Paprika", "club": "Jalapeño", "expert": "Habanero"}
"""Bot → the pepper it is called by, milder to hotter with its strength."""

_PLACES: Final = {2: (0, 2), 3: (0, 1, 3), 4: (0, 1, 2, 3)}
"""Players → the sides of the table that are taken, clockwise from yours: 0 south, 1 west (left), 2 north, 3 east."""


class Names(NamedTuple):
    """The names at one table, one a seat; `you` is your seat."""

    you: int
    seats: tuple[str, ...]

    def is_you(self, seat: int | None) -> bool:
        """Whether it is your seat."""
        return seat == self.you

    def place(self, seat: int) -> int:
        """Where a seat is, seen from yours: 0 south (you), 1 west, 2 north, 3 east."""
        players = len(self.seats)
        return _PLACES[players][(seat - self.you) % players]

    def at(self, place: int) -> int | None:
        """The seat at a place; None where nobody sits."""
        return next((seat for seat in range(len(self.seats)) if self.place(seat) == place), None)


def seat_names(you: int, bots: Sequence[str], language: str = SOURCE_LANGUAGE) -> Names:
    """Names for a table, in `language`; `bots` has the bot of each seat, anything at yours."""
    names = Names(you, tuple("" for _ in bots))
    titles = {seat: title(bot) for seat, bot in enumerate(bots) if seat != you}
    kinds = Counter(titles.values())
    shown = [msg("You").text(language)] * len(bots)
    for seat, name in titles.items():
        shown[seat] = name if kinds[name] == 1 else _with_place(name, names.place(seat)).text(language)
    return Names(you, tuple(shown))


def title(bot: str) -> str:
    """How a bot is called, whatever its options: its pepper, or its own name with a capital letter."""
    kind = bot.partition(":")[0]
    return PEPPERS.get(kind) or kind[:1].upper() + kind[1:]


def _with_place(name: str, place: int) -> Message:
    if place == 1:
        return msg("{name} West", name=name)
    return msg("{name} North", name=name) if place == 2 else msg("{name} East", name=name)
