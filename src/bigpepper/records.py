"""The records: the state of a round, what one seat sees of it, and a rulebook's tables. Fields exist here, once.

A *mask* is a set of small things, bit i for thing i. Cards stand in masks by their place:
before the strain is named, the card's number in the rulebook's printed deck (C D H S, ranks rising, Joker last);
from then on its place in *strain order*: a lane of 16 bits a suit, ranks ascending from the lane's lowest bit without
gaps, trumps in the top lane with the bowers and the Joker highest. At no-trump the Joker has the place 60, in no suit.

`legal` masks are in the phase's own space:
auction: bit 0 pass, bit 1 + i the i-th bid of the ladder; naming: bit i the i-th of the rulebook's names;
discard and play: the card's place; defence: bit 0 pass, bit 1 defend.
"""

# No `from __future__ import annotations` here: `record` reads the annotations as values.

from typing import Final

from bigpepper.jit import Bytes128, OfPlace, PlaceOfCard, Record, Row4, Row5, Row10, Row24, record

AUCTION: Final = 0
NAMING: Final = 1
DISCARD: Final = 2
DEFENCE: Final = 3
PLAY: Final = 4
OVER: Final = 5

RE_ENTRY: Final = 0
FINAL_PASS: Final = 1
ONE_ROUND: Final = 2

THROW_IN: Final = 0
SAME_DEALER: Final = 1
STICK_DEALER: Final = 2
JOKER_BIDS_3: Final = 3

NO_WIDOW: Final = 0
PICK_UP: Final = 1
DEAD_WIDOW: Final = 2

ALONE_NO: Final = 0
ALONE_MAKERS: Final = 1
ALONE_DEFENDER: Final = 2

NO_TRUMP: Final = 4
JOKER_PLACE: Final = 60
LONGEST_ROUND: Final = 128
"""No round has more actions: at most 3 + 24 × 3 + 1 calls, 1 name, 1 discard, 2 answers, 32 cards."""


@record
class Public(Record):
    """What everybody at the table knows of a round."""

    phase: int  # AUCTION … OVER
    turn: int  # seat to act, -1 when over
    dealer: int  # seat
    scores: Row4  # points a side before this round, any sign
    bid: int  # standing bid, 0 … 23 on the ladder; -1 none
    maker: int  # its bidder, seat; -1 none
    calls: int  # calls of the auction so far, 0 …
    passes: int  # passes in succession, 0 …
    passed: int  # mask of seats that have passed at least once
    joker_seat: int  # seat that has to bid because it holds the Joker; -1 (rules §3)
    strain: int  # 0 … 3 C D H S, 4 no-trump; -1 not named
    lone: int  # seat of the lone maker; -1
    lone_defender: int  # seat; -1
    playing: int  # mask of seats that take part in the play
    leader: int  # seat that led to this trick, or leads to the next; -1 before the play
    led: int  # mask of the places of the suit led; 0: nothing to follow
    best: int  # bit of the card that is winning this trick; 0: nobody has played yet
    winner: int  # seat that is winning this trick; -1
    trick: Row4  # bit of the card a seat has played to this trick; 0 none
    won: Row4  # tricks won a seat, 0 … 8
    left: int  # tricks not yet completed, 0 … 8
    thrown: int  # 1: thrown in
    points: Row4  # points of this round a side; zeros until it is scored
    claimer: int  # seat that ended the round by a claim; -1
    claimed: Row4  # tricks that claim gave each seat
    length: int  # actions so far, 0 … 128
    acts: Bytes128  # numbers of the actions so far; a discard has the number of all actions, whatever its card
    seats: Bytes128  # who did them


@record
class Round(Public):
    """The whole truth of one round."""

    dealt: Row4  # hand a seat as dealt, printed order
    hands: Row4  # hand a seat now; in strain order once the strain is named
    widow: int  # number of the widow's card in the printed deck; -1 none
    discarded: int  # number of the discarded card in the printed deck; -1 none


@record
class View(Public):
    """What one seat knows of a round: the public part, and its own."""

    seat: int  # -1: a spectator
    own_dealt: int  # own hand as dealt, printed order; 0 for a spectator
    hand: int  # own hand now, order as in Round.hands
    own_widow: int  # the widow's card, for the maker who picked it up; -1
    own_discard: int  # the card he discarded; -1
    legal: int  # mask in the phase's space; 0 when it is not this seat's turn


@record
class Tables(Record):
    """A rulebook as numbers, made by `Rules.tables`; never changed afterwards."""

    players: int  # 2 … 4
    sides: int  # 2, or 3 with three players; side of a seat = seat % sides
    hand_size: int  # cards each, 1 … 8
    deck_size: int  # 2 … 25
    joker: int  # number of the Joker in the printed deck; -1 none
    auction: int  # RE_ENTRY, FINAL_PASS, ONE_ROUND
    all_pass: int  # THROW_IN … JOKER_BIDS_3
    widow: int  # NO_WIDOW, PICK_UP, DEAD_WIDOW
    alone: int  # ALONE_NO, ALONE_MAKERS, ALONE_DEFENDER
    stakes: int  # factor for a lone maker who wins all tricks
    maker_leads: int  # 1: the maker leads first; 0: the seat left of the dealer
    defenders_score: int  # points a trick for the defenders, 0 or 1
    target: int  # points
    makers_first: int  # 1: of those at the target the makers win alone
    round_limit: int  # rounds; 0 none
    bids: int  # length of the ladder, 1 … 24
    bids_mask: int  # legal calls of an auction in which nobody has bid, pass included
    joker_bid: int  # lowest permitted bid of at least 3 tricks, on the ladder; -1
    bid_tricks: Row24  # tricks a bid promises
    made_points: Row24  # added when made, whatever the tricks …
    made_each: Row24  # … and a trick won
    failed_points: Row24  # subtracted when failed, whatever the tricks …
    failed_each: Row24  # … and a trick won
    names: int  # how many names the maker may choose from, 1 … 10
    name_strain: Row10  # strain of a name
    name_alone: Row10  # 1: alone
    first_name: int  # number of the first Name action
    defend: int  # number of the Defend action
    first_discard: int  # number of the first Discard action
    first_play: int  # number of the first Play action
    actions: int  # how many actions there are, ≤ 87; also stands for a hidden discard in logs
    place: PlaceOfCard  # place in strain order, by strain and number in the printed deck
    card: OfPlace  # number in the printed deck, by strain and place; -1 where no card is
    suit: OfPlace  # mask of the suit a card at this place belongs to; 0 for the Joker at no-trump
    trump: Row5  # mask of the trumps, by strain; at no-trump the Joker's place, or 0
