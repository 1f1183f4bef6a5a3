"""The table on a full screen: painted anew at each step, in the terminal's other buffer, at a pace of your choice."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from rich.console import Console, RenderableType
from rich.text import Text

from bigpepper import explain
from bigpepper.cards import Suit
from bigpepper.cli.letters import letters_only
from bigpepper.cli.table import words
from bigpepper.cli.table.scene import SMALLEST, WIDEST, Scene
from bigpepper.cli.table.session import View
from bigpepper.cli.table.window import Resizes, forget_typed
from bigpepper.text import SOURCE_LANGUAGE, Message, msg


class Pace(NamedTuple):
    """How long the table rests, in seconds."""

    action: float
    """After what another player did."""
    trick: float
    """On a complete trick."""


SPEEDS: Final = {
    "slow": Pace(1.3, 3.0),
    "normal": Pace(0.6, 1.6),
    "fast": Pace(0.2, 0.7),
    "instant": Pace(0.0, 0.0),
}


class Screen:
    """A face of the table for a terminal of at least 60 × 24."""

    def __init__(
        self, console: Console, speed: str, colours: Mapping[Suit, str], letters: bool, language: str = SOURCE_LANGUAGE
    ) -> None:
        """`letters`: only ASCII can be shown."""
        self._console = console
        self._pace = SPEEDS[speed]
        self._colours = colours
        self._letters = letters
        self._language = language
        self._notice: Message | None = None
        self._seen = (0, 0)  # finished rounds and actions that have been on the screen
        self._view: View | None = None
        self._hurry = False
        self._ahead: list[str] = []
        self._picture: Callable[[Scene], list[Text]] = lambda scene: []
        self._prompt: str | None = None  # while somebody is asked
        self._resizes = Resizes(self._paint_again)
        console.set_alt_screen(True)

    @staticmethod
    def fits(console: Console) -> bool:
        """Whether the window is large enough."""
        return console.width >= SMALLEST[0] and console.height >= SMALLEST[1]

    def close(self) -> None:
        """Give the terminal back as it was."""
        self._resizes.end()
        self._console.set_alt_screen(False)

    # --- a face -----------------------------------------------------------------------------------------------------

    def begin(self, view: View) -> None:
        """Say what is played and who sits where."""
        first, *rest = words.setup(view)
        page = [Text(first.text(self._language), "bold"), Text()]
        for line in rest:
            page += [Text(line.text(self._language)), Text()]
        self.turn_over(page, msg("Enter: begin."))
        self._seen = (len(view.past), len(view.now.history))

    def show(self, view: View) -> None:
        """Paint the table, and rest on what another player did."""
        self._paint_table(view, self._notice)
        before, self._seen = self._seen, (len(view.past), len(view.now.history))
        last = view.now.history[-1] if view.now.history else None
        done = _trick_done(view)
        if before != self._seen and last and (done or last.seat != view.you):
            self._rest(self._pace.trick if done else self._pace.action)

    def end_round(self, view: View) -> None:
        """Let the last trick be seen, then say what the round scored and wait for Enter."""
        last = view.past[-1]
        if last.tricks:
            self._paint_table(View(view.names, last, view.past[:-1], last.scores, (), view.practice))
            self._rest(self._pace.trick)
        self._paint(lambda scene: scene.result(view, last))
        self._hurry = False
        self._read()
        self._seen = (len(view.past), 0)

    def took_back(self, view: View) -> None:
        """Say where the game is now."""
        self._seen = (len(view.past), len(view.now.history))
        self._notice = msg("Taken back.")

    def tell(self, sentences: Iterable[Message]) -> None:
        """One sentence stands on the table; more of them get pages of their own."""
        lines = list(sentences)
        if len(lines) == 1:
            self._notice = lines[0]
        else:
            self.turn_over(Text(line.text(self._language)) for line in lines)

    def show_rules(self, view: View) -> None:
        """The page of the rulebook."""
        from bigpepper.cli.rules import renderable

        self.turn_over(self._lines(renderable(explain.rule_page(view.rules))))

    def show_score(self, view: View) -> None:
        """A table with a line a round."""
        self.turn_over(self._lines(self._scene().scores(view)))

    def _lines(self, content: RenderableType) -> list[Text]:
        width = min(self._console.width - 2, WIDEST)
        options = self._console.options.update(width=width)
        lines = self._console.render_lines(content, options, pad=False)
        return [Text.assemble(*((part.text, part.style or "") for part in line)) for line in lines]

    def turn_over(self, lines: Iterable[Text], last: Message | None = None) -> None:
        """Show pages of text until they are read, or left with q; `last` says what Enter does on the last one."""
        for page in self._scene().page(lines, last or msg("Enter: back to the table.")):
            self._paint(lambda _, page=page: page)  # type: ignore[misc]
            if self._read().strip().lower() in ("q", "quit"):
                return

    def ask(self, view: View) -> str:
        """A line from you. Raises `EOFError`, `KeyboardInterrupt`."""
        self._hurry, self._view = False, view
        self._paint_table(view, self._notice)
        self._notice = None
        return self._read()

    def confirm(self, question: Message) -> bool:
        """Ask for a yes, on the table."""
        if self._view:
            self._paint_table(self._view, question)
        return self._read("y / n > ").strip().lower() in ("y", "yes")

    def set_speed(self, speed: str) -> bool:
        """Play at another pace."""
        if speed in SPEEDS:
            self._pace = SPEEDS[speed]
        return speed in SPEEDS

    # --- the terminal -----------------------------------------------------------------------------------------------

    def _scene(self) -> Scene:
        return Scene(self._console.width, self._console.height, self._colours, self._language)

    def _paint_table(self, view: View, notice: Message | None = None) -> None:
        self._paint(lambda scene: scene.table(view, notice))

    def _paint(self, picture: Callable[[Scene], list[Text]]) -> None:
        """Write a picture's lines over what is there, row by row, so that nothing flickers; the cursor stands below."""
        self._picture = picture
        with self._console.capture() as capture:
            for line in picture(self._scene()):
                self._console.print(line, no_wrap=True, overflow="crop", crop=True, highlight=False)
        text = self._folded(capture.get()).replace("\n", "\x1b[K\n")
        self._console.file.write(f"\x1b[H{text}\x1b[J")
        self._console.file.flush()

    def _folded(self, text: str) -> str:
        return letters_only(text) if self._letters else text

    def _read(self, prompt: str = "> ") -> str:
        if self._ahead:
            return self._ahead.pop(0)
        self._prompt = prompt
        try:
            with self._resizes.heard():
                return input(self._before_typed(prompt))
        finally:
            self._prompt = None

    def _before_typed(self, prompt: str) -> str:
        return " " * self._scene().indent + prompt

    def _paint_again(self) -> None:
        """The window has another size; a line that was half typed is gone with the old picture."""
        self._paint(self._picture)
        if self._prompt is not None:
            forget_typed()
            self._console.file.write(self._before_typed(self._prompt))
            self._console.file.flush()

    def _rest(self, seconds: float) -> None:
        """Rest; Enter ends all rests until you are asked, and what was typed before it is kept."""
        if self._hurry or seconds <= 0:
            return
        try:
            with self._resizes.heard():
                ready = select.select([sys.stdin], [], [], seconds)[0]
        except (OSError, ValueError):  # no such thing on this system
            time.sleep(seconds)
            return
        if ready:
            line = sys.stdin.readline()
            self._hurry = True
            if line.strip():
                self._ahead.append(line)


def _trick_done(view: View) -> bool:
    """Whether a complete trick is on the table, and nobody has led since."""
    return view.now.trick is None and any(trick.cards for trick in view.now.tricks)
