"""Sentences as values: a `Message` is turned into words only at the edge, in a language that is passed in.

Everything a person may read is written as `msg("… {field} …", field=value)` or, where a number decides the wording,
`msgn("one …", "{n} …", n)`. The first arguments are gettext ids; the English catalogue is extracted from them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

SOURCE_LANGUAGE = "en"


class Message:
    """A whole sentence (a gettext id) with its named fields; equal when id and fields are equal.

    Fields may be text, numbers, values with a short text form (cards, actions) or other messages.
    """

    __slots__ = ("count", "fields", "id", "plural")

    id: str
    fields: dict[str, object]
    plural: str | None
    count: int

    def __init__(self, id: str, fields: dict[str, object], plural: str | None = None, count: int = 1) -> None:
        for name, value in (("id", id), ("fields", fields), ("plural", plural), ("count", count)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Message never changes: {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (self.id, self.fields, self.plural, self.count)

    def text(self, language: str = SOURCE_LANGUAGE) -> str:
        """The sentence in `language` (a code such as "bg"); English where the catalogue lacks it."""
        catalogue = _catalogue(language)
        if self.plural is None:
            pattern = catalogue.gettext(self.id)
        else:
            pattern = catalogue.ngettext(self.id, self.plural, self.count)
        return pattern.format_map({name: _words(value, language) for name, value in self.fields.items()})

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Message {self.text()!r}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.id, self.plural, self.count))

    def _key(self) -> tuple[object, ...]:
        return self.id, self.plural, self.count, self.fields


def msg(id: str, /, **fields: object) -> Message:
    """A message with one form. `id` must be a literal, so that it can be extracted."""
    return Message(id, fields)


def msgn(one: str, many: str, n: int, /, **fields: object) -> Message:
    """A message whose wording depends on the number `n`, which is its field `{n}` too."""
    return Message(one, {"n": n, **fields}, many, n)


def listed(items: object) -> str:
    """The short text forms of `items`, with commas: for naming cards, actions or keys in a sentence."""
    return ", ".join(str(item) for item in items)  # type: ignore[attr-defined]


def _words(value: object, language: str) -> object:
    return value.text(language) if isinstance(value, Message) else value


@lru_cache(maxsize=32)
def _catalogue(language: str) -> NullTranslations:
    import gettext
    from pathlib import Path

    if language == SOURCE_LANGUAGE or not language.replace("-", "").replace("_", "").isalnum():
        return gettext.NullTranslations()
    return gettext.translation("bigpepper", Path(__file__).parent / "locale", [language], fallback=True)
