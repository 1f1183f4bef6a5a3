"""Text → record. Lenient: blank space, case, line ends, comments, missing headers; strict about what it means.

What is read is played again by the rules before anybody gets it (`verify`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from msgspec.structs import replace

from bigpepper.errors import InvalidRules
from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.model import VERSION, GameRecord, Player, Proof, RoundRecord
from bigpepper.notation.roundreader import RoundReader
from bigpepper.notation.ruleform import form_of, rules_from
from bigpepper.notation.scanner import Line, Piece, scan
from bigpepper.notation.tokens import not_understood, read_bot, read_bot_seed, read_comment, read_end
from bigpepper.notation.verify import verify
from bigpepper.rules import Rules
from bigpepper.text import Message, listed, msg

LARGEST: Final = 8 * 1024 * 1024
"""Bytes that a single game may have."""
_LONGEST_OPTION: Final = 16_384
"""Letters that the longest ladder fits in, and more."""
_T = TypeVar("_T")


def loads(text: str, *, growing: bool = False) -> GameRecord:
    """The one game in `text`; with `growing` it may still lack its end. Raises `NotationError`."""
    if len(text) > LARGEST or len(text.encode(errors="replace")) > LARGEST:
        raise too_large(Place(1, 1))
    return read_game(text, 1, growing)


def read_game(text: str, first_line: int, growing: bool) -> GameRecord:
    """The game in `text`, which begins on that line of its file."""
    rows = text.rstrip().split("\n")
    end = Place(first_line + len(rows) - 1, len(rows[-1]) + 1)
    reader = GameReader()
    try:
        for line in scan(text.removeprefix("\ufeff"), first_line):
            reader.add(line)
    except NotationError as error:
        if error.line == end.line and not text.endswith("\n"):
            raise NotationError(
                msg("{problem} The text ends here: it may be cut off.", problem=error.problem), error.place
            ) from None
        raise
    return reader.finish(end, growing)


def nothing_here(place: Place) -> NotationError:
    """The error for a text without any record."""
    return NotationError(msg("There is no record here; a record begins with “BigPepper {n}”.", n=VERSION), place)


def too_large(place: Place) -> NotationError:
    """The error for a game that is too large."""
    return NotationError(msg("The game is too large: a single game has at most {n} MiB.", n=LARGEST >> 20), place)


class GameReader:
    """Takes the lines of a game, one by one."""

    def __init__(self) -> None:
        self._places: dict[str, Place] = {}
        self._fields: dict[str, Any] = {}
        self._options: dict[str, object] = {}
        self._name: Piece | None = None
        self._players: dict[int, Player] = {}
        self._client_seeds: dict[int, str] = {}
        self._bot_seeds: dict[int, int] = {}
        self._proof: dict[str, str] = {}
        self._tags: list[str] = []
        self._comments: list[str] = []
        self._rules: Rules | None = None
        self._rounds: list[RoundRecord] = []
        self._round: RoundReader | None = None
        self._started = False

    def add(self, line: Line) -> None:
        """Take a line."""
        if not line.keyword:
            self._loose(line)
        elif line.keyword == "bigpepper":
            self._begin(line)
        elif not self._started:
            raise NotationError(msg("A record begins with the line “BigPepper {n}”.", n=VERSION), line.place)
        elif "end" in self._fields and line.keyword not in REVEALED:
            raise NotationError(
                msg("The record has ended before; only {words} can follow.", words=listed(REVEALED)), line.place
            )
        elif line.keyword in HEADER:
            self._header(line)
        else:
            self._body(line)

    def _loose(self, line: Line) -> None:
        """A line of comments alone."""
        words = line.plain()
        if words:
            raise NotationError(_unknown_line(words[0].text), words[0].place)
        for brace in line.braces():
            self._comment(brace)

    def _comment(self, brace: Piece) -> None:
        if self._round:
            self._round.comment(brace)
        else:
            self._comments.append(read_comment(brace))

    def _begin(self, line: Line) -> None:
        if self._started:
            raise NotationError(msg("A second game begins here; there is one to a text."), line.place)
        if line.number != VERSION:
            raise NotationError(
                msg(
                    "The version of the format is {n}; this program reads version {right}.",
                    n=line.number,
                    right=VERSION,
                )
                if line.number is not None
                else msg("The version of the format is missing: “BigPepper {n}”.", n=VERSION),
                line.place,
            )
        self._started = True
        self._nothing_more(line)

    def _nothing_more(self, line: Line) -> None:
        for word in line.plain():
            raise not_understood(word, msg("nothing follows here"))
        for brace in line.braces():
            self._comment(brace)

    # --- the header -------------------------------------------------------------------------------------------------

    def _header(self, line: Line) -> None:
        if self._rules and "end" not in self._fields:
            raise NotationError(
                msg("“{word}” belongs to the header; it stands before the first round.", word=line.keyword), line.place
            )
        key = f"{line.keyword} {line.number}" if line.keyword in _NUMBERED else line.keyword
        if line.keyword in _NUMBERED and (line.number is None or line.number > 3):
            raise NotationError(msg("“{word}” names a seat: “{word} 0: …”.", word=line.keyword), line.place)
        if line.keyword not in ("tag", "option") and key in self._places:
            raise NotationError(msg("“{word}” is given twice.", word=key), line.place)
        self._places[key] = line.place
        HEADER[line.keyword](self, line)
        for brace in line.braces():
            self._comment(brace)

    def _read_rules(self, line: Line) -> None:
        self._name = line.text()

    def _read_option(self, line: Line) -> None:
        piece = line.rest[0]
        try:
            given = tomllib.loads(piece.text) if len(piece.text) <= _LONGEST_OPTION else {}
        except (ValueError, RecursionError):
            given = {}
        if len(given) != 1:
            raise not_understood(piece, msg("an option and its value, such as target = 32"))
        for key, value in given.items():
            if key in self._options:
                raise NotationError(msg("The option {key} is given twice.", key=key), line.place)
            self._options[key] = value
            self._places[f"rules.{key}"] = line.place

    def _read_text(self, line: Line) -> None:
        self._place(line.keyword, line.text())
        self._fields[line.keyword] = line.text().text

    def _read_tag(self, line: Line) -> None:
        self._place(f"tags[{len(self._tags)}]", line.text())
        self._tags.append(line.text().text)

    def _read_player(self, line: Line) -> None:
        seat = line.number or 0
        self._players[seat] = replace(self._players.get(seat, Player()), name=line.text().text)
        self._place(f"players[{seat}]", line.text())

    def _read_bot(self, line: Line) -> None:
        seat = line.number or 0
        bot = read_bot(line.text())
        self._players[seat] = replace(bot, name=self._players.get(seat, Player()).name)
        self._place(f"players[{seat}]", line.text())

    def _read_bot_seed(self, line: Line) -> None:
        self._bot_seeds[line.number or 0] = read_bot_seed(line.text())

    def _read_proof(self, line: Line) -> None:
        self._proof[line.keyword] = line.text().text.lower()
        self._place(f"proof.{line.keyword}", line.text())

    def _read_client_seed(self, line: Line) -> None:
        self._client_seeds[line.number or 0] = line.text().text
        self._place(f"proof.seeds[{line.number}]", line.text())

    def _read_view(self, line: Line) -> None:
        text = line.text()
        if text.text not in ("0", "1", "2", "3"):
            raise not_understood(text, msg("a seat"))
        self._fields["view"] = int(text.text)
        self._place("view", text)

    def _place(self, path: str, piece: Piece) -> None:
        self._places[path] = piece.place

    # --- rounds -----------------------------------------------------------------------------------------------------

    def _body(self, line: Line) -> None:
        if line.keyword == "end":
            self._end(line)
        elif line.keyword == "round":
            self._close_round()
            rules = self._rules = self._rules or self._make_rules(line.place)
            self._begin_round(line, rules)
        elif self._round is None or line.keyword not in RoundReader.LINES:
            self._misplaced(line)
        else:
            self._round.add(line)

    def _misplaced(self, line: Line) -> NoReturn:
        if line.keyword in RoundReader.LINES:
            problem = msg("“{word}” belongs to a round; a round begins with “Round 1: …”.", word=line.keyword)
        else:
            problem = _unknown_line(line.keyword)
        raise NotationError(problem, line.place)

    def _begin_round(self, line: Line, rules: Rules) -> None:
        first = self._fields.setdefault("first_round", line.number if line.number is not None else 1)
        expected = first + len(self._rounds)
        if line.number not in (None, expected):
            raise NotationError(msg("This is round {n}, not {given}.", n=expected, given=line.number), line.place)
        path = f"rounds[{len(self._rounds)}]"
        self._round = RoundReader(rules, line, path, self._places)

    def _close_round(self) -> None:
        if self._round:
            self._rounds.append(self._round.finish())
        self._round = None

    def _end(self, line: Line) -> None:
        self._close_round()
        words = line.plain()
        self._places["end"] = words[0].place if words else line.place
        self._fields["end"] = read_end(words, Piece("", line.place))
        for brace in line.braces():
            self._comment(brace)

    def _make_rules(self, place: Place) -> Rules:
        if self._name is None:
            raise NotationError(msg("The rulebook is missing: “Rules: pepper-4”."), place)
        try:
            return rules_from(self._name.text, self._options)
        except InvalidRules as error:
            key = error.key.partition(".")[0]
            where = self._places.get(f"rules.{error.key}") or self._places.get(f"rules.{key}") or self._name.place
            raise NotationError(error.message, where) from None

    # --- the whole --------------------------------------------------------------------------------------------------

    def finish(self, end_of_text: Place, growing: bool) -> GameRecord:
        """The record, verified. `end_of_text` is named where something is missing there."""
        if not self._started:
            raise nothing_here(end_of_text)
        self._close_round()
        rules = self._rules or self._make_rules(end_of_text)
        for seat, seed in self._bot_seeds.items():
            self._players[seat] = replace(self._players.get(seat, Player()), seed=seed)
        if "end" not in self._fields and not growing:
            raise NotationError(msg("The record is cut off: its last line, “End: …”, is missing."), end_of_text)
        record = GameRecord(
            form=form_of(rules),
            players=self._filled(self._players, rules.players, Player()),
            proof=self._make_proof(rules),
            tags=tuple(self._tags),
            comments=tuple(self._comments),
            rounds=tuple(self._rounds),
            **self._fields,
        )
        verify(record, self.locate)
        return record

    def _make_proof(self, rules: Rules) -> Proof | None:
        if not self._proof and not self._client_seeds:
            return None
        return Proof(**self._proof, seeds=self._filled(self._client_seeds, rules.players, None))

    def _filled(self, given: dict[int, _T], players: int, nothing: _T | None) -> tuple[Any, ...]:
        """One value a seat, or none at all; a seat too many stays, for `verify` to refuse."""
        size = max(players, *(seat + 1 for seat in given)) if given else 0
        return tuple(given.get(seat, nothing) for seat in range(size))

    def locate(self, path: str) -> Place:
        """The line and column of a place in the record, or of the nearest part around it."""
        near = path
        while near not in self._places and near:
            near = near[: max(near.rfind("."), near.rfind("["), 0)]
        place = self._places.get(near, Place(1, 1))
        return Place(place.line, place.column, path)


def _unknown_line(text: str) -> Message:
    return msg("No line begins with “{text}”; lines begin with {words}.", text=text[:60], words=_KEYWORDS)


HEADER: Final[dict[str, Callable[[GameReader, Line], None]]] = {
    "rules": GameReader._read_rules,
    "option": GameReader._read_option,
    "date": GameReader._read_text,
    "event": GameReader._read_text,
    "player": GameReader._read_player,
    "bot": GameReader._read_bot,
    "tag": GameReader._read_tag,
    "commitment": GameReader._read_proof,
    "client-seed": GameReader._read_client_seed,
    "view": GameReader._read_view,
    "secret": GameReader._read_proof,
    "seed": GameReader._read_text,
    "bot-seed": GameReader._read_bot_seed,
}
"""The lines of the header, in the order in which they are written."""
REVEALED: Final = ("secret", "seed", "bot-seed")
"""Those of them that are not told before the end, and so are written after it."""
_NUMBERED: Final = ("player", "bot", "client-seed", "bot-seed")
_KEYWORDS: Final = listed([*HEADER, *RoundReader.LINES, "round", "end"])
