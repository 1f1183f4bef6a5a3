"""`bigpepper solve`: the table, the values and the line; JSON; sentences for what cannot be."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from bigpepper import BigPepperError, Deal, Rules
from bigpepper.cli.solve import command
from bigpepper.position import parse
from bigpepper.solve import Goal, deal_table, solve

POSITION = "hasenpfeffer | H | maker 0 | bid 6 | leader 0 | won 0,1,0,3 | AC 9C / TC KC / QC JC / 9D TD"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_values_and_a_line_in_words() -> None:
    shown = run(POSITION)
    assert "For tricks the makers can win 1 of the round." in shown
    assert "For points the makers can end −2 ahead of all defenders together." in shown
    assert "takes the trick." in shown
    assert "action" in shown


def test_json_holds_both_solutions() -> None:
    told = json.loads(run(POSITION, "--json"))
    for goal in Goal:
        solution = solve(parse(POSITION), goal)
        assert told[goal]["value"] == solution.value
        assert told[goal]["values"] == {str(action): value for action, value in solution.values.items()}
        assert told[goal]["line"] == [str(turn) for turn in solution.line]
        assert told[goal]["points"] == list(solution.points)
    assert told["position"] == str(parse(POSITION))


def test_the_table_of_a_deal() -> None:
    rules = Rules.load("pepper-4")
    deal = Deal.random(rules, 3)
    told = json.loads(run("--deal", str(deal), "--table", "--json"))
    assert told == {str(strain): list(row) for strain, row in deal_table(rules, deal).items()}
    shown = run("--deal", str(deal), "--table")
    assert "seat 3 leads" in shown
    assert "NT" in shown


def test_another_rulebook() -> None:
    deal = Deal.random(Rules.load("pepper-3"), 3)
    assert len(json.loads(run("--deal", str(deal), "--table", "--rules", "pepper-3", "--json"))["H"]) == 3


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (POSITION.replace("9C", "AC"), "AC is there twice"),
        (POSITION.replace("AC 9C", "AC"), "Seat 0 has 1 card and should have 2"),
        (POSITION.replace("9C", "1C"), "“1C” is no card"),
    ],
)
def test_an_impossible_position_gets_a_sentence(wrong: str, sentence: str) -> None:
    with pytest.raises(BigPepperError, match=sentence):
        CliRunner().invoke(command, [wrong], catch_exceptions=False)


def test_a_position_or_a_deal() -> None:
    assert CliRunner().invoke(command, []).exit_code == 2
    assert CliRunner().invoke(command, [POSITION, "--table"]).exit_code == 2
