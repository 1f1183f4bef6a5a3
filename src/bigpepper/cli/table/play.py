"""The play at the table: bots act, you are asked, words to the table are answered, every action of yours is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from bigpepper import explain
from bigpepper.actions import Action, Discard
from bigpepper.cli.table import saved, store, words
from bigpepper.cli.table.prompt import Request, Word, read
from bigpepper.cli.table.session import Session, View
from bigpepper.errors import BigPepperError
from bigpepper.text import SOURCE_LANGUAGE, Message, msg, msgn


class Face(Protocol):
    """How the table is shown, and how you are asked. All it gets are views."""

    def begin(self, view: View) -> None:
        """You sit down."""

    def show(self, view: View) -> None:
        """How things stand; called after every action."""

    def end_round(self, view: View) -> None:
        """A round has ended, the last of `view.past`."""

    def took_back(self, view: View) -> None:
        """Something was taken back."""

    def tell(self, sentences: Iterable[Message]) -> None:
        """Say something beside the game."""

    def show_rules(self, view: View) -> None:
        """The rules of this game."""

    def show_score(self, view: View) -> None:
        """The score, round by round."""

    def ask(self, view: View) -> str:
        """A line from you. Raises `EOFError`, `KeyboardInterrupt`."""

    def confirm(self, question: Message) -> bool:
        """Whether you answer yes."""

    def set_speed(self, speed: str) -> bool:
        """Play at another speed; false when there is none of that name."""


class End(Enum):
    """Why the play has ended."""

    OVER = auto()
    LEFT = auto()
    INPUT = auto()
    KEY = auto()


class Table:
    """A session with a face, and the file it is kept in."""

    def __init__(
        self, session: Session, face: Face, path: Path, language: str = SOURCE_LANGUAGE, script: bool = False
    ) -> None:
        """`script`: nobody waits, so the game is saved after each round only, and at the end of the input."""
        self.session = session
        self.face = face
        self.path = path
        self.language = language
        self.script = script
        self._rounds = len(session.game.rounds)

    def run(self) -> End:
        """Play until somebody has won or you leave; however it ends, the game is saved. Raises `NotKept`."""
        try:
            return self._run()
        except EOFError:
            return End.INPUT
        except KeyboardInterrupt:
            return End.KEY
        finally:
            self.save()

    def _run(self) -> End:
        view = self.session.view()
        self.face.begin(view)
        self.face.show(view)
        while not self.session.is_over:
            if not self.session.your_turn:
                self.session.bot_acts()
                self._show()
            elif self._your_turn():
                return End.LEFT
        return End.OVER

    def save(self) -> None:
        """Write the file anew. Raises `NotKept`."""
        store.write(self.path, saved.dump(self.session))

    def _show(self) -> None:
        view = self.session.view()
        if len(view.past) > self._rounds:
            self.save()
            self.face.end_round(view)
        self._rounds = len(view.past)
        if not view.winners:
            self.face.show(view)

    def _your_turn(self) -> bool:
        """Ask once and do what you say; true when you leave."""
        view = self.session.view()
        try:
            meant = read(self.face.ask(view), view, self.language)
            if isinstance(meant, Request):
                return self._answer(meant, view)
            if meant is not None:
                self._act(meant, view)
        except BigPepperError as error:
            self.face.tell([error.message])
        return False

    def _act(self, action: Action, view: View) -> None:
        if isinstance(action, Discard) and action.card:
            warning = explain.discard_warning(view.now, action.card)
            if warning and not self.face.confirm(warning):
                return
        self.session.act(action)
        if not self.script:
            self.save()
        self._show()

    # --- words to the table -----------------------------------------------------------------------------------------

    def _answer(self, request: Request, view: View) -> bool:
        answers: dict[Word, Callable[[View], Iterable[Message]]] = {
            Word.HELP: words.help_lines,
            Word.LAST: words.last_lines,
            Word.LOG: words.log_lines,
        }
        changes: dict[Word, Callable[[str], None]] = {
            Word.UNDO: self._undo,
            Word.SAVE: self._save_copy,
            Word.SPEED: self._set_speed,
        }
        if request.word is Word.RULES:
            self.face.show_rules(view)
        elif request.word is Word.SCORE:
            self.face.show_score(view)
        elif request.word in answers:
            self.face.tell(answers[request.word](view))
        elif request.word in changes:
            changes[request.word](request.rest)
        return request.word is Word.QUIT

    def _undo(self, rest: str) -> None:
        wanted = int(rest) if rest.isdigit() and rest != "0" else 1
        if wanted > self.session.can_undo:
            self.face.tell([_too_far(self.session.can_undo)])
            return
        for _ in range(wanted):
            self.session.undo()
        self.save()
        view = self.session.view()
        self._rounds = len(view.past)
        self.face.took_back(view)

    def _save_copy(self, rest: str) -> None:
        self.save()
        path = Path(rest).expanduser() if rest else self.path
        if rest:
            store.write_new(path, saved.dump(self.session))
        self.face.tell([msg("Saved as {path}", path=path)])

    def _set_speed(self, rest: str) -> None:
        if not self.face.set_speed(rest):
            self.face.tell([msg("The speeds are slow, normal, fast and instant; they matter on a full screen only.")])
        else:
            self.face.tell([msg("The others now play at this speed: {speed}.", speed=rest)])


def _too_far(n: int) -> Message:
    if n == 0:
        return msg("There is nothing of yours to take back.")
    return msgn("Only one action of yours can be taken back.", "Only {n} actions of yours can be taken back.", n)
