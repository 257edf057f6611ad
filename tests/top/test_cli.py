"""The command line: what it prints, and what it says to bad input."""

from __future__ import annotations

import json

import pytest

import waiter_envs
from waiter_envs.cli import main

GAME = waiter_envs.GAMES[0]


def test_games_lists_every_game(capsys):
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(waiter_envs.GAMES)


@pytest.mark.parametrize("name", waiter_envs.GAMES)
def test_describe_tells_sizes_blocks_fields_and_variants(name, capsys):
    game = waiter_envs.load(name)
    assert main(["describe", name]) == 0
    text = capsys.readouterr().out
    config = game.config_class()
    assert f"actions: {game.num_actions(config)}" in text
    assert f"features: {game.num_features(config)}" in text
    for row in (*game.action_blocks(config), *game.observation_fields(config)):
        assert f" {row.start} " in text
        assert row.name in text
    for preset in game.presets:
        assert preset in text


def test_describe_takes_fields(capsys):
    assert main(["describe", "hey_waiter", "--set", "seats=0,1,2", "dishes=5"]) == 0
    assert "players: 3" in capsys.readouterr().out


def test_match_prints_rates_and_writes_json(capsys, tmp_path):
    path = tmp_path / "match.json"
    command = ["match", GAME, "--agents", "random", "random", "--games", "8", "--json", str(path)]
    assert main(command) == 0
    assert "95% interval" in capsys.readouterr().out
    result = json.loads(path.read_text())
    assert result["games"] == 8
    for agent in result["agents"]:
        low, high = agent["interval"]
        assert low <= agent["win_rate"] <= high


def test_json_into_no_folder_is_refused_before_anything_is_played(capsys, tmp_path):
    for file in (str(tmp_path / "none" / "match.json"), ""):
        with pytest.raises(SystemExit) as exit_:
            main(["match", GAME, "--agents", "random", "--json", file])
        assert exit_.value.code == 2
        output = capsys.readouterr()
        assert "folder that exists" in output.err
        assert not output.out


def test_version(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])
    assert waiter_envs.__version__ in capsys.readouterr().out


def test_bench_measures(capsys, tmp_path):
    path = tmp_path / "bench.json"
    command = ["bench", GAME, "--agents", "random", "--batches", "64", "--threads", "1"]
    assert main([*command, "--seconds", "0.05", "--json", str(path)]) == 0
    (result,) = json.loads(path.read_text())
    assert result["num_tables"] == 64
    assert 0 < result["share_of_floor"] < 1
    assert result["steps_per_second_with_choice"] < result["steps_per_second"]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["describe", "chess"], GAME),
        (["describe", GAME, "--preset", "huge"], waiter_envs.load(GAME).default_preset),
        (["describe", GAME, "--set", "colour=1"], "max_turns"),
        (["describe", GAME, "--set", "dishes"], "FIELD=VALUE"),
        (["match", GAME, "--agents", "genius"], "random"),
        (["match", GAME, "--agents", "random", "--games", "0"], "from 1"),
        (["match", GAME, *["--agents"], *["random"] * 9], "sides"),
        (["bench", GAME, "--batches", "0"], "from 1"),
        (["bench", GAME, "--threads", "0"], "from 1"),
        (["bench", GAME, "--presets", "huge"], waiter_envs.load(GAME).default_preset),
    ],
)
def test_bad_input_is_told_in_one_line(command, says, capsys):
    assert main(command) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["sing"],
        ["match", GAME],
        ["match", GAME, "--games", "x"],
        ["bench", GAME, "--seconds", "-1"],
    ],
)
def test_bad_usage_exits_with_2(command, capsys):
    with pytest.raises(SystemExit) as exit_:
        main(command)
    assert exit_.value.code == 2
