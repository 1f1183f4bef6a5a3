"""The game, once: `start`, `legal`, `apply`, `follow`, `beats`, `take_trick`, `score`, `view` and the end of a game.

Plain functions on records (see `records`), called as they are for one game and compiled inside batch loops. They trust
their arguments; checking is done by the skins (`State`, `Game`). "rules §n" cites docs/rules/normative.md.
"""

from __future__ import annotations

from bigpepper.jit import copier, count, lowest, place_of, share
from bigpepper.records import (
    ALONE_DEFENDER,
    AUCTION,
    DEFENCE,
    DISCARD,
    FINAL_PASS,
    JOKER_BIDS_3,
    NAMING,
    ONE_ROUND,
    OVER,
    PICK_UP,
    PLAY,
    SAME_DEALER,
    STICK_DEALER,
    Public,
    Round,
    Tables,
    View,
)

copy_public = copier(Public.fields)


# --- seats ----------------------------------------------------------------------------------------------------------


@share
def left_of(t: Tables, seat: int) -> int:
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < t.players else 0


@share
def next_playing(r: Public, t: Tables, seat: int) -> int:
    """The next seat clockwise that takes part in the play."""
    seat = left_of(t, seat)
    while not r.playing >> seat & 1:
        seat = left_of(t, seat)
    return seat


@share
def side_of(t: Tables, seat: int) -> int:
    """The side of a seat: with four players partners sit opposite; otherwise each is a side (rules, words)."""
    return seat % t.sides


# --- start ----------------------------------------------------------------------------------------------------------


@share
def start(r: Round, t: Tables, dealer: int) -> None:
    """Begin the round of the deal in `r.dealt` and `r.widow`, from `r.scores`; the seat left of the dealer speaks."""
    r.phase, r.dealer, r.turn = AUCTION, dealer, left_of(t, dealer)
    r.bid = r.maker = r.joker_seat = r.strain = r.lone = r.lone_defender = -1
    r.leader = r.winner = r.claimer = r.discarded = -1
    r.calls = r.passes = r.passed = r.led = r.best = r.thrown = 0
    r.playing = (1 << t.players) - 1
    r.left = t.hand_size
    for seat in range(4):
        r.hands[seat] = r.dealt[seat]
        r.trick[seat] = r.won[seat] = r.points[seat] = r.claimed[seat] = 0
    for i in range(r.length):
        r.acts[i] = r.seats[i] = 0
    r.length = 0


# --- what is legal --------------------------------------------------------------------------------------------------


@share
def legal(r: Round, t: Tables) -> int:
    """The legal choices of the seat to act, as a mask in the phase's space; 0 when the round is over."""
    if r.phase == PLAY:
        return follow(r.hands[r.turn], r.led)
    if r.phase == AUCTION:
        return legal_calls(r, t)
    if r.phase == NAMING:
        return (1 << t.names) - 1
    if r.phase == DISCARD:
        return r.hands[r.turn]
    return 0b11 if r.phase == DEFENCE else 0


@share
def legal_calls(r: Public, t: Tables) -> int:
    """Pass, or a bid above the standing one (rules §3)."""
    if r.bid >= 0:
        return t.bids_mask & (-1 << (r.bid + 2)) | 1
    if r.joker_seat >= 0:
        return 1 << (t.joker_bid + 1)
    if t.all_pass == STICK_DEALER and r.turn == r.dealer:
        return t.bids_mask & ~1
    return t.bids_mask


@share
def follow(hand: int, led: int) -> int:
    """The cards of `hand` that may be played when the suit `led` (a mask, 0 for none) was led (rules §5)."""
    own = hand & led
    return own if own else hand


@share
def beats(bit: int, best: int, led: int, trump: int) -> bool:
    """Whether the card `bit` beats the card `best` that is winning so far: a higher one of the suit led or of trumps.

    All places are in strain order, where every trump is higher than every other card.
    """
    return bit > best and bit & (led | trump) != 0


# --- apply ----------------------------------------------------------------------------------------------------------


@share
def apply(r: Round, t: Tables, choice: int) -> None:
    """The seat to act makes one of its legal choices; `choice` is that bit of `legal`."""
    if r.phase == PLAY:
        place = place_of(choice)
        log(r, t.first_play + t.card[r.strain][place])
        play(r, t, choice, place)
    elif r.phase == AUCTION:
        log(r, place_of(choice))
        call(r, t, place_of(choice))
    elif r.phase == NAMING:
        log(r, t.first_name + place_of(choice))
        name(r, t, place_of(choice))
    elif r.phase == DISCARD:
        log(r, t.actions)
        discard(r, t, choice)
    else:
        log(r, t.defend if choice == 0b10 else 0)
        answer(r, t, choice == 0b10)


@share
def log(r: Public, action: int) -> None:
    """Write down the action's number and who did it."""
    r.acts[r.length] = action
    r.seats[r.length] = r.turn
    r.length += 1


# --- the auction (rules §3) -----------------------------------------------------------------------------------------


@share
def call(r: Round, t: Tables, number: int) -> None:
    """The seat to act passes (0) or says the bid `number` - 1."""
    r.calls += 1
    if number == 0:
        r.passes += 1
        r.passed |= 1 << r.turn
    else:
        r.bid, r.maker, r.passes = number - 1, r.turn, 0
    if not closed(r, t):
        next_call(r, t)
    elif r.bid >= 0:
        end_auction(r, t)
    else:
        all_passed(r, t)


@share
def closed(r: Public, t: Tables) -> bool:
    """Whether nobody is asked any more: the top of the ladder, the Joker's bid, or the auction's mode ends it."""
    if r.bid == t.bids - 1 or r.joker_seat >= 0:
        return True
    if t.auction == ONE_ROUND:
        return r.calls == t.players
    bidders = 1 if r.bid >= 0 else 0
    if t.auction == FINAL_PASS:
        return count(r.passed) == t.players - bidders
    return r.passes == t.players - bidders


@share
def next_call(r: Public, t: Tables) -> None:
    """The next seat clockwise is asked; under final-pass those that have passed are skipped."""
    r.turn = left_of(t, r.turn)
    if t.auction == FINAL_PASS:
        while r.passed >> r.turn & 1:
            r.turn = left_of(t, r.turn)


@share
def all_passed(r: Round, t: Tables) -> None:
    """Everybody passed: the holder of the Joker must bid where the rulebook says so, or the round is thrown in."""
    if t.all_pass == JOKER_BIDS_3:
        for seat in range(t.players):
            if r.hands[seat] >> t.joker & 1:
                r.joker_seat = r.turn = seat
                return
    r.phase, r.turn, r.thrown = OVER, -1, 1


@share
def end_auction(r: Round, t: Tables) -> None:
    """The maker takes the widow, if the rulebook has it so, and is to name the strain (rules §4)."""
    r.phase, r.turn = NAMING, r.maker
    if t.widow == PICK_UP:
        r.hands[r.maker] |= 1 << r.widow


# --- from the auction to the first lead (rules §4) ------------------------------------------------------------------


@share
def name(r: Round, t: Tables, number: int) -> None:
    """The maker names the strain, and whether he goes alone; hands go into strain order."""
    r.strain = t.name_strain[number]
    for seat in range(t.players):
        r.hands[seat] = strain_order(t, r.strain, r.hands[seat])
    if t.name_alone[number]:
        r.lone = r.maker
        r.playing &= ~(1 << partner_of(r.maker))
    if t.widow == PICK_UP:
        r.phase = DISCARD
    else:
        ask_defenders(r, t)


@share
def strain_order(t: Tables, strain: int, cards: int) -> int:
    """A mask of cards in printed order → the same cards in strain order."""
    ordered = 0
    while cards:
        bit = lowest(cards)
        cards ^= bit
        ordered |= 1 << t.place[strain][place_of(bit)]
    return ordered


@share
def printed_order(t: Tables, strain: int, cards: int) -> int:
    """A mask of cards in strain order → the same cards in printed order."""
    printed = 0
    while cards:
        bit = lowest(cards)
        cards ^= bit
        printed |= 1 << t.card[strain][place_of(bit)]
    return printed


@share
def partner_of(seat: int) -> int:
    """The seat opposite; only with four players."""
    return seat ^ 2


@share
def discard(r: Round, t: Tables, bit: int) -> None:
    """The maker lays one card away, face down."""
    r.hands[r.maker] ^= bit
    r.discarded = t.card[r.strain][place_of(bit)]
    ask_defenders(r, t)


@share
def ask_defenders(r: Round, t: Tables) -> None:
    """Against a lone maker each defender may say that he defends alone; the one to the maker's left is asked first."""
    if r.lone >= 0 and t.alone == ALONE_DEFENDER:
        r.phase, r.turn = DEFENCE, next_playing(r, t, r.maker)
    else:
        begin_play(r, t)


@share
def answer(r: Round, t: Tables, defends: bool) -> None:
    """A defender defends alone, or passes; the first who defends ends the asking."""
    if defends:
        r.lone_defender = r.turn
        r.playing &= ~(1 << partner_of(r.turn))
        begin_play(r, t)
        return
    r.turn = next_playing(r, t, r.turn)
    if r.turn == r.maker:
        begin_play(r, t)


@share
def begin_play(r: Round, t: Tables) -> None:
    """The first lead: a lone defender, else the playing seat left of a lone maker, else as the rulebook says."""
    leader = left_of(t, r.dealer)
    if r.lone >= 0:
        leader = next_playing(r, t, r.maker)  # a lone defender is the only one of his side who is playing
    elif t.maker_leads:
        leader = r.maker
    r.phase = PLAY
    r.leader = r.turn = leader


# --- the play (rules §5) --------------------------------------------------------------------------------------------


@share
def play(r: Round, t: Tables, bit: int, place: int) -> None:
    """The seat to act plays the card `bit`, at `place`; after the last card of a trick its winner takes it."""
    seat = r.turn
    r.hands[seat] ^= bit
    r.trick[seat] = bit
    if r.best == 0:
        r.led, r.best, r.winner = t.suit[r.strain][place], bit, seat
    elif beats(bit, r.best, r.led, t.trump[r.strain]):
        r.best, r.winner = bit, seat
    r.turn = next_playing(r, t, seat)
    if r.trick[r.turn]:
        take_trick(r, t)


@share
def take_trick(r: Round, t: Tables) -> None:
    """The winner takes the trick and leads to the next; after the last one the round is scored."""
    r.won[r.winner] += 1
    r.left -= 1
    r.leader = r.turn = r.winner
    r.led = r.best = 0
    r.winner = -1
    for seat in range(4):
        r.trick[seat] = 0
    if r.left == 0:
        score(r, t)


@share
def concede(r: Round, t: Tables) -> None:
    """End the round in play: the tricks left go to the seats as `r.claimed` says, by the claim of `r.claimer`."""
    for seat in range(t.players):
        r.won[seat] += r.claimed[seat]
    score(r, t)


# --- the score (rules §1, §4, §5) -----------------------------------------------------------------------------------


@share
def score(r: Round, t: Tables) -> None:
    """End the round with its points a side."""
    makers = side_of(t, r.maker)
    for seat in range(t.players):
        side = side_of(t, seat)
        if side != makers:
            r.points[side] += t.defenders_score * r.won[seat]
    r.points[makers] = makers_points(r, t, tricks_of(r, t, makers))
    r.phase, r.turn = OVER, -1


@share
def tricks_of(r: Public, t: Tables, side: int) -> int:
    """Tricks won by a side so far."""
    tricks = 0
    for seat in range(side, t.players, t.sides):
        tricks += r.won[seat]
    return tricks


@share
def is_made(r: Public, t: Tables) -> bool:
    """Whether the makers have won the tricks that they bid (rules §4)."""
    return tricks_of(r, t, side_of(t, r.maker)) >= t.bid_tricks[r.bid]


@share
def makers_points(r: Public, t: Tables, tricks: int) -> int:
    """Points of the makers for `tricks` tricks under the contract in force."""
    bid = r.bid
    if tricks < t.bid_tricks[bid]:
        return -(t.failed_points[bid] + t.failed_each[bid] * tricks)
    points = t.made_points[bid] + t.made_each[bid] * tricks
    return points * t.stakes if r.lone >= 0 and tricks == t.hand_size else points


# --- rounds make a game (rules §5) ----------------------------------------------------------------------------------


@share
def next_dealer(r: Public, t: Tables) -> int:
    """Who deals after this round: the next seat clockwise; the same one after a throw-in under same-dealer."""
    if r.thrown and t.all_pass == SAME_DEALER:
        return r.dealer
    return left_of(t, r.dealer)


@share
def winners(r: Round, t: Tables, rounds: int) -> int:
    """Mask of the sides that have won after this, the `rounds`-th, round; 0 while the game goes on."""
    reached = 0
    for side in range(t.sides):
        if r.scores[side] + r.points[side] >= t.target:
            reached |= 1 << side
    if reached == 0:
        limit = t.round_limit
        return highest_scores(r, t, (1 << t.sides) - 1) if limit and rounds >= limit else 0
    if t.makers_first and r.maker >= 0 and reached >> side_of(t, r.maker) & 1:
        return 1 << side_of(t, r.maker)
    return highest_scores(r, t, reached)


@share
def highest_scores(r: Round, t: Tables, among: int) -> int:
    """Mask of the sides with the highest score of those in the mask `among`."""
    best, sides = 0, 0
    for side in range(t.sides):
        total = r.scores[side] + r.points[side]
        if among >> side & 1:
            if sides == 0 or total > best:
                best, sides = total, 1 << side
            elif total == best:
                sides |= 1 << side
    return sides


# --- what a seat sees -----------------------------------------------------------------------------------------------


@share
def view(r: Round, t: Tables, seat: int, v: View) -> None:
    """Write into `v` what `seat` may know of the round; -1 for a spectator, who knows the public part alone."""
    copy_public(v, r)
    view_own(r, t, seat, v)


@share
def view_own(r: Round, t: Tables, seat: int, v: View) -> None:
    """Write into `v` what `seat` alone knows of the round; its public part is left as it is."""
    v.seat = seat
    v.own_dealt = v.hand = v.legal = 0
    v.own_widow = v.own_discard = -1
    if seat < 0:
        return
    v.own_dealt, v.hand = r.dealt[seat], r.hands[seat]
    if seat == r.turn:
        v.legal = legal(r, t)
    if seat == r.maker and r.phase != AUCTION and t.widow == PICK_UP:
        v.own_widow, v.own_discard = r.widow, r.discarded
