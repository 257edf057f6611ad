"""Games written down: they come back as they were played, and what does not fit is refused."""

from __future__ import annotations

import dataclasses
import gzip
import json
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import waiter_envs
from tests.agents.test_compiled_policies import policy_of
from tests.playing import bits
from tests.samples import samples
from waiter_envs import records
from waiter_envs.agents.agent import Agent, Decisions, Thoughts
from waiter_envs.agents.make import make_agent
from waiter_envs.arena import record_files
from waiter_envs.arena.match import play_match
from waiter_envs.core.game import Game
from waiter_envs.core.tables import Tables
from waiter_envs.records import Record, RecordError, RecordGames, Thought

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)
every_preset = pytest.mark.parametrize(
    ("name", "preset"),
    [(name, preset) for name in waiter_envs.GAMES for preset in waiter_envs.load(name).presets],
)

GAME = waiter_envs.load("greasy_spoon")


class Spy(Agent):
    """Plays as another agent, and keeps every table before its decision, and the action."""

    def __init__(self, agent: Agent, seen: dict[int, list[tuple[Any, int, Any]]]) -> None:
        self.agent, self.seen = agent, seen

    def act(self, decisions: Decisions) -> Any:
        """Return what the agent does."""
        actions = self.agent.act(decisions)
        for i, table in enumerate(decisions.table.tolist()):
            views = decisions.observation[i].copy(), decisions.action_mask[i].copy()
            seen = bits(decisions.state[i]), int(actions[i]), (*views, int(decisions.player[i]))
            self.seen.setdefault(table, []).append(seen)
        return actions

    def reset(self, tables: Any = None) -> None:
        """Forget."""
        self.agent.reset(tables)


def spied_match(
    game: Game, config: Any, path: Path, games: int, num_tables: int = 2
) -> tuple[Any, list[tuple[Any, int, Any]]]:
    """Record a match of a heuristic and random agents; return all decisions, table by table."""
    seen: dict[int, list[tuple[Any, int, Any]]] = {}
    sides = max(config.playing_together) + 1
    names = [next(iter(game.heuristics)), *["random"] * (sides - 1)]
    agents = [Spy(make_agent(game, name, i), seen) for i, name in enumerate(names)]
    result = play_match(game, config, agents, games, 5, num_tables=num_tables, record=path)
    return result, [decision for table in sorted(seen) for decision in seen[table]]


def in_order(found: list[Record]) -> list[Record]:
    """Return records of a match table by table, each in the order of play."""
    assert {record.start.seed for record in found} == {5}
    return sorted(found, key=lambda record: record.start.table)


@every_preset
@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_games_come_back_bit_by_bit(name: str, preset: str, suffix: str, tmp_path: Path) -> None:
    """Tables with their chance to come, actions, texts, who sat where, and what was paid."""
    game = waiter_envs.load(name)
    config = game.presets[preset]
    path = tmp_path / f"games{suffix}"
    result, decisions = spied_match(game, config, path, 5)
    found = list(records.read(path))
    assert len(found) == result.games
    played = iter(decisions)
    won = np.zeros(2, int)
    for record in in_order(found):
        assert (record.game, record.version, record.preset) == (name, game.version, preset)
        assert record.config == config
        paid = np.zeros(config.num_players)
        for step in record.replay():
            table, action, (_, _, player) = next(played)
            assert (bits(step.table), step.action, step.player) == (table, action, player)
            assert record.texts is not None
            assert step.text == record.texts[step.number]
            assert game.text_to_action(step.table, step.text) == step.action
            paid += step.rewards
        assert step.after["terminated"] == (record.end == "terminated")
        assert step.after["truncated"] == (record.end == "truncated")
        np.testing.assert_allclose(paid, record.rewards, atol=1e-5)
        assert record.winners == tuple(np.flatnonzero(np.round(paid, 4) > 0))
        assert set(record.players) <= {"Spy"}
        assert len(record.players) == config.num_players
        won += len(record.winners) > 0, 1
    assert next(played, None) is None
    assert won[1] == result.games


@every_game
def test_what_is_written_is_read(name: str, tmp_path: Path) -> None:
    """Written again, records are the same lines; appended, they come behind the others."""
    game = waiter_envs.load(name)
    path, again = tmp_path / "games.jsonl", tmp_path / "again.jsonl.gz"
    play_match(game, None, ["random"], 8, 3, record=path)
    found = list(records.read(path))
    records.write(again, found[:5])
    records.write(again, iter(found[5:]))
    assert gzip.decompress(again.read_bytes()) == path.read_bytes()
    assert list(records.read(again)) == found
    assert list(records.read(again, 2, 4, check=False)) == found[2:4]
    assert list(records.read(again, len(found))) == []
    short = [dataclasses.replace(record, texts=None) for record in found]
    records.write(tmp_path / "short.jsonl", short)
    assert list(records.read(tmp_path / "short.jsonl")) == short


def test_seats_are_those_of_the_match(tmp_path: Path) -> None:
    """The heuristic's wins in the records are those that the match has counted."""
    game = waiter_envs.load("hey_waiter")
    config = game.config(preset="2v1v1")
    path = tmp_path / "games.jsonl"
    result = play_match(game, config, ["heuristic", "random"], 30, 2, num_tables=6, record=path)
    wins = dict.fromkeys(("heuristic", "random"), 0)
    for record in records.read(path):
        won = {config.sides[player]: record.players[player] for player in record.winners}
        for name in won.values():
            wins[name] += 1  # type: ignore[index]
    assert wins == {agent.name: agent.record.wins for agent in result.agents}


@every_game
@pytest.mark.parametrize("thoughts", [True, False])
@pytest.mark.parametrize("greedy", [True, False])
def test_a_recorded_match_is_the_same_match(
    name: str, thoughts: bool, greedy: bool, tmp_path: Path
) -> None:
    """Where compiled code plays, too; policies tell their probabilities, of legal actions."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).small)
    policy = policy_of(game, config, greedy=greedy)
    agents = [policy, next(iter(game.heuristics))]
    path = tmp_path / "games.jsonl"
    expected = play_match(game, config, agents, 12, 4, num_tables=4)
    result = play_match(game, config, agents, 12, 4, num_tables=4, record=path, thoughts=thoughts)
    assert result == expected
    found = list(records.read(path))
    assert len(found) == result.games
    assert sum(len(record.actions) for record in found) == result.mean_decisions * result.games
    told = 0
    for record in found:
        if not thoughts:
            assert record.thoughts is None
            continue
        for step in record.replay():
            if record.players[step.player] != "policy":
                assert step.thought is None
                continue
            told += 1
            assert step.thought is not None
            chances = step.thought.probabilities
            assert chances is not None
            assert sum(chances.values()) == pytest.approx(1, abs=0.02)
            for action in chances:
                game.action_to_text(step.table, action)  # refuses what is not legal
            if greedy:
                assert chances[step.action] >= max(chances.values()) - 0.001
    assert bool(told) == thoughts


class Thinker(Agent):
    """Plays the first legal action, and has an opinion of it."""

    def act(self, decisions: Decisions) -> Any:
        """Never called where thoughts are recorded."""
        raise AssertionError

    def think(self, decisions: Decisions) -> Any:
        """Return the action, and odd numbers."""
        actions = decisions.action_mask.argmax(axis=1).astype(np.int32)
        chances = np.zeros(decisions.action_mask.shape)
        chances[np.arange(len(actions)), actions] = 0.12345
        chances[:, 0] += 0.0004
        return actions, Thoughts(chances, np.full(len(actions), -0.98765))


def test_thoughts_are_rounded_and_come_back(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    play_match(GAME, None, [Thinker(), "random"], 2, record=path)
    for record in records.read(path):
        for step in record.replay():
            if record.players[step.player] == "Thinker":
                assert step.thought is not None
                assert step.thought.probabilities is not None
                assert set(step.thought.probabilities) <= {step.action}
                assert step.thought.probabilities[step.action] in (0.123, 0.124)
                assert step.thought.value == -0.988
                assert step.thought.seconds is not None
                assert 0 < step.thought.seconds < 10
            else:
                assert step.thought is None


def test_thoughts_of_another_shape_are_refused(tmp_path: Path) -> None:
    class Confused(Thinker):
        """Thinks of one decision only."""

        def think(self, decisions: Decisions) -> Any:
            actions, _ = super().think(decisions)
            return actions, Thoughts(values=np.zeros((1, 1)))

    with pytest.raises(ValueError, match=r"an agent's values have shape \(1, 1\), must be"):
        play_match(GAME, None, [Confused()], 2, record=tmp_path / "games.jsonl")


# -- What does not fit -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a good line."""
    path = tmp_path_factory.mktemp("good") / "games.jsonl"
    play_match(GAME, None, [Thinker(), "heuristic"], 2, record=path)
    return path.read_text().splitlines()[0]


def set_to(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return what writes another value into a record."""
    return lambda content: content.__setitem__(key, value)


def act(decision: int, part: int, value: Any) -> Callable[[dict[str, Any]], None]:
    """Return what changes the number (0) or the text (1) of an action."""
    return lambda content: content["actions"][decision].__setitem__(part, value)


def cut(content: dict[str, Any]) -> None:
    """Take away the last actions."""
    del content["actions"][5:], content["thoughts"][5:]


def go_on(content: dict[str, Any]) -> None:
    """Play on when the game is over."""
    content["actions"].append([0, "?"])
    content["thoughts"].append(None)


def swap(content: dict[str, Any]) -> None:
    """Let the other one win."""
    content["rewards"].reverse()
    content["winners"] = [1 - content["winners"][0]]


MISFITS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "format": (set_to("format", 2), "no record of format 1"),
    "no format": (lambda content: content.pop("format"), "no record of format 1"),
    "no actions": (lambda content: content.pop("actions"), "actions=None"),
    "more": (set_to("extra", 1), "unknown entry 'extra'"),
    "game": (set_to("game", "chess"), "unknown game 'chess'"),
    "version": (set_to("version", 7), "a game of greasy_spoon_v7, but this is greasy_spoon_v0"),
    "preset": (set_to("preset", "best_of_9"), "preset='best_of_9'"),
    "other preset": (set_to("preset", "best_of_3"), "preset='best_of_3': is not the variant"),
    "variant": (lambda c: c["variant"].update(best_of=2), "best_of=2: must be one of 1, 3, 5"),
    "other variant": (lambda c: c["variant"].update(best_of=5), "is not the variant"),
    "field": (lambda c: c["variant"].update(colour=2), "unknown variant field colour"),
    "start": (set_to("start", {}), "from a seed or from a stream"),
    "seed": (set_to("start", {"seed": -1}), "seed=-1"),
    "stream": (set_to("start", {"stream": "12"}), "must be 32 hexadecimal digits"),
    "even stream": (set_to("start", {"stream": 32 * "0"}), "must be odd"),
    "start with more": (set_to("start", {"seed": 1, "chair": 2}), "unknown entry 'chair'"),
    "table": (set_to("start", {"seed": 1, "table": -2}), "table=-2"),
    "drawn": (set_to("start", {"seed": 1, "drawn": "5"}), "drawn='5'"),
    "table of no seed": (set_to("start", {"stream": 32 * "1", "table": 1}), "table=1"),
    "position": (
        set_to("start", {"seed": 1, "position": {"phase": "?"}}), "start: .*must have the keys"
    ),
    "players": (set_to("players", ["a"]), "must be 2 names"),
    "illegal": (act(3, 0, 623), "decision 3: action=623: not legal now for player_."),
    "out of range": (act(3, 0, 10**6), "decision 3: action=1000000: must be an integer from 0 to"),
    "negative": (act(3, 0, -1), "actions=.*must be integers from 0"),
    "text": (act(4, 1, "pass the salt"), "decision 4: action .*, but the record says 'pass the s"),
    "no pair": (lambda content: content["actions"].append(3), "or each a number and a text"),
    "cut": (cut, "after decision 4: the game is unfinished, but the record says terminated"),
    "more actions": (go_on, "action=0: the game is over"),
    "rewards": (swap, "the rewards are .*, but the record says"),
    "nan": (set_to("rewards", [float("nan"), 0]), "rewards=.*must be 2 numbers"),
    "winners": (set_to("winners", []), r"winners=\[\]: by its rewards they are \[.\]"),
    "end": (set_to("end", "won"), "end='won': must be one of terminated, truncated, unfinished"),
    "truncated": (set_to("end", "truncated"), "is terminated, but the record says truncated"),
    "thoughts": (lambda content: content["thoughts"].pop(), "thoughts: must be a list, one for"),
    "thought": (lambda content: content["thoughts"].__setitem__(2, {"q": 1}), "decision 2: tho"),
    "thought of words": (
        lambda content: content["thoughts"].__setitem__(2, {"p": {"1": "?"}}), "decision 2: tho"
    ),
    "thought of an illegal action": (
        lambda content: content["thoughts"].__setitem__(2, {"p": {"999999": 1}}),
        "decision 2: thought: ",
    ),
    "thought of what is not legal now": (
        lambda content: content["thoughts"].__setitem__(3, {"p": {"623": 1}}),
        "decision 3: thought: .*not legal now",
    ),
    "thought of no action": (
        lambda content: content["thoughts"].__setitem__(2, {"p": {"a": 1}}), "decision 2: tho"
    ),
}  # fmt: skip


@pytest.mark.parametrize("misfit", MISFITS)
def test_what_does_not_fit_is_refused(line: str, misfit: str, tmp_path: Path) -> None:
    """The good lines before it are read; the error names file, line, game and decision."""
    change, says = MISFITS[misfit]
    content = json.loads(line)
    change(content)
    path = tmp_path / "games.jsonl"
    path.write_text(f"{line}\n{line}\n{json.dumps(content)}\n{line}\n")
    read = records.read(path)
    assert next(read) == next(read) == Record.from_json(line)
    with pytest.raises(RecordError, match=rf"games\.jsonl, line 3: .*{says}"):
        next(read)
    with pytest.raises(RecordError, match=rf"games\.jsonl, line 3: .*{says}"):
        records.load(path)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[1]", "3", "null", "\xff", '{"format":1}', "[" * 100_000, "1" * 5000, "[]"],
)
def test_lines_that_are_none_are_refused(line: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(f"{line}\n".encode() + text.encode("latin-1") + f"\n{line}\n".encode())
    with pytest.raises(RecordError, match=r"games\.jsonl, line 2: "):
        list(records.read(path))


def test_every_part_of_a_line_is_looked_at(line: str) -> None:
    """Junk in any entry is refused with an error of records, whatever it is."""
    junk = (None, True, -1, 2**70, 1.5, "x", [], {}, [[]], {"a": 1}, [None], [[1, "a"]] * 3)
    taken = []
    for key in json.loads(line):
        for value in junk:
            try:
                Record.from_json(json.dumps({**json.loads(line), key: value}))
            except RecordError:
                continue
            taken.append((key, value))
    assert taken == [("preset", None), ("variant", {}), ("thoughts", None)]


def test_a_file_of_another_place_is_not_read(tmp_path: Path) -> None:
    """A record names no file on the reader's disk."""
    game = waiter_envs.load("garcon")
    path = tmp_path / "games.jsonl"
    play_match(game, None, ["random"], 1, record=path)
    content = json.loads(path.read_text().splitlines()[0])
    secret = tmp_path / "secret.csv"
    secret.write_text("dish,symbol\nsecret,secret\n")
    content["variant"]["menu"] = str(secret)
    with pytest.raises(RecordError, match="not the name of a file"):
        Record.from_json(json.dumps(content))


# -- Files that are cut off --------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_a_cut_file_gives_its_whole_lines(suffix: str, line: str, tmp_path: Path) -> None:
    """Wherever it was cut; and a plain one goes on after them."""
    path = tmp_path / f"games{suffix}"
    record = Record.from_json(line)
    with record_files.Writer(path) as writer:
        writer._every = 0.0
        for _ in range(3):
            writer.write([record])
    whole = path.read_bytes()
    counts = set()
    for end in range(0, len(whole), 7):
        path.write_bytes(whole[:end])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = list(records.read(path, check=False))
        plain = suffix == ".jsonl"
        cut = end not in (0, len(whole)) and not (plain and whole[end - 1] == 10)
        last = plain and end % len(f"{line}\n".encode()) == len(line.encode())
        assert len(told) == (cut and not last)
        assert found == [record] * len(found)
        counts.add(len(found))
        if plain:
            with warnings.catch_warnings(record=True):
                warnings.simplefilter("always")
                records.write(path, [record])
            assert list(records.read(path, check=False)) == [record] * (len(found) + 1)
        elif cut:
            with pytest.raises(ValueError, match=r"jsonl\.gz is cut off or damaged"):
                records.write(path, [record])
    assert counts == {0, 1, 2, 3} or (suffix == ".jsonl" and counts == {0, 1, 2})


def test_damage_within_a_compressed_file_is_told(line: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    content = bytearray(gzip.compress(f"{line}\n".encode()))
    content[-6] ^= 1
    path.write_bytes(content)
    with pytest.raises(RecordError, match="damaged"):
        list(records.read(path))
    path.write_text(line)
    with pytest.raises(RecordError, match="damaged"):
        list(records.read(path))
    with pytest.raises(ValueError, match="damaged"):
        records.write(path, [])


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz"])
def test_a_killed_match_leaves_whole_games(suffix: str, tmp_path: Path) -> None:
    """SIGKILL while it plays: what was written until then is read and fits."""
    path = tmp_path / f"games{suffix}"
    command = ["match", "greasy_spoon", "--agents", "random", "--games", "10000000"]
    command = [sys.executable, "-m", "waiter_envs", *command, "--record", str(path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        stop = time.monotonic() + 120
        while not (path.exists() and path.stat().st_size > 50_000):
            assert process.poll() is None
            assert time.monotonic() < stop
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(list(records.read(path))) > 20


# -- Starts ------------------------------------------------------------------------------------


@every_game
def test_the_first_game_of_a_seed(name: str) -> None:
    """Written with its seed alone, it is the game of table 0 of that seed."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).small)
    tables = Tables(game, config, 3, 17, autoreset_mode="Disabled")
    actions, states = [], []
    while not (tables.terminated[0] or tables.truncated[0]):
        chosen = tables.action_mask.argmax(axis=1)
        actions.append(int(chosen[0]))
        states.append(bits(tables.state[0]))
        if (tables.terminated | tables.truncated).any():
            tables.reset(mask=tables.terminated | tables.truncated)
            chosen = tables.action_mask.argmax(axis=1)
        tables.step(chosen)
        if len(actions) == 400:
            break
    record = Record.of(game, config, actions, seed=17, players=["a"] * config.num_players)
    record = Record.from_json(record.to_json())
    assert json.loads(record.to_json())["start"] == {"seed": 17}
    assert [bits(step.table) for step in record.replay()] == states
    assert record.start.stream is None


def test_a_start_that_is_impossible() -> None:
    position = GAME.position_to_dict(Tables(GAME, None, 1, 1).state[0])
    position["to_act"] = 9
    with pytest.raises(RecordError, match=r"greasy_spoon, start: .*to_act"):
        Record.of(GAME, None, [0], seed=1, position=position)
    good = Record.of(GAME, None, [], seed=1)
    bad = dataclasses.replace(good, start=records.Start(1, None, position))
    with pytest.raises(RecordError, match=r"greasy_spoon, start: .*to_act"):
        list(bad.replay())


def test_a_deck_of_ones_own_travels_inside(tmp_path: Path) -> None:
    """Orders and menu from CSV files, which are gone when the games are read."""
    game = waiter_envs.load("garcon")
    menu = tmp_path / "menu.csv"
    menu.write_text("dish,symbol\nwine,drink\nwater,drink\nrice,plate\nçay,drink\n", "utf-8")
    orders = tmp_path / "orders.csv"
    rows = ["wine;rice", "water", "çay;rice", "rice", "water;çay", "wine", "çay", "water;rice"]
    orders.write_text(
        "points,dishes\n" + "".join(f"{r.count(';') + 1},{r}\n" for r in rows), "utf-8"
    )
    config = game.config(players=3, orders=orders, menu=str(menu), events={"repeat": 2})
    path = tmp_path / "games.jsonl"
    play_match(game, config, ["random"], 6, record=path)
    orders.unlink()
    menu.unlink()
    found = list(records.read(path))
    assert len(found) == 6
    for record in found:
        assert record.preset is None
        assert record.config == config
        assert record.config.deck == config.deck
    assert any("çay" in text for record in found for text in record.texts or ())


# -- Environments ------------------------------------------------------------------------------


def play_aec(env: Any, seed: int | None, options: Any = None, most: int = 10**6) -> list[Any]:
    """Play a game of random actions; return the tables before them."""
    env.reset(seed=seed, options=options)
    chance = np.random.default_rng(3)
    tables = []
    for _ in range(most):
        if not env.agents or any(env.terminations.values()) or any(env.truncations.values()):
            break
        observation, _, _, _, info = env.last()
        assert observation is not None
        tables.append(bits(env.unwrapped.table))
        env.step(int(chance.choice(np.flatnonzero(info["action_mask"]))))
    return tables


@every_game
@pytest.mark.parametrize("checked", [True, False])
def test_aec_environments_write_their_games(name: str, checked: bool, tmp_path: Path) -> None:
    """By a seed, by the stream that goes on, from a position; an unfinished one when it is left."""
    path = tmp_path / "games.jsonl"
    quick = samples(name).quick
    inner = waiter_envs.make(name, **quick)
    env = RecordGames(
        inner if checked else inner.unwrapped, path, ["a", *"bcdefgh"][: inner.max_num_agents]
    )
    play_aec(inner, 5, most=4)
    halfway = inner.unwrapped.table
    played = [play_aec(env, 5), play_aec(env, None)]
    assert len(path.read_text().splitlines()) == 2, "each game is written when it ends"
    position = env.unwrapped.game.position_to_dict(halfway)
    played += [play_aec(env, seed, {"position": position}) for seed in (8, None)]
    played += [play_aec(env, None, most=2), play_aec(env, 5, most=3)]
    env.close()
    found = list(records.read(path))
    assert [[bits(step.table) for step in record.replay()] for record in found] == played
    assert [record.end == "unfinished" for record in found] == [False] * 4 + [True] * 2
    assert [record.start.seed for record in found] == [5, None, None, None, None, 5]
    assert [record.start.position is None for record in found] == [
        True,
        True,
        False,
        False,
        True,
        True,
    ]
    assert found[0].players[0] == "a"


def test_an_illegal_action_leaves_a_game_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    env = RecordGames(waiter_envs.make("greasy_spoon"), path)
    play_aec(env, 1, most=4)
    illegal = int(env.infos[env.agent_selection]["action_mask"].argmin())
    env.step(illegal)
    assert all(env.terminations.values())
    (record,) = records.read(path)
    assert (record.end, len(record.actions), record.winners) == ("unfinished", 4, ())
    env.close()


@every_game
def test_gymnasium_environments_write_their_games(name: str, tmp_path: Path) -> None:
    """Opponents' actions, too, whatever seat is drawn."""
    import gymnasium

    path = tmp_path / "games.jsonl.gz"
    game = waiter_envs.load(name)
    plain = gymnasium.make(
        f"{name}_env:{game.gymnasium_id}", opponents="heuristic", **samples(name).quick
    )
    env = RecordGames(plain, path)
    chance = np.random.default_rng(2)
    totals, seats, last = [], [], []
    for seed in (3, None, None, 4):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            _, reward, terminated, truncated, info = env.step(action)
            total, over = total + float(reward), terminated or truncated
        totals.append(total)
        seats.append(env.unwrapped.seat)
        last.append(bits(env.unwrapped.table))
    _, info = env.reset()
    env.step(int(info["action_mask"].argmax()))
    env.reset()
    env.close()
    found = list(records.read(path))
    assert [record.end == "unfinished" for record in found[:5]] == [False] * 4 + [True]
    for record, total, seat, table in zip(found, totals, seats, last, strict=False):
        assert record.players.index("learner") == seat
        assert record.players.count("heuristic") == len(record.players) - 1
        assert record.rewards[seat] == pytest.approx(total, abs=1e-4)
        *_, step = record.replay()
        assert bits(step.after) == table


# -- Data sets ---------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("games", [None, 3])
def test_data_sets_are_what_was_seen(name: str, games: int | None, tmp_path: Path) -> None:
    """All arrays equal those collected while playing; chunks and packed ones are the same."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).quick)
    path = tmp_path / "games.jsonl"
    _, decisions = spied_match(game, config, path, 8, num_tables=1 if games is None else 3)
    order = list(records.read(path))
    loaded = records.load(path)
    if games is not None:
        chunks = list(records.load_chunks(path, games))
        assert len(chunks) == -(-len(order) // games)
        for column, whole in zip(zip(*chunks, strict=True), loaded, strict=True):
            np.testing.assert_array_equal(np.concatenate(column), whole)
    by_table = in_order(order)
    rows = np.concatenate([np.flatnonzero(loaded.game == order.index(r)) for r in by_table])
    assert len(rows) == len(decisions) == len(loaded.action)
    for row, (_, action, (observation, mask, player)) in zip(rows, decisions, strict=True):
        assert (loaded.action[row], loaded.player[row]) == (action, player)
        np.testing.assert_array_equal(loaded.observation[row], observation)
        np.testing.assert_array_equal(loaded.action_mask[row], mask)
    for number, record in enumerate(order):
        paid = np.array([step.rewards for step in record.replay()], float)
        to_go = paid[::-1].cumsum(axis=0)[::-1]
        mine = loaded.game == number
        expected = to_go[np.arange(len(to_go)), loaded.player[mine]]
        np.testing.assert_allclose(loaded.reward_to_go[mine], expected, atol=1e-5)
    packed = records.load(path, packed=True)
    for few, many in zip(packed[:2], loaded[:2], strict=True):
        np.testing.assert_array_equal(np.unpackbits(few, axis=1, count=many.shape[1]), many)
    for few, many in zip(packed[2:], loaded[2:], strict=True):
        np.testing.assert_array_equal(few, many)


def test_data_sets_are_of_one_variant(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with pytest.raises(ValueError, match="no such file"):
        records.load(path)
    path.touch()
    with pytest.raises(RecordError, match="there is no game"):
        records.load(path)
    for best_of in (1, 3):
        play_match(GAME, GAME.config(best_of=best_of), ["random"], 2, record=path)
    assert [record.preset for record in records.read(path)] == ["best_of_1"] * 2 + ["best_of_3"] * 2
    with pytest.raises(RecordError, match="line 3: another variant"):
        records.load(path)


def test_records_say_what_an_agent_thought_in_numbers() -> None:
    """Thoughts that were given by hand are written as they are read."""
    record = Record.of(GAME, None, [], seed=1)
    first = int(Tables(GAME, None, 1, 1).action_mask[0].argmax())
    record = dataclasses.replace(
        Record.of(GAME, None, [first], seed=1),
        thoughts=(Thought({first: 0.5, first + 1: 1e-9}, None, 0.123456),),
    )
    assert Record.from_json(record.to_json()).thoughts == (Thought({first: 0.5}, None, 0.12),)
