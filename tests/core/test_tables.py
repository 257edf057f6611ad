"""`Tables` of every game: what it hands out, and bad input that must not move a table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import waiter_envs
from tests.playing import bits
from tests.samples import samples
from waiter_envs import load
from waiter_envs.agents.make import make_agent
from waiter_envs.core import kernels
from waiter_envs.core.tables import Tables

NUM_TABLES = 5


def deal(game: str, **options: Any) -> Tables:
    """Return a few tables of a game's default variant."""
    return Tables.of(load(game), NUM_TABLES, 1, **options)


def finished(game: str) -> tuple[Tables, int]:
    """Return tables with autoreset disabled of which at least one is finished, and its number."""
    dealt = deal(game, autoreset_mode="Disabled", **samples(game).short)
    for _ in range(200):
        over = dealt.terminated | dealt.truncated
        if over.any():
            return dealt, int(np.flatnonzero(over)[0])
        dealt.step(dealt.sample_actions())
    raise AssertionError("no game is over")


def everything(dealt: Tables) -> list[bytes]:
    """Return all that tables hand out."""
    fields = [dealt.state[name] for name in dealt.state.dtype.names]
    arrays = [dealt.observation, dealt.action_mask, dealt.current_player, dealt.rewards]
    return [array.tobytes() for array in (*fields, *arrays, dealt.terminated, dealt.truncated)]


def illegal(dealt: Tables, table: int) -> int:
    """Return an action that is not legal at a table."""
    return int(np.flatnonzero(dealt.action_mask[table] == 0)[-1])


def assert_refused(
    dealt: Tables, call: Callable[[], Any], error: type[Exception], complaint: str
) -> None:
    """Check that a call raises an error with a clear text, and that nothing has changed."""
    before = everything(dealt)
    with pytest.raises(error, match=complaint):
        call()
    assert everything(dealt) == before
    dealt.step(np.where(dealt.action_mask.any(axis=1), dealt.sample_actions(), 0))


# -- step --------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [0, 3])
@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_illegal_action(game: str, mode: str, table: int) -> None:
    """An illegal action is named with its table and player; no other table has moved either."""
    dealt = deal(game, autoreset_mode=mode)
    actions = dealt.sample_actions().copy()
    actions[table] = illegal(dealt, table)
    player = dealt.current_player[table]
    complaint = f"table {table}: action {actions[table]} is illegal for player_{player}"
    assert_refused(dealt, lambda: dealt.step(actions), ValueError, complaint)


@pytest.mark.parametrize("action", [-1, -2, "first outside", 2**31 - 1, 2**40, -(2**40)])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_action_out_of_range(game: str, action: int | str) -> None:
    """An action outside the action space is refused, whatever integer it is."""
    dealt = deal(game)
    actions = dealt.sample_actions().astype(np.int64)
    actions[2] = dealt.num_actions if action == "first outside" else action
    complaint = f"table 2: action .*out of range.*0 to {dealt.num_actions - 1}"
    assert_refused(dealt, lambda: dealt.step(actions), ValueError, complaint)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.bool_, np.str_, object])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_actions_of_a_wrong_dtype(game: str, dtype: Any) -> None:
    """Actions are integers."""
    dealt = deal(game)
    actions = dealt.sample_actions().astype(dtype)
    assert_refused(dealt, lambda: dealt.step(actions), TypeError, "must be an integer dtype")


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.uint16, np.uint64])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_actions_of_any_integer_dtype(game: str, dtype: Any) -> None:
    """All integer dtypes are taken, lists too."""
    expected, dealt, from_list = deal(game), deal(game), deal(game)
    actions = expected.sample_actions().copy()
    expected.step(actions)
    dealt.step(actions.astype(dtype))
    from_list.step(actions.tolist())
    assert everything(dealt) == everything(expected) == everything(from_list)


@pytest.mark.parametrize("shape", [(), (1,), (NUM_TABLES + 1,), (NUM_TABLES, 1), (1, NUM_TABLES)])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_actions_of_a_wrong_shape(game: str, shape: tuple[int, ...]) -> None:
    """There is one action for each table."""
    dealt = deal(game)
    actions = np.resize(dealt.sample_actions(), shape)
    complaint = rf"shape \({','.join(map(str, shape))}.*must be \({NUM_TABLES},\)".replace(
        ",", ".*"
    )
    assert_refused(dealt, lambda: dealt.step(actions), ValueError, complaint)


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_step_on_a_finished_table(game: str) -> None:
    """With autoreset disabled a finished table takes no action until it is dealt anew."""
    dealt, table = finished(game)
    over = dealt.terminated | dealt.truncated
    actions = dealt.sample_actions().copy()
    before = everything(dealt)
    with pytest.raises(ValueError, match=rf"table {table} is finished.*reset\(mask="):
        dealt.step(actions)
    assert everything(dealt) == before
    assert not dealt.action_mask[table].any()
    dealt.reset(mask=over)
    dealt.step(dealt.sample_actions())


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_any_action_deals_a_finished_table_in_the_next_step(game: str) -> None:
    """With `NEXT_STEP` a finished table takes any action of the action space, but no other."""
    dealt = deal(game, autoreset_mode="NextStep", **samples(game).short)
    while not (dealt.terminated | dealt.truncated).any():
        dealt.step(dealt.sample_actions())
    ended = dealt.terminated | dealt.truncated
    table = int(np.flatnonzero(ended)[0])
    assert dealt.action_mask[ended].all(), "any action will do, and the mask says so"
    assert not dealt.action_mask[~ended].all(axis=1).any()
    actions = dealt.sample_actions().copy()
    before = everything(dealt)
    actions[table] = dealt.num_actions
    with pytest.raises(ValueError, match=f"table {table}: action .*out of range"):
        dealt.step(actions)
    assert everything(dealt) == before
    actions[table] = dealt.num_actions - 1
    dealt.step(actions)
    assert not dealt.terminated[table]
    assert not dealt.truncated[table]
    assert not dealt.rewards[table].any()
    assert dealt.action_mask[table].sum() > 1


# -- reset and state ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_reset_of_some_tables(game: str) -> None:
    """`reset(mask=)` deals the tables of the mask, and leaves the others as they are."""
    dealt = deal(game)
    for _ in range(3):
        dealt.step(dealt.sample_actions())
    before = dealt.state.copy(), dealt.observation.copy(), dealt.action_mask.copy()
    mask = np.array([True, False, False, True, False])
    dealt.reset(mask=mask)
    for old, new in zip(before, (dealt.state, dealt.observation, dealt.action_mask), strict=True):
        assert np.array_equal(old[~mask], new[~mask])
    assert (before[0]["rng"][mask] != dealt.state["rng"][mask]).any(axis=1).all()
    dealt.reset(mask=np.zeros(NUM_TABLES, dtype=bool))
    assert np.array_equal(dealt.state[~mask], before[0][~mask])


@pytest.mark.parametrize(
    ("arguments", "error", "complaint"),
    [
        ({"seed": -1}, ValueError, "seed=-1: must be an integer from 0"),
        ({"seed": 2**64}, ValueError, "seed=18446744073709551616: must be an integer from 0"),
        ({"seed": 1.5}, TypeError, "seed=1.5: must be an integer"),
        ({"seed": "x"}, TypeError, "seed='x': must be an integer"),
        ({"mask": np.ones(NUM_TABLES, np.int8)}, ValueError, "must be bool and"),
        ({"mask": np.ones(NUM_TABLES + 1, np.bool_)}, ValueError, r"must be bool and \(5,\)"),
        ({"mask": True}, ValueError, "must be bool and"),
        ({"seed": 1, "mask": np.ones(NUM_TABLES, np.bool_)}, ValueError, "not both"),
    ],
)
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_reset_refuses(
    game: str, arguments: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    """A bad seed or mask is refused, and nothing is dealt."""
    dealt = deal(game)
    assert_refused(dealt, lambda: dealt.reset(**arguments), error, complaint)


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_state_refuses(game: str) -> None:
    """A snapshot of another shape or another variant is refused."""
    dealt = deal(game)

    def restore(state: Any) -> Callable[[], None]:
        return lambda: setattr(dealt, "state", state)

    state = dealt.state.copy()
    assert_refused(dealt, restore(state[:3]), ValueError, r"shape \(3,\), must be \(5,\)")
    assert_refused(dealt, restore(state[0]), ValueError, r"shape \(\), must be \(5,\)")
    assert_refused(dealt, restore(state["rng"]), TypeError, "state has dtype uint64")
    for config in load(game).presets.values():
        if config != dealt.config:
            foreign = np.repeat(load(game).blank_table(config), NUM_TABLES)
            assert_refused(dealt, restore(foreign), TypeError, "tables of")


@pytest.mark.parametrize("players", [-1, 99, 1.0, [0, 1], "0", None])
@pytest.mark.parametrize("member", ["observe", "full_observation"])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_viewers_out_of_range(game: str, member: str, players: Any) -> None:
    """Only players of the table look at it."""
    if players is None and member == "full_observation":
        players = [0.5] * NUM_TABLES  # None is allowed there
    dealt = deal(game)
    call = getattr(dealt, member)
    assert_refused(dealt, lambda: call(players), ValueError, "players")


# -- the constructor ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"num_tables": 0}, ValueError, "num_tables=0: must be an integer from 1"),
        ({"num_tables": -5}, ValueError, "num_tables=-5: must be an integer from 1"),
        ({"num_tables": 2.0}, TypeError, "num_tables=2.0: must be an integer from 1"),
        ({"num_tables": True}, TypeError, "num_tables=True: must be an integer from 1"),
        ({"num_tables": "4"}, TypeError, "num_tables='4': must be an integer from 1"),
        ({"seed": -1}, ValueError, "seed=-1: must be an integer from 0"),
        ({"seed": 0.5}, TypeError, "seed=0.5: must be an integer from 0"),
        ({"autoreset_mode": "Never"}, ValueError, "'NextStep', 'SameStep', 'Disabled'"),
        ({"num_threads": 0}, ValueError, "num_threads=0: must be an integer from 1"),
        ({"copy": 1}, TypeError, "copy=1: must be True or False"),
        ({"preset": "none such"}, ValueError, "unknown preset 'none such'; there are "),
        ({"chefs": 3}, TypeError, "unknown variant field chefs; .* has "),
        ({"config": "default"}, TypeError, "config='default': must be a .*Config"),
    ],
)
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_constructor_refuses(
    game: str, options: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    """Arguments of a wrong type or range are refused with what is allowed."""
    with pytest.raises(error, match=complaint):
        Tables.of(load(game), **{"num_tables": 2, **options})


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_constructor_refuses_impossible_variants(game: str) -> None:
    """The game's own complaint comes through."""
    field, value, complaint = samples(game).bad_field
    with pytest.raises(ValueError, match=complaint):
        Tables.of(load(game), 2, **{field: value})


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_config_or_preset(game: str) -> None:
    """A variant is given by `config` or by `preset`, not by both."""
    binding = load(game)
    with pytest.raises(TypeError, match="`config` or `preset`, not both"):
        Tables.of(binding, 1, config=binding.config(), preset=binding.default_preset)


# -- what is handed out ------------------------------------------------------------------------


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_shapes_and_dtypes(game: str) -> None:
    """All arrays have the documented shapes and dtypes."""
    dealt = deal(game)
    binding = load(game)
    players, n = dealt.config.num_players, NUM_TABLES
    features, actions = binding.num_features(dealt.config), binding.num_actions(dealt.config)
    for name, shape, dtype in (
        ("observation", (n, features), np.int8),
        ("action_mask", (n, actions), np.int8),
        ("current_player", (n,), np.int8),
        ("rewards", (n, players), np.float32),
        ("terminated", (n,), np.bool_),
        ("truncated", (n,), np.bool_),
        ("state", (n,), binding.table_dtype(dealt.config)),
        ("final_state", (n,), binding.table_dtype(dealt.config)),
    ):
        array = getattr(dealt, name)
        assert array.shape == shape, name
        assert array.dtype == dtype, name
    assert dealt.sample_actions().shape == (n,)
    assert dealt.sample_actions().dtype == np.int32
    assert dealt.observe(0).shape == (n, features)
    assert dealt.full_observation().shape == (n, features + binding.num_hidden(dealt.config))


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_views_and_copies(game: str) -> None:
    """Arrays are read-only views that the next step overwrites; `copy=True` hands out copies."""
    views, copies = deal(game), deal(game, copy=True)
    arrays = ("observation", "action_mask", "current_player", "rewards", "terminated", "truncated")
    for name in (*arrays, "final_state", "state"):
        assert getattr(views, name).flags.writeable == (name == "state"), "which may be edited"
        assert name != "state" or not copies.state.flags.writeable
        assert np.shares_memory(getattr(views, name), getattr(views, name))
        assert not np.shares_memory(getattr(copies, name), getattr(copies, name))
    kept, frozen = views.observation, copies.observation
    assert np.array_equal(kept, frozen)
    actions = views.sample_actions().copy()
    views.step(actions)
    copies.step(actions)
    assert np.array_equal(kept, views.observation)
    assert not np.array_equal(frozen, copies.observation)
    assert np.array_equal(copies.observation, views.observation)


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_refresh_after_an_edit(game: str) -> None:
    """After `state` was edited in place, `refresh` looks again."""
    dealt = deal(game)
    other = deal(game)
    other.step(other.sample_actions())
    dealt.state[2] = other.state[2]
    dealt.refresh()
    assert np.array_equal(dealt.observation[2], other.observation[2])
    assert np.array_equal(dealt.action_mask[2], other.action_mask[2])
    assert dealt.current_player[2] == other.current_player[2]


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_looking_changes_nothing(game: str) -> None:
    """`observe` and `full_observation` change no table and no buffer."""
    dealt = deal(game)
    before = everything(dealt)
    for player in range(dealt.config.num_players):
        dealt.observe(player)
        dealt.full_observation(player)
    assert everything(dealt) == before
    assert np.array_equal(dealt.observe(dealt.current_player), dealt.observation)


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_final_observations_are_views_of_the_last_positions(game: str) -> None:
    """Of every player, at the tables asked for, by number and by mask."""
    dealt = Tables.of(waiter_envs.load(game), 64, 1, **samples(game).short)
    over = np.zeros(0, np.int64)
    while len(over) < 2:
        dealt.step(dealt.sample_actions())
        over = np.flatnonzero(dealt.terminated | dealt.truncated)
    last = Tables.of(waiter_envs.load(game), len(over), 0, config=dealt.config)
    last.state = dealt.final_state[over]
    views = dealt.final_observation(over)
    for player in range(dealt.num_players):
        assert np.array_equal(views[:, player], last.observe(player))
    assert np.array_equal(dealt.final_observation(dealt.terminated | dealt.truncated), views)
    assert dealt.final_observation(over[:0]).shape == (0, *views.shape[1:])


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_samples_are_legal_and_uniform(game: str) -> None:
    """Sampled actions are legal, and all legal actions come up about equally often."""
    dealt = deal(game)
    dealt.state = np.repeat(dealt.state[:1], NUM_TABLES)
    legal = np.flatnonzero(dealt.action_mask[0])
    rounds = 400 * len(legal) // NUM_TABLES
    sampled = np.concatenate([dealt.sample_actions().copy() for _ in range(rounds)])
    actions, counts = np.unique(sampled, return_counts=True)
    assert actions.tolist() == legal.tolist()
    expected = len(sampled) / len(legal)
    assert ((counts - expected) ** 2 / expected).sum() < len(legal) + 6 * (2 * len(legal)) ** 0.5


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_any_layout_of_actions_will_do(game: str) -> None:
    """Strided and read-only actions are taken, and nothing is compiled for them."""
    dealt, twin = deal(game), deal(game)
    dealt.step(dealt.sample_actions())
    twin.step(twin.sample_actions())
    compiled = dealt._kernel(kernels.advance).signatures
    wide = np.zeros(2 * NUM_TABLES, np.int32)
    wide[::2] = dealt.sample_actions()
    dealt.step(wide[::2])
    frozen = twin.sample_actions().copy()
    frozen.flags.writeable = False
    twin.step(frozen)
    assert everything(dealt) == everything(twin)
    assert dealt._kernel(kernels.advance).signatures == compiled


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_a_copied_state_cannot_be_edited_in_vain(game: str) -> None:
    """With `copy=True` an edit of `state` would be lost, so it is refused."""
    dealt = deal(game, copy=True)
    with pytest.raises(ValueError, match="read-only"):
        dealt.state["rng"] = 7
    dealt.state = dealt.state


# -- where observations go ---------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_observations_go_where_they_are_told(game: str, threads: int) -> None:
    """Into the caller's array, packed, or nowhere: games and what is seen of them are the same."""
    count = 520  # enough for two threads
    plain, out, packed, blind = (
        Tables.of(load(game), count, 3, num_threads=threads, **options)
        for options in ({}, {}, {"packed": True}, {"observe": False})
    )
    features = plain.num_features
    rollout = np.full((3, count, features), 7, np.int8)
    packed_rows = np.zeros((3, *packed.observation.shape), np.uint8)
    for step in range(3):
        actions = plain.sample_actions().copy()
        plain.step(actions)
        out.step(actions, out=rollout[step])
        packed.step(actions, out=packed_rows[step]) if step else packed.step(actions)
        blind.step(actions)
        expected = plain.observation
        assert np.array_equal(rollout[step], expected)
        assert np.shares_memory(out.observation, rollout[step])
        assert np.array_equal(np.unpackbits(packed.observation, axis=1, count=features), expected)
        assert np.array_equal(blind.observation, expected)
        for other in (out, packed, blind):
            assert bits(other.state) == bits(plain.state)
            assert np.array_equal(other.action_mask, plain.action_mask)
    assert np.array_equal(rollout[0], rollout[0] & 1), "rows of earlier steps stay"
    assert not np.array_equal(rollout[0], rollout[2])
    out.reset(5)
    assert not np.shares_memory(out.observation, rollout)


@pytest.mark.parametrize(
    ("out", "error", "complaint"),
    [
        (lambda shape: np.zeros(shape, np.float32), TypeError, "must be an array of int8"),
        (lambda shape: np.zeros(shape, np.int8).tolist(), TypeError, "must be an array of int8"),
        (lambda shape: np.zeros((1, *shape), np.int8), ValueError, r"out has shape \(1, 5, "),
        (lambda shape: np.zeros(shape[::-1], np.int8).T, ValueError, "one row behind the other"),
        (lambda shape: np.broadcast_to(np.int8(0), shape), ValueError, "writable"),
    ],
)
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_step_refuses_where_it_cannot_write(
    game: str, out: Callable[[Any], Any], error: type[Exception], complaint: str
) -> None:
    """What cannot be written to is refused before anything moves."""
    dealt = deal(game)
    target = out(dealt.observation.shape)
    actions = dealt.sample_actions().copy()
    assert_refused(dealt, lambda: dealt.step(actions, out=target), error, complaint)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_refused_step_shows_what_was_seen_before(threads: int) -> None:
    """Whether the last step wrote elsewhere or not, and whether the refused one would have."""
    dealt = Tables.of(load("dessert"), 520, 1, num_threads=threads)
    out, other = (np.zeros(dealt.observation.shape, np.int8) for _ in range(2))
    wrong = np.full(520, dealt.num_actions, np.int32)
    for last, next_out in ((None, other), (out, None), (out, other)):
        dealt.step(dealt.sample_actions(), out=last)
        seen = dealt.observation.copy()
        with pytest.raises(ValueError, match="out of range"):
            dealt.step(wrong, out=next_out)
        assert np.array_equal(dealt.observation, seen)
        assert not other.any()


def test_nothing_is_written_where_nothing_is_observed() -> None:
    """`out` and `packed` mean observations."""
    game = load("dessert")
    blind = Tables.of(game, 2, 1, observe=False)
    with pytest.raises(ValueError, match="do not observe"):
        blind.step(blind.sample_actions(), out=np.zeros((2, blind.num_features), np.int8))
    with pytest.raises(ValueError, match="nothing to pack"):
        Tables.of(game, 2, 1, observe=False, packed=True)


# -- copies, and what a player does not know ---------------------------------------------------


def test_clones_are_copies_and_look_again() -> None:
    """Each table becomes the one that is named, of the same luck; the others are gone."""
    dealt = Tables.of(load("greasy_spoon"), 4, 3)
    for _ in range(5):
        dealt.step(dealt.sample_actions())
    before = dealt.state.copy()
    masks, seen = dealt.action_mask.copy(), dealt.observation.copy()
    rows = np.array([2, 2, 0, 1])
    dealt.clone(rows)
    assert np.array_equal(dealt.state, before[rows])
    assert np.array_equal(dealt.action_mask, masks[rows])
    assert np.array_equal(dealt.observation, seen[rows])
    assert np.array_equal(dealt.current_player, before["current_player"][rows])
    actions = dealt.sample_actions().copy()
    actions[:2] = actions[0]
    dealt.step(actions)
    assert np.array_equal(dealt.state[0], dealt.state[1])
    for wrong in (rows[:3], [0, 1, 2, 4], [0.5] * 4):
        with pytest.raises((ValueError, TypeError), match="rows"):
            dealt.clone(wrong)


@pytest.mark.parametrize("threads", [1, 2])
def test_resampling_looks_again(threads: int) -> None:
    """Whatever is hidden changes, on all threads alike, and is seen at once."""
    dealt = Tables.of(load("greasy_spoon"), 520, 3, num_threads=threads)
    once = Tables.of(load("greasy_spoon"), 520, 3, num_threads=1)
    acting = dealt.current_player.copy()
    masks, seen = dealt.action_mask.copy(), dealt.observation.copy()
    for each in (dealt, once):
        each.resample(acting, seed=8)
    assert np.array_equal(dealt.state, once.state)
    assert np.array_equal(dealt.action_mask, masks)
    assert np.array_equal(dealt.observation, seen)
    dealt.resample(1 - acting, seed=8)
    assert (dealt.action_mask != masks).any(axis=1).mean() > 0.9
    assert (dealt.observation != seen).any(axis=1).mean() > 0.9
    looked = dealt.action_mask.copy(), dealt.observation.copy()
    dealt.refresh()
    assert np.array_equal(dealt.action_mask, looked[0])
    assert np.array_equal(dealt.observation, looked[1])


def test_resampling_is_refused_where_it_is_not_offered() -> None:
    """By a game without it, and with memories by a game where nobody has any."""
    game = dataclasses.replace(load("greasy_spoon"), resample=None)
    with pytest.raises(ValueError, match="greasy_spoon does not offer it"):
        Tables.of(game, 1, 1).resample(0, 1)
    with pytest.raises(ValueError, match=r"memories=.*must be left out"):
        Tables.of(load("greasy_spoon"), 1, 1).resample(0, 1, np.zeros(1))


# -- Playouts ----------------------------------------------------------------------------------


def played_by_hand(dealt: Tables, depth: int | None) -> Any:
    """Play on by asking the rule-based agent from Python; return what was paid."""
    agent = make_agent(dealt.game, "heuristic", 1)
    paid = np.zeros((NUM_TABLES, dealt.num_players), np.float32)
    left = np.full(NUM_TABLES, 10**6 if depth is None else depth)
    while True:
        live = ~(dealt.terminated | dealt.truncated) & (left > 0)
        if not live.any():
            return paid
        actions = agent.act(waiter_envs.Decisions.at(dealt))
        dealt.carry_out(np.where(live, actions, kernels.REFRESH))
        paid += dealt.rewards * live[:, np.newaxis]
        left -= live


@pytest.mark.parametrize("depth", [None, 0, 1, 5])
@pytest.mark.parametrize("game", ["hey_waiter", "greasy_spoon", "dessert"])
def test_a_playout_plays_what_the_rule_based_agent_plays(game: str, depth: int | None) -> None:
    """Whoever is asked, compiled or from Python; where agents have no memory and draw nothing."""
    one, other = (deal(game, autoreset_mode="Disabled", **samples(game).quick) for _ in range(2))
    paid = one.playout("heuristic", depth)
    assert np.array_equal(paid, played_by_hand(other, depth))
    assert everything(one)[: len(one.state.dtype)] == everything(other)[: len(one.state.dtype)]
    assert paid.any() == (depth is None)


@pytest.mark.parametrize("turns", [0, 5, 6, 7, 12])
@pytest.mark.parametrize("preset", ["rulebook", "memory"])
def test_in_a_playout_players_remember_what_attentive_ones_would(preset: str, turns: int) -> None:
    """In the middle of a game, and of a round, it goes on as the agents who sit there."""
    one, other = (
        Tables.of(load("garcon"), 64, 1, autoreset_mode="Disabled", preset=preset) for _ in range(2)
    )
    agent = make_agent(one.game, "heuristic", 1)
    for _ in range(turns):
        one.step(agent.act(waiter_envs.Decisions.at(one)))
    other.state = one.state.copy()
    other.playout("heuristic", 30)
    for _ in range(30):
        over = one.terminated | one.truncated
        actions = agent.act(waiter_envs.Decisions.at(one))
        one.carry_out(np.where(over, kernels.REFRESH, actions))
    assert (one.state["completed"] > 0).any()
    assert np.array_equal(one.state, other.state)


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
@pytest.mark.parametrize("policy", ["random", "heuristic"])
@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_a_playout_ends_all_games(game: str, policy: str, mode: str) -> None:
    """They stay finished, whatever would be next."""
    dealt = deal(game, autoreset_mode=mode, **samples(game).quick)
    paid = dealt.playout(policy)
    assert (dealt.terminated | dealt.truncated).all()
    assert paid.shape == dealt.rewards.shape
    assert paid.dtype == np.float32
    state = dealt.state.copy()
    assert not dealt.playout(policy, seed=3).any(), "nothing is left to be paid"
    assert np.array_equal(state, dealt.state)


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_a_playout_depends_on_its_seed_alone(game: str) -> None:
    """On table and seed, not on threads, nor on what was drawn before, nor on being observed."""
    states = []
    for threads, seed, observe in ((1, 4, True), (3, 4, False), (1, 5, True)):
        options = {"num_threads": threads, "observe": observe, **samples(game).quick}
        dealt = Tables.of(load(game), 800, 1, **options)
        if threads == 3:
            dealt.sample_actions()
        dealt.playout(depth=6, seed=seed)
        states.append(dealt.state.copy())
    assert np.array_equal(states[0], states[1])
    assert not np.array_equal(states[0], states[2])


@pytest.mark.parametrize("game", waiter_envs.GAMES)
def test_a_playout_without_a_seed_goes_on_with_the_streams_of_samples(game: str) -> None:
    one, other, third = (deal(game, **samples(game).quick) for _ in range(3))
    third.sample_actions()
    for dealt in (one, other, third):
        dealt.playout(depth=4)
    assert np.array_equal(one.state, other.state)
    assert not np.array_equal(one.state, third.state)


def test_a_playout_refuses_what_it_cannot_play() -> None:
    dealt = deal("greasy_spoon")
    assert_refused(dealt, lambda: dealt.playout("genius"), ValueError, "policy='genius'.*random")
    assert_refused(dealt, lambda: dealt.playout(3), TypeError, "policy=3")
    assert_refused(dealt, lambda: dealt.playout(depth=-1), ValueError, "depth=-1")
    assert_refused(dealt, lambda: dealt.playout(seed=-1), ValueError, "seed=-1")
