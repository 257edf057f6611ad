"""The `ansi` rendering says what lies on the table, and keeps hidden cards to itself.

That nothing hidden shows is tested by `test_leaks.py`, for every variant.
"""

from __future__ import annotations

from typing import Any

import pytest

from hey_waiter_env import GAME, Config
from hey_waiter_env.state import OVER

from .playing import VARIANTS, play, positions, seat_player, seated, study

PARTNERS = VARIANTS["4_partnership"]
SECRET = VARIANTS["secret_2v2"]


def partnership(**changes: Any) -> dict[str, Any]:
    """Return a position with covers, busboys, discards and a player without dishes."""
    position = study(
        PARTNERS,
        seat_player("WGRRB", "G WGRBW", "R RRG +B", serve="GB"),
        seat_player("WWGGBB", "B BB"),
        seat_player("WWGGRBB", serve="R"),
        seat_player("GGRRRB", "W GRW +W"),
        turn=18,
        start_seat=2,
        last=["B>G 0.3 new W", "B>R 0.2 onto 1", "W>R lift 1 turn", "discard GGW"],
    )
    position["draw"]["W"] -= 2
    return {**position, "discard": "WW", **changes}


def rendered(config: Config, position: dict[str, Any], player: int) -> str:
    """Return a position as a player sees it, without the alignment."""
    text = GAME.render(GAME.position_from_dict(config, position), player)
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def test_what_a_player_sees() -> None:
    """The rendering tells everything that a person in that seat could see."""
    text = rendered(PARTNERS, partnership(), 0)
    for part in (
        "turn 18, 1182 left",
        "starting seat 2",
        "P0 at seat 0 is to act",
        "sides P0+P2 against P1+P3",
        "covers GR",
        "draw 58 cards",
        "discard W 2 G 0 R 0 B 0",
        "> P0 (you) seat 0 hand 5 WGRRB busboys W:face G:serve R:face B:serve last: B>G 0.3 new W",
        "0 [G] W G R B W\n1 [R] R R G under the B cover\n",
        "P1 seat 1 hand 6 ?????? busboys W:face G:face R:face B:face last: B>R 0.2 onto 1",
        "0 [?] B B\n",
        "P2 seat 2 hand 7 ??????? busboys W:face G:face R:serve B:face last: W>R lift 1 turn",
        "no dishes left",
        "P3 seat 3 hand 6 ?????? busboys W:face G:face R:face B:face last: discard WGG",
        "0 [?] G R W under the W cover",
    ):
        assert part in text


def test_lines_are_aligned() -> None:
    """Hands, busboys and last actions of all players stand under each other."""
    text = GAME.render(GAME.position_from_dict(PARTNERS, partnership()), 2)
    heads = [line for line in text.splitlines() if "busboys" in line]
    assert len(heads) == 4
    for word in ("seat", "hand", "busboys", "last:"):
        assert len({head.index(word) for head in heads}) == 1
    assert text == "\n".join(line.rstrip() for line in text.splitlines())
    assert text.isascii()


@pytest.mark.parametrize(
    ("action", "shown"),
    [("B>G 0.3 new W", "B>G 0.3 new ?"), ("B>G take P2 0.3 new W", "B>G take P2 0.3 new ?"),
     ("pick 2 on W", "pick 2 on ?"), ("B>G 0.3 onto 1", "B>G 0.3 onto 1"), ("G>W", "G>W")],
)  # fmt: skip
def test_cards_laid_face_down(action: str, shown: str) -> None:
    """Only who laid a card face down sees its colour."""
    position = partnership(last=[action, None, None, None])
    if action.startswith("pick"):  # which is the last before one's first turn
        position.update(turn=1, start_seat=3)
    assert f"last: {action}\n" in rendered(PARTNERS, position, 0)
    for other in (1, 2, 3):
        text = rendered(PARTNERS, position, other)
        assert f"last: {shown}\n" in text
        assert text.count("last: -") == 3


def test_draft() -> None:
    """The stacks to pick are numbered, bottom to top; those taken are gone."""
    config = VARIANTS["2_players"]
    position = study(
        config,
        seat_player("WGRBWGR"),
        seat_player("WGRBWG", "W WGRBWGRBWGRB"),
        phase="draft",
        draft=["WGRBWGRBWGRW", None],
        last=[None, "pick 1 on W"],
    )
    text = rendered(config, position, 0)
    assert "the draft: P0 at seat 0 picks a stack" in text
    assert "pick 0 W G R B W G R B W G R W\npick 1 taken\n" in text
    assert "last: pick 1 on ?" in text


def test_draft_with_unequal_dishes() -> None:
    """With unequal dishes every stack names its seat, since there is nothing to choose."""
    config = VARIANTS["handicap"]
    position = study(
        config,
        *[seat_player("WGRBWGR")] * 2,
        phase="draft",
        to_act=1,
        draft=["WGRBWGRBWGRW", "WGRBWGRB"],
    )
    text = rendered(config, position, 1)
    assert "W G R B W G R B W G R W for P0 at seat 0" in text
    assert "W G R B W G R B for P1 at seat 1" in text


def test_double_duty_names_all_seats() -> None:
    """A player on Double Duty is shown once, with both seats."""
    config = VARIANTS["double_duty"]
    position = study(
        config,
        *[seat_player("GGRRBB", "W W")] * 3,
        to_act=3,
    )
    text = rendered(config, position, 0)
    assert "P1 at seat 3 is to act" in text
    assert "> P1 seats 1,3 hand 6 ??????" in text


@pytest.mark.parametrize(("teams", "partners"), [([0, 1, 0, 1], "P0+P2"), ([1, 0, 0, 1], "P0+P3")])
def test_secret_sides(teams: list[int], partners: str) -> None:
    """Secret sides show once they are known, and not before."""
    players = [seat_player("GRBBBB", "W RW"), *[seat_player("GGRRBB", "W W")] * 3]
    position = study(SECRET, *players, teams=teams)
    for player in range(4):
        text = rendered(SECRET, position, player)
        assert "sides secret: P0 P1 P2 P3, in sides of 2, 2" in text
        assert partners not in text
    players[1] = seat_player("GGRRBBB")
    known = study(SECRET, *players, teams=teams, revealed=[0, 1])
    assert f"sides {partners} against" in rendered(SECRET, known, 1)


def test_the_end() -> None:
    """The rendering says who won, or that the game was cut."""
    dealt = seated(
        PARTNERS,
        study(
            PARTNERS,
            seat_player("GRWWWW", "W R"),
            seat_player("GGRRBB", "W W"),
            seat_player("WWWWWWB"),
            seat_player("GGRRBB", "W W"),
        ),
    )
    play(dealt, "G>R")
    assert "P0+P2 win, P0 at seat 0 acted last" in GAME.render(dealt.state[0], 3)
    assert ">" not in GAME.render(dealt.state[0], 3).replace("G>R", "")
    short = VARIANTS["short"]
    dealt = seated(short, study(short, *[seat_player("GGRRBB", "W W")] * 3, turn=39))
    play(dealt, "discard G")
    assert "cut at the turn limit: a draw" in GAME.render(dealt.state[0], 0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_position_can_be_shown(variant: str) -> None:
    """All players of all variants get a rendering that names everybody and every stack."""
    config = VARIANTS[variant]
    for table in positions(config, seed=5, per_kind=3):
        for player in range(config.num_players):
            lines = GAME.render(table, player).splitlines()
            assert sum("busboys" in line for line in lines) == config.num_players
            assert sum("[" in line for line in lines) == table["num_stacks"].sum()
            assert (
                sum("[?]" not in line and "[" in line for line in lines)
                == (table["num_stacks"][player])
            )
            assert any(line.startswith(">") for line in lines) == (table["phase"] != OVER)
