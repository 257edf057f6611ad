"""The command line: what it prints, and what it says to bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

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


def test_match_records_and_replay_tells(capsys, tmp_path):
    path = str(tmp_path / "games.jsonl.gz")
    command = ["match", "garcon", "--agents", "heuristic", "random", "--games", "8"]
    assert main([*command, "--record", path]) == 0
    assert main([*command, "--record", path, "--no-thoughts", "--seed", "2"]) == 0
    capsys.readouterr()
    assert main(["replay", path]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert "winner" in header
    found = list(waiter_envs.records.read(path))
    assert len(lines) == len(found) == 16
    for number, (line, record) in enumerate(zip(lines, found, strict=True)):
        words = line.split()
        assert words[:4] == [str(number), "garcon", "rulebook", str(len(record.actions))]
        winners = [f"P{player}" for player in record.winners] or ["nobody"]
        assert words[4:] == [*winners, *(f"P{p}={name}" for p, name in enumerate(record.players))]


def test_replay_prints_a_whole_game(capsys, tmp_path):
    path = str(tmp_path / "games.jsonl")
    assert main(["match", "garcon", "--agents", "random", "--games", "4", "--record", path]) == 0
    record = list(waiter_envs.records.read(path))[2]
    capsys.readouterr()
    assert main(["replay", path, "--game", "2"]) == 0
    whole = capsys.readouterr().out
    assert main(["replay", path, "--game", "2", "--seat", "1"]) == 0
    seen = capsys.readouterr().out
    steps = list(record.replay())
    for text in (whole, seen):
        assert text.startswith("# A game of Garçon (garcon_v0), rulebook\nplayers: P0 random, P1")
        assert text.count("== decision ") == len(steps)
        assert f"== {record.end} ==" in text
    for step in steps:
        line = f"action: {step.text}  # {step.action}\n"
        assert f"== decision {step.number}: P{step.player} ==\n" in whole
        assert line in whole.split(f"== decision {step.number}: ")[1].split("== ")[0]
        part = seen.split(f"== decision {step.number}: ")[1].split("== ")[0]
        assert (line in part) == (step.player == 1)
        assert waiter_envs.load("garcon").render(step.table, 1) in part


def test_replay_for_a_seat_tells_nothing_that_is_hidden(capsys, tmp_path):
    """Two games that differ in a card laid face down look the same to the other player."""
    game = waiter_envs.load("hey_waiter")
    config = game.config(preset="2_players")
    table = waiter_envs.Tables(game, config, 1, 4).state[0]
    told = {}
    for text in ("pick 0 on W", "pick 0 on B"):
        path = tmp_path / f"{text}.jsonl"
        action = game.text_to_action(table, text)
        waiter_envs.records.write(
            path, [waiter_envs.records.Record.of(game, config, [action], seed=4)]
        )
        for seat in range(2):
            assert main(["replay", str(path), "--game", "0", "--seat", str(seat)]) == 0
            told[text, seat] = capsys.readouterr().out
    actor = int(table["current_player"])
    assert told["pick 0 on W", actor] != told["pick 0 on B", actor]
    assert told["pick 0 on W", 1 - actor] == told["pick 0 on B", 1 - actor]


def test_replay_writes_a_page(capsys, tmp_path):
    """One game of a file, for everybody or a seat, with judges."""
    games, page = str(tmp_path / "games.jsonl"), tmp_path / "game.html"
    main(["match", GAME, "--agents", "random", "--games", "2", "--record", games])
    capsys.readouterr()
    assert main(["replay", games, "--html", str(page), "--game", "1"]) == 0
    whole = page.read_text("utf-8")
    assert f"{len(whole.encode()):,} bytes" in capsys.readouterr().out
    command = ["replay", games, "--html", str(page), "--seat", "1", "--analyse", "heuristic"]
    assert main(command) == 0
    assert "<!DOCTYPE html>" in page.read_text("utf-8") != whole
    assert main(["replay", games, "--html", str(page), "--seat", "7"]) == 2
    assert "seat=7" in capsys.readouterr().err


def test_replay_tells_thoughts(capsys, tmp_path):
    from tests.agents.test_compiled_policies import policy_of
    from waiter_envs.arena.match import play_match

    game = waiter_envs.load("greasy_spoon")
    path = tmp_path / "games.jsonl"
    play_match(game, None, [policy_of(game, game.config()), "random"], 2, record=path)
    assert main(["replay", str(path), "--game", "0"]) == 0
    assert "\nthought: " in capsys.readouterr().out


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
        (["match", GAME, "--agents", "random", "--record", "no/such/folder.jsonl"], "No such file"),
        (["replay", "nowhere.jsonl"], "no such file"),
        (["replay", "README.md"], "README.md, line 1: no JSON"),
        (["replay", "README.md", "--game", "0"], "README.md, line 1: no JSON"),
        (["replay", os.devnull, "--game", "0"], "no such file"),
        (["replay", "README.md", "--game", "-1"], "--game=-1"),
        (["replay", "README.md", "--seat", "1"], "give --game or --html too"),
        (["replay", "README.md", "--analyse", "random"], "give --html too"),
        (["replay", "README.md", "--html", "game.html"], "README.md, line 1: no JSON"),
        (["bench", GAME, "--batches", "0"], "from 1"),
        (["bench", GAME, "--threads", "0"], "from 1"),
        (["bench", GAME, "--presets", "huge"], waiter_envs.load(GAME).default_preset),
        (["warm", "chess"], GAME),
        (["warm", "--preset", "huge"], waiter_envs.load(GAME).default_preset),
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


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *command], env={**os.environ, **environment}, capture_output=True
    )


@pytest.mark.parametrize(
    ("encoding", "command"),
    [
        ("cp1251", "games"),
        ("ascii", "describe garcon"),
        ("cp1251", "match garcon --agents random --games 1 --set max_turns=4"),
    ],
)
def test_consoles_that_lack_a_letter_show_another(encoding: str, command: str) -> None:
    settings = {"PYTHONIOENCODING": encoding, "NUMBA_DISABLE_JIT": "1"}
    done = run("-m", "waiter_envs", *command.split(), **settings)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Gar?on" in done.stdout


def test_whoever_plays_what_was_warmed_compiles_nothing(tmp_path: Path) -> None:
    """At tables, as one learner, one table by itself, in words, in a match and in its records."""
    command = ["warm", "greasy_spoon", "--set", "best_of=1"]
    warmed = run("-m", "waiter_envs", *command, NUMBA_DISABLE_JIT="0")
    assert warmed.returncode == 0, warmed.stderr
    assert warmed.stdout.startswith(b"greasy_spoon: ")
    code = """if True:
        import sys
        import waiter_envs
        from waiter_envs.arena.match import play_match
        from waiter_envs.core import compile_cache

        def refuse(self, sig, data):
            raise AssertionError(f"{self.cache_path}: compiled {sig}")

        compile_cache.KernelCache.save_overload = refuse
        game = waiter_envs.load("greasy_spoon")
        config = game.config(best_of=1)
        tables = waiter_envs.Tables(game, config, 5, seed=1)
        tables.step(tables.sample_actions())
        tables.observe(tables.current_player)
        tables.full_observation()
        text = game.action_to_text(tables.state[0], int(tables.action_mask[0].argmax()))
        game.text_to_action(tables.state[0], text)
        envs = waiter_envs.SingleAgentVectorEnv(
            game, 3, opponents="heuristic", config=config, autoreset_mode="SameStep"
        )
        seen, _ = envs.reset(seed=1)
        for _ in range(60):
            seen, *_ = envs.step(seen["action_mask"].argmax(axis=1))
        env = waiter_envs.make("greasy_spoon", best_of=1, render_mode="ansi")
        env.reset(seed=1)
        for agent in env.agent_iter(20):
            observation, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else int(observation["action_mask"].argmax()))
        env.render()
        play_match(game, config, ["heuristic", "random"], 20, record=sys.argv[1])
        waiter_envs.records.load(sys.argv[1])
        """
    played = run("-c", code, str(tmp_path / "games.jsonl"), NUMBA_DISABLE_JIT="0")
    assert played.returncode == 0, played.stderr.decode()
