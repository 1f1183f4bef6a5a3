"""Whether a record is true: its deals add up, all in it is legal, and it ended as it says. By playing it again."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple, NoReturn

from bigpepper.deal import DealStream
from bigpepper.errors import BigPepperError, InvalidRules
from bigpepper.notation.complete import complete
from bigpepper.notation.dealt import check_deal
from bigpepper.notation.errors import NotationError, Place
from bigpepper.notation.model import End, GameRecord, How, Player, Result, RoundRecord
from bigpepper.notation.ruleform import form_of
from bigpepper.notation.scanner import text_fault
from bigpepper.notation.steps import check_steps
from bigpepper.notation.tokens import result_text
from bigpepper.notation.walk import Walk, Wrong
from bigpepper.rules import Rules
from bigpepper.text import Message, listed, msg

Locate = Callable[[str], Place]
"""The place in the text of a path in the data."""


class Replay(NamedTuple):
    """A record played again. Where a round hides cards, its states are one of those that fit."""

    rules: Rules
    rounds: tuple[Walk, ...]
    scores: tuple[int, ...]
    """Points of each side after the finished rounds."""
    winners: tuple[int, ...]
    """The sides that have won; empty while nobody has."""


def verify(record: GameRecord, locate: Locate = lambda path: Place(path=path)) -> Replay:
    """Play the record again. Raises `NotationError` at the first thing that is wrong."""
    return _Verifier(record, locate).run()


def final_end(record: GameRecord, abandoned: bool = False) -> End | None:
    """How a record ends, by its rounds alone; None where it has none."""
    if not record.rounds:
        return None
    replay = verify(GameRecord(form=record.form, first_round=record.first_round, rounds=record.rounds))
    how: How = "finished" if replay.winners else "abandoned" if abandoned else "unfinished"
    return End(how=how, scores=replay.scores, winners=replay.winners)


class _Verifier:
    def __init__(self, record: GameRecord, locate: Locate) -> None:
        self.record = record
        self.locate = locate

    def wrong(self, path: str, problem: Message) -> NoReturn:
        raise NotationError(problem, self.locate(path))

    def run(self) -> Replay:
        rules = self._rules()
        self._header(rules)
        walks: list[Walk] = []
        winners: tuple[int, ...] = ()
        for n, round in enumerate(self.record.rounds):
            if n:
                self._follows(walks[-1], winners, round, n)
            walks.append(self._round(rules, round, n))
            if walks[-1].last.is_over:
                winners = walks[-1].last.winners(self.record.first_round + n)
        self._seed(rules)
        scores = self._scores_after(walks[-1]) if walks else ()
        self._end(rules, scores, winners)
        return Replay(rules, tuple(walks), scores, winners)

    # --- the header -------------------------------------------------------------------------------------------------

    def _rules(self) -> Rules:
        try:
            rules = self.record.rules
        except InvalidRules as error:
            self.wrong("rules", error.message)
        if form_of(rules) != self.record.form:
            self.wrong("rules", msg("The rulebook is not in its usual order; ruleform.form_of gives it."))
        return rules

    def _header(self, rules: Rules) -> None:
        record = self.record
        self._seats("players", record.players, Player(), rules)
        for seat, player in enumerate(record.players):
            self._player(f"players[{seat}]", player)
        if record.view is not None and record.view >= rules.players:
            self.wrong(
                "view", msg("There is no seat {seat}; seats are 0 to {last}.", seat=record.view, last=rules.players - 1)
            )
        self._texts()
        self._date()
        self._proof(rules)

    def _seats(self, path: str, given: tuple[object, ...], nothing: object, rules: Rules) -> None:
        if given and (len(given) != rules.players or all(value == nothing for value in given)):
            self.wrong(path, msg("There is one value a seat, {n} in all, or none.", n=rules.players))

    def _player(self, path: str, player: Player) -> None:
        if player.name is not None:
            self._text(path, player.name)
        self._bot(path, player.bot, player.version)
        if player.seed is not None and player.bot is None:
            self.wrong(path, msg("A seed belongs to a bot; there is none."))
        if player.seed is not None and not self.record.is_over and self.record.seed is None:
            self.wrong(path, msg("A bot's seed stands in a record only once the game is over, or in a save."))

    def _bot(self, path: str, bot: str | None, version: str | None) -> None:
        kind, options, given = (bot or "").partition(":")
        for word in (bot and kind, version):
            if word is not None and not _WORD.fullmatch(word):
                self.wrong(
                    path,
                    msg(
                        "“{text}” cannot be the name or version of a bot: it takes letters, digits and . _ + -",
                        text=word[:60],
                    ),
                )
        if options and not _OPTIONS.fullmatch(given):
            self.wrong(
                path,
                msg(
                    "“{text}” cannot be the options of a bot: they are written as key=value,key=value without blanks; "
                    "a value takes letters, digits and . _ + - / : ~ @ %",
                    text=given[:60],
                ),
            )
        if bot is None and version is not None:
            self.wrong(path, msg("A version belongs to a bot; there is none."))

    def _texts(self) -> None:
        record = self.record
        if record.event is not None:
            self._text("event", record.event)
        seen: set[str] = set()
        for i, tag in enumerate(record.tags):
            self._text(f"tags[{i}]", tag)
            if tag in seen:
                self.wrong(f"tags[{i}]", msg("The tag “{tag}” is given twice.", tag=tag))
            seen.add(tag)
        self._comments("", record.comments)

    def _text(self, path: str, text: str, lines: bool = False) -> None:
        if fault := text_fault(text, lines):
            self.wrong(path, fault)

    def _comments(self, path: str, comments: tuple[str, ...]) -> None:
        for i, comment in enumerate(comments):
            self._text(f"{path}.comments[{i}]".lstrip("."), comment, lines=True)

    def _date(self) -> None:
        date = self.record.date
        if date is None:
            return
        try:
            datetime.fromisoformat(date)
            right = _DATE.fullmatch(date) is not None
        except ValueError:
            right = False
        if not right:
            self.wrong("date", msg("“{text}” is no date; it is written 2026-03-01 or 2026-03-01T19:30Z.", text=date))

    def _proof(self, rules: Rules) -> None:
        proof = self.record.proof
        if proof is None:
            return
        self._seats("proof.seeds", proof.seeds, None, rules)
        for seat, seed in enumerate(proof.seeds):
            if seed is not None:
                self._text(f"proof.seeds[{seat}]", seed)
        for name, value in (("commitment", proof.commitment), ("secret", proof.secret)):
            if value is not None and (not _HEX.fullmatch(value) or len(value) > 256):
                self.wrong(f"proof.{name}", msg("It takes hexadecimal digits, two a byte."))
        if not proof.commitment:
            self.wrong("proof", msg("The commitment is missing: a proof begins with it."))
        if proof.secret is None:
            return
        if not self.record.is_over:
            self.wrong("proof.secret", msg("The secret is revealed only once the game is over."))
        if sha256(bytes.fromhex(proof.secret)).hexdigest() != proof.commitment:
            self.wrong("proof.secret", msg("The secret does not fit: its SHA-256 is not the commitment."))

    def _seed(self, rules: Rules) -> None:
        seed = self.record.seed
        if seed is None:
            return
        self._text("seed", seed)
        stream = DealStream(rules, seed)
        for n, round in enumerate(self.record.rounds):
            deal = stream(self.record.first_round - 1 + n)
            hands = tuple(tuple(map(str, hand)) for hand in deal.hands)
            if (hands, round.widow) != (round.hands, str(deal.widow) if deal.widow else None):
                self.wrong(f"rounds[{n}].hands[0]", msg("This is not the deal that the seed gives."))

    # --- rounds -----------------------------------------------------------------------------------------------------

    def _follows(self, before: Walk, winners: tuple[int, ...], round: RoundRecord, n: int) -> None:
        """Whether a round may follow the one before it, with this dealer and these scores."""
        path = f"rounds[{n}]"
        if not before.last.is_over:
            self.wrong(
                path, msg("The round before this one is not over: seat {seat} is to act.", seat=before.last.turn)
            )
        if winners:
            self.wrong(path, msg("The game was over before this round: it was won by {sides}.", sides=listed(winners)))
        if round.dealer != before.last.next_dealer():
            self.wrong(
                path,
                msg(
                    "Seat {given} does not deal now; seat {right} does.",
                    given=round.dealer,
                    right=before.last.next_dealer(),
                ),
            )
        if round.scores != self._scores_after(before):
            self.wrong(
                path,
                msg(
                    "The scores before this round are {right}, not {given}.",
                    given=listed(round.scores),
                    right=listed(self._scores_after(before)),
                ),
            )

    def _scores_after(self, walk: Walk) -> tuple[int, ...]:
        points = walk.last.points or (0,) * len(walk.last.scores)
        return tuple(score + more for score, more in zip(walk.last.scores, points, strict=True))

    def _round(self, rules: Rules, round: RoundRecord, n: int) -> Walk:
        path = f"rounds[{n}]"

        def refuse(part: str, problem: Message) -> NoReturn:
            self.wrong(f"{path}.{part}", problem)

        check_deal(rules, round, refuse)
        self._comments(path, round.comments)
        check_steps(rules, round, refuse)
        try:
            walk = complete(rules, round)
        except Wrong as wrong:
            self.wrong(f"{path}.{wrong.path}".rstrip("."), self._hidden(round, wrong))
        except BigPepperError as error:
            self.wrong(path, error.message)
        self._takeovers(rules, round, len(walk.states) - 1, path)
        self._result(round, walk, path)
        return walk

    def _hidden(self, round: RoundRecord, wrong: Wrong) -> Message:
        """What is said of a refused action; the cards of a deal that was only tried are not told."""
        if wrong.action is None or round.is_complete:
            return wrong.message
        return msg(
            "“{action}” is not legal for seat {seat}, whatever the unknown cards are.",
            action=wrong.action,
            seat=wrong.state.turn,
        )

    def _takeovers(self, rules: Rules, round: RoundRecord, acts: int, path: str) -> None:
        last = 0
        for i, takeover in enumerate(round.takeovers):
            where = f"{path}.takeovers[{i}]"
            self._bot(where, takeover.bot, takeover.version)
            if takeover.seat >= rules.players:
                self.wrong(
                    where,
                    msg("There is no seat {seat}; seats are 0 to {last}.", seat=takeover.seat, last=rules.players - 1),
                )
            if not last <= takeover.at <= acts:
                self.wrong(where, msg("The takeovers are in order, none after the last action."))
            last = takeover.at

    def _result(self, round: RoundRecord, walk: Walk, path: str) -> None:
        state = walk.last
        if not state.is_over:
            return
        assert state.points is not None
        right = Result(tricks=state.tricks_won, points=state.points, thrown_in=state.thrown_in)
        if round.result is None:
            self.wrong(path, msg("The round is over, but its result is missing: “{right}”.", right=result_text(right)))
        if round.result != right:
            self.wrong(
                f"{path}.result",
                msg(
                    "The result is wrong: it says “{given}”; right is “{right}”.",
                    given=result_text(round.result),
                    right=result_text(right),
                ),
            )

    # --- the end ----------------------------------------------------------------------------------------------------

    def _end(self, rules: Rules, scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
        end = self.record.end
        if end is None:
            return
        if not self.record.rounds:
            self.wrong("end", msg("The record has no round."))
        if (end.how == "finished") != bool(winners):
            self.wrong(
                "end",
                msg("The game is not over: nobody has won.")
                if not winners
                else msg("The game is over: it was won by {sides}.", sides=listed(winners)),
            )
        if end.scores != scores or end.winners != winners:
            self.wrong(
                "end",
                msg(
                    "The end is wrong: the scores are {scores}, won by {sides}.",
                    scores=listed(scores),
                    sides=listed(winners),
                )
                if winners
                else msg("The end is wrong: the scores are {scores}.", scores=listed(scores)),
            )


_WORD: Final = re.compile(r"[A-Za-z0-9._+-]{1,60}")
_OPTION: Final = r"[A-Za-z_][A-Za-z0-9_]{0,59}=[A-Za-z0-9._+/:~@%-]{1,200}"
_OPTIONS: Final = re.compile(rf"{_OPTION}(,{_OPTION}){{0,29}}")
_HEX: Final = re.compile(r"([0-9a-f]{2})+")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?Z)?")
