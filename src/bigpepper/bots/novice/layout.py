"""How the suits lie in strain order under one strain, asked of the tables once and kept."""

from __future__ import annotations

from typing import NamedTuple

from bigpepper.kernel import strain_order
from bigpepper.rules import Rules


class Layout(NamedTuple):
    """Masks in strain order (see `records`)."""

    strain: int
    """0 to 3 for C D H S, 4 for no-trump."""
    trump: int
    """All trumps; at no-trump the Joker alone, or 0."""
    sides: tuple[int, ...]
    """The other suits."""
    deck: int
    """All cards."""

    @property
    def lanes(self) -> tuple[int, ...]:
        """All suits, trumps first."""
        return (self.trump, *self.sides)

    def suit_of(self, bit: int) -> int:
        """The suit that a card belongs to."""
        if bit & self.trump:
            return self.trump
        return next(suit for suit in self.sides if bit & suit)


def layout(rules: Rules, strain: int) -> Layout:
    """The layout of a strain (its number as in `records`)."""
    key = ("novice layout", strain)
    found: Layout | None = rules.memo.get(key)
    if found is None:
        found = rules.memo[key] = _made(rules, strain)
    return found


def _made(rules: Rules, strain: int) -> Layout:
    t = rules.tables
    deck = strain_order(t, strain, (1 << t.deck_size) - 1)
    trump = t.trump[strain]
    suits = {t.suit[strain][place] for place in range(61) if t.card[strain][place] >= 0}
    return Layout(strain, trump, tuple(sorted(suits - {0, trump})), deck)


def strains_of(rules: Rules) -> list[int]:
    """The numbers of the strains that may be named, each once, in the rulebook's order."""
    t = rules.tables
    return list(dict.fromkeys(t.name_strain[: t.names]))
