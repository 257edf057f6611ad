"""The rulebook's examples, the worked examples of the design, and each ruling, in words.

Players sit at seats of the same number. A stack is written as its card, its dishes bottom to
top and perhaps its cover.
"""

from __future__ import annotations

from typing import Any

import pytest

from hey_waiter_env import GAME, Config
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, legal_actions, play, seat_player, seated, study

TWO = VARIANTS["2_players"]
THREE = VARIANTS["3_players"]
PARTNERS = VARIANTS["4_partnership"]
SECRET = VARIANTS["secret_2v2"]

IDLE = seat_player("WGRBW", "W WW", "W W")
"""A player whose stacks show white dishes only."""

ONE = seat_player("GGRRBB", "W W")
"""A player with a single dish."""


def stacks_of(position: dict[str, Any], player: int) -> list[str]:
    """Return a player's stacks as they are written here."""
    return [
        f"{entry['card']} {entry['dishes']}" + (f" +{entry['cover']}" if entry["cover"] else "")
        for entry in position["players"][player]["stacks"]
    ]


def offered(dealt: Tables, start: str) -> list[str]:
    """Return the legal actions whose text begins with `start`, sorted."""
    return sorted(text for text in legal_actions(dealt) if text.startswith(start))


def cards_of(position: dict[str, Any], player: int) -> tuple[int, int]:
    """Return how many cards a player holds, and how many stacks it has."""
    entry = position["players"][player]
    return len(entry["hand"]), len(entry["stacks"])


# -- The rulebook's four examples --------------------------------------------------------------


def test_green_with_red() -> None:
    """GREEN with red: everyone serves the red dishes on top of all stacks."""
    dealt = seated(
        PARTNERS,
        study(
            PARTNERS,
            seat_player("GRWWW", "W GR", "B RG"),
            seat_player("WWBBG", "W WR", "B BR"),
            seat_player("WWBBGG", "W WBR"),
            seat_player("WWBBGG", "W RB"),
        ),
    )
    after = play(dealt, "G>R")
    assert stacks_of(after, 0) == ["W G", "B RG"]
    assert stacks_of(after, 1) == ["W W", "B B"]
    assert stacks_of(after, 2) == ["W WB"]
    assert stacks_of(after, 3) == ["W RB"]
    assert after["discard"] == {"W": 0, "G": 1, "R": 1, "B": 0}
    assert after["to_act"] == 1
    assert after["turn"] == 9


def test_red_with_blue() -> None:
    """RED with blue: the blue cover goes from the table onto any stack, or back again."""
    position = study(
        PARTNERS,
        seat_player("RBWWW", "W GR", "B RG +W"),
        seat_player("RBWWW", "W WR", "B BR"),
        seat_player("WWBBGG", "W WBR"),
        seat_player("WWBBGG", "W RB"),
    )
    dealt = seated(PARTNERS, position)
    places = ["P0.0", "P1.0", "P1.1", "P2.0", "P3.0"]  # the covered stack is left out
    assert offered(dealt, "R>B") == [f"R>B {place}" for place in places]
    after = play(dealt, "R>B P2.0")
    assert stacks_of(after, 2) == ["W WBR +B"]
    assert after["covers"] == "GR"
    assert offered(dealt, "R>B") == ["R>B P2.0"]  # never from stack to stack
    after = play(dealt, "R>B P2.0")
    assert stacks_of(after, 2) == ["W WBR"]
    assert after["covers"] == "GRB"


def test_white_with_red() -> None:
    """WHITE with red: lift a red cover from an own stack, or turn the red busboy, or both."""
    position = study(
        TWO, seat_player("WRGGB", "W GR +G", "B RG +R"), seat_player("WWBBG", "W W", "B BR")
    )
    choices = ["W>R lift 1", "W>R lift 1 turn", "W>R turn"]
    assert offered(seated(TWO, position), "W>R") == choices
    lifted = play(seated(TWO, position), choices[0])
    assert stacks_of(lifted, 0) == ["W GR +G", "B RG"]
    assert lifted["covers"] == "WRB"
    assert lifted["players"][0]["busboys"]["R"] == "face"
    both = play(seated(TWO, position), choices[1])
    assert stacks_of(both, 0) == ["W GR +G", "B RG"]
    assert both["players"][0]["busboys"] == {"W": "face", "G": "face", "R": "serve", "B": "face"}
    turned = play(seated(TWO, position), choices[2])
    assert stacks_of(turned, 0) == ["W GR +G", "B RG +R"]
    assert turned["covers"] == "WB"
    assert turned["players"][0]["busboys"]["R"] == "serve"


def test_blue_with_blue() -> None:
    """BLUE with blue: a blue dish moves with all dishes above it."""
    position = study(TWO, seat_player("BBGRW", "W GBRW", "B BG"), IDLE)
    new = play(seated(TWO, position), "B>B 0.1 new R")
    assert stacks_of(new, 0) == ["W G", "B BG", "R BRW"]
    assert cards_of(new, 0) == (4, 3)
    onto = play(seated(TWO, position), "B>B 0.1 onto 1")
    assert stacks_of(onto, 0) == ["W G", "B BGBRW"]
    assert cards_of(onto, 0) == (5, 2)
    assert onto["discard"] == {"W": 0, "G": 0, "R": 0, "B": 2}


# -- The design's worked examples --------------------------------------------------------------


def test_only_the_top_dish_is_served() -> None:
    """Of two red dishes on top, one is served and the next stays."""
    dealt = seated(TWO, study(TWO, seat_player("GRWWWB", "W WRR"), IDLE))
    assert stacks_of(play(dealt, "G>R"), 0) == ["W WR"]


@pytest.mark.parametrize(("hand", "lift"), [("BBBRB", "R>B P0.0"), ("BBBWB", "W>B lift 0")])
def test_cover_blocks_until_lifted(hand: str, lift: str) -> None:
    """A covered top dish stays through a G of its colour; once lifted, it goes."""
    dealt = seated(
        TWO,
        study(
            TWO,
            seat_player(hand, "W WR +B", "B WR"),
            seat_player("GGRRW", "W W", "W W"),
            to_act=1,
        ),
    )
    assert stacks_of(play(dealt, "G>R"), 0) == ["W WR +B", "B W"]
    assert stacks_of(play(dealt, lift), 0) == ["W WR", "B W"]
    position = GAME.position_to_dict(dealt.state[0])
    dealt = seated(TWO, deal_hand(position, 1, "GGRRW"))
    assert stacks_of(play(dealt, "G>R"), 0) == ["W W", "B W"]


def deal_hand(position: dict[str, Any], player: int, hand: str) -> dict[str, Any]:
    """Exchange a player's hand with cards of the draw pile."""
    players = [dict(entry) for entry in position["players"]]
    draw = dict(position["draw"])
    for colour in draw:
        draw[colour] += players[player]["hand"].count(colour) - hand.count(colour)
    players[player]["hand"] = hand
    return {**position, "players": players, "draw": draw}


def test_lift_and_serve_in_one_turn() -> None:
    """W>R lifts the red cover from a single dish and serves it: the card comes back."""
    dealt = seated(
        TWO,
        study(TWO, seat_player("WRGGB", "G GG", "B W +R", serve="R"), seat_player("WWWWWW", "W W")),
    )
    assert offered(dealt, "W>R") == [
        "W>R lift 1",
        "W>R lift 1 serve 0",
        "W>R lift 1 serve 1",
        "W>R serve 0",
    ]
    after = play(dealt, "W>R lift 1 serve 1")
    assert stacks_of(after, 0) == ["G GG"]
    assert after["covers"] == "WGRB"
    assert after["players"][0]["busboys"]["R"] == "face"
    assert after["players"][0]["hand"].count("B") >= 2  # kept, and back from under the stack
    assert cards_of(after, 0) == (6, 1)


def test_five_stacks() -> None:
    """With five stacks no new one is offered; a join of a whole stack gives its card back."""
    five = seat_player("BG", "W GG", "W GW", "G R", "R R", "B WG")
    dealt = seated(TWO, study(TWO, five, IDLE))
    moves = offered(dealt, "B>G")
    assert not [move for move in moves if "new" in move]
    assert "B>G 1.0 onto 4" in moves
    after = play(dealt, "B>G 1.0 onto 4")
    assert stacks_of(after, 0) == ["W GG", "G R", "R R", "B WGGW"]
    assert cards_of(after, 0) == (3, 4)


def test_five_stacks_and_a_whole_stack_on_a_new_card() -> None:
    """A whole stack may go to a new card even with five: their number does not grow."""
    five = [
        f"{card} {dishes}"
        for card, dishes in zip("WWGRR", ["GG", "GW", "R", "R", "WG"], strict=True)
    ]
    position = study(TWO, seat_player("BG", *five), IDLE)
    dealt = seated(TWO, position)
    assert not [move for move in offered(dealt, "B>G") if "new" in move]  # no card is left
    position = study(TWO, seat_player("BGB", *five[:4]), IDLE)
    moves = offered(seated(TWO, position), "B>G")
    assert "B>G 0.0 new B" in moves
    assert "B>G 0.1 new B" in moves
    after = play(seated(TWO, position), "B>G 0.0 new B")
    assert stacks_of(after, 0) == ["B GG", "W GW", "G R", "R R"]
    assert after["players"][0]["hand"].count("W") >= 1


def test_win_in_the_turn_of_an_opponent() -> None:
    """An opponent's G serves my last dish: I win at once, and nothing is drawn."""
    dealt = seated(
        TWO, study(TWO, seat_player("GRWWB", "W RR", "W B"), seat_player("WWWWWW", "W R"), turn=9)
    )
    after = play(dealt, "G>R")
    assert (after["phase"], after["winner"], after["turn"], after["to_act"]) == ("over", 1, 10, 0)
    assert after["players"][0]["hand"] == "WWB"
    assert after["players"][1]["hand"] == "WWWWWWW"
    assert after["discard"] == {"W": 0, "G": 1, "R": 1, "B": 0}
    assert dealt.terminated[0]
    assert not dealt.truncated[0]
    assert dealt.rewards[0].tolist() == [-1, 1]


def test_last_dishes_of_both() -> None:
    """If an opponent's G serves the last dish of both of us, they win."""
    dealt = seated(TWO, study(TWO, seat_player("GRWWBB", "W R"), seat_player("WWWWWW", "W R")))
    assert play(dealt, "G>R")["winner"] == 0
    assert dealt.rewards[0].tolist() == [1, -1]


def test_double_duty() -> None:
    """Four stacks, the double player picks twice, holds 5 cards, takes every second turn."""
    config = VARIANTS["double_duty"]
    stack = "WGRBWGRBWGRB"
    position = study(
        config,
        *[seat_player("WGRBWGR")] * 3,
        phase="draft",
        start_seat=2,
        to_act=1,
        draft=[stack, stack[::-1], "WWWGGGRRRBBB", "BBBRRRGGGWWW"],
    )
    dealt = seated(config, position)
    pickers = []
    for number, text in enumerate(["pick 1 on W", "pick 0 on G", "pick 3 on R", "pick 2 on B"]):
        pickers.append(int(dealt.current_player[0]))
        assert len(offered(dealt, "pick")) == 4 * (4 - number)
        after = play(dealt, text)
    assert pickers == [1, 0, 1, 2]
    assert stacks_of(after, 1) == [f"W {stack[::-1]}", "R BBBRRRGGGWWW"]
    assert cards_of(after, 1) == (5, 2)
    assert cards_of(after, 0) == cards_of(after, 2) == (6, 1)
    actors = []
    for _ in range(6):
        actors.append(int(dealt.current_player[0]))
        play(dealt, offered(dealt, "discard")[0])
    assert actors == [2, 1, 0, 1, 2, 1]


def test_take_a_whole_stack() -> None:
    """A partner without dishes takes my only stack: my card comes back, the cover goes along."""
    dealt = seated(
        PARTNERS,
        study(
            PARTNERS,
            seat_player("BGRRRRR"),
            ONE,
            seat_player("WWWWWW", "B GWR +R"),
            ONE,
        ),
    )
    assert offered(dealt, "B>") == [
        "B>G take P2 0.0 new R", "B>R take P2 0.2 new G", "B>R take P2 0.2 new R",
    ]  # fmt: skip
    after = play(dealt, "B>G take P2 0.0 new R")
    assert stacks_of(after, 0) == ["R GWR +R"]
    assert stacks_of(after, 2) == []
    assert after["players"][2]["hand"] == "WWWWWWB"
    assert cards_of(after, 0) == (6, 1)
    assert after["covers"] == "WGB"
    assert after["phase"] == "play"


# -- The rulings, one by one -------------------------------------------------------------------


def test_hw2_unequal_dishes_belong_to_their_seats() -> None:
    """With unequal dishes the decision is only the card; the stack number is 0."""
    config = VARIANTS["handicap"]
    position = study(
        config,
        *[seat_player("WGGRRBB")] * 2,
        phase="draft",
        to_act=1,
        draft=["WGRBWGRBWGRB", "WGRBWGRB"],
    )
    dealt = seated(config, position)
    assert offered(dealt, "") == [f"pick 0 on {card}" for card in "BGRW"]
    after = play(dealt, "pick 0 on W")
    assert after["draft"] == ["WGRBWGRBWGRB", None]
    assert stacks_of(play(dealt, "pick 0 on R"), 0) == ["R WGRBWGRBWGRB"]


def test_hw4_reshuffle_without_the_cards_being_played() -> None:
    """An empty draw pile is made anew from the discards; the two played cards come after."""
    position = study(TWO, seat_player("GRWWWB", "W WR"), IDLE)
    position["discard"] = {**position["draw"], "W": position["draw"]["W"] - 1}
    position["draw"] = "W"
    after = play(seated(TWO, position), "G>R")
    assert after["discard"] == {"W": 0, "G": 1, "R": 1, "B": 0}
    assert sum(after["draw"].values()) == sum(position["discard"].values()) - 1
    assert after["players"][0]["hand"].count("W") >= 4


def test_hw4_discards_come_first() -> None:
    """Option B discards first and draws after: the cards may come back at once."""
    position = study(TWO, seat_player("GGGGGG", "W WR"), seat_player("GGGGGG", "W WW"))
    position["discard"] = {**position["draw"], "G": position["draw"]["G"] - 1}
    position["draw"] = "G"
    after = play(seated(TWO, position), "discard GGGGGG")
    assert after["discard"] == {"W": 0, "G": 0, "R": 0, "B": 0}
    assert cards_of(after, 0) == (6, 1)


def test_hw7_a_busboy_with_nothing_to_serve() -> None:
    """A busboy on its serve side serves any own uncovered top dish, else it cannot be used."""
    hand = "WRGGB"
    free = study(TWO, seat_player(hand, "W GB", "B W +G", serve="R"), IDLE)
    assert offered(seated(TWO, free), "W>R") == ["W>R serve 0"]
    blocked = study(TWO, seat_player(hand, "W GB +B", "B W +G", serve="R"), IDLE)
    assert offered(seated(TWO, blocked), "W>R") == []
    after = play(seated(TWO, free), "W>R serve 0")
    assert stacks_of(after, 0) == ["W G", "B W +G"]
    assert after["players"][0]["busboys"]["R"] == "face"


def test_hw8_cover_travels_and_blocks() -> None:
    """A cover travels with its group; nothing is moved onto a covered stack."""
    position = study(TWO, seat_player("BGRR", "W WG +R", "W WG +B", "B GB"), IDLE)
    dealt = seated(TWO, position)
    assert offered(dealt, "B>G") == [
        "B>G 0.1 new R", "B>G 0.1 onto 2", "B>G 1.1 new R", "B>G 1.1 onto 2", "B>G 2.0 new R",
    ]  # fmt: skip
    assert stacks_of(play(seated(TWO, position), "B>G 0.1 onto 2"), 0) == [
        "W W", "W WG +B", "B GBG +R",
    ]  # fmt: skip
    assert stacks_of(play(dealt, "B>G 1.1 new R"), 0) == ["W WG +R", "W W", "B GB", "R G +B"]


def test_hw9_nothing_that_changes_nothing() -> None:
    """A GREEN that serves nothing, an idle WHITE and a move to the same card are not offered."""
    dealt = seated(
        TWO, study(TWO, seat_player("GRBWW", "W RG", "W RW +R"), seat_player("WWWWWW", "W W"))
    )
    assert offered(dealt, "G>") == ["G>W"]
    assert offered(dealt, "B>R") == ["B>R 0.0 new G", "B>R 1.0 new G", "B>R 1.0 onto 0"]
    assert offered(dealt, "W>R") == ["W>R lift 1", "W>R lift 1 turn", "W>R turn"]


def test_hw10_cards_come_back_to_all() -> None:
    """The last dish of a stack is served: its card is back in its owner's hand at once."""
    dealt = seated(
        THREE,
        study(
            THREE,
            seat_player("GRWWWW", "W RR"),
            seat_player("WWWWW", "B R", "W W"),
            seat_player("WWWW", "G R", "R R", "W W"),
        ),
    )
    after = play(dealt, "G>R")
    assert after["players"][1]["hand"] == "WWWWWB"
    assert after["players"][2]["hand"] == "WWWWGR"
    assert stacks_of(after, 2) == ["W W"]


def test_hw11_without_dishes() -> None:
    """A player without dishes goes on; its WHITE only turns busboys."""
    dealt = seated(
        PARTNERS,
        study(
            PARTNERS,
            seat_player("WWGRRRR", serve="R"),
            seat_player("GGRRBB", "W W +W"),
            ONE,
            ONE,
        ),
    )
    assert offered(dealt, "W>") == ["W>G turn", "W>W turn"]


def test_hw12_discards() -> None:
    """Any cards may be discarded, but not none."""
    dealt = seated(TWO, study(TWO, seat_player("WWG", "G G", "G G", "G G", "G G"), IDLE))
    assert offered(dealt, "discard") == [
        f"discard {cards}" for cards in ["G", "W", "WG", "WW", "WWG"]
    ]


def test_hw13_tie_goes_clockwise() -> None:
    """Of several sides that finish in another's turn, the first clockwise wins."""
    out = seat_player("WWWWWW", "W R")
    for actor in range(3):
        players = [out, out, out]
        players[actor] = seat_player("GRBBBB", "W RR")
        dealt = seated(THREE, study(THREE, *players, to_act=actor))
        assert play(dealt, "G>R")["winner"] == (actor + 1) % 3
        players[actor] = seat_player("GRBBBB", "W R")
        dealt = seated(THREE, study(THREE, *players, to_act=actor))
        assert play(dealt, "G>R")["winner"] == actor


def test_hw13_partners_must_both_finish() -> None:
    """A side has won only when no member has a dish left; all its members are rewarded."""

    def position(last: str) -> dict[str, Any]:
        return study(
            PARTNERS,
            seat_player("GRWWWW", "W R"),
            ONE,
            seat_player("WWWWWW", last),
            ONE,
        )

    dealt = seated(PARTNERS, position("W RR"))
    assert play(dealt, "G>R")["phase"] == "play"
    dealt = seated(PARTNERS, position("W R"))
    assert play(dealt, "G>R")["winner"] == 0
    assert dealt.rewards[0].tolist() == [1, -1, 1, -1]


@pytest.mark.parametrize(("text", "winner"), [("G>R", 0), ("discard W", None)])
def test_hw13_end_on_the_last_turn(text: str, winner: int | None) -> None:
    """A win on the last turn is a termination; without one the game is cut."""
    config = Config((0, 1), max_turns=30)
    dealt = seated(
        config, study(config, seat_player("GRWWWW", "W R"), seat_player("WWWWWW", "W W"), turn=29)
    )
    after = play(dealt, text)
    assert (after["phase"], after["turn"], after["winner"]) == ("over", 30, winner)
    assert after["truncated"] == dealt.truncated[0] == (winner is None)
    assert dealt.terminated[0] == (winner is not None)
    assert dealt.rewards[0].tolist() == ([1, -1] if winner == 0 else [0, 0])


def test_hw14_secret_sides_come_out() -> None:
    """When a player runs out its side is public, and stays so after it took dishes again."""
    dealt = seated(
        SECRET,
        study(
            SECRET,
            seat_player("GRWWWW", "W RW"),
            seat_player("BWWWWW", "W R"),
            ONE,
            seat_player("GGRRBB", "W WW"),
            teams=[0, 1, 0, 1],
        ),
    )
    assert GAME.position_to_dict(dealt.state[0])["revealed"] == []
    after = play(dealt, "G>R")
    assert after["revealed"] == [0, 1]  # the other side follows by elimination
    assert offered(dealt, "B>")[0].startswith("B>W take P3 0.0 new")
    after = play(dealt, "B>W take P3 0.1 new W")
    assert stacks_of(after, 1) == ["W W"]
    assert after["revealed"] == [0, 1]
