"""The play at the table: bots act, you are asked, words to the table are answered, every action of yours is saved."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from enum import Enum, auto
from typing import Final, Protocol

from bigpepper import explain
from bigpepper.actions import Action, Discard
from bigpepper.cli.table import saved, store, words
from bigpepper.cli.table.kept import Kept
from bigpepper.cli.table.prompt import Request, Word, read
from bigpepper.cli.table.session import Session, View
from bigpepper.cli.table.store import NotKept
from bigpepper.errors import BigPepperError, InvalidAction
from bigpepper.text import SOURCE_LANGUAGE, Message, msg, msgn

_MOST_DIGITS: Final = 9


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
        self, session: Session, face: Face, kept: Kept, language: str = SOURCE_LANGUAGE, script: bool = False
    ) -> None:
        """`script`: nobody waits, so the game is saved after each round only, and at the end of the input."""
        self.session = session
        self.face = face
        self.kept = kept
        self.language = language
        self.script = script
        self.parting: Message | None = None
        """What there is to say of the saving at the end."""
        self.lost: NotKept | None = None
        """Why the game could not be saved at the end."""
        self._told_why = False
        self._rounds = len(session.game.rounds)

    def run(self) -> End:
        """Play until somebody has won or you leave; however it ends, the game is saved, or `lost` says why not."""
        try:
            return self._run()
        except EOFError:
            return End.INPUT
        except KeyboardInterrupt:
            return End.KEY
        finally:
            self._leave()

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

    def _leave(self) -> None:
        """Save at the end. A closed window ends the input and sends a signal: the second must not stop the saving."""
        try:
            self.parting = self.kept.save(self.session)
        except NotKept as error:
            self.lost = error
        except KeyboardInterrupt:
            self._leave()

    def _keep(self) -> list[Message]:
        """Save; what is to be said of it. A game that cannot be saved goes on, and its reason is told once."""
        try:
            said = self.kept.save(self.session)
        except NotKept as error:
            told, self._told_why = self._told_why, True
            return [] if told else [msg("{error} The game goes on, but is not saved.", error=error.message)]
        self._told_why = False
        return [said] if said else []

    def _tell(self, sentences: list[Message]) -> None:
        if sentences:
            self.face.tell(sentences)

    def _show(self) -> None:
        view, told = self.session.view(), list[Message]()
        if len(view.past) > self._rounds:
            told = self._keep()
            self.face.end_round(view)
        self._rounds = len(view.past)
        if not view.winners:
            self.face.show(view)
        self._tell(told)

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
        told = [] if self.script else self._keep()
        self._show()
        self._tell(told)

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
        wanted = _how_many(rest)
        if wanted > self.session.can_undo:
            self.face.tell([_too_far(self.session.can_undo)])
            return
        for _ in range(wanted):
            self.session.undo()
        view = self.session.view()
        self._rounds = len(view.past)
        told = self._keep()
        self.face.took_back(view)
        self._tell(told)

    def _save_copy(self, rest: str) -> None:
        """A copy first, so that there is one even where the game itself cannot be written. Raises `NotKept`."""
        if rest:
            path = store.path_of(rest)
            store.write_new(path, saved.dump(self.session))
            self.face.tell([msg("Saved as {path}", path=path), *self._keep()])
        else:
            said = self.kept.save(self.session)
            self.face.tell([said or msg("Saved as {path}", path=self.kept.path)])

    def _set_speed(self, rest: str) -> None:
        if not self.face.set_speed(rest):
            self.face.tell([msg("The speeds are slow, normal, fast and instant; they matter on a full screen only.")])
        else:
            self.face.tell([msg("The others now play at this speed: {speed}.", speed=rest)])


def _how_many(typed: str) -> int:
    """How many actions are to be taken back; one where nothing is said. Raises `InvalidAction`."""
    if not typed:
        return 1
    if not typed.isdecimal() or not typed.strip("0"):
        raise InvalidAction(
            msg("“{typed}” is no number of actions: undo takes the last one back, undo 3 the last three.", typed=typed)
        )
    return int(typed) if len(typed) <= _MOST_DIGITS else sys.maxsize


def _too_far(n: int) -> Message:
    if n == 0:
        return msg("There is nothing of yours to take back.")
    return msgn("Only one action of yours can be taken back.", "Only {n} actions of yours can be taken back.", n)
