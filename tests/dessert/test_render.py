"""The `ansi` rendering says what everybody sees, and a hand to its player only (DE-14).

That nothing hidden shows is tested by `test_leaks.py` as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dessert_env import GAME, Config, raw_env, tables

from .playing import STYLES, VARIANTS, Position, study, styled_actions
from .reference import DESSERTS, GUESTS

ASKED = {
    "claim": "claim the guest, or decline?",
    "call": "serve the guest, or decline?",
    "serve": "which dessert to serve?",
    "steal": "steal, serve from the Waiting Room, freshen up, or be done?",
    "stop": "stop the theft, or allow it?",
    "bribe": "which dessert as a bribe?",
    "freshen": "which dessert to discard?",
}


# -- An independent rendering ------------------------------------------------------------------


def expected(config: Config, position: Position, viewer: int) -> str:
    """Return what a player sees of a position."""
    waiting = position["waiting_room"][::-1]
    lines = [
        headline(config, position),
        doing(position, viewer),
        *([f"new guest     {card(position['guest'])}"] if position["guest"] else []),
        f"waiting room  {listed(waiting)}",
        f"laid down     {listed(position['chosen'])}",
        f"dirty dishes  {listed(position['dirty'])}",
        f"piles         {len(position['pile'])} desserts, {len(position['guest_pile'])} guests",
    ]
    players = range(config.num_players)
    for player in [*players[viewer:], *players[:viewer]]:
        guests, hand = position["guests"][player], position["hands"][player]
        points = sum(GUESTS[guest].points for guest in guests)
        who = f"P{player} (you)" if player == viewer else f"P{player}"
        warned = ", warned" if position["warnings"][player] else ""
        lines += ["", f"{who}  {points} points, {len(hand)} desserts in hand{warned}"]
        lines += [f"    {card(guest)}" for guest in guests]
        lines += [f"    hand: {listed(hand)}"] if player == viewer else []
    return "\n".join(lines)


def headline(config: Config, position: Position) -> str:
    """Return how far the game has come."""
    text = f"Dessert  turn {position['turn']} of P{position['active']}"
    if not position["closing_turn"]:
        return text
    last = f" of {config.closing_rounds * config.num_players}" if config.closing_rounds else ""
    return f"{text}, closing time {position['closing_turn']}{last}"


def doing(position: Position, viewer: int) -> str:
    """Return what goes on, and what the viewer is asked, if it is."""
    phase, active, target = position["phase"], position["active"], position["target"]
    if phase == "over":
        if position["truncated"]:
            return "cut at the turn limit"
        return "a draw" if position["draw"] else f"P{position['winner']} has won"
    owner = next((p for p, guests in enumerate(position["guests"]) if target in guests), None)
    texts = {
        "guest": f"P{position['to_act']} serves {target}",
        "steal": f"P{active} steals {target} from P{owner}",
        "waiting room": f"P{active} serves {target} from the Waiting Room",
        None: "a guest is being served" if position["guest"] else f"steal phase of P{active}",
    }
    asked = f"; P{viewer}: {ASKED[phase]}" if viewer == position["to_act"] else ""
    return texts[position["serving"]] + asked


def listed(names: list[str]) -> str:
    """Return names with commas, or a dash."""
    return ", ".join(names) or "-"


def card(guest: str) -> str:
    """Return what is printed on a guest, without the points of its trio."""
    printed = GUESTS[guest]
    dislikes = f", no {' '.join(sorted(printed.dislikes))}" if printed.dislikes else ""
    cravings = " ".join(sorted(printed.cravings))
    return f"{guest} ({printed.trio}, {printed.points}): {cravings}{dislikes}"


def rendered(config: Config, position: Position, viewer: int) -> str:
    """Return a position as the library shows it to a player."""
    return GAME.render(GAME.position_from_dict(config, position), viewer)


# -- Whole texts -------------------------------------------------------------------------------

CALLED = study(
    Config(false_calls=True),
    ["Fudge, Peanut butter cups", "Baked Alaska", "Cheesecake, Napoleon, Spice cake"],
    ["The Emperor, Nana", "Fuzzy"],
    guest="Mojo", phase="call", call_order=[3, 1, 2], asked=[3], warnings=[0, 0, 0, 1],
    waiting_room="Wally, Inga", dirty="Pound cake, Sugar cookies",
)  # fmt: skip


def test_text_of_who_is_asked() -> None:
    """Who is asked sees the question, its hand, and what everybody sees."""
    assert (
        rendered(Config(false_calls=True), CALLED, 1)
        == """\
Dessert  turn 5 of P0
a guest is being served; P1: serve the guest, or decline?
new guest     Mojo (star, 3): cake chocolate fruit ice_cream
waiting room  Inga, Wally
laid down     -
dirty dishes  Pound cake, Sugar cookies
piles         68 desserts, 18 guests

P1 (you)  2 points, 1 desserts in hand
    Fuzzy (circle, 2): chocolate nuts, no marshmallow
    hand: Baked Alaska

P2  0 points, 3 desserts in hand

P3  0 points, 0 desserts in hand, warned

P0  4 points, 2 desserts in hand
    Nana (spade, 3): fruit ice_cream pie
    The Emperor (heart, 1): cake chocolate, no fruit veggies"""
    )


def test_text_of_who_is_not_asked() -> None:
    """Whoever is not asked, has been or will be sees that a guest is being served, no more."""
    assert (
        rendered(Config(false_calls=True), CALLED, 3)
        == """\
Dessert  turn 5 of P0
a guest is being served
new guest     Mojo (star, 3): cake chocolate fruit ice_cream
waiting room  Inga, Wally
laid down     -
dirty dishes  Pound cake, Sugar cookies
piles         68 desserts, 18 guests

P3 (you)  0 points, 0 desserts in hand, warned
    hand: -

P0  4 points, 2 desserts in hand
    Nana (spade, 3): fruit ice_cream pie
    The Emperor (heart, 1): cake chocolate, no fruit veggies

P1  2 points, 1 desserts in hand
    Fuzzy (circle, 2): chocolate nuts, no marshmallow

P2  0 points, 3 desserts in hand"""
    )


# -- Studied positions -------------------------------------------------------------------------

STUDIES: dict[str, Position] = {
    "claim": study(Config(), ["Baked Alaska"], guest="Mojo", phase="claim"),
    "new guest": study(Config(), ["", "", "Chocolate mousse, Yellow cake"], phase="serve",
                       guest="Boston Cream Pie Guy", to_act=2, chosen="Cheesecake"),
    "theft": study(Config(), ["", "Peanut brittle, Napoleon"], ["", "", "Fuzzy, Nana"], active=1,
                   phase="serve", serving="steal", target="Fuzzy", chosen="Fudge"),
    "stop": study(Config(), ["Peanut butter cups, Napoleon", "Fudge"], ["", "Fuzzy"],
                  phase="stop", target="Fuzzy"),
    "bribe": study(Config(), ["Fudge, Napoleon"], ["", "", "", "Fuzzy"], phase="bribe",
                   target="Fuzzy", chosen="Peanut butter cups", closing_turn=3, guest_pile=""),
    "waiting room": study(Config(), ["Peanut brittle"], phase="serve", serving="waiting room",
                          waiting_room="Wally, Fuzzy", chosen="Fudge"),
    "freshen": study(Config(), ["Fudge"], ["", "Nature Girl"], phase="freshen",
                     discarded="Candied ginger, Cheesecake", dirty="Pound cake"),
    "trio": study(Config(), ["Fudge"], ["Nana", "Fuzzy, Mr. Healthy, Roland"], phase="over",
                  winner=1, to_act=1, dirty="Cinnamon roll"),
    "draw": study(Config(), ["Fudge"], ["Nana", "Wally"], phase="over", draw=True, guest_pile="",
                  closing_turn=40),
    "cut": study(Config(max_turns=2), ["Fudge"], ["Nana", "Wally"], phase="over", truncated=True),
}  # fmt: skip


@pytest.mark.parametrize("name", STUDIES)
def test_studies(name: str) -> None:
    """Everybody sees just what is public, and its own hand."""
    config = Config(max_turns=2) if name == "cut" else Config()
    for viewer in range(4):
        text = rendered(config, STUDIES[name], viewer)
        assert sorted_cravings(text) == expected(config, STUDIES[name], viewer)


def sorted_cravings(text: str) -> str:
    """Return a rendering with the icons of each guest in alphabetical order."""
    lines = []
    for line in text.split("\n"):
        head, bracket, icons = line.partition("): ")
        cravings, comma, dislikes = icons.partition(", no ")
        lines.append(head + bracket + " ".join(sorted(cravings.split(" "))) + comma + dislikes)
    return "\n".join(lines)


def test_hidden_cards_change_nothing() -> None:
    """What a player sees is the same, whatever the others hold and however they are asked."""
    position = {**CALLED, "call_order": [3, 2, 1], "to_act": 2}
    position["hands"] = [["Banana split", "Fruitcake"], ["Baked Alaska"], DESSERTS[2:5], []]
    held = {name for hand in position["hands"] for name in hand} | set(CALLED["dirty"])
    position["pile"] = [name for name in DESSERTS if name not in held]
    config = Config(false_calls=True)
    assert rendered(config, position, 3) == rendered(config, CALLED, 3)
    bribed = STUDIES["bribe"]
    text = rendered(Config(), bribed, 3)
    assert "Napoleon" not in text
    assert "Fudge" not in text


@pytest.mark.parametrize("closing_rounds", [0, 1, None])
def test_closing_time(closing_rounds: int | None) -> None:
    """Turns of closing time are counted, of how many if it has an end."""
    config = Config(closing_rounds=closing_rounds)
    closing_turn = 0 if closing_rounds == 0 else 2
    position = study(config, ["Fudge"], guest_pile="", closing_turn=closing_turn)
    first = rendered(config, position, 0).split("\n")[0]
    told = {0: "", 1: ", closing time 2 of 4", None: ", closing time 2"}[closing_rounds]
    assert first == f"Dessert  turn {23 + closing_turn} of P0{told}"


# -- From play ---------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["standard", "2_players_false_calls", "6_players_cut"])
def test_every_position_can_be_shown(variant: str) -> None:
    """All players get the rendering that is expected of every position of play."""
    config: Any = VARIANTS[variant]
    rng = np.random.default_rng(0)
    dealt = tables(4, 0, config=config)
    phases = set()
    for step in range(250):
        dealt.step(styled_actions(dealt, rng, list(STYLES)[step // 25 % len(STYLES)]))
        ended = dealt.final_state[dealt.terminated | dealt.truncated]
        for number, table in enumerate([*dealt.state, *ended]):
            position = GAME.position_to_dict(table)
            phases.add(position["phase"])
            viewer = (number + step) % config.num_players
            text = GAME.render(table, viewer)
            assert sorted_cravings(text) == expected(config, position, viewer)
    assert phases == {*ASKED, "over"}


def test_lines_are_plain() -> None:
    """Text has no trailing blanks and no control characters, and is what the environment shows."""
    text = rendered(Config(), STUDIES["stop"], 1)
    assert text == "\n".join(line.rstrip() for line in text.splitlines())
    assert all(character.isprintable() for line in text.splitlines() for character in line)
    env = raw_env(render_mode="ansi")
    env.reset(seed=0, options={"position": STUDIES["stop"]})
    assert env.render() == text
