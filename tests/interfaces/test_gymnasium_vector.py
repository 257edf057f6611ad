"""The Gymnasium vector environment: the same as single environments, and what those do not have."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import waiter_envs
from tests.samples import TRUNCATED, samples
from waiter_envs import Agent, Decisions, RuleAgent, SingleAgentEnv, SingleAgentVectorEnv
from waiter_envs.core import kernels, rng
from waiter_envs.core.learner import MAX_DEALS
from waiter_envs.core.tables import AutoresetMode, Tables

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)

SEED = 5
MODES = ["NextStep", "SameStep"] if hasattr(gymnasium.vector, "AutoresetMode") else ["NextStep"]
"""What Gymnasium's own vector environment can do here."""


def fields(name: str) -> dict[str, Any]:
    """Return fields of a variant whose games end soon."""
    return samples(name).short


def lineups(name: str) -> list[list[str]]:
    """Return lists of opponents in which each agent of the game occurs, and random ones."""
    game = waiter_envs.load(name)
    names = list(waiter_envs.agent_names(game))
    others = game.config(**fields(name)).num_players - 1
    found = [names[start : start + others] for start in range(0, len(names), others)]
    return [each + ["random"] * (others - len(each)) for each in found]


def streams(num_tables: int, player: int) -> npt.NDArray[np.uint64]:
    """Return the random streams of a player who plays against the learners."""
    return rng.streams(SEED, num_tables, 3 + player)


class SlowRandom(Agent):
    """Chooses with the streams of the tables and players that it is asked for."""

    def __init__(self, num_tables: int, num_players: int, first: int = 0) -> None:
        every = [streams(first + num_tables, player)[first:] for player in range(num_players)]
        self.streams = np.stack(every, axis=1)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Choose one by one."""
        actions = np.empty(len(decisions.table), np.int32)
        for i, (table, player) in enumerate(zip(decisions.table, decisions.player, strict=True)):
            mask = decisions.action_mask[i : i + 1]
            stream = self.streams[table, player : player + 1]
            kernels.sample(np.ascontiguousarray(mask), stream, 0, 1, actions[i : i + 1])
        return actions


class SlowRules(RuleAgent):
    """Remembers with the streams of the tables and players that it is asked for."""

    first = 0

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.void]:
        """Return empty memories."""
        memory = super().blank_memories(tables, players)
        for player in range(players):
            memory["rng"][:, player] = streams(self.first + tables, player)[self.first :]
        return memory


def slow_agents(name: str, lineup: list[str], num_tables: int, first: int = 0) -> list[Agent]:
    """Return agents of Python that play as the compiled ones do, from a table on."""
    game = waiter_envs.load(name)
    made: dict[str, Agent] = {"random": SlowRandom(num_tables, len(lineup) + 1, first)}
    for each in set(lineup) - {"random"}:
        made[each] = SlowRules(game, each)
        made[each].first = first  # type: ignore[attr-defined]
    return [made[each] for each in lineup]


def single(name: str, lineup: list[str], table: int, **options: Any) -> SingleAgentEnv:
    """Return an environment that plays, from its first `reset` without seed, as that table does."""
    agents = slow_agents(name, lineup, 1, table)
    env = SingleAgentEnv(name, opponents=agents, **fields(name), **options)
    env._tables.state["rng"] = rng.streams(SEED, table + 1)[table:]
    return env


def assert_same(left: Any, right: Any) -> None:
    """Compare whatever environments return, dtypes included."""
    if isinstance(left, dict):
        assert left.keys() == right.keys()
        for key in left:
            assert_same(left[key], right[key])
    elif isinstance(left, (tuple, list)) or getattr(left, "dtype", None) == "O":
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert_same(one, other)
    else:
        assert type(left) is type(right)
        assert getattr(left, "dtype", None) == getattr(right, "dtype", None)
        assert np.array_equal(left, right)


class Learner:
    """Chooses legal actions at random, and sometimes illegal ones, by the number of the table."""

    def __init__(self, seed: int = 0, mistakes: float = 0.0) -> None:
        self.seed = seed
        self.mistakes = mistakes
        self.step = 0

    def __call__(self, action_mask: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Choose for each table."""
        self.step += 1
        weight = np.random.default_rng([self.seed, self.step]).random(action_mask.shape)
        wrong = np.random.default_rng([self.step, self.seed]).random(len(weight)) < self.mistakes
        return np.where((action_mask == 1) ^ wrong[:, np.newaxis], weight, -1).argmax(axis=1)


def play(env: Any, steps: int, seed: int | None = SEED, **learner: Any) -> list[Any]:
    """Play on at random; return everything that came back."""
    choose = Learner(**learner)
    told: list[Any] = [env.reset(seed=seed)]
    for _ in range(steps):
        told.append(env.step(choose(told[-1][-1]["action_mask"])))
    return told


# -- The same as single environments -----------------------------------------------------------


@every_game
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("flat", [False, True])
def test_as_single_environments_batched_by_gymnasium(name: str, mode: str, flat: bool) -> None:
    """Observations, rewards, ends and infos are those of `SyncVectorEnv`, illegal actions too."""
    count, ended = 3, 0
    for lineup in lineups(name):
        seat = len(lineup) // 2
        options = {"seat": seat, "flat_observation": flat}
        envs = SingleAgentVectorEnv(
            name, count, opponents=lineup, autoreset_mode=mode, **options, **fields(name)
        )
        made = [single(name, lineup, table, **options) for table in range(count)]
        how = {"autoreset_mode": AutoresetMode(mode)} if len(MODES) > 1 else {}
        slow = SyncVectorEnv([lambda env=env: env for env in made], **how)
        assert envs.single_observation_space == slow.single_observation_space
        assert envs.observation_space == slow.observation_space
        assert envs.single_action_space == slow.single_action_space
        assert envs.action_space == slow.action_space
        fast_play = play(envs, 80, seed=SEED, mistakes=0.03)
        slow_play = play(slow, 80, seed=None, mistakes=0.03)
        for fast, told in zip(fast_play, slow_play, strict=True):
            assert fast[0] in envs.observation_space
            assert_same(fast[0], told[0])
            assert_same(fast[-1], told[-1])
            for mine, other in zip(fast[1:-1], told[1:-1], strict=True):
                assert np.array_equal(mine, other)
        ended += sum(int((step[2] | step[3]).sum()) for step in fast_play[1:])
        assert any(
            "illegal_action" in step[-1] or "illegal_action" in step[-1].get("final_info", {})
            for step in fast_play[1:]
        )
    assert ended > 10


@every_game
@pytest.mark.parametrize("seat", [None, 0])
def test_agents_of_python_play_as_compiled_ones(name: str, seat: int | None) -> None:
    """The batched loop over plies and the compiled one play the same games."""
    count = 24
    for lineup in lineups(name):
        options = {"seat": seat, "autoreset_mode": "SameStep", "num_threads": 1, **fields(name)}
        fast = SingleAgentVectorEnv(name, count, opponents=lineup, **options)
        agents = slow_agents(name, lineup, count)
        slow = SingleAgentVectorEnv(name, count, opponents=agents, **options)
        half: list[Any] = [slow_agents(name, lineup, count)[0], *lineup[1:]]
        mixed = SingleAgentVectorEnv(name, count, opponents=half, **options)
        expected = play(fast, 50)
        assert_same(play(slow, 50), expected)
        if seat is not None:  # else agents that move about would need one stream in common
            assert_same(play(mixed, 50), expected)
        assert_same(fast.seat, slow.seat)


class Recorder(Agent):
    """Plays at random and notes down who played what at each table."""

    def __init__(self, num_tables: int, num_players: int) -> None:
        self.agent = SlowRandom(num_tables, num_players)
        self.log: list[list[tuple[int, int]]] = [[] for _ in range(num_tables)]
        self.deals = np.zeros(num_tables, int)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Choose at random."""
        actions = self.agent.act(decisions)
        self.note(decisions.table, decisions.player, actions)
        return actions

    def reset(self, tables: Any = None) -> None:
        """Count the games."""
        self.deals[tables] += 1

    def note(self, tables: Any, players: Any, actions: Any) -> None:
        """Write actions down."""
        for table, player, action in zip(tables, players, actions, strict=True):
            self.log[table].append((int(player), int(action)))


@every_game
@pytest.mark.parametrize("seat", [0, 1])
def test_rewards_are_those_of_the_whole_game(name: str, seat: int) -> None:
    """All moves, played at a plain table, pay in each game what the learner received in it."""
    count = 6
    game = waiter_envs.load(name)
    config = game.config(**{**fields(name), **samples(name).paid})
    recorder = Recorder(count, config.num_players)
    envs = SingleAgentVectorEnv(
        game, count, seat=seat, opponents=recorder, autoreset_mode="SameStep", config=config
    )
    choose = Learner()
    _, info = envs.reset(seed=SEED)
    received: list[list[float]] = [[0.0] for _ in range(count)]
    for _ in range(250):
        actions = choose(info["action_mask"])
        recorder.note(range(count), envs.seat, actions)
        _, reward, terminated, truncated, info = envs.step(actions)
        for table in range(count):
            received[table][-1] += float(reward[table])
            if terminated[table] or truncated[table]:
                received[table].append(0.0)
    for table in range(count):
        tables = Tables.of(game, 1, config=config)
        tables.state["rng"] = rng.streams(SEED, table + 1)[table:]
        tables.reset()
        paid = [0.0]
        for player, action in recorder.log[table]:
            assert tables.current_player[0] == player
            tables.step([action])
            paid[-1] += float(tables.rewards[0, seat])
            if tables.terminated[0] or tables.truncated[0]:
                paid.append(0.0)
        assert len(paid) == len(received[table])
        assert received[table][:-1] == pytest.approx(paid[:-1])
    assert recorder.deals.tolist() == [len(games) for games in received]
    assert min(map(len, received)) > 1
    assert any(map(any, received))


# -- What single environments do not have ------------------------------------------------------


@every_game
def test_seeds_threads_and_numbers_of_tables(name: str) -> None:
    """Play comes from the seed and the table's number; without a seed it goes on."""
    lineup = lineups(name)[0]

    def told(count: int, threads: int, seeds: tuple[int | None, ...]) -> list[Any]:
        envs = SingleAgentVectorEnv(
            name, count, opponents=lineup, num_threads=threads, copy=True, **fields(name)
        )
        steps = [step for seed in seeds for step in play(envs, 12, seed=seed)]
        return [[step[0]["observation"][:64], step[-1]["action_mask"][:64]] for step in steps]

    expected = told(600, 1, (3, None, 4))
    assert_same(told(600, 2, (3, None, 4)), expected)
    assert_same(told(64, 1, (3, None, 4)), expected)
    envs = SingleAgentVectorEnv(name, 64, opponents=lineup, **fields(name))
    play(envs, 20, seed=9)
    again = play(envs, 12, seed=3)
    assert_same([step[0]["observation"] for step in again], [seen for seen, _ in expected[:13]])
    assert not np.array_equal(expected[0][0], expected[13][0])
    assert not np.array_equal(expected[0][0], expected[26][0])


@every_game
def test_a_list_of_seeds(name: str) -> None:
    """Each table plays as the only one of an environment with its seed; `None` goes on."""
    lineup = lineups(name)[0]
    seeds: list[int | None] = [4, 9, 4]
    envs = SingleAgentVectorEnv(name, 3, opponents=lineup, **fields(name))
    alone = [SingleAgentVectorEnv(name, opponents=lineup, **fields(name)) for _ in seeds]
    for listed in (seeds, [None, 2, None], [None] * 3):
        observation, _ = envs.reset(seed=listed)
        first = [env.reset(seed=seed)[0] for env, seed in zip(alone, listed, strict=True)]
        for _ in range(15):
            for table, theirs in enumerate(first):
                assert_same(observation["observation"][table], theirs["observation"][0])
            actions = observation["action_mask"].argmax(axis=1)
            observation, reward, *_ = envs.step(actions)
            stepped = [env.step(actions[[table]]) for table, env in enumerate(alone)]
            first = [step[0] for step in stepped]
            assert reward.tolist() == [step[1][0] for step in stepped]
    before = str(envs.table.tolist())
    for wrong, error in (
        ([1, 2], ValueError),
        ([1, 2, -1], ValueError),
        ([1, 2.0, 3], TypeError),
        ([1, 2, True], TypeError),
        ("123", TypeError),
        (True, TypeError),
    ):
        with pytest.raises(error, match="seed"):
            envs.reset(seed=wrong)  # type: ignore[arg-type]
    assert str(envs.table.tolist()) == before


@every_game
def test_learners_sit_everywhere(name: str) -> None:
    """A drawn seat is anybody's, anew in each game, and the learner is who is asked."""
    envs = SingleAgentVectorEnv(name, 256, autoreset_mode="SameStep", **fields(name))
    _, info = envs.reset(seed=SEED)
    players = envs.config.num_players
    counts = np.bincount(envs.seat, minlength=players)
    assert len(counts) == players
    assert counts.min() > 256 / players / 2
    choose = Learner()
    changed = 0
    for _ in range(60):
        before = envs.seat
        _, _, terminated, truncated, info = envs.step(choose(info["action_mask"]))
        assert np.array_equal(envs.table["current_player"], envs.seat)
        moved = envs.seat != before
        assert not moved[~(terminated | truncated)].any()
        changed += int(moved.sum())
    assert changed > 20


@every_game
def test_disabled(name: str) -> None:
    """Games that are over wait for `reset` with a mask, which leaves the others as they are."""
    envs = SingleAgentVectorEnv(
        name, 16, seat=0, autoreset_mode=AutoresetMode.DISABLED, **fields(name)
    )
    assert envs.metadata["autoreset_mode"] == AutoresetMode.DISABLED
    with pytest.raises(ResetNeeded, match="no game is in progress"):
        envs.step(np.zeros(16, int))
    some = np.arange(16) % 2 == 0
    with pytest.raises(ResetNeeded, match="no table has been dealt yet"):
        envs.reset(options={"reset_mask": some})
    _, info = envs.reset(seed=SEED)
    choose = Learner()
    resets = 0
    for _ in range(60):
        observation, _, terminated, truncated, info = envs.step(choose(info["action_mask"]))
        ended = terminated | truncated
        assert "final_obs" not in info
        assert np.array_equal(info["action_mask"].all(axis=1), ended)
        assert np.array_equal(envs.action_masks(), info["action_mask"] == 1)
        if not ended.any():
            continue
        before = envs.table
        with pytest.raises(ResetNeeded, match=f"table {np.flatnonzero(ended)[0]} is over"):
            envs.step(np.zeros(16, int))
        assert np.array_equal(envs.table, before)
        table = envs.table
        last = observation
        observation, info = envs.reset(options={"reset_mask": ended})
        resets += 1
        assert np.array_equal(envs.table[~ended], table[~ended])
        assert np.array_equal(observation["observation"][~ended], last["observation"][~ended])
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        assert info["action_mask"].any(axis=1).all()
        assert not np.array_equal(observation["observation"][ended], last["observation"][ended])
    assert resets > 1
    first, _ = envs.reset(seed=SEED)
    again, _ = envs.reset(seed=SEED, options={"reset_mask": some})
    assert np.array_equal(first["observation"], again["observation"])


@pytest.mark.parametrize("name", TRUNCATED)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_truncation(name: str, mode: str) -> None:
    """At the turn limit a game is truncated in the flags."""
    envs = SingleAgentVectorEnv(name, 8, seat=0, autoreset_mode=mode, **fields(name))
    _, info = envs.reset(seed=SEED)
    choose = Learner()
    for _ in range(100):
        _, reward, terminated, truncated, info = envs.step(choose(info["action_mask"]))
        assert not (terminated & truncated).any()
        if truncated.any():
            break
        if mode == "Disabled" and terminated.any():
            _, info = envs.reset(options={"reset_mask": terminated})
    assert (reward[truncated] == 0).all()
    assert truncated.any()


@pytest.mark.parametrize("seat", [None, 1])
def test_games_that_end_before_the_learner_is_to_act(seat: int | None) -> None:
    """They are dealt again until it is: where games have one turn, it is the one who begins."""
    options = {"preset": "2_players", "max_turns": 1}
    envs = SingleAgentVectorEnv("hey_waiter", 64, seat=seat, **options)
    observation, info = envs.reset(seed=SEED)
    assert np.array_equal(envs.table["current_player"], envs.seat)
    first = Tables.of(envs.game, 64, SEED, **options)
    other = (first.current_player != envs.seat) if seat is not None else envs.seat != 0
    assert 0 < other.sum() < 64
    same = (observation["observation"] == first.observation).all(axis=1)
    assert seat is None or np.array_equal(same, ~other)
    for _ in range(20):
        _, _, _, truncated, info = envs.step(Learner()(info["action_mask"]))
        if truncated.any():
            break
    assert truncated.any()


@every_game
def test_endless_dealing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is no end of games that are over too early, `reset` says so."""
    envs = SingleAgentVectorEnv(name, 3, seat=1, **fields(name))
    run = envs._run

    def after_many_deals(orders: npt.NDArray[np.int32]) -> None:
        envs._learners["deals"][1] = MAX_DEALS
        run(orders)

    monkeypatch.setattr(envs, "_run", after_many_deals)
    with pytest.raises(RuntimeError, match=r"games in a row ended before player_1 was .* table 1"):
        envs.reset(seed=SEED)
    monkeypatch.undo()
    with pytest.raises(ResetNeeded, match="call `reset`"):
        envs.step(np.zeros(3, int))
    play(envs, 5)


@every_game
def test_wrappers_of_gymnasium(name: str) -> None:
    """Gymnasium's wrappers count whole games, and unpack the infos."""
    game = waiter_envs.load(name)
    identifier = game.gymnasium_id
    made = gymnasium.make_vec(identifier, num_envs=16, **fields(name))
    assert isinstance(made, SingleAgentVectorEnv)
    assert made.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert made.spec is not None
    envs = RecordEpisodeStatistics(made)
    _, info = envs.reset(seed=SEED)
    choose = Learner()
    total = np.zeros(16)
    games = 0
    for _ in range(80):
        _, reward, terminated, truncated, info = envs.step(choose(info["action_mask"]))
        total += reward
        ended = terminated | truncated
        if ended.any():
            assert np.array_equal(info["_episode"], ended)
            assert info["episode"]["r"][ended] == pytest.approx(total[ended])
        games += int(ended.sum())
        total[ended] = 0
    assert games > 5
    listed = DictInfoToList(made)
    _, infos = listed.reset(seed=SEED)
    assert np.array_equal([info["action_mask"] for info in infos], made.action_masks())
    envs.close()


@every_game
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_policy_that_masks_its_logits_always_has_a_choice(name: str, mode: str) -> None:
    """Also where a table waits to be dealt again and takes any action: no row is all 0."""
    envs = SingleAgentVectorEnv(name, 5, autoreset_mode=mode, **fields(name))
    single_env = SingleAgentEnv(name, **fields(name))
    observation, _ = single_env.reset(seed=SEED)
    told = play(envs, 80)
    ended = 0
    for step in told[1:]:
        over = step[2] | step[3]
        ended += int(over.sum())
        assert step[0]["action_mask"].any(axis=1).all()
        waiting = over if mode == "NextStep" else np.zeros_like(over)
        assert step[0]["action_mask"][waiting].all()
        for final in step[-1].get("final_obs", np.array([None]))[: 5 * (mode == "SameStep")]:
            assert final is None or final["action_mask"].all()
    assert ended > 5
    over = False
    while not over:
        action = int(np.flatnonzero(observation["action_mask"])[0])
        observation, _, terminated, truncated, info = single_env.step(action)
        over = terminated or truncated
    assert observation["action_mask"].all()
    assert info["action_mask"].all()


@every_game
def test_copies_and_views(name: str) -> None:
    """What was handed out never changes; with `copy=False` it does, and is read-only."""
    envs = SingleAgentVectorEnv(name, 8, **fields(name))
    observation, info = envs.reset(seed=SEED)
    kept = copy.deepcopy((observation, info))
    envs.step(Learner()(info["action_mask"]))
    assert_same((observation, info), kept)
    observation["action_mask"][:] = 1  # damages nothing
    observation, info = envs.reset(seed=SEED)
    assert_same((observation, info), kept)
    envs = SingleAgentVectorEnv(name, 8, copy=False, **fields(name))
    observation, info = envs.reset(seed=SEED)
    assert_same((observation, info), kept)
    with pytest.raises(ValueError, match="read-only"):
        observation["observation"][:] = 0
    envs.step(Learner()(info["action_mask"]))
    assert not np.array_equal(observation["observation"], kept[0]["observation"])


@every_game
@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copy_goes_on_identically(name: str, clone: Any) -> None:
    """A copy made in the middle of games plays on the same, opponents and all."""
    for lineup in lineups(name):
        envs = SingleAgentVectorEnv(name, 6, opponents=lineup, **fields(name))
        last = play(envs, 7)[-1][-1]["action_mask"]
        twin = clone(envs)
        choices = Learner(), Learner()
        masks = [last, last]
        for _ in range(30):
            told = [env.step(c(m)) for env, c, m in zip((envs, twin), choices, masks, strict=True)]
            assert_same(told[0], told[1])
            masks = [step[-1]["action_mask"] for step in told]


class Cheat(Agent):
    """Chooses what is illegal, once."""

    cheated = False

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Choose."""
        if self.cheated:
            return decisions.action_mask.argmax(axis=1).astype(np.int32)
        self.cheated = True
        return decisions.action_mask.argmin(axis=1).astype(np.int32)


@every_game
def test_opponent_that_cheats(name: str) -> None:
    """An illegal action of an opponent is an error that names it; `reset` begins anew."""
    envs = SingleAgentVectorEnv(name, 4, opponents=Cheat(), **fields(name))
    with pytest.raises(ValueError, match=r"opponent .*Cheat.* chose action \d+ at table \d"):
        play(envs, 10)
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(4, int))
    play(envs, 10)


@every_game
def test_rule_agents_as_objects(name: str) -> None:
    """A `RuleAgent` plays as its name does, compiled, with the options that it was given."""
    game = waiter_envs.load(name)
    for each in game.heuristics:
        named = SingleAgentVectorEnv(name, 8, opponents=each, **fields(name))
        envs = SingleAgentVectorEnv(name, 8, opponents=RuleAgent(game, each), **fields(name))
        assert not envs._opponents.agents
        assert_same(play(envs, 20), play(named, 20))


REMEMBERING = [
    name
    for name in waiter_envs.GAMES
    if any(agent.blank_memory for agent in waiter_envs.load(name).heuristics.values())
]
assert REMEMBERING


@pytest.mark.parametrize("name", REMEMBERING)
def test_nothing_is_remembered_of_the_last_game(name: str) -> None:
    """A deal empties the memories of compiled opponents, but for their random streams."""
    remembering = [
        n for n, agent in waiter_envs.load(name).heuristics.items() if agent.blank_memory
    ]
    others = waiter_envs.load(name).config(**fields(name)).num_players - 1
    lineup = [*remembering, *["random"] * others][:others]
    envs = SingleAgentVectorEnv(name, 8, opponents=lineup, **fields(name))
    fresh = SingleAgentVectorEnv(name, 8, opponents=lineup, **fields(name))
    for memory in envs._opponents.memories:
        memory.view(np.uint8)[:] = 1
    envs.reset(seed=SEED)
    fresh.reset(seed=SEED)
    for memory, blank in zip(envs._opponents.memories, fresh._opponents.memories, strict=True):
        assert np.array_equal(memory, blank)
    assert len(envs._opponents.memories) == len(remembering)


@every_game
def test_render(name: str) -> None:
    """`render()` is the game's text for each learner; without a mode it warns."""
    envs = SingleAgentVectorEnv(name, 3, render_mode="ansi", **fields(name))
    envs.reset(seed=SEED)
    pairs = zip(envs.table, envs.seat, strict=True)
    assert envs.render() == tuple(envs.game.render(table, int(seat)) for table, seat in pairs)
    silent = SingleAgentVectorEnv(name, 3, **fields(name))
    silent.reset(seed=SEED)
    with pytest.warns(UserWarning, match="render_mode is None"):
        assert silent.render() is None


@every_game
def test_bad_arguments(name: str) -> None:
    """What is refused is named, with what is allowed, and no table has moved."""
    envs = SingleAgentVectorEnv(name, 4, **fields(name))
    players = envs.config.num_players
    for options, kind, match in (
        ({"num_envs": 0}, ValueError, "num_envs=0: must be an integer from 1"),
        ({"seat": players}, ValueError, f"seat={players}: must be an integer from 0"),
        ({"seat": "first"}, TypeError, "seat='first': must be an integer"),
        ({"opponents": "nobody"}, ValueError, "unknown agent 'nobody'"),
        ({"opponents": ["random"] * players}, ValueError, f"a list of {players - 1}"),
        ({"flat_observation": 1}, TypeError, "flat_observation=1: must be True or False"),
        ({"autoreset_mode": "Never"}, ValueError, "autoreset_mode='Never'"),
        ({"render_mode": "film"}, ValueError, "render_mode='film'"),
        ({"copy": None}, TypeError, "copy=None"),
        ({"chefs": 1}, TypeError, "unknown variant field chefs"),
    ):
        with pytest.raises(kind, match=match):
            SingleAgentVectorEnv(name, **options)
    with pytest.raises(ValueError, match="seed=-1"):
        envs.reset(seed=-1)
    envs.reset(seed=SEED)
    before = envs.table
    last = int(envs.single_action_space.n) - 1
    for actions, kind, match in (
        (np.zeros(4), TypeError, "actions has dtype float64"),
        (np.zeros(3, int), ValueError, r"actions has shape \(3,\), must be \(4,\)"),
        (np.array([0, 0, last + 1, 0]), ValueError, f"must be integers from 0 to {last}"),
        (np.array([0, -1, 0, 0]), ValueError, f"must be integers from 0 to {last}"),
    ):
        with pytest.raises(kind, match=match):
            envs.step(actions)
    for mask, kind in (([True] * 4, TypeError), (np.ones(3, bool), ValueError)):
        with pytest.raises(kind, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="at least one table"):
        envs.reset(options={"reset_mask": np.zeros(4, bool)})
    with pytest.raises(ValueError, match="unknown option 'unknown'; there is 'reset_mask'"):
        envs.reset(seed=3, options={"unknown": 1})
    with pytest.raises(TypeError, match="options="):
        envs.reset(seed=3, options=["reset_mask"])
    assert np.array_equal(envs.table, before)
