"""The small forms inside of a record's lines, written and read: actions with times, takeovers, evaluations, results."""

from __future__ import annotations

import re
from typing import Final

from bigpepper.notation.errors import NotationError
from bigpepper.notation.model import Act, End, Evaluation, Player, Result, Takeover
from bigpepper.notation.scanner import Piece, check_text, escaped, unescaped
from bigpepper.text import Message, msg

# --- writing --------------------------------------------------------------------------------------------------------


def action_text(act: Act, seat: bool) -> str:
    """An action with its time and what is said about it, as in `0:pass@1.25 {…}`."""
    parts = [f"{act.seat}:{act.action}" if seat else act.action]
    if act.ms is not None:
        parts[0] += f"@{seconds(act.ms)}"
    if act.evaluation is not None:
        parts.append(f"{{= {evaluation_text(act.evaluation)}}}")
    return " ".join([*parts, *map(comment_text, act.comments)])


def seconds(ms: int) -> str:
    """Milliseconds as seconds, without needless zeros: `1.25`."""
    whole, part = divmod(ms, 1000)
    return f"{whole}.{part:03}".rstrip("0") if part else str(whole)


def comment_text(comment: str) -> str:
    """A comment in its braces."""
    return f"{{{escaped(comment)}}}"


def evaluation_text(value: Evaluation) -> str:
    """What stands after `=` in the braces: `points 1.5, tricks 4.25, best KH`."""
    fields = (("points", value.points), ("tricks", value.tricks), ("best", value.best))
    return ", ".join(f"{name} {worth}" for name, worth in fields if worth is not None)


def takeover_text(takeover: Takeover) -> str:
    """`[3 bot novice 1.2.0]` or `[3 back]`."""
    words = ["bot", takeover.bot, takeover.version or ""] if takeover.bot else ["back"]
    return f"[{takeover.seat} {' '.join(words).strip()}]"


def bot_text(player: Player) -> str:
    """`novice 1.2.0`."""
    return f"{player.bot} {player.version}" if player.version else str(player.bot)


def result_text(result: Result) -> str:
    """`tricks 4 1 1 0, points 4 2` or `thrown in`."""
    return "thrown in" if result.thrown_in else f"tricks {_numbers(result.tricks)}, points {_numbers(result.points)}"


def end_text(end: End) -> str:
    """`won by 0 1, scores 30 30`, `abandoned, scores 12 5` or `unfinished, scores 12 5`."""
    how = f"won by {_numbers(end.winners)}" if end.how == "finished" else end.how
    return f"{how}, scores {_numbers(end.scores)}"


def _numbers(values: tuple[int, ...]) -> str:
    return " ".join(map(str, values))


# --- reading --------------------------------------------------------------------------------------------------------

LONGEST_WORD: Final = 60
"""No word of a record is longer, but in free texts."""
_ACTION: Final = re.compile(r"(?:([0-9]):)?([^\s@:]+)(?:@([0-9]{1,7})(?:\.([0-9]{1,3}))?)?")
_TAKEOVER: Final = re.compile(r"\[\s*([0-9])\s+(?:back|bot\s+(\S+)(?:\s+(\S+))?)\s*\]", re.IGNORECASE)
_BOT: Final = re.compile(r"(\S+)(?:\s+(\S+))?")
_BOT_SEED: Final = re.compile(r"-?[0-9]{1,19}")
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,9}")
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,20})?(?:e-[0-9]{1,3})?", re.IGNORECASE)


def read_action(word: Piece, seat: int | None) -> Act:
    """An action; without `seat` the word names it."""
    found = _ACTION.fullmatch(word.text)
    if len(word.text) > LONGEST_WORD or found is None or (found[1] is None) is (seat is None):
        right = msg("a card, such as JH") if seat is not None else msg("seat and action, such as 0:pass")
        raise not_understood(word, right)
    ms = int(found[3]) * 1000 + int((found[4] or "0").ljust(3, "0")) if found[3] else None
    return Act(seat=int(found[1]) if seat is None else seat, action=found[2], ms=ms)


def read_takeover(word: Piece, at: int) -> Takeover:
    """A takeover before action number `at`."""
    found = _TAKEOVER.fullmatch(word.text)
    if found is None:
        raise not_understood(
            word, msg("[3 bot novice 1.2.0] when a bot takes seat 3, [3 back] when its player is back")
        )
    return Takeover(at=at, seat=int(found[1]), bot=found[2], version=found[3])


def read_comment(brace: Piece) -> str:
    """The text of a comment."""
    text = unescaped(brace.text.strip(), brace.place)
    check_text(text, brace.place, lines=True)
    return text


def read_evaluation(brace: Piece) -> Evaluation | None:
    """The evaluation that stands in braces; None where it is a comment."""
    text = brace.text.strip()
    if not text.startswith("="):
        return None
    values: dict[str, str] = {}
    for part in text[1:].split(","):
        name, _, worth = part.strip().partition(" ")
        name, worth = name.lower(), worth.strip()
        numeric = name in ("points", "tricks")
        if name in values or not (numeric or name == "best") or not (_DECIMAL if numeric else _ACTION).fullmatch(worth):
            raise not_understood(brace, msg("an evaluation, such as = points 1.5, tricks 4.25, best KH"))
        values[name] = worth
    numbers = {name: float(worth) for name, worth in values.items() if name != "best"}
    return Evaluation(points=numbers.get("points"), tricks=numbers.get("tricks"), best=values.get("best"))


def read_bot(text: Piece) -> Player:
    """The program on a seat."""
    found = _BOT.fullmatch(text.text)
    if found is None:
        raise not_understood(text, msg("a bot and its version, such as novice 1.2.0"))
    return Player(bot=found[1], version=found[2])


def read_bot_seed(text: Piece) -> int:
    """The seed of a bot."""
    if not _BOT_SEED.fullmatch(text.text) or abs(int(text.text)) > 2**62:
        raise not_understood(text, msg("a whole number, at most 2 to the power of 62"))
    return int(text.text)


def read_result(words: list[Piece], line: Piece, players: int, sides: int) -> Result:
    """How a round ended."""
    texts = [word.text.lower().strip(",") for word in words]
    if texts == ["thrown", "in"]:
        return Result(tricks=(0,) * players, points=(0,) * sides, thrown_in=True)
    groups = _groups(words, ("tricks", "points"))
    if set(groups) != {"tricks", "points"}:
        raise not_understood(_whole(words, line), msg("tricks a seat and points a side, or thrown in"))
    return Result(tricks=groups["tricks"], points=groups["points"])


def read_end(words: list[Piece], line: Piece) -> End:
    """How the record ends."""
    right = msg("won by the winning sides, or abandoned, or unfinished; then the scores")
    first = words[0].text.lower().strip(",") if words else ""
    if first == "won":
        groups = _groups(words[1:], ("by", "scores"))
        if set(groups) == {"by", "scores"} and all(0 <= side <= 3 for side in groups["by"]):
            return End(how="finished", scores=groups["scores"], winners=groups["by"])
    elif first == "abandoned" or first == "unfinished":
        groups = _groups(words[1:], ("scores",))
        if groups:
            return End(how="abandoned" if first == "abandoned" else "unfinished", scores=groups["scores"])
    raise not_understood(_whole(words, line), right)


def read_round(words: list[Piece], line: Piece) -> tuple[int, tuple[int, ...]]:
    """The dealer and the scores before the round."""
    groups = _groups(words, ("dealer", "scores"))
    if "scores" not in groups or len(groups.get("dealer", ())) != 1 or not 0 <= groups["dealer"][0] <= 3:
        raise not_understood(
            _whole(words, line), msg("the dealer and the scores before, such as dealer 0, scores 12 5")
        )
    return groups["dealer"][0], groups["scores"]


def _groups(words: list[Piece], names: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Numbers by the name that precedes them."""
    groups: dict[str, list[int]] = {}
    name = ""
    for word in words:
        for part in word.text.lower().replace(",", " ").split():
            if part in names and part not in groups:
                name = part
                groups[name] = []
            elif name and _INTEGER.fullmatch(part):
                groups[name].append(int(part))
            else:
                raise not_understood(word, msg("a number"))
    return {name: tuple(numbers) for name, numbers in groups.items()}


def _whole(words: list[Piece], line: Piece) -> Piece:
    """The words as one piece."""
    return Piece(" ".join(word.text for word in words), words[0].place) if words else line


def not_understood(piece: Piece, right: Message) -> NotationError:
    """The error for a word that does not fit, with what would."""
    if not piece.text.strip():
        return NotationError(msg("Something is missing here; right would be {right}.", right=right), piece.place)
    text = piece.text.strip()
    shown = text if len(text) <= LONGEST_WORD else text[: LONGEST_WORD - 1] + "…"
    return NotationError(
        msg("“{text}” does not fit here; right would be {right}.", text=shown, right=right), piece.place
    )
