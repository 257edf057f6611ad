"""Policies in compiled code: they play as their weights say, alone, in matches and as opponents."""

from __future__ import annotations

import copy
import itertools
import pickle
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import waiter_envs
from tests.interfaces.test_gymnasium_vector import SlowRules, assert_same, play, streams
from tests.interfaces.test_revival import revived
from tests.samples import samples
from waiter_envs import Decisions, SingleAgentEnv, SingleAgentVectorEnv
from waiter_envs.agents.policies import SavedPolicy, load_policy, save_policy
from waiter_envs.agents.random_agent import RandomAgent
from waiter_envs.arena.match import play_match
from waiter_envs.core import network, tables
from waiter_envs.core.game import Game
from waiter_envs.core.interpreted import INTERPRETED
from waiter_envs.core.tables import Tables

every_game = pytest.mark.parametrize("name", waiter_envs.GAMES)

WIDTHS = ((32, 24), (40,), (), (19, 5, 33))
"""Some are no multiples of what compiled loops take at a time."""

Weights = dict[str, npt.NDArray[np.float32]]


def weights_of(
    game: Game, config: Any, hidden: tuple[int, ...] = (32, 24), seed: int = 0
) -> Weights:
    """Return random weights, of which every layer matters."""
    rng = np.random.default_rng([seed, *hidden])
    sizes = game.num_features(config), *hidden, game.num_actions(config)
    made: dict[str, Any] = {}
    for number, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        name = "actor" if number == len(hidden) else f"trunk.{2 * number}"
        scale = 3.0 if name == "actor" else 1.5
        made[f"{name}.weight"] = scale * rng.normal(size=(outputs, inputs)) / inputs**0.5
        made[f"{name}.bias"] = 0.3 * rng.normal(size=outputs)
    return {name: array.astype(np.float32) for name, array in made.items()}


def policy_of(
    game: Game,
    config: Any,
    hidden: tuple[int, ...] = (32, 24),
    seed: int = 0,
    kind: type[SavedPolicy] = SavedPolicy,
    activation: str = "relu",
    **options: Any,
) -> SavedPolicy:
    """Return a policy with such weights."""
    header = {
        "features": game.num_features(config),
        "actions": game.num_actions(config),
        "activation": activation,
    }
    return kind(header, weights_of(game, config, hidden, seed), seed=seed, **options)


def logits_of(weights: Weights, activation: str, decisions: Decisions) -> npt.NDArray[np.float64]:
    """Return the logits of legal actions, else -inf, in double precision."""
    view = decisions.observation.astype(np.float64)
    for name in [key for key in weights if key.startswith("trunk") and key.endswith("weight")]:
        bias = weights[name.replace("weight", "bias")]
        view = view @ weights[name].T.astype(np.float64) + bias
        view = np.tanh(view) if activation == "tanh" else np.maximum(view, 0.0)
    logits = view @ weights["actor.weight"].T.astype(np.float64) + weights["actor.bias"]
    logits[decisions.action_mask == 0] = -np.inf
    return logits


# -- Choices -----------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("activation", network.ACTIVATIONS)
def test_choices_are_those_of_the_weights(name: str, activation: str) -> None:
    """At thousands of positions, the likeliest action unless two are alike within rounding."""
    game = waiter_envs.load(name)
    config = game.config()
    count, steps = (4, 3) if INTERPRETED else (96, 16)
    for hidden in WIDTHS:
        dealt = Tables(game, config, count, seed=3)
        weights = weights_of(game, config, hidden)
        fast = policy_of(game, config, hidden, activation=activation)
        slow = policy_of(game, config, hidden, activation=activation, compiled=False)
        assert fast.compiled
        assert not slow.compiled
        alike = 0
        for step in range(steps):
            decisions = Decisions.at(dealt)
            logits = logits_of(weights, activation, decisions)
            first, second = -np.sort(-logits, axis=1)[:, :2].T
            clear = first - second > 1e-4
            actions = fast.act(decisions)
            assert actions.dtype == np.int32
            assert np.array_equal(actions[clear], logits.argmax(axis=1)[clear])
            assert np.array_equal(actions[clear], slow.act(decisions)[clear])
            assert (logits[np.arange(count), actions] > first - 1e-4).all()
            alike += count - int(clear.sum())
            dealt.step(actions if step % 3 == 0 else dealt.sample_actions())
        assert alike < 0.02 * count * steps


def test_tanh_is_exact_to_its_last_digits() -> None:
    """The quotient that stands for it, over all that a layer may put out."""
    x = np.concatenate([np.linspace(-30, 30, 20001), np.geomspace(1e-30, 1, 2001)])
    x = x.astype(np.float32)
    found = np.array([_tanh(number) for number in x], np.float64)
    expected = np.tanh(x.astype(np.float64))
    assert (np.abs(found - expected) <= 2e-6 * np.abs(expected)).all()


def _tanh(x: np.float32) -> np.float32:
    return getattr(network.tanh, "py_func", network.tanh)(x)  # type: ignore[no-any-return]


def garcon(**fields: Any) -> tuple[Game, Any]:
    """Return a game whose rule-based agents remember, and its variant."""
    game = waiter_envs.load("garcon")
    return game, game.config(**{**samples("garcon").short, **fields})


def test_equal_logits_and_overflows() -> None:
    """Of actions alike it plays the lowest; whatever overflows, it plays a legal one."""
    game, config = garcon()
    dealt = Tables(game, config, 8, seed=1)
    for _ in range(5):
        dealt.step(dealt.sample_actions())
    decisions = Decisions.at(dealt)
    policy = policy_of(game, config)
    zeros = {name: np.zeros_like(array) for name, array in weights_of(game, config).items()}
    alike = SavedPolicy(policy.header, zeros)
    assert np.array_equal(alike.act(decisions), decisions.action_mask.argmax(axis=1))
    huge = {name: 3e38 * np.sign(array) for name, array in weights_of(game, config).items()}
    huge = {name: array.astype(np.float32) for name, array in huge.items()}
    for greedy in (True, False):
        beyond = SavedPolicy(policy.header, huge, greedy=greedy)
        assert decisions.action_mask[np.arange(8), beyond.act(decisions)].all()


def test_draws_have_a_stream_for_each_table_and_player() -> None:
    """Asked for some tables at a time, in any order, by NumPy or compiled, the same is drawn."""
    game, config = garcon()
    agents = [policy_of(game, config, greedy=False, compiled=each) for each in (True, True, False)]
    shuffled = np.random.default_rng(1)
    dealt = Tables(game, config, 9, seed=1)
    for _ in range(40):
        expected = agents[0].act(Decisions.at(dealt))
        for agent in agents[1:]:
            actions = np.empty(9, np.int32)
            for which in np.array_split(shuffled.permutation(9), 3):
                actions[which] = agent.act(Decisions.at(dealt, which))
            assert np.array_equal(actions, expected)
        dealt.step(expected)
        for agent in agents:
            agent.reset(np.flatnonzero(dealt.terminated | dealt.truncated))
    remembered = agents[0].snapshot()
    before = agents[0].act(Decisions.at(dealt))
    agents[0].restore(remembered)
    assert np.array_equal(agents[0].act(Decisions.at(dealt)), before)
    assert not np.array_equal(policy_of(game, config, seed=5).act(Decisions.at(dealt)), before)


def test_other_sizes_compile_nothing() -> None:
    """One compilation serves all games and widths, and views that cannot be written."""
    for name, hidden in itertools.product(waiter_envs.GAMES, WIDTHS):
        game = waiter_envs.load(name)
        policy = policy_of(game, game.config(), hidden)
        dealt = Tables(game, game.config(), 2, seed=1)
        for decisions in (Decisions.at(dealt), Decisions.at(dealt, np.array([1]))):
            policy.act(decisions)
    assert len(network.choose_all.signatures) == (0 if INTERPRETED else 1)


choose: Any = None  # placeholder, as in the loops of the core


def choose_here(state: Any, action_mask: Any, weights: Any, layouts: Any, streams: Any) -> Any:
    """Return a choice at the first table."""
    return choose(state[0], action_mask[0], weights, layouts[0], streams[0])


def test_a_kernel_of_ones_own_chooses() -> None:
    """What searches asks with a table, its mask and the weights."""
    game, config = garcon()
    dealt = Tables(game, config, 20, seed=1)
    policy = policy_of(game, config)
    kernel = game.kernel(choose_here, dealt.state.dtype, choose=network.choose_at(game.observe))
    nothing = np.zeros((1, 2), np.uint64)
    buffers = dealt.buffers
    found = [
        kernel(buffers.state[i : i + 1], buffers.action_mask[i : i + 1], *policy.network, nothing)
        for i in range(20)
    ]
    assert np.array_equal(found, policy.act(Decisions.at(dealt)))


# -- Matches -----------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("greedy", [True, False])
def test_matches_are_those_of_numpy(name: str, greedy: bool) -> None:
    """Every game of a match, against a rule-based agent, ends as it does without compiling."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).short)
    options: dict[str, Any] = {"greedy": greedy, "seed": 7}
    results = [
        play_match(
            game, config, [policy_of(game, config, compiled=each, **options), "heuristic"], 30, 2
        )
        for each in (True, False)
    ]
    assert results[0] == results[1]
    fast = policy_of(game, config, compiled=True, **options)
    assert results[0] == play_match(game, config, [fast, "heuristic"], 30, 2)
    assert results[0] == play_match(game, config, [fast, "heuristic"], 30, 2)  # anew, not on


def test_tables_are_played_again_and_again() -> None:
    """Fewer tables than games, and progress that tells of each."""
    game, config = garcon()
    told: list[int] = []
    slow, fast = (policy_of(game, config, compiled=each) for each in (False, True))
    expected = play_match(game, config, [slow, "heuristic"], 48, num_tables=5)
    assert expected == play_match(
        game, config, [fast, "heuristic"], 48, num_tables=5, progress=told.append
    )
    assert told == [8] * 6


def test_a_match_does_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn actions and a random agent, on one thread and on three."""
    game, config = garcon()
    results = []
    for threads in (1, 3):
        monkeypatch.setattr(tables, "num_cores", lambda threads=threads: threads)
        agents = [policy_of(game, config, greedy=False), policy_of(game, config, (9,)), "random"]
        results.append(play_match(game, config, agents, 60 if INTERPRETED else 900, 1))
    assert results[0] == results[1]


LONG_FOR_SOME = pytest.mark.parametrize(
    "name",
    [
        name if name in ("greasy_spoon", "garcon") else pytest.param(name, marks=pytest.mark.long)
        for name in waiter_envs.GAMES
    ],
)
"""Every game, two of them among the tests that take long: each has a loop to compile."""


@LONG_FOR_SOME
def test_against_itself_it_rotates(name: str) -> None:
    """As two agents it plays the games that it plays as one, every side equally often."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).short)
    policy = policy_of(game, config)
    alone = play_match(game, config, [policy], 24, 5)
    twice = play_match(game, config, [policy, policy_of(game, config)], 24, 5)
    assert alone.mean_decisions == twice.mean_decisions
    for outcome in ("wins", "draws", "losses"):
        both = sum(getattr(agent.record, outcome) for agent in twice.agents)
        assert getattr(alone.agents[0].record, outcome) == both
    for agent in twice.agents:
        assert len({record.games for record in agent.by_side}) == 1


def test_with_an_agent_of_python_the_match_is_the_same() -> None:
    """One agent that cannot be compiled, and the policy is asked in batches."""
    game, config = garcon()

    class Python(SavedPolicy):
        pass

    results = [
        play_match(game, config, [policy_of(game, config, (9,)), second], 24, 3)
        for second in (policy_of(game, config), policy_of(game, config, kind=Python))
    ]
    assert results[0] == results[1]


# -- Opponents ---------------------------------------------------------------------------------


class SlowPolicy(SavedPolicy):
    """Draws with the streams of the tables and players that it is asked for."""

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.void]:
        """Return empty memories."""
        memory = super().blank_memories(tables, players)
        for player in range(players):
            memory["rng"][:, player] = streams(tables, player)
        return memory


def lineup(game: Game, config: Any, kind: type[SavedPolicy], **options: Any) -> list[Any]:
    """Return opponents for every place: policies of several widths, and a rule-based agent."""
    others = config.num_players - 1
    policies: list[Any] = [
        policy_of(game, config, (32, 24), 1, kind, greedy=False, **options),
        policy_of(game, config, (7,), 2, kind, activation="tanh", **options),
    ]
    rule: Any = "heuristic" if kind is SavedPolicy else SlowRules(game, "heuristic")
    return [*policies, rule, *policies, *policies, *policies, *policies][:others]


@every_game
def test_opponents_play_as_from_python(name: str) -> None:
    """Policies of several widths, greedy and drawing, among others: the same games."""
    game = waiter_envs.load(name)
    config = game.config(**samples(name).short)
    options: dict[str, Any] = {"seat": 0, "autoreset_mode": "SameStep", "config": config}
    steps = 15 if INTERPRETED else 60
    fast = SingleAgentVectorEnv(name, 12, opponents=lineup(game, config, SavedPolicy), **options)
    assert not fast._opponents.agents
    told = play(fast, steps)
    for compiled in (True, False):
        agents = lineup(game, config, SlowPolicy, compiled=compiled)
        slow = SingleAgentVectorEnv(name, 12, opponents=agents, **options)
        assert slow._opponents.agents
        assert_same(play(slow, steps), told)


def test_opponents_where_seats_are_drawn() -> None:
    """Greedy policies play the same in whichever seat they find themselves."""
    game, config = garcon()
    for made in (SingleAgentVectorEnv, SingleAgentEnv):
        counts = {"num_envs": 8} if made is SingleAgentVectorEnv else {}
        told = []
        for kind in (SavedPolicy, SlowPolicy):
            opponents = [
                policy_of(game, config, hidden, seed, kind)
                for seed, hidden in enumerate([(9,), (7, 7), (5,)])
            ]
            env: Any = made("garcon", opponents=opponents, config=config, **counts)
            _, info = env.reset(seed=4)
            told.append([])
            for _ in range(40):
                *_, info = step = env.step(info["action_mask"].argmax(axis=-1))
                told[-1].append(step)
                if made is SingleAgentEnv and (step[2] or step[3]):
                    _, info = env.reset()
        assert_same(told[0], told[1])


def test_opponents_do_not_depend_on_threads_and_tables() -> None:
    """Drawing policies at 600 tables on one thread and on two, and at fewer tables."""
    game, config = garcon()
    told = []
    for count, threads in ((600, 1), (600, 2), (64, 1)):
        if INTERPRETED and count > 64:
            continue
        envs = SingleAgentVectorEnv(
            "garcon",
            count,
            opponents=[
                policy_of(game, config, hidden, greedy=greedy)
                for hidden, greedy in [((32, 24), False), ((9,), True), ((), True)]
            ],
            num_threads=threads,
            config=config,
        )
        told.append([step[0]["observation"][:64] for step in play(envs, 12)])
    for other in told[1:]:
        assert_same(other, told[0])


@pytest.mark.parametrize(
    "clone", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing)), revived]
)
def test_copies_go_on_identically(clone: Any) -> None:
    """Agents and environments, copied in the middle of games, also into read-only memory."""
    game, config = garcon()
    policy = policy_of(game, config, greedy=False)
    envs = SingleAgentVectorEnv("garcon", 6, opponents=[policy, "heuristic", policy], config=config)
    mask = play(envs, 7)[-1][-1]["action_mask"]
    dealt = Tables(game, config, 6, seed=1)
    policy.act(Decisions.at(dealt))
    twin, double = clone(envs), clone(policy)
    for _ in range(20):
        steps = [env.step(mask.argmax(axis=1)) for env in (envs, twin)]
        assert_same(steps[0], steps[1])
        mask = steps[0][-1]["action_mask"]
        chosen = policy.act(Decisions.at(dealt))
        assert np.array_equal(double.act(Decisions.at(dealt)), chosen)
        dealt.step(chosen)
    assert len(network.choose_all.signatures) == (0 if INTERPRETED else 1)


def test_opponents_compile_once() -> None:
    """Neither widths nor the number of policies make another loop."""
    game, config = garcon()
    kernels = []
    for widths in ([(9,), (9,), (9,)], [(32, 24), (7, 7, 7), ()]):
        opponents = [policy_of(game, config, hidden) for hidden in widths]
        envs = SingleAgentVectorEnv("garcon", 2, opponents=opponents, config=config)
        envs.reset(seed=1)
        kernels.append(envs._opponents.kernel())
    assert kernels[0] is kernels[1]
    assert len(kernels[0].signatures) == (0 if INTERPRETED else 1)
    plain = SingleAgentVectorEnv("garcon", 2, opponents="random", config=config)
    assert plain._opponents.kernel() is not kernels[0]


# -- What is refused ---------------------------------------------------------------------------


def test_another_variant_is_refused() -> None:
    """By its sizes, before anything is played; of the same sizes it is warned of, once."""
    game, config = garcon()
    policy = policy_of(game, config)
    larger = game.config(players=5)
    with pytest.raises(ValueError, match=r"has learnt a variant with .* features .*; this one has"):
        SingleAgentVectorEnv("garcon", 2, opponents=policy, config=larger)
    with pytest.raises(ValueError, match=r"has learnt a variant with .* features .*; this one has"):
        play_match(game, larger, [policy], 4)
    _, other = garcon(target=config.target + 1)
    for use in (
        lambda: SingleAgentVectorEnv("garcon", 2, opponents=policy, config=other),
        lambda: play_match(game, other, [policy], 4),
    ):
        policy.header["variant"] = "learnt"
        policy.variant = int(game.blank_table(config)["variant"][0])
        with pytest.warns(UserWarning, match="another variant of the same sizes: learnt"):
            use()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            use()


def test_compiled_is_true_or_false(tmp_path: Any) -> None:
    """And a file plays either way."""
    game, config = garcon()
    path = tmp_path / "policy.npz"
    save_policy(path, game, config, weights_of(game, config))
    decisions = Decisions.at(Tables(game, config, 8, seed=1))
    fast, slow = (load_policy(path, game, compiled=each) for each in (True, False))
    assert (fast.compiled, slow.compiled) == (True, False)
    assert np.array_equal(fast.act(decisions), slow.act(decisions))
    with pytest.raises(TypeError, match="compiled='no': must be True or False"):
        load_policy(path, game, compiled="no")  # type: ignore[arg-type]


def test_a_random_agent_sits_beside() -> None:
    """Its seed counts in a match; an environment gives it streams of its own."""
    game, config = garcon()
    policy = policy_of(game, config)
    results = [play_match(game, config, [policy, RandomAgent(seed)], 30, 1) for seed in (1, 1, 2)]
    assert results[0] == results[1]
    assert results[1] != results[2]
