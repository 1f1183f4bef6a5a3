"""What a full screen shows, as lines of styled text made from a `View` alone: the table, the end of a round, a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from bigpepper import explain
from bigpepper.actions import Bid
from bigpepper.cards import Suit
from bigpepper.cli.table import words
from bigpepper.cli.table.canvas import Canvas
from bigpepper.cli.table.cards import WIDTH, Held, hand, put_card
from bigpepper.cli.table.prompt import Option, options
from bigpepper.cli.table.session import View
from bigpepper.cli.table.track import track
from bigpepper.observation import Observation
from bigpepper.options import Rung
from bigpepper.public import Phase
from bigpepper.text import SOURCE_LANGUAGE, Message, msg

SMALLEST: Final = (60, 24)
"""Columns and rows below which there is no full screen."""
WIDEST: Final = 96
"""Columns of the table; a wider window has the log beside it."""
LOG_WIDTH: Final = 40
MOST_RUNGS: Final = 9
YOUR_TURN: Final = "bold red"


@dataclass(frozen=True)
class Scene:
    """A window's size, language and colours, and what it shows in them."""

    width: int
    height: int
    colours: Mapping[Suit, str]
    language: str = SOURCE_LANGUAGE

    # --- whole screens ----------------------------------------------------------------------------------------------

    def table(self, view: View, notice: Message | None = None) -> list[Text]:
        """The table while a round is played; one row is left for what is typed."""
        inner = self._inner
        blocks = [
            [self._header(view, view.now, view.round, inner)],
            self._track(view, view.scores, inner),
            self._middle(view, inner),
            self._below(view, notice, inner),
            self._hand(view, inner),
        ]
        lines = _spread(blocks, self.height - 1)
        return self._placed(_beside(lines, self._log(view, len(lines)), inner + 4) if self._wide else lines)

    def result(self, view: View, past: Observation) -> list[Text]:
        """The end of a round: what it scored, and the score track after it."""
        inner = self._inner
        said = [Text(self._say(line)) for line in words.result(view, past)]
        if view.winners:
            said += [Text(), Text(self._say(words.finish(view)), "bold")]
        blocks = [
            [self._header(view, past, len(view.past), inner)],
            [_centred(text, inner) for text in _wrapped(said, inner)],
            self._track(view, view.scores, inner),
            [_centred(Text(self._say(words.go_on(view)), "dim"), inner)],
        ]
        return self._placed(_spread(blocks, self.height - 1))

    @property
    def indent(self) -> int:
        """Columns left free at the left, also before what is typed."""
        used = WIDEST + 4 + LOG_WIDTH if self._wide else self._inner
        return (self.width - used) // 2

    @property
    def _inner(self) -> int:
        return min(self.width - 2, WIDEST)

    @property
    def _wide(self) -> bool:
        return self.width >= WIDEST + LOG_WIDTH + 6

    def _placed(self, lines: list[Text]) -> list[Text]:
        """In the middle of the window, or rather a little above it."""
        top = max(0, self.height - 1 - len(lines)) // 3
        return [Text()] * top + [_indented(line, self.indent) for line in lines]

    def scores(self, view: View) -> RenderableType:
        """The score, round by round."""
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
        table.add_column(self._say(msg("Round")), justify="right")
        table.add_column(self._say(msg("Contract")))
        for label in words.side_labels(view):
            table.add_column(self._say(label), justify="right")
        for number, past in enumerate(view.past, 1):
            points = [explain.signed(n) for n in past.points or ()]
            table.add_row(str(number), self._say(words.outcome(view, past)), *points)
        table.add_section()
        table.add_row("", self._say(msg("Score")), *(str(n).replace("-", "−") for n in view.scores), style="bold")
        title = Text(self._say(explain.title(view.rules)), "bold")
        return Group(title, Text(), table, Text(), Text(self._say(words.standing(view))))

    def page(self, lines: Iterable[Text], last: Message) -> list[list[Text]]:
        """Lines of text as screens to turn over, each with a row left for what is typed."""
        wrapped = _wrapped(lines, self._inner)
        room = max(1, self.height - 3)
        pages = [wrapped[i : i + room] for i in range(0, len(wrapped), room)] or [[]]
        more = [msg("Enter: more. q: back to the table.")] * (len(pages) - 1)
        ends = [Text(self._say(line), "dim") for line in [*more, last]]
        return [
            [*(_indented(line, self.indent) for line in page), Text(), _indented(end, self.indent)]
            for page, end in zip(pages, ends, strict=True)
        ]

    # --- the parts, from above --------------------------------------------------------------------------------------

    def _say(self, message: Message | str) -> str:
        return message.text(self.language) if isinstance(message, Message) else message

    def _header(self, view: View, now: Observation, number: int, width: int) -> Text:
        canvas = Canvas(width, 1)
        canvas.put(0, 0, self._say(words.heading(now, view.names, number)), "bold")
        canvas.put_right(0, width, self._say(words.corner(view)), "dim")
        return canvas.lines()[0]

    def _track(self, view: View, scores: tuple[int, ...], width: int) -> list[Text]:
        labels = [self._say(label) for label in words.side_labels(view)]
        return track(labels, scores, view.rules.target, width, view.rules.side_of(view.you))

    def _middle(self, view: View, width: int) -> list[Text]:
        now, north = view.now, view.names.at(2)
        top = 0 if north is None else 1
        rows = min(len(now.rules.bids), MOST_RUNGS) + 1 if now.phase is Phase.AUCTION else 8
        canvas = Canvas(width, top + rows)
        centre = width // 2
        if north is not None:
            canvas.put_centre(0, centre, self._seat_line(view, north))
        playing = now.phase in (Phase.PLAY, Phase.OVER, Phase.DISCARD)
        self._seat_block(canvas, view, 1, top + 2, centre - (15 if playing else 16))
        self._seat_block(canvas, view, 3, top + 2, centre + 15 if playing else min(centre + 23, width - 14))
        draw = {Phase.AUCTION: self._ladder, Phase.PLAY: self._trick, Phase.OVER: self._trick}
        draw.get(now.phase, self._choices)(canvas, view, top)
        return canvas.lines()

    def _seat_line(self, view: View, seat: int) -> Text:
        return Text().join(_between(self._seat(view, seat), Text(" · ", "dim")))

    def _seat(self, view: View, seat: int) -> list[Text]:
        """A name, bold, and underlined while it is its turn; what the seat is; what it has said or won."""
        name = Text(view.names.seats[seat], "bold underline" if seat == view.now.turn else "bold")
        said = (words.role(view, seat), words.standing_of(view.now, seat))
        return [name, *(Text(self._say(word), "dim") for word in said if word)]

    def _seat_block(self, canvas: Canvas, view: View, place: int, row: int, column: int) -> None:
        seat = view.names.at(place)
        if seat is None:
            return
        for i, line in enumerate(self._seat(view, seat)):
            if place == 1:
                canvas.put_right(row + i, column, line)
            else:
                canvas.put(row + i, column, line)

    def _below(self, view: View, notice: Message | None, width: int) -> list[Text]:
        """The contract, a word on what happened, and whose turn it is."""
        now, names = view.now, view.names.seats
        contract = Text(self._say(explain.contract_line(now, names)), "bold")
        happened = Text(self._say(notice or words.happened(view)), "" if notice else "dim")
        turn = self._say(explain.turn_line(now, names))
        prompt = Text.assemble(("● ", YOUR_TURN), (turn, "bold")) if view.your_turn else Text(turn, "dim")
        return [_centred(line, width) for line in _wrapped([contract, happened, prompt], width)]

    # --- the middle of the table ------------------------------------------------------------------------------------

    def _ladder(self, canvas: Canvas, view: View, top: int) -> None:
        """The ladder, bottom up, with the standing bid and what you may say; Pass below it."""
        now, left = view.now, canvas.width // 2 - 13
        found = options(now)
        rungs = list(zip(found[1:], now.rules.ladder, strict=True))
        if len(rungs) > MOST_RUNGS:
            standing = now.rules.bids.index(now.contract) if now.contract else 0
            rungs = rungs[max(0, min(standing, len(rungs) - MOST_RUNGS)) :][:MOST_RUNGS]
        for i, (option, rung) in enumerate(reversed(rungs)):
            canvas.put(top + i, left, self._rung(view, option, rung))
        if found[0].legal:
            pass_line = Text.assemble((f"{found[0].key:>2}", "bold"), "    ", self._name(now, found[0]))
            canvas.put(top + len(rungs), left, pass_line)

    def _rung(self, view: View, option: Option, rung: Rung) -> Text:
        now = view.now
        standing = Bid(rung.name) == now.contract
        name = f"{self._say(explain.bid_name(Bid(rung.name))):<12} "
        key = f"{option.key if option.legal else '':>2}"
        if standing and now.maker is not None:
            room = min(23, self._inner - 14 - self._inner // 2) - 5
            marker = Text.assemble(("◂ ", "bold"), (view.names.seats[now.maker], "bold"))
            marker.truncate(max(6, room), overflow="ellipsis")
            return Text.assemble((key, "bold"), (" ╞═", "bold"), (f" {name}", "bold"), marker)
        note = self._say(words.worth(now.rules, rung))
        return Text.assemble(
            (key, "bold"), (" ├─", "dim"), (f" {name}", "bold" if option.legal else "dim"), (note, "dim")
        )

    def _choices(self, canvas: Canvas, view: View, top: int) -> None:
        """What can be named or answered, as a list; while a card is to be discarded, the one from the widow."""
        now = view.now
        if now.phase is Phase.DISCARD and now.widow:
            put_card(canvas, top + 1, canvas.width // 2 - WIDTH // 2, now.widow, "plain", self.colours)
            canvas.put_centre(top + 4, canvas.width // 2, self._say(msg("from the widow")), "dim")
        if not view.your_turn or now.phase is Phase.DISCARD:
            return
        found = options(now)
        half = len(now.rules.strains) if now.phase is Phase.NAMING else len(found)
        left = canvas.width // 2 - (16 if len(found) > half else 6)
        for i, option in enumerate(found):
            text = Text.assemble((f"{option.key:>2}  ", "bold"), self._name(now, option))
            canvas.put(top + 1 + i % half, left + 14 * (i // half), text)

    def _name(self, now: Observation, option: Option) -> str:
        return self._say(explain.choice_name(now, option.action))

    def _trick(self, canvas: Canvas, view: View, top: int) -> None:
        """The cards on the table, each towards its player; the winning one stands out, a finished trick is pale."""
        now, shown = view.now, words.shown_trick(view.now)
        middle = canvas.width // 2 - WIDTH // 2
        spots = {0: (4, 0), 1: (2, -9), 2: (0, 0), 3: (2, 9)}
        if shown:
            winner = explain.table.winning_play(now, shown)[0]
            for seat, card in shown.cards:
                row, column = spots[view.names.place(seat)]
                kind = "winning" if seat == winner else "plain" if shown.winner is None else "pale"
                put_card(canvas, top + row, middle + column, card, kind, self.colours)
        canvas.put_centre(top + 7, canvas.width // 2, self._seat_line(view, view.you))

    # --- the hand ---------------------------------------------------------------------------------------------------

    def _hand(self, view: View, width: int) -> list[Text]:
        now = view.now
        keys = iter(self._keys(now, view.your_turn))
        groups = [
            [Held(card, next(keys), self._say(words.caption(now, card) or "")) for card in group]
            for group in words.hand_groups(now)
        ]
        choosing = view.your_turn and now.phase in (Phase.PLAY, Phase.DISCARD)
        rows = hand(groups, width, self.colours, choosing)
        return rows if now.strain else rows[:-1]

    def _keys(self, now: Observation, your_turn: bool) -> list[str]:
        if not your_turn or now.phase not in (Phase.PLAY, Phase.DISCARD):
            return [""] * len(now.hand)
        return [option.key if option.legal else "" for option in options(now)]

    def _log(self, view: View, rows: int) -> list[Text]:
        """This round so far, for the side of a wide window."""
        lines = [Text(self._say(line), "dim") for line in words.log_lines(view)]
        return _wrapped(lines, LOG_WIDTH)[-(rows - 2) :]


# --- lines ----------------------------------------------------------------------------------------------------------


def _spread(blocks: list[list[Text]], height: int) -> list[Text]:
    """Blocks one below the other in `height` rows, with what air there is between them."""
    height = max(1, height)
    spare = height - sum(map(len, blocks))
    gaps = [0] * len(blocks)
    order = [*range(1, len(blocks))]
    for i in range(max(0, min(spare, 2 * len(order)))):
        gaps[order[i % len(order)]] += 1
    if spare < 0:
        blocks = [blocks[0], blocks[1][-spare:], *blocks[2:]]
    lines: list[Text] = []
    for gap, block in zip(gaps, blocks, strict=True):
        lines += [Text()] * gap + block
    return lines[-height:]


def _between(texts: list[Text], separator: Text) -> list[Text]:
    return [part for i, text in enumerate(texts) for part in ([separator] * (i > 0) + [text])]


def _wrapped(lines: Iterable[Text], width: int) -> list[Text]:
    """Lines broken at blanks."""
    from rich.console import Console

    console = Console(width=width)
    return [part for line in lines for part in (line.wrap(console, width) if line.cell_len > width else [line])]


def _centred(line: Text, width: int) -> Text:
    return _indented(line, (width - line.cell_len) // 2)


def _indented(line: Text, columns: int) -> Text:
    return Text(" " * max(0, columns)).append_text(line)


def _beside(lines: list[Text], log: list[Text], column: int) -> list[Text]:
    """The log to the right of the table, from the third row on."""
    both = []
    for i, line in enumerate(lines):
        said = log[i - 2] if 2 <= i < len(log) + 2 else Text()
        both.append(_indented(line, 0).append(" " * (column - line.cell_len)).append_text(said) if said else line)
    return both
