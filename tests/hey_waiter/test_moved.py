"""Stacks that close up are found again: dishes, covers and cards are the same under other ids."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from hey_waiter_env import GAME
from tests.moved import acts, check_ids
from waiter_envs import Tables, make_agent
from waiter_envs.agents.agent import Decisions
from waiter_envs.drawing.painter import marked


def parts(view: dict[str, Any]) -> dict[str, Any]:
    """Return the dishes, covers and cards of all stacks by their ids, with what they are."""
    found = {}
    for player in view["players"]:
        for stack in player["stacks"]:
            found |= {dish["id"]: dish["dish"] for dish in stack["dishes"]}
            for part in filter(None, (stack["cover"], stack["card"])):
                found[part["id"]] = part["colour"]
    return found


@pytest.mark.parametrize("preset", ["2_players", "4_partnership", "double_duty"])
def test_what_is_found_again_is_the_same(preset: str) -> None:
    """Whatever has been served, moved, taken or covered; and nothing is found twice."""
    seen: Counter[str] = Counter()
    for act in acts(GAME, 2, "heuristic", preset=preset):
        check_ids(act)
        before, after = parts(act.before), parts(act.after)
        found = {name: act.now(name) for name in before}
        left = [now for now in found.values() if now in after]
        assert len(set(left)) == len(left)
        kind = act.told["words"].split()[0]
        for name, now in found.items():
            whole_stack_on_another_card = kind == "moves" and name.endswith("-card")
            if now in after and not whole_stack_on_another_card:
                assert before[name] == after[now], (name, act.told)
        seen[kind] += any(now != name for name, now in found.items())
    assert {"lets", "moves", "has"} <= {kind for kind, number in seen.items() if number}


def test_marks_stand_where_things_stand() -> None:
    """A stack that is gone has no mark, and neither has the one that moved up."""
    vanished = 0
    for act in acts(GAME, 3, "heuristic", preset="2_players"):
        if not act.told["words"].startswith("lets everybody serve"):
            continue
        marks = marked(act.told)
        for player in act.before["players"]:
            left = []
            for stack in player["stacks"]:
                served = f"{stack['id']}" in act.told["ids"]
                if not served or len(stack["dishes"]) > 1:
                    left.append(served)
            now = act.after["players"][player["player"]]["stacks"]
            assert [stack["id"] in marks for stack in now] == left
            vanished += len(left) < len(player["stacks"]) and bool(left)
    assert vanished


def test_several_turns_at_once_find_nothing() -> None:
    """Where others have played since, no stack is found again."""
    tables = Tables.of(GAME, 1, 3, preset="2_players", autoreset_mode="Disabled")
    agent, states, actions = make_agent(GAME, "heuristic", 1), [], []
    for _ in range(8):
        states.append(tables.state[0].copy())
        actions.append(int(agent.act(Decisions.at(tables))[0]))
        tables.step(actions[-1:])
    told = GAME.told(states[4], actions[4], None, states[7])
    assert told is not None
    assert set(told["moved"]) >= {
        stack["id"] for own in GAME.view(states[4], 0)["players"] for stack in own["stacks"]
    }
    assert set(told["moved"].values()) == {None}
