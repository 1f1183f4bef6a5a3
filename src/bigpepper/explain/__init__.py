"""The game in sentences: rule pages of any rulebook, and what is said at a table. All of them are `Message`s."""

from __future__ import annotations

from bigpepper.explain.examples import scored_round, thrown_in_round
from bigpepper.explain.family import (
    HASENPFEFFER_CHOICE,
    auction_line,
    differences,
    parent,
    setup_lines,
    summary,
    title,
)
from bigpepper.explain.legal import discard_warning, why_not
from bigpepper.explain.order import hand_order
from bigpepper.explain.page import Page, markdown, picture_lines
from bigpepper.explain.pages import rule_page
from bigpepper.explain.score import score_lines, side_names, standing_line, winners_line
from bigpepper.explain.table import (
    action_line,
    choice_name,
    contract_line,
    contract_name,
    history_lines,
    trick_line,
    turn_line,
    widow_line,
)
from bigpepper.explain.terms import (
    bid_name,
    card_name,
    card_name_in,
    card_sign,
    phase_name,
    signed,
    strain_name,
    suit_name,
    suit_sign,
)

__all__ = [
    "HASENPFEFFER_CHOICE",
    "Page",
    "action_line",
    "auction_line",
    "bid_name",
    "card_name",
    "card_name_in",
    "card_sign",
    "choice_name",
    "contract_line",
    "contract_name",
    "differences",
    "discard_warning",
    "hand_order",
    "history_lines",
    "markdown",
    "parent",
    "phase_name",
    "picture_lines",
    "rule_page",
    "score_lines",
    "scored_round",
    "setup_lines",
    "side_names",
    "signed",
    "standing_line",
    "strain_name",
    "suit_name",
    "suit_sign",
    "summary",
    "thrown_in_round",
    "title",
    "trick_line",
    "turn_line",
    "why_not",
    "widow_line",
    "winners_line",
]
