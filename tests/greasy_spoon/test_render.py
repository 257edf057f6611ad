"""The `ansi` rendering says what lies on the table, and keeps hidden cards to itself.

That nothing hidden shows is tested by `test_leaks.py` as well, from real play.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from greasy_spoon_env import GAME, PRESETS, Config
from greasy_spoon_env.state import COMPLETING, OVER

from .states import Position, positions, seated, side, side_at_the_end, study

HAND = "K1 M1 R1 K2 M2 R2 K3 M3 R3 K4 M4"
OTHER_HAND = "K1 K1 M1 R1 K2 M2 R2 K3 M3 R3 K5"
THREE = Config(best_of=3)


def facing(**changes: Any) -> Position:
    """Return a position in the second game of a match: player 0 faces a Combo 1."""
    return study(
        side(HAND, "K6 M6", "R6 R6"),
        side(OTHER_HAND, "", "K6 K6 M1 R1 R2 R3 M5"),
        **{
            "dish": "R1 R2 R3 + M5",
            "leader": 1,
            "set_aside": [2, 1],
            "recalled": [False, True],
            "score": [0, 1],
            "starter": 1,
            "games_played": 1,
            **changes,
        },
    )


def half_served() -> Position:
    """Return the same position after the first half of an answer."""
    position = facing(phase="complete", pending={"main": "K1 K2 K3", "with": "drink"})
    position["players"][0] = side("M1 R1 M2 R2 M3 R3 K4 M6", "K6 M6", "R6 R6", out="K1 K2 K3")
    return position


def setting_aside() -> Position:
    """Return a position in which player 0 has set two cards aside."""
    return facing(
        players=[
            side("K1 M1 R1 K2 M2 R2 R3 K4 M4", "K3 M3 M6", "R6 R6"), facing()["players"][1],
        ],
        phase="stash", dish=None, stashed=2, last_stashed="M3", set_aside=[1, 1],
    )  # fmt: skip


def rendered(position: Position, player: int, config: Config = THREE) -> str:
    """Return a position as a player sees it, without the alignment."""
    text = GAME.render(GAME.position_from_dict(config, position), player)
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def assert_shown(text: str, *parts: str) -> None:
    """Check that all these parts are there, and in this order."""
    at = 0
    for part in parts:
        assert part in text[at:], f"{part!r} in\n{text[at:]}"
        at += text[at:].index(part) + len(part)


def test_what_the_player_to_act_sees() -> None:
    """The rendering tells everything that a person in that seat could see."""
    assert_shown(
        rendered(facing(), 0),
        "best of 3, score 0-1", "P0 to serve or pass\n",
        "R1 R2 R3 + M5 (Combo 1: Fancy Dog & Soda)\n",
        "> P0 (you) set aside 2 in its last pass\n",
        f"hand 11 {HAND}\n", "draw 39\n", "backburner 2 K6 M6\n", "served 2 R6 R6\n",
        "P1, starter set aside 1 in its last pass, recalled\n",
        "hand 11 ???????????\n", "draw 36\n", "backburner 0\n",
        "served 7 M1 R1 R2 R3 M5 K6 K6",
    )  # fmt: skip


def test_what_the_waiting_player_sees() -> None:
    """The other player sees the same table with its own cards."""
    assert_shown(
        rendered(facing(), 1),
        "P0 to serve or pass\n", "R1 R2 R3 + M5 (Combo 1: Fancy Dog & Soda)\n",
        "P1 (you), starter set aside 1", f"hand 11 {OTHER_HAND}\n", "backburner 0\n",
        "> P0 set aside 2", "hand 11 ???????????\n", "backburner 2 ??\n", "served 2 R6 R6",
    )  # fmt: skip


def test_half_a_combination() -> None:
    """Who completes a combination is told of what; the opponent sees a turn that goes on."""
    own, other = rendered(half_served(), 0), rendered(half_served(), 1)
    assert_shown(own, "P0 to complete K1 K2 K3 + drink\n", "hand 8 M1 R1 M2 R2 M3 R3 K4 M6\n")
    assert_shown(other, "P0 to serve or pass\n", "> P0", "hand 11 ???????????\n", "served 2 R6 R6")
    assert other == rendered(facing(), 1)


def test_setting_aside() -> None:
    """How many cards have been set aside is public, which ones is not."""
    own, other = rendered(setting_aside(), 0), rendered(setting_aside(), 1)
    told = "P0 has passed and set aside 2, the last M3\n"
    assert_shown(own, told, "dish -\n", "backburner 3 K3 M3 M6\n")
    assert_shown(other, "P0 has passed and set aside 2\n", "> P0", "hand 9 ?????????\n", "3 ???\n")


@pytest.mark.parametrize(
    ("served", "dish", "announced"),
    [
        ("M1", "M1", "(Soda)"),
        ("M1 K2", "M1 K2", "(Rings)"),
        ("K6 R6", "K6 R6", "(Fries)"),
        ("M5 M6", "M5 M6", "(Fancy Rings)"),
        ("K1 K1", "K1 K1", "(Fancy Fries)"),
        ("M1 R2 R3", "M1 R2 R3", "(Hot Dog)"),
        ("K5 K5 R5", "K5 K5 R5", "(Cheeseburger)"),
        ("R3 R4 R5", "R3 R4 R5", "(Fancy Dog)"),
        ("M5 M5 M5", "M5 M5 M5", "(Fancy Burger)"),
        ("M2 M4 K5 R6", "M4 K5 R6 + M2", "(Combo 1: Hot Dog & Soda)"),
        ("M1 R1 K5 K5 R5", "K5 K5 R5 + M1 R1", "(Combo 2: Cheeseburger & Fries)"),
    ],
)
def test_dishes_are_announced(served: str, dish: str, announced: str) -> None:
    """A dish is shown with its cards and with the names of the menu."""
    players = side(HAND), side(HAND, "", served)
    position = study(*players, dish=dish, leader=1, starter=1)
    for player in range(2):
        assert f"\ndish {dish} {announced}\n" in rendered(position, player, Config())


def test_to_lead() -> None:
    """Without a dish on the table somebody leads."""
    position = study(side(HAND), side(HAND))
    for player in range(2):
        assert_shown(
            rendered(position, player, Config()), "best of 1, score 0-0 P0 to lead\ndish -\n"
        )


def test_the_end() -> None:
    """The rendering says who has won, and keeps the loser's cards hidden still."""
    position = study(side_at_the_end("K1"), side(OTHER_HAND, "R5"), score=[1, 0], games_played=1)
    dealt = seated(THREE, position)
    dealt.step([0])
    text = "\n".join(" ".join(line.split()) for line in GAME.render(dealt.state[0], 0).splitlines())
    assert_shown(text, "score 2-0 P0 has won\n", "K1 (Soda)\n", "P0 (you)", "hand 0\n", "P1",
                 "hand 11 ???????????\n", "backburner 1 ?\n")  # fmt: skip
    assert ">" not in text
    assert f"hand 11 {OTHER_HAND}" in " ".join(GAME.render(dealt.state[0], 1).split())


def test_lines_are_plain() -> None:
    """Text is plain ASCII without trailing blanks, and piles stand under each other."""
    text = GAME.render(GAME.position_from_dict(THREE, facing()), 0)
    assert text.isascii()
    assert text == "\n".join(line.rstrip() for line in text.splitlines())
    piles = [
        line for line in text.splitlines() if re.match(r" +(hand|draw|backburner|served) ", line)
    ]
    assert len(piles) == 8
    assert len({re.match(r" +\w+ +\d+", line).end() for line in piles}) == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("match", ["best_of_1", "best_of_5_no_recall"])
def test_every_position_can_be_shown(match: str) -> None:
    """Both players get a rendering of every position that shows their cards, and sizes of all."""
    for table in positions(PRESETS[match], seed=5, per_kind=4):
        position = GAME.position_to_dict(table)
        for player in range(2):
            lines = [line.split() for line in GAME.render(table, player).splitlines()]
            piles = [line for line in lines if line and line[0] in position["players"][0]]
            for number, half in ((player, 0), (1 - player, 1)):
                for name in ("hand", "draw", "backburner", "served"):
                    cards = position["players"][number][name]
                    size = len(cards)
                    if name == "hand" and half and number == position["to_act"]:
                        size += 3 * (table["phase"] == COMPLETING)
                    head, shown = piles.pop(0), cards
                    if name == "draw":
                        shown = []
                    elif half and name != "served":
                        shown = ["?" * size] if size else []
                    assert head == [name, str(size), *shown]
            assert not piles
            assert any(">" in line for line in lines) == (table["phase"] != OVER)
