"""docs/strength.md from the newest results of all sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from bigpepper.arena.selfplay import THROWN_IN, Count
from tools.strength import folder, plan

Data = dict[str, Any]


def page() -> str:
    """The page's text."""
    parts = [_HEAD]
    for section, (title, text, body) in _SECTIONS.items():
        data = folder.read(section)
        parts += [f"## {title}", text]
        if data is None:
            parts.append(f"Not measured yet: `make strength-{section}`.")
        else:
            parts += [body(data), f"Measured {data['date']}, {data['machine']}, by `make strength-{section}`."]
    return "\n\n".join(parts) + "\n"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; the first column is text, the others are figures."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def points(estimate: Data | None) -> str:
    """Points with their interval."""
    return "–" if estimate is None else f"{estimate['mean']:+.2f} ({estimate['low']:+.2f} … {estimate['high']:+.2f})"


def percent(estimate: Data | None) -> str:
    """A part of 1 with its interval, in %."""
    if estimate is None:
        return "–"
    mean, low, high = (f"{100 * estimate[key]:.1f}" for key in ("mean", "low", "high"))
    return f"{mean} ({low} … {high})"


# --- the sections ---------------------------------------------------------------------------------------------------


def _ladder(data: Data) -> str:
    rows = []
    for match in data["matches"]:
        stronger, weaker = match["bots"]
        pair, accepted = match["pairings"][0], match["sprt"]["accepted"]
        rows.append(
            [
                f"{match['rules']}: {weaker} < {stronger}",
                holds(accepted, pair["games_won"]),
                points(pair["points"]),
                percent(pair["games_won"]),
                f"{match['deals']} + {match['games']}",
            ]
        )
    test = data["matches"][0]["sprt"]
    others = [match for match in data["matches"] if match["sprt"]["h1"] != test["h1"]]
    but = "".join(f" ({match['sprt']['h1']} for {match['name']})" for match in others)
    told = (
        f"The test: H0 a difference of {test['h0']}, H1 of {test['h1']}{but} points a round, both errors at most "
        f"{100 * test['alpha']:.0f} %. Bots play for the game: where points do not say so and the interval of games "
        "won is above a half, it holds “by games”. “undecided”: the time was up first. An interval after a test that "
        "stopped early is a little optimistic; the test is not."
    )
    return table(["", "holds", "points a round", "games won, %", "deals + games"], rows) + "\n\n" + told


def holds(accepted: str | None, games_won: Data | None) -> str:
    """Whether the stronger bot is stronger: by the test of points, else by games won."""
    if accepted == "H1":
        return "yes"
    if games_won and games_won["low"] > 0.5:
        return "by games"
    return "**no**" if accepted else "**undecided**"


def _oracle(data: Data) -> str:
    rows = [
        [match["rules"], " – ".join(pair["bots"]), points(pair["points"])]
        for match in data["matches"]
        for pair in match["pairings"]
    ]
    closed = [
        [match["rules"], f"{match['bots'][-1]}", percent(match["gap_closed"])]
        for match in data["matches"]
        if "gap_closed" in match
    ]
    told = table(["", "pairing", "points a round"], rows)
    return told if not closed else told + "\n\n" + table(["", "bot", "of novice's gap closed, %"], closed)


def _worlds(data: Data) -> str:
    if not data["matches"]:
        return "There is no `expert` yet."
    timed = (folder.read("time") or {"times": []})["times"]
    times = {row["bot"]: row for row in timed if row["rules"] == plan.OF_BUDGETS}
    rows = [
        [
            match["name"],
            points(match["pairings"][0]["points"]),
            *(f"{times[match['name']][key]:.1f}" if match["name"] in times else "–" for key in ("mean", "p99")),
            str(match["deals"]),
        ]
        for match in data["matches"]
    ]
    return table(["", f"points a round over {plan.REFERENCE}", "mean ms", "p99 ms", "deals"], rows)


def _time(data: Data) -> str:
    rows = [
        [row["rules"], row["bot"], *(f"{row[key]:.2f}" for key in ("mean", "p50", "p99", "most")), str(row["n"])]
        for row in data["times"]
    ]
    return table(["", "bot", "mean ms", "p50", "p99", "most", "decisions"], rows)


def _bids(data: Data) -> str:
    parts = [f"Games of `{data['bot']}` with itself."]
    for one in data["tables"]:
        counts = {bid: Count(*count) for bid, count in one["bids"].items()}
        rounds = max(1, sum(count.contracts for count in counts.values()))
        thrown = counts.pop(THROWN_IN, Count()).contracts
        rows = [_bid_row(bid, counts[bid], rounds) for bid in _in_order(one["rules"], counts)]
        head = f"**{one['rules']}**: {one['games']} games, {rounds} rounds, {100 * thrown / rounds:.1f} % thrown in."
        heads = ["bid", "said, % of rounds", "contract, %", "made, %", "makers' points", "others' points"]
        parts += [head, table(heads, rows)]
    return "\n\n".join(parts)


def _in_order(rules: str, counts: dict[str, Count]) -> list[str]:
    import bigpepper as bp

    return [str(bid) for bid in bp.Rules.load(rules).bids if str(bid) in counts]


def _bid_row(bid: str, count: Count, rounds: int) -> list[str]:
    n = count.contracts
    means = [f"{100 * count.made / n:.1f}", f"{count.points / n:+.2f}", f"{count.others / n:+.2f}"] if n else ["–"] * 3
    return [bid, f"{100 * count.said / rounds:.1f}", f"{100 * n / rounds:.1f}", *means]


def _parts(data: Data) -> str:
    if not data["matches"]:
        return "There is no `expert` yet."
    rows = [
        [match["name"], f"`{match['bots'][1]}`", points(match["pairings"][0]["points"]), str(match["deals"])]
        for match in data["matches"]
    ]
    return table(["what expert has", "without it", "points a round it earns", "deals"], rows)


_HEAD: Final = """# How strong the bots are

Generated by `make strength`, from the newest result of each section in `docs/strength/`. How it is measured:
[arena.md](arena.md). Every deal is played from every seating; intervals are 95 %, by resampling deals."""

_SECTIONS: Final[dict[str, tuple[str, str, Callable[[Data], str]]]] = {
    "ladder": ("The ladder", "Is each bot stronger than the one before it, in every rulebook but `tiny`?", _ladder),
    "oracle": (
        "Beside an oracle",
        "The oracle calls, names and discards as the best bot and plays its cards with all hands open. The part of the "
        "gap that is closed: 1 less the best bot's distance to the oracle over novice's distance to it.",
        _oracle,
    ),
    "worlds": ("Worlds and time against strength", f"On {plan.OF_BUDGETS}, all on the same deals.", _worlds),
    "time": ("Time", "Milliseconds of computing on one core, for each decision that leaves a choice.", _time),
    "bids": ("Bids", "Points are of the round: the makers', and the mean of the other sides'.", _bids),
    "parts": (
        "What each part of `expert` earned",
        f"`expert` against itself without the part, {plan.OF_BUDGETS}.",
        _parts,
    ),
}
