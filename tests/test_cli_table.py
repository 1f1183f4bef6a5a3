"""The table: what the screen shows and does not show, who is called what, what is understood, what is asked twice."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from bigpepper import Deal, Game, IllegalAction, InvalidAction, Rules, bots, explain, notation, rulebooks, worlds
from bigpepper.actions import Bid, Discard, Name, Pass, Play
from bigpepper.cards import Card, Strain
from bigpepper.cli.letters import letters_only
from bigpepper.cli.printer import Printer
from bigpepper.cli.table import saved, words
from bigpepper.cli.table.cards import COLOURS
from bigpepper.cli.table.kept import Kept
from bigpepper.cli.table.lines import Lines
from bigpepper.cli.table.names import seat_names
from bigpepper.cli.table.plain import Plain
from bigpepper.cli.table.play import Table
from bigpepper.cli.table.prompt import Request, Word, options, read, read_action
from bigpepper.cli.table.scene import Scene
from bigpepper.cli.table.session import Session, Setup, View
from bigpepper.cli.table.track import bounds, place
from bigpepper.notation import GameRecord
from bigpepper.notation.model import Act, Evaluation, Takeover
from bigpepper.observation import Observation
from bigpepper.public import Phase
from bigpepper.state import State
from table_script import Person, lines

SIZES = [(60, 24), (80, 24), (200, 60)]


def session(name: str, seed: str = "1", bots: str = "random", **changes: object) -> Session:
    """A table with you in seat 0."""
    rules = Rules.load(name).replace(**changes) if changes else Rules.load(name)
    return Session(Setup.of(rules, seed, 0, [bots]))


def steps(table: Session, seed: int, actions: int) -> Iterator[View]:
    """The views of a game in which you do anything."""
    random = Random(seed)
    for _ in range(actions):
        if table.is_over:
            return
        if table.your_turn:
            table.act(random.choice(table.view().now.legal))
        else:
            table.bot_acts()
        yield table.view()


def painted(lines: Iterable[Text], width: int, colours: bool = True) -> str:
    """What a terminal would be sent."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=width, color_system="standard", no_color=not colours)
    for line in lines:
        console.print(line, no_wrap=True, overflow="crop", crop=True, highlight=False)
    return out.getvalue()


def plain(lines: Iterable[Text]) -> str:
    """The letters alone."""
    return "\n".join(line.plain for line in lines)


# --- the screen -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", rulebooks())
def test_every_screen_fits_its_window_and_shows_what_can_be_chosen(name: str) -> None:
    table = session(name)
    for number, view in enumerate(steps(table, 3, 120)):
        for width, height in SIZES[number % 3 :][:1]:
            scene = Scene(width, height, COLOURS["two"])
            screens = [scene.table(view)]
            if view.past:
                screens.append(scene.result(view, view.past[-1]))
            for screen in screens:
                assert len(screen) <= height - 1
                assert max(line.cell_len for line in screen) <= width
            shown = plain(screens[0])
            assert str(explain.title(view.rules)) in shown
            assert sum("●" in line and "──" in line for line in shown.splitlines()) == view.rules.sides
            for option in options(view.now):
                assert not (view.your_turn and option.legal) or option.key in shown.split()


def test_the_turn_the_score_and_the_hand_are_always_on_the_screen() -> None:
    table = session("hasenpfeffer-traditional")
    scene = Scene(80, 24, COLOURS["two"])
    for view in steps(table, 5, 150):
        shown = plain(scene.table(view))
        assert ("●  " in shown or "● " in shown.replace("─●", "")) or not view.your_turn
        for card in view.now.hand:
            assert ("JO" if card.is_joker else explain.card_sign(card)) in shown
        for score in view.scores:
            assert str(score).replace("-", "−") in shown


@pytest.mark.parametrize("size", [(59, 23), (30, 12), (8, 3), (1, 1)])
def test_a_window_made_too_small_at_the_table_is_survived(size: tuple[int, int]) -> None:
    table = session("pepper-3")
    scene = Scene(*size, COLOURS["two"])
    for view in steps(table, 5, 60):
        assert len(scene.table(view)) <= max(1, size[1] - 1)
        assert scene.page([Text(str(line)) for line in words.log_lines(view)], words.opening(view.now, view.names, 1))


def test_bowers_stand_with_the_trumps_and_are_marked() -> None:
    rules = Rules.load("pepper-4")
    deal = Deal(rules, ["9S JD AH JH AD 9C", *_rest(rules, "9S JD AH JH AD 9C")])
    state = State.new(rules, deal=deal, dealer=3).apply("big").apply("H")
    now = state.observation(0)
    assert [str(card) for card in words.hand_row(now)[:3]] == ["JH", "JD", "AH"]
    view = View(seat_names(0, ["", *["random"] * 3]), now, (), (0, 0), (), False)
    bottom = plain(Scene(80, 24, {}).table(view)).splitlines()[-1].split()
    assert bottom == ["right", "left", "trump"]


def _rest(rules: Rules, hand: str) -> list[str]:
    cards = [str(card) for card in rules.deck if str(card) not in hand.split()]
    return [" ".join(cards[i : i + 6]) for i in (0, 6, 12)]


def test_the_accent_marks_your_turn_and_no_colour_is_needed() -> None:
    table = session("pepper-4", bots="first")
    views = list(steps(table, 1, 8))
    for view in views:
        accent = "\x1b[1;31m● " in painted(Scene(80, 24, {}).table(view), 80)
        assert accent == view.your_turn
    assert {view.your_turn for view in views} == {True, False}
    bare = painted(Scene(80, 24, COLOURS["four"]).table(views[0]), 80, colours=False)
    assert not any(f"\x1b[{code}m" in bare or f";{code}m" in bare for code in range(30, 50))


@pytest.mark.parametrize("name", rulebooks())
def test_no_screen_and_no_line_tells_what_is_hidden(name: str) -> None:
    """Another deal that looks the same to you leaves every byte of screen and lines unchanged."""
    table, random = session(name, "7"), Random(3)
    swapped = 0
    for number, view in enumerate(steps(table, 11, 36)):
        if view.past:
            break
        other = _same_to_you(view.now, random)
        swapped += other.game.state != table.game.state
        width, height = SIZES[number % 3]
        scene = Scene(width, height, COLOURS["two"])
        assert painted(scene.table(view), width) == painted(scene.table(other.view()), width)
        assert _told(view) == _told(other.view())
    assert swapped > 3 or name == "tiny"


def _same_to_you(now: Observation, random: Random) -> Session:
    """A session in which the unseen cards lie differently."""
    world = worlds.sample(now, random)
    setup = Setup.of(now.rules, "x", 0, ["random"])
    game = Game.new(now.rules, deals=lambda _: world.deal, dealer=now.dealer, scores=now.scores)
    for turn in world.history:
        game = game.apply(turn.action)  # type: ignore[arg-type]
    return Session(setup, game)


def _told(view: View) -> list[str]:
    out = io.StringIO()
    face = Plain(_lines(out))
    face.begin(view)
    face.show(view)
    face.tell([*words.log_lines(view), *words.help_lines(view), *words.score_lines(view), *words.last_lines(view)])
    return out.getvalue().splitlines()


def _lines(out: io.StringIO) -> Lines:
    said = Lines(letters=False, language="en")
    said._console = Printer(file=out, highlight=False)
    return said


def test_letters_only() -> None:
    table = session("hasenpfeffer-traditional", bots="novice")
    for view in steps(table, 5, 60):
        for line in Scene(80, 24, {}).table(view):
            folded = letters_only(line.plain)
            assert folded.isascii()
            assert len(folded) == cell_len(line.plain)
    assert letters_only("J♥ 10♣ Jalapeño −6") == "JH 10C Jalapeno -6"


@pytest.mark.parametrize(
    ("scores", "target", "ends"),
    [((0, 0), 30, (-10, 30)), ((-11, 4), 30, (-20, 30)), ((33, -59, 2), 30, (-60, 33)), ((0, 0), 1, (-1, 1))],
)
def test_the_track_reaches_from_below_zero_to_the_target(
    scores: tuple[int, ...], target: int, ends: tuple[int, int]
) -> None:
    low, high = bounds(scores, target)
    assert (low, high) == ends
    assert place(low, low, high, 50) == 0
    assert place(high, low, high, 50) == 49
    assert all(0 <= place(score, low, high, 50) < 50 for score in scores)


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "shown"),
    [
        (["", "novice", "novice", "novice"], ["You", "Paprika West", "Paprika North", "Paprika East"]),
        (["", "random", "novice", "expert"], ["You", "Bell", "Paprika", "Habanero"]),
        (["", "novice", "club", "novice"], ["You", "Paprika West", "Jalapeño", "Paprika East"]),
        (["", "novice", "novice"], ["You", "Paprika West", "Paprika East"]),
        (["", "mine"], ["You", "Mine"]),
    ],
)
def test_names_tell_players_apart(bots: list[str], shown: list[str]) -> None:
    assert list(seat_names(0, bots).seats) == shown


def test_places_go_clockwise_from_yours() -> None:
    names = seat_names(2, ["novice", "novice", "", "novice"])
    assert [names.place(seat) for seat in (2, 3, 0, 1)] == [0, 1, 2, 3]
    assert names.seats == ("Paprika North", "Paprika East", "You", "Paprika West")


# --- what is typed --------------------------------------------------------------------------------------------------


def _view(state: State) -> View:
    return View(
        seat_names(0, ["", *["random"] * (state.rules.players - 1)]), state.observation(0), (), (0, 0), (), False
    )


def _hearts() -> State:
    """You hold six cards, hearts are trumps, the king of diamonds was led."""
    rules = Rules.load("pepper-4")
    hand = "9S JD AH TH AD 9C"
    rest = " ".join(_rest(rules, hand)).split()
    rest.remove("KD")
    others = ["KD " + " ".join(rest[:5]), " ".join(rest[5:11]), " ".join(rest[11:])]
    state = State.new(rules, deal=Deal(rules, [hand, others[1], others[2], others[0]]), dealer=2)
    return state.apply("big").apply("H").apply("KD")


@pytest.mark.parametrize("typed", ["AD", "ad", "A♦", "ace of diamonds", "play AD", "the ace of diamonds", "  Ad ", "a"])
def test_a_card_is_understood(typed: str) -> None:
    assert read(typed, _view(_hearts())) == Play(Card("AD"))


def test_numbers_follow_the_hand_as_it_is_shown() -> None:
    now = _hearts().observation(0)
    row = words.hand_row(now)
    assert [str(card) for card in row[:3]] == ["JD", "AH", "TH"]
    for option, card in zip(options(now), row, strict=True):
        assert read_action(option.key, now) == Play(card)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("10H", "Diamonds were led: you must follow."),
        ("JD", "The jack of diamonds is the left bower and belongs to hearts, the trumps. You must follow diamonds."),
        ("QD", "You do not hold the queen of diamonds."),
        ("pass", "Now a card is to be played."),
    ],
)
def test_what_is_not_allowed_is_refused_with_the_reason(typed: str, words: str) -> None:
    with pytest.raises(IllegalAction) as error:
        read(typed, _view(_hearts()))
    assert str(error.value) == words


@pytest.mark.parametrize("typed", ["7", "0", "xx", "diamond", "10", "j?"])
def test_what_is_nothing_is_refused(typed: str) -> None:
    with pytest.raises(InvalidAction):
        read(typed, _view(_hearts()))


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("h", "“h” could be A♥ or 10♥: say which one."),
        ("hearts", "“hearts” could be A♥ or 10♥: say which one."),
        ("J", "“J” could be J♠, J♥ or J♦: say which one."),
        ("Diamond", "“Diamond” could be K♦: say which one."),
        ("clubs", "“clubs” says nothing to me. Type ? to see what you can do."),
    ],
)
def test_what_is_clear_in_part_is_asked_for_the_rest(typed: str, words: str) -> None:
    """You hold six cards, spades are trumps, and you lead."""
    rules = Rules.load("pepper-4")
    hand = "JS JD AH TH JH KD" if typed == "J" else "9S JS AH TH QS KD"
    deal = Deal(rules, [hand, *_rest(rules, hand)])
    view = _view(State.new(rules, deal=deal, dealer=3).apply("big").apply("S"))
    with pytest.raises(InvalidAction) as error:
        read(typed, view)
    assert str(error.value) == words


@pytest.mark.parametrize("typed", ["4 hearts", "4 H", "bid 4 spade", "four hearts", "5 no-trump", "small NT"])
def test_a_suit_at_the_bid_is_told_its_time(typed: str) -> None:
    with pytest.raises(InvalidAction, match="the suit is named when the auction is over"):
        read(typed, _view(State.new(Rules.load("pepper-4"), seed=1, dealer=3)))


@pytest.mark.parametrize("typed", ["a d", "A ♦", "A of D", "play a diamonds", "a-d"])
def test_a_card_may_be_written_in_two_words(typed: str) -> None:
    assert read(typed, _view(_hearts())) == Play(Card("AD"))


@pytest.mark.parametrize("typed", ["q d", "Q D", "q of diamonds", "q ♦"])
def test_a_queen_is_no_leaving(typed: str) -> None:
    assert read_action(typed, _hearts().observation(0)) == Play(Card("QD"))


@pytest.mark.parametrize("name", rulebooks())
def test_the_help_speaks_of_the_joker_where_there_is_one(name: str) -> None:
    table = session(name)
    for view in steps(table, 3, 40):
        if view.now.phase in (Phase.PLAY, Phase.DISCARD) and not view.winners:
            told = "\n".join(str(line) for line in words.help_lines(view))
            assert ("Joker" in told) == view.rules.joker


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("Five", Bid("5")),
        ("0", Pass()),
        ("p", Pass()),
        ("bid 3", Bid("3")),
        ("6", Bid("small")),
        ("Small Pepper", Bid("small")),
        ("b", Bid("big")),
        ("big", Bid("big")),
        ("7", Bid("big")),
    ],
)
def test_a_call_is_understood(typed: str, action: object) -> None:
    state = State.new(Rules.load("pepper-4"), seed=1, dealer=3)
    assert read(typed, _view(state)) == action


@pytest.mark.parametrize("typed", ["8", "H-alone", "h alone", "hearts alone", "hearts, alone"])
def test_a_name_is_understood(typed: str) -> None:
    rules = Rules.load("hasenpfeffer")
    state = State.new(rules, seed=1, dealer=3).apply("6")
    wanted = Name(Strain.SPADES if typed == "8" else Strain.HEARTS, alone=True)
    assert read(typed, _view(state)) == wanted


def test_bids_with_numbers_of_their_own_keep_them() -> None:
    """A ladder 3, 4, 5: typing 3 is the bid of 3, not the third bid."""
    ladder = [{"name": str(n), "tricks": n, "made": "bid", "failed": "bid"} for n in (3, 4, 5)]
    rules = Rules.load("pepper-4").replace(ladder=ladder, minimum_bid="3")
    now = State.new(rules, seed=1, dealer=3).observation(0)
    assert [option.key for option in options(now)] == ["0", "3", "4", "5"]
    assert read_action("3", now) == Bid("3")


def test_words_to_the_table() -> None:
    view = _view(_hearts())
    assert read("?", view) == Request(Word.HELP, "")
    assert read("UNDO 3", view) == Request(Word.UNDO, "3")
    assert read("q", view) == Request(Word.QUIT, "")
    assert read("   ", view) is None


# --- taking back, and asking twice ----------------------------------------------------------------------------------


def test_undo_restores_every_decision_of_yours_back_to_the_first() -> None:
    table, random = session("tiny", target=12), Random(2)
    before: list[View] = []
    while not table.is_over and len(table.view().past) < 3:
        if table.your_turn:
            before.append(table.view())
            table.act(random.choice(table.view().now.legal))
        else:
            table.bot_acts()
    assert table.can_undo == len(before)
    for view in reversed(before):
        table.undo()
        now = table.view()
        assert (now.now, now.past, now.scores, now.practice) == (view.now, view.past, view.scores, True)
    assert table.can_undo == 0


def test_after_undo_over_a_round_the_new_round_is_shown() -> None:
    """Nobody need have looked in between."""
    table, random = session("tiny", target=99), Random(2)
    while len(table.view().past) < 2:
        table.act(random.choice(table.game.state.legal))
    before = table.view().past
    while len(table.game.rounds) > 1 or table.game.state.history:
        table.undo()
    while len(table.game.rounds) < 2:
        table.act(table.game.state.legal[-1])
    assert table.view().past != before
    assert [past.points for past in table.view().past] == [state.points for state in table.game.rounds]


def remarked(record: GameRecord) -> GameRecord:
    """The record with a remark wherever one can be."""

    def said(act: Act) -> Act:
        return replace(act, ms=17, comments=("why not",), evaluation=Evaluation(best="pass"))

    def of(acts: tuple[Act, ...]) -> tuple[Act, ...]:
        return tuple(map(said, acts))

    rounds = tuple(
        replace(
            round,
            auction=of(round.auction),
            naming=round.naming and said(round.naming),
            discard=round.discard and said(round.discard),
            defence=of(round.defence),
            tricks=tuple(map(of, round.tricks)),
            claim=round.claim and said(round.claim),
            takeovers=(Takeover(at=1, seat=1, bot="novice"),) if round.acts else (),
            comments=("a round",),
        )
        for round in record.rounds
    )
    return replace(record, rounds=rounds, comments=("a game",))


@pytest.mark.parametrize("name", rulebooks())
def test_what_a_record_says_besides_the_game_stays_when_the_game_goes_on(name: str) -> None:
    table, random = session(name, target=99), Random(4)

    def go_on(actions: int) -> None:
        for _ in range(actions):
            if not table.is_over:
                table.act(random.choice(table.game.state.legal))

    while table.game.state.phase is not Phase.PLAY:
        go_on(1)
    maker, left = table.game.state.maker, table.game.state.rules.cards
    assert maker is not None
    table = Session(table.setup, table.game.claim(maker, left))
    go_on(40)
    first = remarked(saved.record_of(table))
    table = saved.load(notation.dumps(first))
    assert saved.record_of(table) == first
    assert any(round.claim and round.claim.ms for round in first.rounds)
    go_on(15)
    later = notation.loads(saved.dump(table))
    assert later.comments == first.comments
    for now, then in zip(later.rounds, first.rounds, strict=False):
        assert now.acts[: len(then.acts)] == then.acts
        assert all(act.ms is None and not act.comments for act in now.acts[len(then.acts) :])
        assert (now.takeovers, now.comments) == (then.takeovers, then.comments)
    assert not any(round.comments for round in later.rounds[len(first.rounds) :])


def test_where_something_else_was_done_after_all_no_remark_stays() -> None:
    table, random = session("pepper-4"), Random(4)
    while not (table.your_turn and len(table.game.state.legal) > 1 and table.game.state.phase is Phase.PLAY):
        table.act(random.choice(table.game.state.legal))
    before, choices = table.game.state.history, table.game.state.legal
    table.act(choices[0])
    table.act(table.game.state.legal[0])
    table = saved.load(notation.dumps(remarked(saved.record_of(table))))
    table.undo()
    table.act(choices[1])
    (round,) = saved.record_of(table).rounds
    assert [act.ms for act in round.acts] == [17] * len(before) + [None]


def test_a_round_that_came_about_otherwise_has_no_remarks() -> None:
    table, random = session("tiny", target=99), Random(4)
    while len(table.game.rounds) < 2:
        table.act(random.choice(table.game.state.legal))
    table = saved.load(notation.dumps(remarked(saved.record_of(table))))
    while (table.can_undo and len(table.game.state.legal) < 2) or table.game.rounds:
        table.undo()
    taken = saved.record_of(table).rounds[0].acts
    table.act(next(a for a in table.game.state.legal if str(a) != remarked_action(table, len(taken))))
    while len(table.game.rounds) < 2:
        table.act(random.choice(table.game.state.legal))
    first, second, third = saved.record_of(table).rounds
    assert first.comments
    assert not second.comments
    assert not third.comments


def remarked_action(table: Session, n: int) -> str:
    """What was done there in the record that the session began with."""
    assert table.origin
    return table.origin.rounds[0].acts[n].action


@pytest.mark.parametrize(("answer", "discarded"), [("n", False), ("y", True)])
def test_a_trump_is_discarded_only_after_a_yes(answer: str, discarded: bool, tmp_path: Path) -> None:
    table = session("hasenpfeffer", seed="3", bots="first")
    while not table.your_turn:
        table.bot_acts()
    table.act("6")
    table.act(f"{table.view().now.dealt[0].suit}")
    now = table.view().now
    trump = next(card for card in now.hand if explain.discard_warning(now, card))
    out = io.StringIO()
    person = Person(out, lines(str(trump), answer))
    said = _lines(out)
    said.read = lambda: person.readline() or _end()  # type: ignore[method-assign]
    Table(table, Plain(said), Kept(tmp_path / "x.pep")).run()
    assert f"{explain.discard_warning(now, trump)} Type y for yes, n for no." in person.said
    assert (table.game.state.phase is not Phase.DISCARD) == discarded
    assert (Discard(trump) in [turn.action for turn in table.game.state.history]) == discarded


def _end() -> str:
    raise EOFError


def test_bots_do_not_depend_on_what_they_cannot_see() -> None:
    """The table hands them observations: a bot that is asked again does the same."""
    table = session("pepper-4", bots="novice")
    while table.your_turn:
        table.act("pass")
    turn = table.game.state.turn
    assert turn is not None
    bot = bots.load("novice", seed=table.setup.bot_seeds[turn])
    expected = bot.act(table.game.state.observation(turn))
    table.bot_acts()
    assert table.game.state.history[-1].action == expected
