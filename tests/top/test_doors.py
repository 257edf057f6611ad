"""Every parameter of every public function refuses what it cannot take.

Each door takes junk of every kind in one parameter, while the others are right. What it may take of
that is listed beside it; for the rest it must raise a TypeError or ValueError that names the
parameter, and nothing may have moved.
"""

from __future__ import annotations

import functools
import inspect
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import greasy_spoon_env
import hey_waiter_env
import waiter_envs
from tests.playing import bits
from waiter_envs import records
from waiter_envs.agents.policies import load_policy, save_policy
from waiter_envs.arena import match, playthrough, throughput
from waiter_envs.core.checks import shown

GAME = greasy_spoon_env.GAME
CONFIG = GAME.config()
TABLES = waiter_envs.Tables(GAME, CONFIG, 2, 1)
ENV = greasy_spoon_env.raw_env()
ENV.reset(seed=1)
CHECKED = greasy_spoon_env.env()
CHECKED.reset(seed=1)
LEARNER = waiter_envs.SingleAgentEnv(GAME)
LEARNER.reset(seed=1)
LEARNERS = waiter_envs.SingleAgentVectorEnv(GAME, 2)
LEARNERS.reset(seed=1)
RECORD = TABLES.state[0].copy()
POSITION = GAME.position_to_dict(RECORD)
FIRST = int(np.flatnonzero(TABLES.action_mask[0])[0])
AGENT = waiter_envs.RandomAgent(1)
DECISIONS = waiter_envs.Decisions.at(TABLES)


def nested(depth: int) -> list[Any]:
    """Return a list in a list in a list ..."""
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


JUNK: dict[str, Any] = {
    "None": None,
    "True": True,
    "-1": -1,
    "0": 0,
    "1": 1,
    "2**31": 2**31,
    "10**8": 10**8,
    "2**70": 2**70,
    "-2**70": -(2**70),
    "1.5": 1.5,
    "nan": float("nan"),
    "'1'": "1",
    "bytes": b"1",
    "[]": [],
    "[1]": [1],
    "nested": nested(5000),
    "{}": {},
    "object": object(),
    "np.int64": np.int64(1),
    "np.float64": np.float64(1.0),
    "np.bool": np.True_,
    "np.array": np.array([1, 2]),
    "np.zeros": np.zeros(3),
    "foreign record": hey_waiter_env.tables(1, 0, preset="2_players").state[0].copy(),
    "foreign config": hey_waiter_env.Config(),
    "foreign game": hey_waiter_env.GAME,
}

INTS = {"0", "1", "np.int64"}
COUNTS = {"1", "np.int64"}
SEEDS = {*INTS, "2**31", "10**8"}
OPTIONAL_SEEDS = {"None", *SEEDS}
HUGE = frozenset(["10**8"])
CONFIGS = {"None"}
ANY_PATH = frozenset(["'1'"])
"""A path that could be written to, in the folder where the tests run."""
EMPTY = {"[]", "{}"}
PRESETS = {"None"}


class Door(NamedTuple):
    """One parameter of a public function."""

    call: Callable[[Any], Any]
    """Calls it with junk."""
    accepts: set[str]
    """Which junk it may take."""
    names: str
    """How errors name the parameter, as a regular expression."""
    untried: frozenset[str] = frozenset()
    """Which junk is right, but takes too long or too much memory to try."""


def table_doors(of: Callable[..., Any], config: bool = True) -> Iterator[tuple[str, Door]]:
    """Return the doors of everything that takes a variant by `config`, `preset` or fields."""
    if config:
        yield "config", Door(lambda junk: of(config=junk), CONFIGS, "config")
    yield "preset", Door(lambda junk: of(preset=junk), PRESETS, "preset")
    yield "fields", Door(lambda junk: of(best_of=junk), COUNTS, "best_of")


def constructor_doors() -> dict[str, Door]:
    """Return the doors of what opens tables."""
    tables, single = waiter_envs.Tables, waiter_envs.SingleAgentEnv
    many = waiter_envs.SingleAgentVectorEnv
    doors = {
        "Tables.game": Door(lambda junk: tables(junk, CONFIG, 1), set(), "game|config"),
        "Tables.config": Door(lambda junk: tables(GAME, junk, 1), CONFIGS, "config"),
        "Tables.num_tables": Door(
            lambda junk: tables(GAME, CONFIG, junk), COUNTS, "num_tables", HUGE
        ),
        "Tables.seed": Door(lambda junk: tables(GAME, CONFIG, 1, junk), OPTIONAL_SEEDS, "seed"),
        "Tables.autoreset_mode": Door(
            lambda junk: tables(GAME, CONFIG, 1, autoreset_mode=junk), set(), "autoreset_mode"
        ),
        "Tables.num_threads": Door(
            lambda junk: tables(GAME, CONFIG, 1, num_threads=junk),
            {"None", *COUNTS},
            "num_threads",
        ),
        "Tables.copy": Door(lambda junk: tables(GAME, CONFIG, 1, copy=junk), {"True"}, "copy"),
        "Tables.observe": Door(
            lambda junk: tables(GAME, CONFIG, 1, observe=junk), {"True"}, "observe"
        ),
        "Tables.packed": Door(
            lambda junk: tables(GAME, CONFIG, 1, packed=junk), {"True"}, "packed"
        ),
        "tables.num_tables": Door(greasy_spoon_env.tables, COUNTS, "num_tables", HUGE),
        "tables.seed": Door(lambda junk: greasy_spoon_env.tables(1, junk), OPTIONAL_SEEDS, "seed"),
        "env.render_mode": Door(greasy_spoon_env.env, {"None"}, "render_mode"),
        "raw_env.render_mode": Door(greasy_spoon_env.raw_env, {"None"}, "render_mode"),
        "make.name": Door(waiter_envs.make, set(), "name|game"),
        "make.render_mode": Door(
            lambda junk: waiter_envs.make(GAME.name, junk), {"None"}, "render_mode"
        ),
        "load.name": Door(waiter_envs.load, set(), "name|game"),
        "TableEnv.game": Door(waiter_envs.TableEnv, {"foreign game"}, "game"),
        "SingleAgentEnv.game": Door(single, {"foreign game"}, "game"),
        "SingleAgentVectorEnv.game": Door(many, {"foreign game"}, "game"),
        "SingleAgentVectorEnv.num_envs": Door(
            lambda junk: many(GAME, junk), COUNTS, "num_envs", HUGE
        ),
        "SingleAgentVectorEnv.autoreset_mode": Door(
            lambda junk: many(GAME, autoreset_mode=junk), set(), "autoreset_mode"
        ),
        "SingleAgentVectorEnv.num_threads": Door(
            lambda junk: many(GAME, num_threads=junk), {"None", *COUNTS}, "num_threads"
        ),
        "SingleAgentVectorEnv.copy": Door(lambda junk: many(GAME, copy=junk), {"True"}, "copy"),
    }
    shared = ("game", "num_tables", "seed", "autoreset_mode", "num_threads", "copy")
    for name in (*shared, "observe", "packed"):
        door = doors[f"Tables.{name}"]
        right = {"game": GAME, "num_tables": 1}
        doors[f"Tables.of.{name}"] = door._replace(
            call=lambda junk, name=name, right=right: tables.of(**{**right, name: junk})  # type: ignore[misc]
        )
    doors["Tables.of.game"] = doors["Tables.of.game"]._replace(accepts={"foreign game"})
    doors["TableEnv.render_mode"] = doors["env.render_mode"]._replace(
        call=lambda junk: waiter_envs.TableEnv(GAME, junk)
    )
    for kind in (single, many):
        for name, accepts in (
            ("render_mode", {"None"}),
            ("seat", {"None", *INTS}),
            ("opponents", set()),
            ("flat_observation", {"True"}),
        ):
            doors[f"{kind.__name__}.{name}"] = Door(
                lambda junk, kind=kind, name=name: kind(GAME, **{name: junk}),  # type: ignore[misc]
                accepts,
                "opponents|agent" if name == "opponents" else name,
            )
    for label, of in (
        ("Tables.of", lambda **fields: tables.of(GAME, 1, **fields)),
        ("tables", lambda **fields: greasy_spoon_env.tables(1, **fields)),
        ("env", greasy_spoon_env.env),
        ("raw_env", greasy_spoon_env.raw_env),
        ("make", lambda **fields: waiter_envs.make(GAME.name, **fields)),
        ("TableEnv", lambda **fields: waiter_envs.TableEnv(GAME, **fields)),
        ("SingleAgentEnv", lambda **fields: single(GAME, **fields)),
        ("SingleAgentVectorEnv", lambda **fields: many(GAME, **fields)),
        ("Game.config", GAME.config),
    ):
        doors |= {f"{label}.{name}": door for name, door in table_doors(of)}
    return doors


def prompt_doors() -> dict[str, Door]:
    """Return the doors of games as text; any reply is taken, and what is no action is refused."""
    env, agent = waiter_envs.TextEnv, waiter_envs.TextAgent
    asked = env(GAME, retries=99)
    asked.reset(1)
    doors = {
        "TextEnv.game": Door(env, {"foreign game"}, "game"),
        "TextEnv.seat": Door(lambda junk: env(GAME, seat=junk), {"None", *INTS}, "seat"),
        "TextEnv.opponents": Door(lambda junk: env(GAME, opponents=junk), set(), "opponents|agent"),
        "TextEnv.reset.seed": Door(lambda junk: env(GAME).reset(junk), OPTIONAL_SEEDS, "seed"),
        "TextEnv.step.reply": Door(asked.step, set(JUNK), "reply"),
        "TextAgent.function": Door(agent, set(), "function"),
        "TextAgent.game": Door(lambda junk: agent(str, junk), {"None", "foreign game"}, "game"),
        "TextAgent.seed": Door(lambda junk: agent(str, seed=junk), SEEDS, "seed"),
    }
    for label, of in (
        ("TextEnv", functools.partial(env, GAME)),
        ("TextAgent", functools.partial(agent, str)),
    ):
        for name, accepts in (("retries", INTS), ("rules", {"True"}), ("list_actions", {"True"})):
            doors[f"{label}.{name}"] = Door(
                lambda junk, of=of, name=name: of(**{name: junk}),  # type: ignore[misc]
                accepts,
                name,
            )
    return doors | {
        f"TextEnv.{name}": door for name, door in table_doors(functools.partial(env, GAME))
    }


def play_doors() -> dict[str, Door]:
    """Return the doors of what plays and looks at tables."""
    return {
        "Tables.reset.seed": Door(TABLES.reset, OPTIONAL_SEEDS, "seed"),
        "Tables.reset.mask": Door(lambda junk: TABLES.reset(mask=junk), {"None"}, "mask"),
        "Tables.step.actions": Door(TABLES.step, set(), "action"),
        "Tables.step.out": Door(
            lambda junk: TABLES.step(TABLES.sample_actions(), out=junk), {"None"}, "out"
        ),
        "Tables.observe.players": Door(TABLES.observe, INTS, "players"),
        "Tables.full_observation.players": Door(
            TABLES.full_observation, {"None", *INTS}, "players"
        ),
        "Tables.final_observation.which": Door(TABLES.final_observation, {"[]", "[1]"}, "which"),
        "Tables.clone.rows": Door(TABLES.clone, set(), "rows"),
        "Tables.resample.players": Door(lambda junk: TABLES.resample(junk, 1), INTS, "players"),
        "Tables.resample.seed": Door(lambda junk: TABLES.resample(0, junk), SEEDS, "seed"),
        "Tables.resample.memories": Door(
            lambda junk: TABLES.resample(0, 1, junk), {"None"}, "memories"
        ),
        "Tables.playout.policy": Door(TABLES.playout, set(), "policy"),
        "Tables.playout.depth": Door(
            lambda junk: TABLES.playout("random", junk),
            {"None", *SEEDS},
            "depth",
            frozenset(["2**31"]),
        ),
        "Tables.playout.seed": Door(
            lambda junk: TABLES.playout("random", 1, junk), OPTIONAL_SEEDS, "seed"
        ),
        "Tables.state": Door(lambda junk: setattr(TABLES, "state", junk), set(), "state"),
        "TableEnv.reset.seed": Door(ENV.reset, OPTIONAL_SEEDS, "seed"),
        "TableEnv.reset.options": Door(
            lambda junk: ENV.reset(options=junk), {"None", "{}"}, "options"
        ),
        "TableEnv.reset.options.position": Door(
            lambda junk: ENV.reset(options={"position": junk}), {"None"}, "position"
        ),
        "TableEnv.step.action": Door(lambda junk: ENV.step(junk), {"0"}, "action"),
        "env.step.action": Door(lambda junk: CHECKED.step(junk), INTS, "action"),
        "TableEnv.observe.agent": Door(ENV.observe, set(), "agent"),
        "TableEnv.observation_space.agent": Door(ENV.observation_space, set(), "agent"),
        "TableEnv.action_space.agent": Door(ENV.action_space, set(), "agent"),
        "SingleAgentEnv.reset.seed": Door(
            lambda junk: LEARNER.reset(seed=junk), OPTIONAL_SEEDS, "seed|Seed"
        ),
        "SingleAgentEnv.reset.options": Door(
            lambda junk: LEARNER.reset(options=junk), {"None", "{}"}, "options"
        ),
        "SingleAgentEnv.step.action": Door(lambda junk: LEARNER.step(junk), INTS, "action"),
        "SingleAgentVectorEnv.reset.seed": Door(
            lambda junk: LEARNERS.reset(seed=junk), OPTIONAL_SEEDS, "seed"
        ),
        "SingleAgentVectorEnv.reset.options": Door(
            lambda junk: LEARNERS.reset(options=junk), {"None", "{}"}, "options"
        ),
        "SingleAgentVectorEnv.reset.options.reset_mask": Door(
            lambda junk: LEARNERS.reset(options={"reset_mask": junk}), {"None"}, "reset_mask"
        ),
        "SingleAgentVectorEnv.step.actions": Door(LEARNERS.step, {"np.array"}, "actions"),
    }


def text_doors() -> dict[str, Door]:
    """Return the doors of what is said in words."""
    return {
        "Game.action_to_text.table": Door(
            lambda junk: GAME.action_to_text(junk, 0), set(), "table"
        ),
        "Game.action_to_text.action": Door(
            lambda junk: GAME.action_to_text(RECORD, junk), {"0"}, "action"
        ),
        "Game.text_to_action.table": Door(
            lambda junk: GAME.text_to_action(junk, "pass"), set(), "table"
        ),
        "Game.text_to_action.text": Door(
            lambda junk: GAME.text_to_action(RECORD, junk), set(), "text|'1'"
        ),
        "Game.position_to_dict.table": Door(GAME.position_to_dict, set(), "table"),
        "Game.position_from_dict.config": Door(
            lambda junk: GAME.position_from_dict(junk, POSITION), CONFIGS, "config"
        ),
        "Game.position_from_dict.position": Door(
            lambda junk: GAME.position_from_dict(CONFIG, junk), set(), "position"
        ),
        "Game.position_from_dict.seed": Door(
            lambda junk: GAME.position_from_dict(CONFIG, POSITION, junk), SEEDS, "seed"
        ),
        "Game.render.table": Door(lambda junk: GAME.render(junk, 0), set(), "table"),
        "Game.render.viewer": Door(
            lambda junk: GAME.render(RECORD, junk), {"None", *INTS}, "viewer"
        ),
        "Game.view.table": Door(lambda junk: GAME.view(junk, 0), set(), "table"),
        "Game.view.viewer": Door(lambda junk: GAME.view(RECORD, junk), {"None", *INTS}, "viewer"),
        "Game.told.table": Door(lambda junk: GAME.told(junk, FIRST, 0), set(), "table"),
        "Game.told.action": Door(lambda junk: GAME.told(RECORD, junk, 0), {"0"}, "action"),
        "Game.told.viewer": Door(
            lambda junk: GAME.told(RECORD, FIRST, junk), {"None", *INTS}, "viewer"
        ),
        "Game.told.after": Door(lambda junk: GAME.told(RECORD, FIRST, 0, junk), {"None"}, "after"),
        "Game.svg.table": Door(lambda junk: GAME.svg(junk, 0), set(), "table"),
        "Game.svg.viewer": Door(lambda junk: GAME.svg(RECORD, junk), {"None", *INTS}, "viewer"),
        "Game.svg.last": Door(lambda junk: GAME.svg(RECORD, 0, last=junk), {"None"}, "last"),
        "Game.svg.theme": Door(lambda junk: GAME.svg(RECORD, 0, theme=junk), set(), "theme"),
        "Game.svg.font": Door(lambda junk: GAME.svg(RECORD, 0, font=junk), {"True"}, "font"),
        "Game.svg.layout": Door(lambda junk: GAME.svg(RECORD, 0, layout=junk), set(), "layout"),
        **{
            f"Game.{name}.config": Door(getattr(GAME, name), CONFIGS, "config")
            for name in ("num_actions", "num_features", "num_hidden", "config_to_dict")
        },
        "Game.config_from_dict.fields": Door(GAME.config_from_dict, {"{}"}, "fields"),
        "playthrough.record.config": Door(
            lambda junk: playthrough.record(GAME, junk, 0, first_legal), CONFIGS, "config"
        ),
        "playthrough.record.seed": Door(
            lambda junk: playthrough.record(GAME, CONFIG, junk, first_legal), SEEDS, "seed"
        ),
        "playthrough.record.choose": Door(
            lambda junk: playthrough.record(GAME, CONFIG, 0, junk), set(), "choose"
        ),
        "playthrough.record.game": Door(
            lambda junk: playthrough.record(junk, CONFIG, 0, first_legal), set(), "game|config"
        ),
        "playthrough.replay.game": Door(
            lambda junk: playthrough.replay(junk, "seed: 0"), set(), "game|playthrough"
        ),
        "playthrough.replay.playthrough": Door(
            lambda junk: playthrough.replay(GAME, junk), set(), "playthrough"
        ),
    }


def first_legal(tables: waiter_envs.Tables) -> int:
    """Choose the lowest legal action."""
    return int(np.flatnonzero(tables.action_mask[0])[0])


def agent_doors() -> dict[str, Door]:
    """Return the doors of agents, matches and measurements."""
    heuristic = next(iter(GAME.heuristics))
    agents = ["random", "random"]
    bench = {"game": GAME, "preset": GAME.default_preset, "agent": "random", "num_tables": 1,
             "threads": [1], "seconds": 0.001}  # fmt: skip

    def measured(name: str) -> Callable[[Any], Any]:
        return lambda junk: throughput.measure(**{**bench, name: junk})

    return {
        "RandomAgent.seed": Door(waiter_envs.RandomAgent, SEEDS, "seed"),
        "RuleAgent.game": Door(
            lambda junk: waiter_envs.RuleAgent(junk, heuristic), {"foreign game"}, "game"
        ),
        "RuleAgent.name": Door(lambda junk: waiter_envs.RuleAgent(GAME, junk), set(), "name|agent"),
        "RuleAgent.seed": Door(
            lambda junk: waiter_envs.RuleAgent(GAME, heuristic, junk), SEEDS, "seed"
        ),
        "SearchAgent.game": Door(waiter_envs.SearchAgent, {"foreign game"}, "game"),
        "SearchAgent.seed": Door(lambda junk: waiter_envs.SearchAgent(GAME, junk), SEEDS, "seed"),
        "SearchAgent.num_threads": Door(
            lambda junk: waiter_envs.SearchAgent(GAME, num_threads=junk),
            {"None", *COUNTS},
            "num_threads",
        ),
        **{
            f"SearchAgent.options.{name}": Door(
                lambda junk, name=name: waiter_envs.SearchAgent(GAME, **{name: junk}),  # type: ignore[misc]
                accepts,
                name,
            )
            for name, accepts in {
                "simulations": {"None", *COUNTS, "10**8", "2**31"},
                "ms": {"None", *COUNTS, "1.5", "np.float64"},
                "worlds": COUNTS,
                "candidates": COUNTS,
                "ranked": COUNTS,
                "depth": {"None", *INTS},
                "anchor": {*INTS, "1.5", "np.float64"},
                "prior": set(),
                "rollout": set(),
            }.items()
        },
        "FunctionAgent.function": Door(waiter_envs.FunctionAgent, set(), "function"),
        "agent_names.game": Door(waiter_envs.agent_names, {"foreign game"}, "game"),
        "make_agent.game": Door(
            lambda junk: waiter_envs.make_agent(junk, "random"), {"foreign game"}, "game"
        ),
        "make_agent.agent": Door(lambda junk: waiter_envs.make_agent(GAME, junk), set(), "agent"),
        "make_agent.seed": Door(
            lambda junk: waiter_envs.make_agent(GAME, "random", junk), SEEDS, "seed"
        ),
        "Decisions.at.tables": Door(waiter_envs.Decisions.at, set(), "tables"),
        "Decisions.at.which": Door(
            lambda junk: waiter_envs.Decisions.at(TABLES, junk), {"None", "[]", "[1]"}, "which"
        ),
        "load_policy.path": Door(lambda junk: load_policy(junk, GAME), set(), "path|1"),
        "load_policy.game": Door(lambda junk: load_policy("nowhere", junk), set(), "game|nowhere"),
        "save_policy.config": Door(
            lambda junk: save_policy("/nonexistent/x", GAME, junk, {}), set(), "config|actor"
        ),
        "play_match.game": Door(
            lambda junk: match.play_match(junk, CONFIG, agents, 2), set(), "game|config"
        ),
        "play_match.config": Door(
            lambda junk: match.play_match(GAME, junk, agents, 2), CONFIGS, "config"
        ),
        "play_match.agents": Door(
            lambda junk: match.play_match(GAME, CONFIG, junk, 2), set(), "agent"
        ),
        "play_match.games": Door(
            lambda junk: match.play_match(GAME, CONFIG, agents, junk), COUNTS, "games", HUGE
        ),
        "play_match.seed": Door(
            lambda junk: match.play_match(GAME, CONFIG, agents, 2, junk), SEEDS, "seed"
        ),
        "play_match.num_tables": Door(
            lambda junk: match.play_match(GAME, CONFIG, agents, 2, num_tables=junk),
            {"None", *COUNTS, "10**8"},
            "num_tables",
        ),
        "play_match.progress": Door(
            lambda junk: match.play_match(GAME, CONFIG, agents, 2, progress=junk),
            {"None"},
            "progress",
        ),
        "wilson.wins": Door(lambda junk: match.wilson(junk, 10), INTS, "wins"),
        "wilson.games": Door(lambda junk: match.wilson(0, junk), {*SEEDS}, "games"),
        "measure.game": Door(measured("game"), set(), "game|preset", frozenset()),
        "measure.preset": Door(measured("preset"), set(), "preset", frozenset({"None"})),
        "measure.agent": Door(measured("agent"), set(), "agent", frozenset()),
        "measure.num_tables": Door(
            measured("num_tables"), set(), "num_tables", frozenset({*COUNTS, "10**8"})
        ),
        "measure.threads": Door(
            measured("threads"), set(), "threads", frozenset({"[1]", "np.array"})
        ),
        "measure.seconds": Door(
            measured("seconds"), set(), "seconds", frozenset({*INTS, "np.float64", "1.5"})
        ),
        "measure.seed": Door(measured("seed"), set(), "seed", frozenset(SEEDS)),
        "measure.fields": Door(measured("fields"), set(), "fields", frozenset({"None", "{}"})),
    }


def record_doors() -> dict[str, Door]:
    """Return the doors of games that are written down."""
    folder = Path(tempfile.mkdtemp())
    path = folder / "games.jsonl"
    record = records.Record.of(GAME, CONFIG, [], seed=1)
    records.write(path, [record])

    def made(name: str) -> Callable[[Any], Any]:
        right = {"game": GAME, "config": CONFIG, "actions": [], "seed": 1}
        return lambda junk: records.Record.of(**{**right, name: junk})

    def begun(name: str) -> Callable[[Any], Any]:
        return lambda junk: records.Start(**{"seed": 1, name: junk})

    return {
        "records.read.path": Door(records.read, set(), "path|1: there is no such file"),
        "records.read.start": Door(lambda junk: records.read(path, junk), SEEDS, "start"),
        "records.read.stop": Door(
            lambda junk: records.read(path, 0, junk), {"None", *SEEDS}, "stop"
        ),
        "records.read.check": Door(lambda junk: records.read(path, check=junk), {"True"}, "check"),
        "records.write.path": Door(lambda junk: records.write(junk, []), set(), "path", ANY_PATH),
        "records.write.records": Door(
            lambda junk: records.write(folder / "new.jsonl", junk), EMPTY, "records"
        ),
        "records.load.path": Door(records.load, set(), "path|1: there is no such file"),
        "records.load.packed": Door(
            lambda junk: records.load(path, packed=junk), {"True"}, "packed"
        ),
        "records.load_chunks.path": Door(
            records.load_chunks, set(), "path|1: there is no such file"
        ),
        "records.load_chunks.games": Door(
            lambda junk: records.load_chunks(path, junk), {*COUNTS, "10**8"}, "games"
        ),
        "records.load_chunks.packed": Door(
            lambda junk: records.load_chunks(path, packed=junk), {"True"}, "packed"
        ),
        "records.RecordGames.env": Door(lambda junk: records.RecordGames(junk, path), set(), "env"),
        "records.RecordGames.path": Door(
            lambda junk: records.RecordGames(ENV, junk), set(), "path", ANY_PATH
        ),
        "records.RecordGames.players": Door(
            lambda junk: records.RecordGames(ENV, path, junk), {"None"}, "players"
        ),
        "records.Record.of.game": Door(made("game"), set(), "game|config"),
        "records.Record.of.config": Door(made("config"), CONFIGS, "config"),
        "records.Record.of.actions": Door(
            made("actions"), EMPTY - {"{}", "bytes"}, "action", frozenset({"None"})
        ),
        "records.Record.of.seed": Door(made("seed"), SEEDS, "seed"),
        "records.Record.of.stream": Door(made("stream"), {"None"}, "stream"),
        "records.Record.of.position": Door(made("position"), {"None"}, "position|start"),
        "records.Record.of.players": Door(made("players"), {"None"}, "players"),
        "records.Record.from_json.line": Door(records.Record.from_json, set(), "line|record"),
        "records.Start.seed": Door(begun("seed"), SEEDS, "seed"),
        "records.Start.stream": Door(begun("stream"), {"None"}, "stream"),
        "records.Start.table": Door(begun("table"), SEEDS, "table"),
        "records.Start.drawn": Door(begun("drawn"), SEEDS, "drawn"),
        "records.Start.position": Door(begun("position"), {"None", "{}"}, "position"),
        "play_match.record": Door(
            lambda junk: match.play_match(GAME, CONFIG, agents_of_a_match(), 2, record=junk),
            {"None"},
            "record",
            ANY_PATH,
        ),
        "play_match.thoughts": Door(
            lambda junk: match.play_match(GAME, CONFIG, agents_of_a_match(), 2, thoughts=junk),
            {"True"},
            "thoughts",
        ),
    }


def agents_of_a_match() -> list[str]:
    """Return two agents."""
    return ["random", "random"]


DOORS = {
    **record_doors(),
    **constructor_doors(),
    **prompt_doors(),
    **play_doors(),
    **text_doors(),
    **agent_doors(),
}


def everything() -> list[tuple[bytes, ...]]:
    """Return all that a refused call must leave as it was."""
    return [
        *map(bits, TABLES.state),
        bits(ENV.table),
        bits(CHECKED.unwrapped.table),
        bits(LEARNER.table),
        bits(LEARNERS.table),
    ]


def named(text: str, names: str) -> bool:
    """Return whether an error names the parameter."""
    return re.search(names, text) is not None


def public_parameters() -> Iterator[str]:
    """Return `Class.method.parameter` and `function.parameter` of all that users call."""
    for name in waiter_envs.__all__:
        thing = getattr(waiter_envs, name)
        if inspect.ismodule(thing):
            for function in vars(thing).values():
                if inspect.isfunction(function):
                    parameters = inspect.signature(function).parameters
                    yield from (f"{name}.{function.__name__}.{each}" for each in parameters)
        if inspect.isfunction(thing):
            yield from (f"{name}.{parameter}" for parameter in inspect.signature(thing).parameters)
        elif name in CLASSES:
            methods = {"": thing.__init__, **{m: getattr(thing, m) for m in CLASSES[name]}}
            for method, function in methods.items():
                parts = [name, method] if method else [name]
                for parameter in inspect.signature(function).parameters:
                    yield ".".join([*parts, parameter])


CLASSES = {
    "Tables": ["of", "reset", "step", "observe", "full_observation", "final_observation", "clone",
               "resample", "playout"],
    "TableEnv": ["reset", "step", "observe", "observation_space", "action_space"],
    "SingleAgentEnv": ["reset", "step"],
    "SingleAgentVectorEnv": ["reset", "step"],
    "Game": ["action_to_text", "text_to_action", "position_to_dict", "position_from_dict",
             "view", "told", "render", "svg", "num_actions", "num_features", "num_hidden",
             "config_to_dict", "config_from_dict"],
    "RandomAgent": [],
    "RuleAgent": [],
    "SearchAgent": [],
    "FunctionAgent": [],
    "TextAgent": [],
    "TextEnv": ["reset", "step"],
}  # fmt: skip
"""Public classes, with the methods whose arguments come from users."""

ELSEWHERE = {
    "self", "config", "fields", "options",  # several at once: the doors of `table_doors`
}  # fmt: skip


def test_every_parameter_has_a_door() -> None:
    """A parameter that is added gets junk, too: none of a public function is left out."""
    fields_of_game = {f"Game.{name}" for name in inspect.signature(waiter_envs.Game).parameters}
    missing = [
        parameter
        for parameter in public_parameters()
        if parameter not in DOORS
        and parameter not in fields_of_game
        and parameter.rpartition(".")[2] not in ELSEWHERE
    ]
    assert not missing


def test_every_public_class_is_listed() -> None:
    """So that a class that is added is not forgotten."""
    classes = {n for n in waiter_envs.__all__ if inspect.isclass(getattr(waiter_envs, n))}
    assert classes - {"Agent", "AutoresetMode", "Decisions", "Thoughts", *ERRORS} == set(CLASSES)


ERRORS = {n for n in waiter_envs.__all__ if n.endswith("Error")}


@pytest.mark.parametrize("door", DOORS)
def test_junk(door: str) -> None:
    """Junk is refused in words that name the parameter, or is listed as taken."""
    call, accepts, names, untried = DOORS[door]
    wrong = []
    for label, junk in JUNK.items():
        if label in untried:
            continue
        for env in (ENV, CHECKED, LEARNER):
            env.reset(seed=1)
        before = everything()
        try:
            call(junk)
        except (TypeError, ValueError, AssertionError) as error:
            text = str(error)
            if label in accepts:
                wrong.append(f"{label} is refused: {text[:200]}")
            elif not named(text, names):
                wrong.append(f"{label}: {type(error).__name__} names no {names}: {text[:200]}")
            elif before != everything():
                wrong.append(f"{label} is refused, but something has moved")
        except BaseException as error:
            wrong.append(f"{label}: {type(error).__name__}: {str(error)[:200]}")
        else:
            if label not in accepts:
                wrong.append(f"{label} is taken: {shown(junk)}")
    assert not wrong, "\n" + "\n".join(wrong)
