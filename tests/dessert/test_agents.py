"""The rule-based agent: strength, single choices, and what it must not know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dessert_env import GAME, Config, tables
from waiter_envs.agents.agent import Decisions
from waiter_envs.agents.make import agent_names
from waiter_envs.agents.rule_agent import RuleAgent
from waiter_envs.arena.match import play_match
from waiter_envs.core.tables import Tables

from .playing import VARIANTS, seated, study
from .states import PLAYED, positions

PLAIN = VARIANTS["standard"]


def heuristic() -> RuleAgent:
    """Return the agent."""
    return RuleAgent(GAME, "heuristic")


def choice(dealt: Tables) -> str:
    """Return what the agent does at the only table."""
    action = int(heuristic().act(Decisions.at(dealt))[0])
    assert dealt.action_mask[0, action]
    return GAME.action_to_text(dealt.state[0], action)


def chooses(*given: Any, config: Config = PLAIN, **changes: Any) -> str:
    """Return what the agent does at a study."""
    return choice(seated(config, study(config, *given, **changes)))


# -- Strength ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "games", "least"), [(2, 2000, 0.9), (4, 1200, 0.7)], ids=["2", "4"]
)
def test_beats_random_players(players: int, games: int, least: float) -> None:
    """One against random players wins that often and more, in every seat nearly as often."""
    config = Config(players=players)
    record = play_match(GAME, config, ["heuristic", "random"], games, seed=5).agents[0]
    assert record.record.win_rate >= least
    assert all(side.win_rate > least - 0.05 for side in record.by_side)


def test_games_among_its_like() -> None:
    """They end in time, nearly all with a winner, and seats are close to equal."""
    result = play_match(GAME, PLAIN, ["heuristic"], 1200, seed=5)
    assert result.truncated == 0
    assert result.mean_decisions < 150
    shares = [side.win_rate for side in result.agents[0].by_side]
    assert min(shares) > 0.2
    assert max(shares) < 0.3


# -- Studies -----------------------------------------------------------------------------------


def test_claims_a_third_icon() -> None:
    """In its own turn, and when it is called upon."""
    guests = ["Roland, Mr. Healthy"]
    assert chooses(["Peanut butter cups"], guests, phase="claim", guest="Fuzzy") == "claim"
    others = ["", "Roland, Mr. Healthy"]
    called = {"phase": "call", "guest": "Fuzzy"}
    assert chooses(["", "Peanut butter cups"], others, **called) == "claim"


def test_never_calls_falsely() -> None:
    """Even where it may."""
    config = VARIANTS["false_calls"]
    called = {"phase": "call", "guest": "Fuzzy"}
    assert chooses(["", "Fudge"], config=config, **called) == "decline"
    assert chooses(["", "Walnut brownies"], config=config, **called) == "claim"


def test_serves_a_favorite() -> None:
    """For the tip, among others that satisfy."""
    hand = "Peanut butter cups, Walnut brownies, Fudge, Peanut brittle"
    assert chooses([hand], phase="serve", guest="Fuzzy") == "serve Peanut butter cups"


def test_serves_few_desserts_rather_than_many() -> None:
    """One that satisfies instead of two."""
    hand = "Walnut brownies, Chocolate candy bar, Peanut brittle"
    assert chooses([hand], phase="serve", guest="Fuzzy") == "serve Walnut brownies"


def test_steals_a_third_icon() -> None:
    """Rather than a guest with more points."""
    hand = "Peanut butter cups, Candied yams, Cheesecake, Ice cream cake"
    guests = ["Roland, Mr. Healthy", "Fuzzy", "Candice"]
    assert chooses([hand], guests) == "steal Fuzzy"
    assert chooses([hand], ["Roland, Mr. Healthy"], waiting_room="Fuzzy") == "waiting room"


def test_steals_from_who_has_a_pair() -> None:
    """Of two guests alike to it, the one that is worth more where it sits."""
    hand = "Peanut butter cups, Walnut brownies, Cheesecake"
    guests = ["", "Fuzzy, Wally", "The Tourist, Bob Fruitcake"]
    assert chooses([hand], guests) == "steal Wally"
    guests = ["", "Fuzzy, Roland", "Wally"]
    assert chooses([hand], guests) == "steal Fuzzy"


def test_stops_a_theft_that_completes_a_trio() -> None:
    """With the Ace that it can best spare; whatever else it could be used for."""
    hands = ["Peanut butter cups, Pound cake", "Fudge, Yellow cake"]
    guests = ["Roland, Mr. Healthy", "Fuzzy"]
    assert chooses(hands, guests, phase="stop", target="Fuzzy") == "stop Fudge"
    hands[1] = "Fudge, Peanut brittle"
    guests[1] = "Fuzzy, The Emperor"  # whom the brittle does not protect
    assert chooses(hands, guests, phase="stop", target="Fuzzy") == "stop Peanut brittle"


def test_bribes_with_what_it_can_spare() -> None:
    """Not with an Ace that protects its own guest, nor with a favorite of many uses."""
    hand = "Fudge, Candied ginger, Chocolate fondue"
    bribing = {"phase": "bribe", "target": "Fuzzy", "chosen": "Peanut butter cups"}
    assert chooses([hand], ["The Emperor", "Fuzzy"], **bribing) == "bribe Candied ginger"


# -- Play --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", PLAYED)
def test_legal_and_deterministic(variant: str) -> None:
    """Wherever others have led it, what it does is legal, and the same each time."""
    config = VARIANTS[variant]
    seen = positions(config, seed=3)
    seen = seen[~(seen["terminated"] | seen["truncated"])]
    dealt = tables(len(seen), 0, config=config)
    dealt.state = seen
    chosen = heuristic().act(Decisions.at(dealt))
    wrong = np.flatnonzero(dealt.action_mask[np.arange(len(seen)), chosen] == 0)
    assert not len(wrong), GAME.position_to_dict(dealt.state[wrong[0]])
    order = np.random.default_rng(1).permutation(len(seen))
    assert np.array_equal(heuristic().act(Decisions.at(dealt, order)), chosen[order])
    state = dealt.state.copy()
    state["rng"] += np.uint64(2)
    dealt.state = state
    assert np.array_equal(heuristic().act(Decisions.at(dealt)), chosen)


def test_goes_on_with_a_freshening_that_another_began() -> None:
    """With a hand that it would have kept it discards something nevertheless (DE-10)."""
    hand = "Peanut butter cups, Ice cream cake, Boston cream pie"
    assert chooses([hand], phase="freshen").startswith("discard")


def test_reads_only_what_is_there_for_it() -> None:
    """Other hands, a different pile: the same choices through whole games."""
    rng = np.random.default_rng(2)
    dealt, agent = tables(40, 3, config=PLAIN), heuristic()
    for _ in range(60):
        actions = agent.act(Decisions.at(dealt))
        other = dealt.state.copy()
        for table in other:
            unseen = (table["dessert"] >= -1) & (table["dessert"] != table["current_player"])
            table["dessert"][unseen] = rng.permutation(table["dessert"][unseen])
        assert (other["dessert"] != dealt.state["dessert"]).any(axis=1).all()
        assert np.array_equal(agent.act(Decisions.at(dealt)._replace(state=other)), actions)
        dealt.step(actions)


def test_names() -> None:
    """One agent, besides the random one, without options."""
    assert agent_names(GAME) == ("random", "heuristic")
    with pytest.raises(TypeError, match="has no options"):
        RuleAgent(GAME, "heuristic", fade=0.5)
