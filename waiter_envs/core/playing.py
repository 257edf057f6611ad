"""Playing on with one compiled policy in all seats: for `Tables.playout`, and for searches.

A policy is `random`, a rule-based agent of the game by its name, or a trained policy: whatever has
a `network` (`waiter_envs.core.network`) and tells with `check_variant` which variants it fits.
Nobody is asked from Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from waiter_envs.core import learner
from waiter_envs.core.checks import shown
from waiter_envs.core.jit import njit
from waiter_envs.core.kernels import first_legal, renew
from waiter_envs.core.rng import next_uint32

NO_DEPTH = -1
"""Instead of a number of decisions: play to the end."""

RANDOM = "random"

_U32, _U1 = np.uint64(32), np.uint64(1)

step: Any = None
legal_action_mask: Any = None
rewards: Any = None
play_on: Any = None
attend: Any = None


class Policy(NamedTuple):
    """A compiled policy at tables of one variant."""

    name: str
    """It tells policies apart that need machine code of their own."""
    kind: int
    """Who chooses, as `choose` takes it: see `learner.play_to_learner`."""
    choose: Any
    """`choose(kind, table, mask, legal, stream, memories, i, player)`, compiled."""
    attend: Any
    """`attend(memories, blank_memories, i, table, stream)`, compiled: lets the players of table i
    remember what attentive players would who have sat there from the beginning."""
    blank_memory: npt.NDArray[Any]
    """An array of one empty memory; of a number that nobody reads where there is none."""
    networks: tuple[Any, ...]

    def memory_arguments(self, players: int) -> tuple[Any, ...]:
        """Return `memories`, of one table, and `blank_memories`."""
        if not self.kind or self.networks:
            return self.networks, ()
        memory = np.repeat(self.blank_memory, players).reshape(1, players)
        return (memory,), (self.blank_memory,)


# -- Who plays ---------------------------------------------------------------------------------


class Sizes(NamedTuple):
    """What a policy has to fit."""

    table_dtype: np.dtype[np.void]
    features: int
    actions: int
    variant: int | None
    """The number that the tables carry; `None`: unknown."""


def policy_of(game: Any, sizes: Sizes, policy: Any, name: str = "policy") -> Policy:
    """Return a compiled policy.

    Args:
        game: a `Game`.
        sizes: of the variant that is played.
        policy: `random`, a rule-based agent's name, or a trained policy.
        name: what errors call it.

    Raises:
        ValueError: for an unknown name, a policy that plays in Python only, or of another game or
            variant.
        TypeError: for anything else.
    """
    check_policy(game, policy, name)
    if isinstance(policy, str):
        heuristic = game.heuristics.get(policy)
        blank = np.zeros(1, np.int8)
        if heuristic is not None and heuristic.blank_memory is not None:
            blank = heuristic.blank_memory(sizes.table_dtype)
        names = () if heuristic is None else (policy,)
        return Policy(policy, len(names), *functions(game, names), blank, ())
    policy.check_variant(sizes.features, sizes.actions, sizes.variant)
    found = functions(game, (), True)
    return Policy("policies", learner.POLICY, *found, np.zeros(1, np.int8), (policy.network,))


def check_policy(game: Any, policy: Any, name: str = "policy") -> None:
    """Refuse what is no compiled policy of a game; see `policy_of`."""
    if isinstance(policy, str):
        if policy != RANDOM and policy not in game.heuristics:
            raise ValueError(
                f"{name}={shown(policy)}: must be one of {', '.join((RANDOM, *game.heuristics))} "
                f"for {game.name}, or a trained policy"
            )
        return
    if not hasattr(policy, "check_variant"):
        raise TypeError(f"{name}={shown(policy)}: must be a name, or a trained policy")
    learnt = policy.header.get("game", game.name)
    if learnt != game.name:
        raise ValueError(f"{name}: must be a policy of {game.name}, not of {shown(learnt)}")
    if not policy.compiled:
        raise ValueError(f"{name}: must be a policy that plays in compiled code, without a memory")


_composed: dict[tuple[str, tuple[str, ...], bool], tuple[Any, Any]] = {}
_compiled: dict[Any, Any] = {}


def composed(game: Any, heuristics: Sequence[str], policies: bool = False) -> tuple[Any, Any]:
    """Return `choose_opponent` and `forget` (`learner.compose`), the same whenever asked for.

    Args:
        game: a `Game`.
        heuristics: names of its rule-based agents, those of kind 1, 2 and so on.
        policies: whether there are trained policies.
    """
    key = game.name, tuple(heuristics), policies
    if key not in _composed:
        rules = [game.heuristics[name] for name in heuristics]
        _composed[key] = learner.compose(rules, game.observe if policies else None)
        names = ["opponents", *heuristics, *(["policies"] if policies else [])]
        _composed[key][0].__name__ = "_".join(names)
    return _composed[key]


def functions(game: Any, heuristics: tuple[str, ...], policies: bool = False) -> tuple[Any, Any]:
    """Return `choose` and `attend` of a policy, the same whenever asked for."""
    choose, _ = composed(game, heuristics, policies)
    if choose not in _compiled:
        rules = [game.heuristics[name] for name in heuristics]
        remembering = [rule for rule in rules if rule.blank_memory is not None]
        _compiled[choose] = _attending(remembering[0].recollect) if remembering else attend_nothing
    return choose, _compiled[choose]


@njit
def attend_nothing(memories, blank_memories, i, table, stream):
    """Let players without a memory remember nothing."""


@njit
def recollect_nothing(table, player, memory):
    """Leave a memory empty."""


def _attending(recollect):
    recollect = recollect or recollect_nothing

    @njit
    def attend(memories, blank_memories, i, table, stream):
        memory = memories[0][i]
        for player in range(memory.shape[0]):
            renew(memory, player, blank_memories[0])
            memory[player].rng[0] = random_word(stream)
            memory[player].rng[1] = random_word(stream) | _U1
            recollect(table, player, memory[player])

    return attend


# -- How it plays ------------------------------------------------------------------------------


@njit
def random_word(stream):
    """Return 64 random bits."""
    return next_uint32(stream) << _U32 | next_uint32(stream)


def playing(game: Any, policy: Policy) -> Any:
    """Return `play_on` for a policy, compiled: it plays one table on.

    `play_on(table, mask, paid, kind, depth, stream, memories, i)` plays until the game is over, or
    `depth` decisions have been made and one is to be made: forced ones are made and not counted.
    What is paid is added to `paid`; `mask` is room for a mask. It returns how many moves were made.
    """
    key = game.name, policy.choose
    if key not in _compiled:
        _compiled[key] = _playing(game.step, game.legal_action_mask, game.rewards, policy.choose)
        _compiled[key].__name__ = f"play_on_{policy.name}"
    return _compiled[key]


def _playing(step, legal_action_mask, rewards, choose):
    @njit
    def play_on(table, mask, paid, kind, depth, stream, memories, i):
        moves, left = 0, depth
        while not (table.terminated or table.truncated):
            legal = legal_action_mask(table, mask)
            if legal == 1:
                action = first_legal(mask)
            elif left == 0:
                break
            else:
                player = np.int64(table.current_player)
                action = choose(kind, table, mask, legal, stream, memories, i, player)
                left -= 1
            step(table, action)
            rewards(table, paid)
            moves += 1
        return moves

    return play_on


def play_out(state, streams, kind, depth, start, stop, totals, mask, memories, blank_memories):
    """Play all tables on, `depth` decisions or to the end; add what is paid to `totals[i]`.

    `mask` and `memories` are room for one table: the tables take turns with them.
    """
    for i in range(start, stop):
        attend(memories, blank_memories, 0, state[i], streams[i])
        play_on(state[i], mask, totals[i], kind, depth, streams[i], memories, 0)
