"""Every bound, at every node of a sample, beside the true value."""

from __future__ import annotations

import pytest

from bigpepper.jit import count, pack, unpack
from bigpepper.solve import Answer, Position, Search, bounds, search
from bigpepper.solve.lanes import TRUMPS, WIDTH
from bigpepper.solve.values import answer_all
from solve_deals import SHAPES, deals_of
from solve_plain import plain

Board = tuple[tuple[int, ...], int, int, int, int]
"""Hands in lanes, players, makers, the seat that leads, tricks left."""


def boards_searched(shape: str, deals: int, monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """Every position that was judged while some deals were solved, in plain Python."""
    boards: set[Board] = set()
    judge = bounds.judge_lead

    def watch(s: Search, seat: int, unplayed: int, left: int, want: int) -> int:
        boards.add((tuple(hand & unplayed for hand in s.hands), s.players, s.makers, seat, left))
        return judge(s, seat, unplayed, left, want)

    monkeypatch.setattr(search, "judge_lead", watch)
    for position in deals_of(shape, deals, 77):
        answer_all.plain([unpack(Position, position)], [Answer()], [Search()], 0)
    return sorted(boards)


def in_strain_order(lanes: int, four_sides: bool) -> int:
    """The solver's lanes of 13 bits as the kernel's of 16; a Joker at no-trump has the place 60."""
    cards = 0
    for lane in range(4):
        cards |= (lanes >> WIDTH * lane & 0xFF) << 16 * lane
    return cards | lanes >> 52 << (60 if four_sides else 48)


def as_position(board: Board) -> Position:
    hands, players, makers, seat, _ = board
    four_sides = any(hand >> 39 & 0xFF for hand in hands) or not any(hand & TRUMPS for hand in hands)
    p = Position()
    p.hands[:] = [in_strain_order(hand, four_sides) for hand in hands]
    p.players, p.playing, p.makers, p.turn, p.winner = players, (1 << players) - 1, makers, seat, -1
    p.trump = 1 << 60 if four_sides else 0xFF << 48
    return p


@pytest.mark.parametrize("shape", SHAPES)
def test_every_bound_holds_at_every_node(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = boards_searched(shape, 6, monkeypatch)
    assert len(boards) > 50
    trues = plain(pack([as_position(board) for board in boards]))
    for board, true in zip(boards, trues, strict=True):
        check_bounds(board, true)


def check_bounds(board: Board, makers_tricks: int) -> None:
    hands, players, makers, seat, left = board
    ours = makers_tricks if makers >> seat & 1 else left - makers_tricks
    mates = [n for n in range(players) if n != seat and (makers >> n ^ makers >> seat) & 1 == 0]
    foes = [hands[n] for n in range(players) if (makers >> n ^ makers >> seat) & 1] + [0]
    hand, partner, foe, other = hands[seat], hands[mates[0]] if mates else 0, foes[0], foes[1]
    friends, enemies = hand | partner, foe | other
    if enemies & TRUMPS:
        assert bounds.cashing(hand, partner, foe, other, left) <= ours, board
        assert bounds.keeping_trumps(hand, partner, foe, other, left) <= ours, board
    else:
        for enough in range(left + 2):
            assert bounds.running(hand, partner, foe, other, left, enough) <= ours, board
    for one, other_one, enemy, most in (
        (hand, partner, enemies, ours),
        (hand, 0, enemies, ours),
        (partner, 0, enemies, ours),
        (foe, other, friends, left - ours),
        (foe, 0, friends, left - ours),
        (other, 0, friends, left - ours),
    ):
        longest = bounds.longest_trumps(one, other_one)
        assert bounds.high_trumps((one | other_one) & TRUMPS, enemy & TRUMPS, longest) <= most, board
    if not partner:
        assert bounds.outlasting(hand, enemies) <= ours, board
        assert bounds.leading_alone(hand, foe, other) <= ours, board
    if not other:
        assert bounds.outlasting(foe, friends) <= left - ours, board
    if not (friends | enemies) & TRUMPS:
        assert bounds.stoppers(hand, partner, foe, other, left) <= left - ours, board
    if not friends & TRUMPS:
        assert bounds.alone_with_trumps(foe, other | friends) <= left - ours, board
        assert bounds.alone_with_trumps(other, foe | friends) <= left - ours, board
    if not enemies & TRUMPS:
        assert bounds.alone_with_trumps(hand, partner | enemies) <= ours, board
        assert bounds.alone_with_trumps(partner, hand | enemies) <= ours, board
    assert count(hand) == left
