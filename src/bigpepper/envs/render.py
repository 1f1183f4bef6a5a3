"""What an environment shows of its table, made from an Observation: sentences (`ansi`, `human`) or a picture."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from bigpepper import explain
from bigpepper.envs.settings import one_of
from bigpepper.observation import Observation
from bigpepper.text import SOURCE_LANGUAGE, Message, listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RENDER_MODES: Final = ("human", "ansi", "rgb_array")
FRAMES_A_SECOND: Final = 1


def seat_names(rules_players: int) -> tuple[str, ...]:
    """Names for the seats of an environment, as PettingZoo names its agents."""
    return tuple(f"player_{seat}" for seat in range(rules_players))


def checked_mode(render_mode: str | None) -> str | None:
    """The render mode given. Raises `InvalidSetting`."""
    return None if render_mode is None else RENDER_MODES[one_of("render_mode", render_mode, RENDER_MODES)]


def rendered(
    observation: Observation, names: Sequence[str], mode: str | None, language: str = SOURCE_LANGUAGE
) -> NDArray[np.uint8] | str | None:
    """The table as one seat sees it: text (`ansi`), text written to the terminal (`human`), or a picture.

    `rgb_array` is `uint8[height, width, 3]`. None for `human`, and without a mode.
    """
    if mode == "rgb_array":
        return pixels(observation, names, language)
    if mode is None:
        return None
    text = table_text(observation, names, language)
    if mode == "ansi":
        return text
    sys.stdout.write(text + "\n\n")
    return None


def pixels(observation: Observation, names: Sequence[str], language: str) -> NDArray[Any]:
    """The picture of the table as an array."""
    import numpy as np

    from bigpepper.envs.picture import picture

    return np.asarray(picture(observation, names, language=language))


def table_text(observation: Observation, names: Sequence[str], language: str = SOURCE_LANGUAGE) -> str:
    """The table in sentences: what was done, the contract, the trick, the hand, whose turn it is, the score."""
    return "\n".join(line.text(language) if isinstance(line, Message) else line for line in _lines(observation, names))


def _lines(observation: Observation, names: Sequence[str]) -> list[Message | str]:
    lines: list[Message | str] = [
        explain.standing_line(observation.rules, observation.scores, names, observation.seat),
        *explain.history_lines(observation, names)[-len(names) :],
        explain.contract_line(observation, names),
    ]
    if observation.trick:
        lines.append(_cards_of_trick(observation, names))
        lines.append(explain.trick_line(observation, observation.trick, names))
    if observation.hand:
        lines.append(_hand(observation))
    return [*lines, explain.turn_line(observation, names), *explain.score_lines(observation, names)]


def _cards_of_trick(observation: Observation, names: Sequence[str]) -> str:
    assert observation.trick is not None
    return listed(f"{names[seat]} {explain.card_sign(card)}" for seat, card in observation.trick.cards)


def _hand(observation: Observation) -> str:
    groups = explain.hand_order(observation.rules, observation.hand, observation.strain)
    return "  ".join(" ".join(explain.card_sign(card) for card in group) for group in groups)
