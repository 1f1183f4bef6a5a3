"""The picture of the table: sizes, themes, that it shows what the seat sees and nothing else; and the text."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import bigpepper as bp
from bigpepper.envs.canvas import THEMES, Canvas, plain
from bigpepper.envs.cardface import SHAPE, draw_back, draw_card
from bigpepper.envs.picture import picture
from bigpepper.envs.render import table_text
from bigpepper.envs.settings import InvalidSetting

NAMES = ("Anna", "Bell", "Paprika", "Habanero")
PHONE, DESKTOP = (360, 720), (960, 720)


def states(name: str, seed: int) -> list[bp.State]:
    """A round of a rule-of-thumb player."""
    rules, bot = bp.Rules.load(name), bp.bots.load("novice")
    found = [bp.State.new(rules, seed=seed, dealer=seed % rules.players)]
    while found[-1].turn is not None:
        found.append(found[-1].apply(bot.act(found[-1].observation(found[-1].turn))))
    return found


def colours(image: Image.Image) -> set[str]:
    """The colours in it, as #rrggbb."""
    found = image.getcolors(image.width * image.height)
    return {"#" + bytes(colour).hex() for _, colour in found or () if isinstance(colour, tuple)}


DRAWN = [
    *((name, (320, 480), "spruce") for name in bp.rulebooks()),
    *((name, PHONE, "paper") for name in ("pepper-4", "pepper-3", "tiny")),
    ("hasenpfeffer-traditional", DESKTOP, "spruce"),
]


@pytest.mark.parametrize(("name", "size", "theme"), DRAWN)
def test_every_moment_can_be_drawn(name: str, size: tuple[int, int], theme: str) -> None:
    found = states(name, 5)
    for state in {state.phase: state for state in found}.values():
        for seat in (state.turn or 0, None):
            image = picture(state.observation(seat), NAMES[: state.rules.players], size=size, theme=theme)
            assert image.size == size
            assert THEMES[theme].ground in colours(image)


def test_worlds_that_look_the_same_are_drawn_the_same() -> None:
    dice = random.Random(3)
    for state in states("hasenpfeffer-traditional", 9)[::4]:
        other = bp.worlds.sample(state.observation(1), dice)
        one, same = (picture(world.observation(1), NAMES, size=PHONE) for world in (state, other))
        assert np.array_equal(np.asarray(one), np.asarray(same))


def test_different_moments_are_drawn_differently() -> None:
    found = states("pepper-4", 5)
    drawn = [np.asarray(picture(state.observation(0), NAMES, size=PHONE)) for state in found[::3]]
    assert all(not np.array_equal(one, other) for one, other in itertools.combinations(drawn, 2))


@pytest.mark.parametrize("name", ["pepper-4", "pepper-3", "hasenpfeffer-traditional"])
def test_the_track_shows_every_sides_score(name: str) -> None:
    rules = bp.Rules.load(name)
    tracks = []
    for side in (None, *range(rules.sides)):
        scores = [-7 if k == side else 4 for k in range(rules.sides)]
        sight = bp.State.new(rules, seed=1, scores=scores).observation(0)
        tracks.append(np.asarray(picture(sight, NAMES, size=PHONE))[:76])
    assert all(not np.array_equal(one, other) for one, other in itertools.combinations(tracks, 2))


def test_the_accent_marks_ones_own_turn_and_nothing_else() -> None:
    """Dark theme: there the accent is no suit's colour."""
    accent = THEMES["spruce"].accent
    turns = {True: 0, False: 0}
    for state in states("pepper-4", 5)[::3]:
        shown = accent in colours(picture(state.observation(0), NAMES, size=PHONE, theme="spruce"))
        assert shown == (state.turn == 0)
        turns[shown] += 1
    assert min(turns.values()) > 2


@pytest.mark.parametrize("name", ["hasenpfeffer", "pepper-4"])
def test_every_card_is_drawn_in_its_own_way(name: str) -> None:
    faces = []
    for card in bp.Rules.load(name).deck:
        canvas = Canvas(60, 86, THEMES["paper"])
        draw_card(canvas, (2, 2, 58, 2 + 56 * SHAPE), card)
        faces.append(np.asarray(canvas.image()))
    canvas = Canvas(60, 86, THEMES["paper"])
    draw_back(canvas, (2, 2, 58, 2 + 56 * SHAPE))
    faces.append(np.asarray(canvas.image()))
    assert all(np.abs(one.astype(int) - other).sum() > 1000 for one, other in itertools.combinations(faces, 2))


def test_words_are_kept_to_their_room_and_letters_to_the_typeface() -> None:
    canvas = Canvas(200, 60, THEMES["paper"])
    assert canvas.text((100, 30), "a very long sentence that has no room", 16, room=120) == 120
    assert plain("Jalapeño −6 …") == "Jalapeno -6 ..."
    lines = canvas.wrapped("You bid 4 and took 5: +5. They took 1: +1.", 14, 120)
    assert len(lines) > 1
    assert " ".join(lines) == "You bid 4 and took 5: +5. They took 1: +1."
    assert all(canvas.text_width(line, 14) <= 120 for line in lines)


def test_too_small_a_picture_and_an_unknown_theme_are_refused() -> None:
    sight = bp.State.new(bp.Rules.load("pepper-4"), seed=1).observation(0)
    with pytest.raises(InvalidSetting, match="too small"):
        picture(sight, NAMES, size=(300, 480))
    with pytest.raises(InvalidSetting, match="theme"):
        picture(sight, NAMES, theme="casino")


def test_the_text_says_what_a_player_would_want_to_know() -> None:
    found = states("pepper-4", 5)
    at_play = next(state for state in found if state.phase == "play" and state.turn == 0 and state.trick)
    text = table_text(at_play.observation(0), NAMES)
    assert "Your turn." in text
    assert "You 0, they 0. 30 wins." in text
    assert all(str(card)[0].replace("T", "10") in text for card in at_play.hand(0))
    over = table_text(found[-1].observation(0), NAMES)
    assert "The round is over." in over
    assert "took" in over


def test_a_picture_can_be_saved(tmp_path: Path) -> None:
    sight = bp.State.new(bp.Rules.load("pepper-4"), seed=1).observation(0)
    picture(sight, NAMES).save(tmp_path / "table.png")
    with Image.open(tmp_path / "table.png") as saved:
        assert saved.size == DESKTOP
