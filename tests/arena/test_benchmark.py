"""The benchmark: its parts against counts by hand, its results, who may be compared."""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import waiter_envs
from waiter_envs.agents.policies import FILE_NAME, save_policy
from waiter_envs.arena.benchmark import PARTS, head, read_result, run_benchmark, table
from waiter_envs.arena.benchmark_protocol import (
    POOL,
    RIVAL,
    WAITER_BENCH,
    Generalisation,
    Protocol,
    Task,
    Twins,
)
from waiter_envs.arena.contender import Contender
from waiter_envs.arena.deals import Dealer
from waiter_envs.arena.entrants import enter
from waiter_envs.arena.ladder import play_ladder
from waiter_envs.arena.shares import Hall
from waiter_envs.cli import main

SPOON, DINER = waiter_envs.load("greasy_spoon"), waiter_envs.load("hey_waiter")
SECRET = {"preset": "secret_2v2", "max_turns": 60}
TEAMS = {"preset": "4_partnership", "max_turns": 60}
SMALL = Protocol(
    name="small",
    seed=3,
    pool={"greasy_spoon": ("random", "heuristic"), "hey_waiter": ("random", "heuristic")},
    strength=(Task("spoon", "greasy_spoon", {}),),
    memory=(Twins("spoon", "greasy_spoon", {"recall": False}, {}),),
    partners=(Task("teams", "hey_waiter", TEAMS), Task("secret", "hey_waiter", SECRET)),
    generalisation=(Generalisation("spoon", "greasy_spoon", {}, {"twin": {"recall": False}}),),
    robustness=(Task("spoon", "greasy_spoon", {}), Task("teams", "hey_waiter", TEAMS)),
    deals=dict.fromkeys(PARTS, 40),
)


def saved(folder: Path, game, config, seed=1) -> str:
    """Return the folder of a policy whose weights are drawn."""
    features, actions = game.num_features(config), game.num_actions(config)
    shapes = {"trunk.0.weight": (8, features), "trunk.0.bias": (8,), "actor.weight": (actions, 8)}
    generator = np.random.default_rng(seed)
    arrays = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    folder.mkdir(parents=True)
    save_policy(folder / FILE_NAME, game, config, {**arrays, "actor.bias": np.zeros(actions)})
    return str(folder)


@pytest.fixture(scope="module")
def result():
    return run_benchmark("random", partners=["heuristic"], protocol=SMALL)


def rows(result, part):
    found = [row for row in result["rows"] if row["part"] == part]
    return {(row["task"], row["measure"]): row for row in found}


# -- What is measured --------------------------------------------------------------------------


def played(game, fields, agents, seats, deals=40, seed=3):
    """Return what players are paid, `(deals, seatings, players)`."""
    config = game.config(**fields)
    dealer = Dealer(game, config, enter(game, config, agents), seed)
    parts = [slice(0, 32), slice(32, deals)]
    seats = np.broadcast_to(np.array(seats), (deals, *np.shape(seats)))
    return np.concatenate([dealer.play(part.start, seats[part]).rewards for part in parts])


def test_strength_is_the_ladder(result):
    ladder = play_ladder(SPOON, SPOON.config(), ["random", "heuristic"], 40, 3)
    found = rows(result, "strength")
    mine = ladder.agents[0]
    assert found["spoon", "rating"]["value"] == mine.rating
    assert (found["spoon", "rating"]["low"], found["spoon", "rating"]["high"]) == mine.interval
    assert found["spoon", "rating"]["pool"] == {"heuristic": 0.0}
    assert found["spoon", "won against the pool"]["value"] == mine.won


def test_memory_is_the_difference_of_twins(result):
    found = rows(result, "memory")
    shares = []
    for fields, what in (({}, "told"), ({"recall": False}, "to be remembered")):
        paid = played(SPOON, fields, ["random", "heuristic"], [[0, 1], [1, 0]])
        shares.append(np.mean([paid[:, 0, 0] > 0, paid[:, 1, 1] > 0]))
        row = found[f"spoon: {what}", "won alone"]
        assert row["value"] == pytest.approx(shares[-1])
        assert row["low"] <= row["value"] <= row["high"]
        assert row["games"] == 80
    assert found["spoon", "gap"]["value"] == pytest.approx(shares[0] - shares[1])


def test_an_agent_that_looks_at_no_memory_has_no_gap():
    """The same games on both twins, so the interval has no width."""
    row = rows(run_benchmark("heuristic", parts=["memory"], protocol=SMALL), "memory")
    assert row["spoon", "gap"]["value"] == row["spoon", "gap"]["low"] == 0


def test_partners_play_together_on_each_side(result):
    seats = [[0, 1, 1, 1], [1, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 0]]
    paid = played(DINER, TEAMS, ["random", "heuristic"], seats)
    won = [paid[:, 0, 0] > 0, paid[:, 1, 0] > 0, paid[:, 2, 1] > 0, paid[:, 3, 1] > 0]
    found = rows(result, "partners")
    assert found["teams", "random with heuristic"]["value"] == pytest.approx(np.mean(won))
    mine = found["teams", "random with random"]["value"]
    gap = found["teams", "self-play less cross-play"]["value"]
    assert gap == pytest.approx(mine - np.mean(won))


def test_partners_by_chance_count_where_they_are_partners(result):
    """Those of secret sides: both are paid alike, in up to a third of all games."""
    won = games = 0
    for one, other in itertools.permutations(range(4), 2):
        seats = [1] * 4
        seats[one] = 0
        paid = played(DINER, SECRET, ["random", "heuristic"], [seats])[:, 0]
        alike = (paid[:, one] == paid[:, other]) & (paid[:, one] != 0)
        won += (paid[alike][:, one] > 0).sum()
        games += alike.sum()
    row = rows(result, "partners")["secret", "random with heuristic"]
    assert (row["games"], row["value"]) == (games, pytest.approx(won / games))
    assert 0.05 < games / (12 * 40) < 0.4, "some are cut short"


def test_generalisation_plays_variants_held_out(result):
    found = rows(result, "generalisation")
    memory = rows(result, "memory")
    for task, same in (("training", "told"), ("twin", "to be remembered")):
        one, other = found[f"spoon: {task}", "won alone"], memory[f"spoon: {same}", "won alone"]
        assert one["value"] == other["value"]


def test_robustness_is_what_one_seat_gains(result):
    """The rule-based agent in one seat against random ones; chosen and measured apart."""
    found = rows(result, "robustness")["teams", "gain of a best response, at least"]
    assert found["by"] == "heuristic"
    paid = played(DINER, TEAMS, ["heuristic", "random"], 1 - np.eye(4, dtype=int))
    won = np.stack([paid[:, seat, seat] > 0 for seat in range(4)], axis=1)
    assert found["value"] == pytest.approx(won[20:].mean() - 0.5)


def test_exploiters_are_tried(tmp_path):
    path = saved(tmp_path / "exploiter", SPOON, SPOON.config())
    hall = Hall(SPOON, SPOON.config(), 40, 3, 1)
    small = dataclasses.replace(SMALL, pool={"greasy_spoon": ("heuristic",), "hey_waiter": ()})
    small = dataclasses.replace(small, robustness=small.robustness[:1])
    found = run_benchmark("heuristic", exploiters=[path], parts=["robustness"], protocol=small)
    (row,) = found["rows"]
    file = str(Path(path) / FILE_NAME)
    assert row["by"] == file
    assert row["value"] == hall.seat(file, "heuristic").half(second=True).share.value - 0.5


def test_threads_change_nothing(result):
    again = run_benchmark("random", partners=["heuristic"], protocol=SMALL, threads=1)
    assert again["rows"] == result["rows"]


# -- Who takes part ----------------------------------------------------------------------------


def test_policies_enter_what_they_have_learnt_and_what_fits(tmp_path):
    told, untold = SPOON.config(), SPOON.config(recall=False)
    first = saved(tmp_path / "all" / "a", SPOON, untold, 1)
    second = saved(tmp_path / "all" / "b", SPOON, told, 2)
    both = Contender(str(tmp_path / "all"))
    assert both.entry(SPOON, untold) == str(Path(first) / FILE_NAME)
    assert both.entry(SPOON, told) == str(Path(second) / FILE_NAME)
    assert Contender(first).entry(SPOON, told) == str(Path(first) / FILE_NAME), "of the same sizes"
    assert both.entry(SPOON, SPOON.config(best_of=3)) is None
    assert both.entry(DINER, DINER.config()) is None
    parts = ["strength", "generalisation", "partners"]
    found = run_benchmark(first, parts=parts, protocol=SMALL)
    assert rows(found, "partners")["teams", "not entered"]
    assert rows(found, "strength")["spoon", "rating"]
    assert len(found["agent"]["policies"][0]["digest"]) == 16


def test_named_agents_enter_where_there_are_such():
    assert Contender("largest_dish").entry(SPOON, SPOON.config()) == "largest_dish"
    assert Contender("largest_dish").entry(DINER, DINER.config()) is None
    assert Contender("search:simulations=4").entry(DINER, DINER.config())
    assert Contender("text:builtins:str").entry(DINER, DINER.config()) == "text:builtins:str"
    with pytest.raises(ValueError, match="nowhere"):
        Contender("text:nowhere:reply")


def test_a_file_hides_no_agent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heuristic").mkdir()
    assert Contender("heuristic").entry(SPOON, SPOON.config()) == "heuristic"


def test_results_of_a_policy_and_of_a_named_agent_share_their_lines(tmp_path):
    """Whatever its folder is called, and though others are told by the file."""
    path = saved(tmp_path / "a", DINER, DINER.config(**TEAMS))
    small = dataclasses.replace(SMALL, partners=SMALL.partners[:1])
    mine, other = (
        run_benchmark(agent, parts=["partners"], protocol=small) for agent in (path, "random")
    )
    _, _, *found = table([mine, other])
    cells = {row.split(" | ")[2]: row.strip("| ").split(" | ")[3:] for row in found}
    assert set(cells) == {"it with it", "it with heuristic", "heuristic with heuristic",
                          "self-play less cross-play"}  # fmt: skip
    assert all(len(row) == 2 and all(cell.strip() for cell in row) for row in cells.values())


def test_bad_input(tmp_path):
    path = saved(tmp_path / "mine", SPOON, SPOON.config())
    file = Path(path) / FILE_NAME
    for agent, partners, says in (
        ("nobody", [], "unknown agent 'nobody'"),
        (str(tmp_path / "nowhere"), [], "unknown agent"),
        (path, [path], "two agents are called"),
        (path, ["nobody"], "unknown agent 'nobody'"),
        ("search:luck=3", [], "unknown option 'luck'"),
    ):
        with pytest.raises(ValueError, match=says):
            run_benchmark(agent, partners=partners, protocol=SMALL)
    with pytest.raises(ValueError, match="parts 'beauty': must be some of strength"):
        run_benchmark(path, parts=["beauty"], protocol=SMALL)
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ValueError, match="is no policy"):
        run_benchmark(path, protocol=SMALL)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="there is no policy"):
        run_benchmark(str(tmp_path / "empty"), protocol=SMALL)


# -- Results -----------------------------------------------------------------------------------


def test_results_are_json_and_stand_side_by_side(result, tmp_path):
    file = tmp_path / "result.json"
    file.write_text(json.dumps(result))
    other = read_result(file, SMALL)
    assert other == json.loads(json.dumps(result))
    lines = list(table([result, other]))
    assert lines[0] == "| part | task | measure | random | random |"
    assert len({line.count("|") for line in lines}) == 1
    assert len(lines) == 2 + len(result["rows"])
    for line in lines[2:]:
        cells = line.split(" | ")
        assert cells[-1].removesuffix(" |") == cells[-2]


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("benchmark", "other", 'benchmark was "other", now "small"'),
        ("protocol_digest", "0", "protocol_digest was"),
        ("library", "0.0.1", "library was"),
        ("games", {"greasy_spoon": 7}, "games was"),
        ("rows", None, "holds no result"),
    ],
)
def test_results_of_other_versions_are_refused(result, tmp_path, key, value, says):
    file = tmp_path / "result.json"
    file.write_text(json.dumps({**result, key: value}))
    with pytest.raises(ValueError, match=says):
        read_result(file, SMALL)
    file.write_text("[")
    with pytest.raises(ValueError, match="holds no result"):
        read_result(file, SMALL)


def test_the_protocol_is_fixed():
    """Whoever changes what is played gives it another name, and this digest."""
    assert WAITER_BENCH.name == "WaiterBench-v1"
    assert WAITER_BENCH.digest == "6ce3f18e3e809d2b"
    assert set(WAITER_BENCH.deals) == set(PARTS)
    assert set(head(WAITER_BENCH)["games"]) == set(waiter_envs.GAMES) == set(POOL)
    tasks = [*WAITER_BENCH.strength, *WAITER_BENCH.partners, *WAITER_BENCH.robustness]
    fields = [(task.game, task.fields) for task in tasks]
    fields += [
        (twins.game, f) for twins in WAITER_BENCH.memory for f in (twins.without, twins.told)
    ]
    for task in WAITER_BENCH.generalisation:
        fields += [(task.game, f) for f in (task.training, *task.held_out.values())]
    for game, of_variant in fields:
        assert waiter_envs.load(game).config(**of_variant).num_players >= 2
    for game, names in POOL.items():
        found = waiter_envs.load(game)
        assert RIVAL in names
        assert len(enter(found, found.config(), names)) == len(names)


def test_twins_differ_in_memory_alone():
    for twins in WAITER_BENCH.memory:
        game = waiter_envs.load(twins.game)
        without, told = game.config(**twins.without), game.config(**twins.told)
        both = zip(
            game.config_to_dict(without).items(), game.config_to_dict(told).items(), strict=True
        )
        assert [one[0] for one, other in both if one != other] == ["recall"]


def test_the_command_refuses_what_it_cannot_take(capsys):
    assert main(["benchmark", "--agent", "nobody"]) == 2
    assert "unknown agent 'nobody'" in capsys.readouterr().err
    assert main(["benchmark", "--agent", "random", "--beside", "README.md"]) == 2
    assert "README.md holds no result" in capsys.readouterr().err
