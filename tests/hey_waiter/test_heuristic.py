"""The rule-based opponent plays a sound game: it wins, it ends its games, it sees what to do."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from hey_waiter_env import GAME, PRESETS
from hey_waiter_env.state import OVER
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.match import MatchResult, play_match
from waiter_envs.core.tables import Tables

from .playing import positions, seat_player, seated, study
from .test_rotation import rotated_config, rotated_position

TWO = PRESETS["2_players"]
PARTNERS = PRESETS["4_partnership"]
IDLE = seat_player("WWBBGG", "W GBWRGBWR")


def heuristic_actions(dealt: Tables) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Return what the heuristic plays at every table."""
    return RuleAgent(GAME, "heuristic").act(Decisions.at(dealt))


def chosen(config: Any, *players: dict[str, Any], **changes: Any) -> str:
    """Return what the heuristic plays in a study."""
    dealt = seated(config, study(config, *players, **changes))
    return GAME.action_to_text(dealt.state[0], int(heuristic_actions(dealt)[0]))


# -- Matches -----------------------------------------------------------------------------------


def match(preset: str, *agents: str, games: int) -> MatchResult:
    """Play a match of a preset."""
    return play_match(GAME, PRESETS[preset], agents, games, seed=11)


@pytest.mark.parametrize("preset", ["2_players", "4_partnership", "double_duty"])
def test_beats_random_players_at_every_side(preset: str) -> None:
    """Even the lower end of the confidence interval is above 97%, whoever starts."""
    result = match(preset, "heuristic", "random", games=400)
    for side in result.agents[0].by_side:
        assert side.interval[0] > 0.97


@pytest.mark.parametrize("preset", ["3_players", "4_free_for_all", "5v5", "secret_2v2"])
def test_beats_random_players_in_every_kind_of_game(preset: str) -> None:
    """One heuristic side (a single player with secret teams) wins far more than its share."""
    result = match(preset, "heuristic", "random", games=120)
    share = {"secret_2v2": 0.5}.get(preset, 1 / PRESETS[preset].num_sides)
    assert result.agents[0].record.win_rate > (1 + share) / 2


@pytest.mark.parametrize(
    ("preset", "decisions"),
    [
        ("2_players", 55),
        ("3_players", 60),
        ("4_partnership", 80),
        ("4_free_for_all", 75),
        ("double_duty", 90),
        ("5v5", 150),
        ("secret_2v2", 75),
    ],
)
def test_games_among_its_like_end_in_time(preset: str, decisions: int) -> None:
    """Nobody discards, or covers and uncovers, for ever."""
    result = match(preset, "heuristic", games=300)
    assert result.truncated == 0
    assert result.mean_decisions < decisions


# -- Studies -----------------------------------------------------------------------------------


def test_serves_when_it_gains_more_than_the_others() -> None:
    """Three of one's own soups against one of the other's."""
    me = seat_player("GWRB", "B RW", "B GW", "R BW")
    assert chosen(TWO, me, seat_player("RRBBGG", "W GBRGBW")) == "G>W"


def test_does_not_serve_the_others() -> None:
    """One of one's own salads against four of the other's."""
    me = seat_player("GGRBWW", "B RWBRWG")
    other = seat_player("RRB", "W BG", "W RG", "B WG", "R BG")
    assert chosen(TWO, me, other) != "G>G"


def test_serves_to_win_even_if_the_other_finishes_as_well() -> None:
    """The active side wins a tie."""
    me = seat_player("GWRBB", "B W", "G W")
    assert chosen(TWO, me, seat_player("RRBBGG", "W W")) == "G>W"


def test_never_serves_the_others_out_without_need() -> None:
    """Two dishes of one's own are tempting, but the other would win at once."""
    me = seat_player("GWRB", "B RW", "G BW", "R R")
    other = seat_player("RRBBGG", "W W")
    assert chosen(TWO, me, other) != "G>W"


def test_wins_with_a_busboy() -> None:
    """The last dish, covered: lifted and served in one turn."""
    me = seat_player("WRGGGB", "B W +R", serve="R")
    assert chosen(TWO, me, seat_player("RRBBGG", "W RB")) == "W>R lift 0 serve 0"


def test_splits_early() -> None:
    """A tall stack with a play of BLUE becomes two."""
    action = chosen(TWO, seat_player("BBGRWR", "W GBWRGBWRGBWR"), IDLE)
    assert action.startswith("B>")
    assert " new " in action


def test_covers_the_last_stack_of_the_leader() -> None:
    """One dish from the end, the other is stopped in time; the far behind one is not."""
    me = seat_player("RBBB", "W WGWG", "G WGW", "B WRW")
    leader = seat_player("RRBBGG", "W B")
    behind = seat_player("RRBBG", "W GRGRGR", "B RGRGRG")
    action = chosen(PRESETS["3_players"], me, behind, leader)
    assert action == "R>B P2.0"


def test_frees_itself_of_a_cover() -> None:
    """The only stack is covered, and the busboy of that colour is at hand."""
    action = chosen(TWO, seat_player("WBBRRR", "W GBWRG +B"), IDLE)
    assert action == "W>B lift 0 turn"


def test_serves_with_a_ready_busboy() -> None:
    """No GREEN serves its only stack, nobody can be covered, and the busboy stands ready."""
    me = seat_player("WGWWRR", "W GBWRGB", serve="G")
    other = seat_player("WWBBGG", "W GBWRGBWR +R")
    assert chosen(TWO, me, other) == "W>G serve 0"


def test_helps_its_partner_out_of_dishes() -> None:
    """Without dishes it takes some of its partner's, who holds a tall stack."""
    partner = seat_player("RRBBGG", "W GBWRGBWR")
    action = chosen(PARTNERS, seat_player("BBRWWWW"), IDLE, partner, IDLE)
    assert " take P2 " in action


def test_discards_when_nothing_can_be_played() -> None:
    """Nothing but RED, whose cover is best left where it lies."""
    me = seat_player("RRRRRR", "W GBWRGB")
    other = seat_player("WWBBGG", "W WRGBWRGB +R")
    assert chosen(TWO, me, other).startswith("discard R")


def test_picks_a_stack_with_few_equal_neighbours() -> None:
    """Of two stacks it takes the one in which every GREEN finds another colour below."""
    config = dataclasses.replace(TWO, dishes=6)
    empty = seat_player("WWGGRRB")
    action = chosen(
        config,
        empty,
        empty,
        phase="draft",
        to_act=1,
        draft=["RRRRRR", "WGRBWG"],
    )
    assert action.startswith("pick 1 on ")


def test_is_deterministic_and_alone_with_its_table() -> None:
    """The same table gets the same action, wherever it stands in a batch; nothing is changed."""
    dealt = Tables(GAME, PARTNERS, 64, 3)
    for _ in range(40):
        dealt.step(heuristic_actions(dealt))
    before = dealt.state.copy()
    actions = heuristic_actions(dealt)
    assert np.array_equal(dealt.state, before)
    dealt.state = before[::-1]
    assert np.array_equal(heuristic_actions(dealt)[::-1], actions)


@pytest.mark.parametrize("preset", ["4_free_for_all", "double_duty"])
def test_treats_all_players_alike(preset: str) -> None:
    """Rotate the seats, rename the players and the sides: it plays the same."""
    config = PRESETS[preset]
    seen = [table for table in positions(config, seed=8) if table["phase"] != OVER]
    players = [*range(1, config.num_players), 0]
    sides = [*range(1, config.num_sides), 0]
    rotated = rotated_config(config, 2, players, sides)
    moved = [
        GAME.position_from_dict(
            rotated,
            rotated_position(config, GAME.position_to_dict(table), 2, players, sides),
        )
        for table in seen
    ]
    actions = []
    for variant, states in ((config, seen), (rotated, moved)):
        dealt = Tables(GAME, variant, len(states), 0)
        dealt.state = np.array(states)
        actions.append(heuristic_actions(dealt))
    assert np.array_equal(*actions)
