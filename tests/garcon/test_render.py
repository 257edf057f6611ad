"""The `ansi` rendering says what lies on the table, and keeps hidden faces to itself.

That nothing hidden shows is tested by `test_leaks.py` as well, from real play.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from garcon_env import GAME, Config, raw_env
from garcon_env.state import OVER

from .states import (
    SYMBOLS,
    VARIANTS,
    Position,
    did,
    face,
    opened,
    player,
    positions,
    shown,
    study,
)

MARKET = ("tea", "lemonade;soup", "coffee;soup", "orange juice", "hot chocolate;steak")


def table_of_four(**changes: object) -> Position:
    """Return a position in which everybody has done something: player 0 is to act."""
    return study(
        player(
            opened("coffee;tea;sandwich;croissant", 3, repeat=True),
            opened("hot chocolate", 1, notebook=True),
            completed="*coffee tea;salad",
            last=did("notebook"),
        ),
        player(opened("coffee;salad", 2), last=did("leave")),
        player(opened("tea;sandwich", 0), last=did("take", 2, "tea;sandwich")),
        player(completed="lemonade", last=did("complete")),
        **{
            "order_discards": [face("tea;soup;pancakes"), face("tea")],
            "market_orders": [face(dishes) for dishes in MARKET],
            "event_discards": {"repeat": 0, "notebook": 1, "leave": 2},
            **changes,
        },
    )


def rendered(position: Position, viewer: int, config: Config | None = None) -> str:
    """Return a position as a player sees it, without the alignment."""
    text = GAME.render(GAME.position_from_dict(config or Config(), position), viewer)
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def assert_shown(text: str, *parts: str) -> None:
    """Check that all these parts are there, and in this order."""
    at = 0
    for part in parts:
        assert part in text[at:], f"{part!r} in\n{text[at:]}"
        at += text[at:].index(part) + len(part)


def test_what_the_player_to_act_sees() -> None:
    """The rendering tells what a person in that seat could see."""
    assert_shown(
        rendered(table_of_four(), 0),
        "turn 40, target 8 P0 to act\n",
        "order 0 1: tea\n", "order 1 2: lemonade, soup\n", "order 2 2: coffee, soup\n",
        "order 3 1: orange juice\n", "order 4 2: hot chocolate, steak\n",
        "events repeat, leave\n",
        "piles 40 orders, 6 events; discarded: 2 orders, 0 repeat, 1 notebook, 2 leave\n",
        "> P0 (you), first player 4 points last: notebook\n",
        "0 [2-1-1] +repeat age 3 ?\n", "1 [1-0-0] +notebook age 1 hot chocolate\n",
        "completed +repeat coffee\n", "completed tea, salad\n",
        "P1 0 points last: leave\n", "0 [1-1-0] age 2 ?\n",
        "P2 0 points last: take 2 (tea, sandwich)\n", "0 [1-1-0] age 0 ?\n",
        "P3 1 points last: complete\n", "completed lemonade",
    )  # fmt: skip


def test_what_others_see() -> None:
    """Nobody sees what lies under another's Notebook, or what nobody has turned over."""
    text = rendered(table_of_four(), 1)
    assert_shown(
        text,
        "P1 (you) 0 points last: leave\n", "0 [1-1-0] age 2 ?\n",
        "P3 1 points", "completed lemonade",
        "> P0, first player 4 points last: notebook\n",
        "0 [2-1-1] +repeat age 3 ?\n", "1 [1-0-0] +notebook age 1 ?\n", "completed +repeat coffee",
    )  # fmt: skip
    assert "croissant" not in text
    assert text.count("hot chocolate") == 1  # on the table


def test_what_was_taken_is_for_oneself_to_remember() -> None:
    """The others are told the face of the order that a player took, the player is not (GA-11)."""
    for viewer in range(4):
        told = "" if viewer == 2 else " (tea, sandwich)"
        assert f"points last: take 2{told}\n" in rendered(table_of_four(), viewer)


@pytest.mark.parametrize(("recall", "told"), [(0, False), (2, False), (3, True), (None, True)])
def test_recall(recall: int | None, told: bool) -> None:
    """`recall` shows the owner its own orders for so many turns, and nobody else (GA-8)."""
    config = dataclasses.replace(Config(), recall=recall)
    own = "coffee, salad" if told else "?"
    assert f"0 [1-1-0] age 2 {own}\n" in rendered(table_of_four(), 1, config)
    for other in (0, 2, 3):
        assert "0 [1-1-0] age 2 ?" in rendered(table_of_four(), other, config)


def test_naming() -> None:
    """What has been named is public, and nothing else of the order."""
    texts = []
    for said in ([], ["coffee"], ["tea", "lemonade"]):
        position = table_of_four(phase="naming", naming={"order": 0, "said": said})
        told = ", ".join(said) or "nothing yet"
        for viewer in range(4):
            texts.append(rendered(position, viewer))
            assert_shown(texts[-1], f"P0 to act, naming its order 0: {told}\n", "[2-1-1] +repeat")
    assert not any("croissant" in text for text in texts)


def test_the_clock() -> None:
    """With a clock its places are shown, and no target."""
    position = study(
        player(opened("coffee;salad", 2), last=did("pass")),
        *(player() for _ in range(3)),
        clock=1, phase="choose", final_round=True,
    )  # fmt: skip
    text = rendered(position, 2, Config(clock=True, clock_places=1))
    assert_shown(text, "turn 40, clock 1 of 1, last round P0 to act\n", "last: pass\n", "age 2 ?")
    assert "target" not in text


def test_empty_slots() -> None:
    """A slot that could not be filled is a dash."""
    position = table_of_four(phase="choose", market_events=[None, "notebook"], turns_done=160)
    position["order_discards"] += [*position["order_pile"], position["market_orders"][1]]
    position["market_orders"][1], position["order_pile"] = None, []
    for name, number in position["event_pile"].items():
        position["event_discards"][name] += number
        position["event_pile"][name] = 0
    text = rendered(position, 0)
    assert_shown(text, "order 1 -\n", "events -, notebook\n", "piles 0 orders, 0 events", "43 or")


def test_the_end() -> None:
    """The rendering says how the game ended, and keeps open orders hidden still."""
    nine = "*coffee;omelette;fruit_tart tea;soup;pancakes"
    done = [player(completed=orders, last=did("complete")) for orders in (nine, "tea")]
    last = player(opened("coffee;salad", 2))
    won = study(*done, last, player(), phase="over", winner=0, final_round=True, to_act=3,
                market_orders=[face(dishes) for dishes in MARKET])  # fmt: skip
    text = rendered(won, 1)
    assert_shown(text, "turn 40, target 8, last round P0 has won\n", "P2 0 points", "age 2 ?")
    assert ">" not in text
    other = "*coffee;salad;pancakes lemonade;salad;ice_cream"
    tied = [player(completed=orders, last=did("complete")) for orders in (nine, other)]
    draw = study(*tied, player(), player(), phase="over", winner="draw", final_round=True, to_act=3,
                 market_orders=[face(dishes) for dishes in MARKET])  # fmt: skip
    assert "target 8, last round a draw\n" in rendered(draw, 0)
    cut = study(*(player() for _ in range(4)), phase="over", truncated=True, turns_done=200,
                to_act=3)  # fmt: skip
    assert "turn 200, target 8 cut at the turn limit\n" in rendered(cut, 0)


def test_lines_are_plain() -> None:
    """Text has no trailing blanks and no control characters, and is what the environment shows."""
    text = GAME.render(GAME.position_from_dict(Config(), table_of_four()), 0)
    assert text == "\n".join(line.rstrip() for line in text.splitlines())
    assert all(character.isprintable() for line in text.splitlines() for character in line)
    env = raw_env(render_mode="ansi")
    env.reset(seed=0, options={"position": table_of_four()})
    assert env.render() == text


@pytest.mark.parametrize("variant", ["rulebook", "any", "memory", "perfect", "10_players"])
def test_every_position_can_be_shown(variant: str) -> None:
    """All players get a rendering of every position: its orders, and the faces they may see."""
    config = VARIANTS[variant]
    for number, table in enumerate(positions(config, seed=5, per_kind=4)):
        position = GAME.position_to_dict(table)
        for viewer in {0, number % config.players, config.players - 1}:
            lines = [" ".join(s.split()) for s in GAME.render(table, viewer).splitlines()]
            blocks = "\n".join(lines).split("\n\n")
            assert len(blocks) == config.players + 1
            for slot, order in enumerate(position["market_orders"]):
                told = blocks[0].split("\n")[slot + 1].partition(": ")[2]
                assert told == ", ".join(order or [])
            for distance, block in enumerate(blocks[1:]):
                seat = (viewer + distance) % config.players
                one = position["players"][seat]
                head, *cards = block.split("\n")
                assert f"P{seat}" in head
                assert f"{one['points']} points" in head
                assert (head[0] == ">") == (seat == position["to_act"] and table["phase"] != OVER)
                expected = [
                    told_of(config, place, order, seat == viewer)
                    for place, order in enumerate(one["open"])
                ]
                assert cards[: len(expected)] == expected
                done = sorted(
                    f"completed{' +repeat' * o['repeat']} {', '.join(o['face'])}"
                    for o in one["completed"]
                )
                assert sorted(cards[len(expected) :]) == done
    assert np.isin(OVER, positions(config, seed=5, per_kind=4)["phase"])


def told_of(config: Config, place: int, order: Position, own: bool) -> str:
    """Return the line of an open order."""
    back = "-".join(str(order["back"].count(symbol)) for symbol in SYMBOLS)
    marks = " +repeat" * order["repeat"] + " +notebook" * order["notebook"]
    told = ", ".join(order["face"]) if own and shown(config, order) else "?"
    return f"{place} [{back}]{marks} age {order['age']} {told}"
