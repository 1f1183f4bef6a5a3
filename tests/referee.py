"""A second referee, for tests only: slow, naive and written from the rules alone.

It shares nothing with the package: cards are texts such as "JH", hands are lists, the auction is a list of calls from
which everything is worked out anew each time. The sections (§) cited are those of the rules. Where the rules say
nothing, the docstring says "Silent:" and what was chosen.
"""

from __future__ import annotations

from typing import Any

Options = dict[str, Any]
"""A rulebook: the keys of rules §6 with the values of its TOML form; `round_limit` may be absent."""

SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


# --- §2 Ranks and §5 follow suit: which card belongs where, what may be played, what wins ---------


def suit_lists(strain: str) -> dict[str, list[str]]:
    """Every suit's cards, high to low, when `strain` (C D H S or NT) has been named (rules §2).

    Written for the full pack: a card that is not in the deck (a jack, or the colour partner of trumps) is in no hand
    either, so that its place in the list does no harm. At no-trump the Joker stands in no list: it belongs to no suit.
    """
    lists = {suit: [rank + suit for rank in "AKQJT9"] for suit in "CDHS"}
    if strain != "NT":
        right, left = "J" + strain, "J" + SAME_COLOUR[strain]
        lists[strain].remove(right)
        lists[SAME_COLOUR[strain]].remove(left)
        lists[strain] = ["JO", right, left, *lists[strain]]
    return lists


def suit_of(card: str, strain: str) -> str | None:
    """The suit a card belongs to: bowers and Joker are trumps; None for the Joker at no-trump (rules §2)."""
    for suit, cards in suit_lists(strain).items():
        if card in cards:
            return suit
    return None


def playable(hand: list[str], trick: list[str], strain: str) -> set[str]:
    """The cards of `hand` that may be added to `trick`: follow the suit led if able, otherwise any card (rules §5).

    The Joker at no-trump needs no word of its own: of no suit, it never follows, and when it is led nobody has to.
    """
    if not trick:
        return set(hand)
    led = suit_of(trick[0], strain)
    following = {card for card in hand if led is not None and suit_of(card, strain) == led}
    return following or set(hand)


def best_card(trick: list[str], strain: str) -> str:
    """The card that wins a full trick, its cards in playing order (rules §5; the Joker at no-trump: §2)."""
    if strain == "NT" and "JO" in trick:
        return "JO"
    lists = suit_lists(strain)
    led = suit_of(trick[0], strain)
    trumps = [] if strain == "NT" else lists[strain]
    for card in trumps + (lists[led] if led else []):
        if card in trick:
            return card
    raise AssertionError(f"no card wins the trick {trick} at {strain}")


# --- §3 Auction -----------------------------------------------------------------------------------


class Auction:
    """The auction as the list of its calls, (seat, text) each, from which the next speaker is worked out (rules §3)."""

    def __init__(self, options: Options, dealer: int, joker_seat: int | None) -> None:
        self.options = options
        self.players: int = options["players"]
        self.dealer = dealer
        self.joker_seat = joker_seat
        self.calls: list[tuple[int, str]] = []
        names = [bid["name"] for bid in options["ladder"]]
        self.permitted: list[str] = names[names.index(options["minimum_bid"]) :]

    def standing(self) -> tuple[int, str] | None:
        """The highest bid so far with its bidder; None while nobody has bid."""
        bids = [(seat, text) for seat, text in self.calls if text != "pass"]
        return bids[-1] if bids else None

    def all_passed(self) -> bool:
        """Every seat has passed and nobody had bid before (a bid of the Joker's holder may have followed)."""
        first_words = [text for _, text in self.calls[: self.players]]
        return first_words == ["pass"] * self.players

    def turn(self) -> int | None:
        """The seat to speak; None when the auction is closed."""
        bid = self.standing()
        if bid is not None and bid[1] == self.permitted[-1]:
            return None  # the top of the ladder ends the auction at once
        if self.all_passed():
            return self._joker_turn()
        mode = {"re-entry": self._re_entry, "final-pass": self._final_pass, "one-round": self._one_round}
        return mode[self.options["auction"]]()

    def _joker_turn(self) -> int | None:
        """`joker-bids-3`: one more turn for the Joker's holder; his bid closes the auction in every mode."""
        if self.options["all_pass"] == "joker-bids-3" and self.standing() is None:
            return self.joker_seat
        return None

    def _clockwise(self) -> int:
        return (self.dealer + 1 + len(self.calls)) % self.players

    def _re_entry(self) -> int | None:
        """Every seat in turn; closed when the others have all passed, so that the standing bidder would be next."""
        bid = self.standing()
        return None if bid is not None and bid[0] == self._clockwise() else self._clockwise()

    def _one_round(self) -> int | None:
        return self._clockwise() if len(self.calls) < self.players else None

    def _final_pass(self) -> int | None:
        """A seat that passed is skipped; closed when a bid stands and only its bidder is left."""
        passed = {seat for seat, text in self.calls if text == "pass"}
        left = [seat for seat in range(self.players) if seat not in passed]
        bid = self.standing()
        if bid is not None and left == [bid[0]]:
            return None
        last_speaker = self.calls[-1][0] if self.calls else self.dealer
        return next(seat for seat in seats_from(last_speaker + 1, self.players) if seat in left)

    def legal(self) -> set[str]:
        """The calls of the seat to speak; empty when the auction is closed."""
        turn, bid = self.turn(), self.standing()
        if turn is None:
            return set()
        if self.all_passed():
            return {self._lowest_of_three()}
        if bid is not None:
            return {"pass", *self.permitted[self.permitted.index(bid[1]) + 1 :]}
        stuck = self.options["all_pass"] == "stick-dealer" and turn == self.dealer
        return set(self.permitted) if stuck else {"pass", *self.permitted}

    def _lowest_of_three(self) -> str:
        """The lowest permitted bid of at least 3 tricks."""
        enough = [bid["name"] for bid in self.options["ladder"] if bid["tricks"] >= 3 and bid["name"] in self.permitted]
        return str(enough[0])


def seats_from(first: int, players: int) -> list[int]:
    """All seats, clockwise, starting with `first`."""
    return [(first + step) % players for step in range(players)]


# --- §5 Score and end of the game -----------------------------------------------------------------


def side_of(seat: int, players: int) -> int:
    """The side of a seat: partners sit opposite with 4 players, else everybody is a side of his own (rules, Words)."""
    return seat % 2 if players == 4 else seat


def award(value: int | str, tricks_won: int, bid_tricks: int) -> int:
    """What `made` or `failed` in the ladder comes to: a number, `tricks-won` or `bid`, a word also with `*k` (§6)."""
    if isinstance(value, int):
        return value
    word, _, factor = value.partition("*")
    return {"tricks-won": tricks_won, "bid": bid_tricks}[word] * int(factor or 1)


def score(options: Options, bid_name: str, maker: int, tricks_won: list[int], lone: bool) -> list[int]:
    """Points of a round, one value per side, from the tricks of each seat (rules §1 and §4 alone, §6 ladder)."""
    players = options["players"]
    makers = side_of(maker, players)
    tricks = [0] * (2 if players == 4 else players)
    for seat, won in enumerate(tricks_won):
        tricks[side_of(seat, players)] += won
    points = list(tricks) if options["defenders"] == "per-trick" else [0] * len(tricks)
    bid = next(bid for bid in options["ladder"] if bid["name"] == bid_name)
    if tricks[makers] >= bid["tricks"]:
        points[makers] = award(bid["made"], tricks[makers], bid["tricks"])
    else:
        points[makers] = -award(bid["failed"], tricks[makers], bid["tricks"])
    if lone and tricks[makers] == options["cards"]:
        points[makers] *= options["alone_stakes"]
    return points


def winners(options: Options, scores: list[int], makers_side: int | None, rounds_played: int) -> set[int]:
    """The winning sides after a round; empty while the game goes on (rules §5).

    `makers_side` is None after a thrown-in round; `rounds_played` counts thrown-in rounds too.
    """
    arrived = {side for side, points in enumerate(scores) if points >= options["target"]}
    if not arrived:
        limit = options.get("round_limit")
        arrived = set(range(len(scores))) if limit is not None and rounds_played >= limit else set()
    elif options["finish"] == "makers-first" and makers_side in arrived:
        return {makers_side}
    best = max((scores[side] for side in arrived), default=0)
    return {side for side in arrived if scores[side] == best}


# --- One round, from the first call to the score --------------------------------------------------


class Referee:
    """One round under a rulebook; every method raises ValueError for what the rules do not allow.

    `hands` has one list of card texts per seat (a dead hand is simply not given); `widow` is the odd card of a rulebook
    with the Joker. `phase` is auction, naming, discard, defence, play or over.
    """

    def __init__(self, options: Options, hands: list[list[str]], dealer: int, widow: str | None = None) -> None:
        check_deal(options, hands, dealer, widow)
        self.options = options
        self.players: int = options["players"]
        self.dealer = dealer
        self.widow = widow
        self.hands = [list(hand) for hand in hands]
        holders = [seat for seat, hand in enumerate(hands) if "JO" in hand]
        self.auction = Auction(options, dealer, holders[0] if holders else None)
        self.phase = "auction"
        self.turn: int | None = self.auction.turn()
        self.thrown_in = False
        self.maker: int | None = None
        self.bid: str | None = None
        self.strain: str | None = None
        self.lone: int | None = None
        self.lone_defender: int | None = None
        self.discarded: str | None = None
        self.trick: list[tuple[int, str]] = []
        self.tricks_won = [0] * self.players

    @property
    def over(self) -> bool:
        """The round is at its end: scored, claimed or thrown in."""
        return self.phase == "over"

    @property
    def points(self) -> list[int] | None:
        """Points of the round, one value per side; None before its end, zeros if it was thrown in (rules §5)."""
        if not self.over:
            return None
        if self.maker is None or self.bid is None:
            return [0] * (2 if self.players == 4 else self.players)
        return score(self.options, self.bid, self.maker, self.tricks_won, self.lone is not None)

    def next_dealer(self) -> int:
        """The dealer of the next round: clockwise, but after a throw-in under `same-dealer` the same again (§1, §3)."""
        if not self.over:
            raise ValueError("the round is not over")
        again = self.thrown_in and self.options["all_pass"] == "same-dealer"
        return self.dealer if again else (self.dealer + 1) % self.players

    def legal(self) -> set[str]:
        """The texts of all actions of the seat to act; empty when the round is over."""
        if self.phase == "auction":
            return self.auction.legal()
        if self.phase == "naming":
            alone = [] if self.options["alone"] == "no" else [f"{strain}-alone" for strain in self.options["strains"]]
            return {*self.options["strains"], *alone}
        if self.phase == "discard":
            return {f"discard-{card}" for card in self.hands[self._acting()]}
        if self.phase == "defence":
            return {"defend", "pass"}
        if self.phase == "play":
            return playable(self.hands[self._acting()], [card for _, card in self.trick], self._named())
        return set()

    def apply(self, text: str) -> None:
        """Carry out the action `text` of the seat to act."""
        if text not in self.legal():
            raise ValueError(
                f"{text!r} is not legal for seat {self.turn} in the phase {self.phase}: {sorted(self.legal())}"
            )
        steps = {
            "auction": self._call,
            "naming": self._name,
            "discard": self._discard,
            "defence": self._answer,
            "play": self._play,
        }
        steps[self.phase](text)

    # §3: the auction, and how it ends

    def _call(self, text: str) -> None:
        self.auction.calls.append((self._acting(), text))
        self.turn = self.auction.turn()
        if self.turn is not None:
            return
        standing = self.auction.standing()
        if standing is None:
            self.thrown_in = True
            self._enter("over", None)
        else:
            self.maker, self.bid = standing
            self._take_widow()

    # §4: the steps from the auction to the first lead, numbered as there

    def _take_widow(self) -> None:
        """Step 1."""
        maker = self._maker()
        if self.options["widow"] == "pick-up" and self.widow is not None:
            self.hands[maker].append(self.widow)
        self._enter("naming", maker)

    def _name(self, text: str) -> None:
        """Step 2."""
        self.strain, _, alone = text.partition("-")
        if alone:
            self.lone = self.maker
        if self.options["widow"] == "pick-up":
            self._enter("discard", self.maker)
        else:
            self._ask_defenders()

    def _discard(self, text: str) -> None:
        """Step 3."""
        self.discarded = text.removeprefix("discard-")
        self.hands[self._maker()].remove(self.discarded)
        self._ask_defenders()

    def _ask_defenders(self) -> None:
        """Step 4: the defenders sit to the maker's left and right (partnerships only)."""
        if self.lone is not None and self.options["alone"] == "makers-and-defender":
            self._enter("defence", (self.lone + 1) % 4)
        else:
            self._first_lead()

    def _answer(self, text: str) -> None:
        """Step 4, one answer: the first `defend` ends the asking."""
        last_asked = (self._maker() + 3) % 4
        if text == "defend":
            self.lone_defender = self.turn
        elif self.turn != last_asked:
            self._enter("defence", last_asked)
            return
        self._first_lead()

    def _first_lead(self) -> None:
        """Step 5."""
        if self.lone_defender is not None:
            leader = self.lone_defender
        elif self.lone is not None:
            leader = self._next_playing(self.lone)
        elif self.options["lead"] == "maker":
            leader = self._maker()
        else:
            leader = (self.dealer + 1) % self.players
        self._enter("play", leader)

    def playing(self) -> list[int]:
        """The seats that take part in the play: a lone player's partner does not (rules §4)."""
        resting = [(seat + 2) % 4 for seat in (self.lone, self.lone_defender) if seat is not None]
        return [seat for seat in range(self.players) if seat not in resting]

    # §5: the play

    def _play(self, card: str) -> None:
        seat = self._acting()
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < len(self.playing()):
            self.turn = self._next_playing(seat)
            return
        best = best_card([played for _, played in self.trick], self._named())
        winner = next(player for player, played in self.trick if played == best)
        self.tricks_won[winner] += 1
        self.trick = []
        self._enter("play", winner)
        if sum(self.tricks_won) == self.options["cards"]:
            self._enter("over", None)

    def claim(self, seat: int, n: int, split: list[int] | None = None) -> None:
        """End the round in play: the claimant's side gets exactly `n` of the remaining tricks, the others the rest.

        A trick begun counts as remaining. 3 players: `n` is all or none; for none `split` has one value per seat, the
        claimant's being 0. Silent: who may claim; here any seat that takes part in the play, at any moment of it.
        """
        remaining = self.options["cards"] - sum(self.tricks_won)
        if self.phase != "play" or seat not in self.playing() or not 0 <= n <= remaining:
            raise ValueError(f"seat {seat} cannot claim {n} of {remaining} tricks in the phase {self.phase}")
        for player, extra in enumerate(self._shares(seat, n, remaining, split)):
            self.tricks_won[player] += extra
        self._enter("over", None)

    def _shares(self, seat: int, n: int, remaining: int, split: list[int] | None) -> list[int]:
        """The claimed tricks, one value per seat; with partners the others' share stands at the first of them."""
        if self.players == 3 and n == 0:
            if split is None or len(split) != 3 or split[seat] != 0 or sum(split) != remaining or min(split) < 0:
                raise ValueError(f"the split {split} does not share {remaining} tricks between the other two")
            return split
        if split is not None or (self.players == 3 and n != remaining):
            raise ValueError("three players claim all or none, and only a claim of none has a split")
        shares = [0] * self.players
        shares[seat] = n
        own = side_of(seat, self.players)
        opponents = [other for other in self.playing() if side_of(other, self.players) != own]
        shares[opponents[0]] = remaining - n
        return shares

    # small helpers

    def _enter(self, phase: str, turn: int | None) -> None:
        self.phase, self.turn = phase, turn

    def _next_playing(self, seat: int) -> int:
        return next(other for other in seats_from(seat + 1, self.players) if other in self.playing())

    def _acting(self) -> int:
        assert self.turn is not None
        return self.turn

    def _maker(self) -> int:
        assert self.maker is not None
        return self.maker

    def _named(self) -> str:
        assert self.strain is not None
        return self.strain


def deck(options: Options) -> list[str]:
    """All cards of the rulebook's deck (rules §6)."""
    plain = [rank + suit for suit in options["suits"] for rank in options["ranks"]]
    return [*plain, "JO"] if options["joker"] else plain


def check_deal(options: Options, hands: list[list[str]], dealer: int, widow: str | None) -> None:
    """Refuse, with ValueError, hands that are no deal of the rulebook (the dead hand may be left unsaid)."""
    given = [card for hand in hands for card in hand] + ([] if widow is None else [widow])
    if len(hands) != options["players"] or any(len(hand) != options["cards"] for hand in hands):
        raise ValueError("the number of hands or of cards in a hand does not fit the rulebook")
    if len(set(given)) != len(given) or not set(given) <= set(deck(options)):
        raise ValueError("a card is given twice or is not in the deck")
    if (widow is None) == options["joker"] or dealer not in range(options["players"]):
        raise ValueError("a widow belongs to a deck with the Joker, the dealer to the table")
