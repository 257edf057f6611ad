"""Trained policies as files, and as agents that play in compiled code.

`save_policy` writes one file, `policy.npz`: the weights as plain arrays, and what they are for as
JSON. Nothing in it is code and nothing is unpickled, so a file from anywhere may be loaded. All
training examples write one beside their checkpoints; wherever an agent is named, its path or the
folder that it lies in will do:

    python -m waiter_envs match greasy_spoon --agents runs/mine heuristic

A network is a stack of dense layers, `trunk`, and a dense layer `actor` to the logits. One with a
memory, besides, has the layers of `examples/cleanrl_ppo_recurrent.py`: `observation_embedding`, an
`action_embedding`, a GRU `cell`, and layers `join` between memory and `actor`; it plays by NumPy.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.agents.agent import Decisions, RememberingAgent, Thoughts
from waiter_envs.core import rng
from waiter_envs.core.checks import check_bool, check_choice, check_path, check_seed
from waiter_envs.core.game import Game, check_game
from waiter_envs.core.network import (
    ACTIVATIONS,
    Array,
    Layer,
    Network,
    choose_all,
    draw_all,
    pack,
    with_greed,
)

FILE_NAME = "policy.npz"
"""Name of the file in the folder of a training run."""

FORMAT = 2
_MOST = 10_000_000
_HEADER = "header"
_MEMORY = ("observation_embedding.weight", "observation_embedding.bias", "action_embedding.weight",
           "cell.weight_ih", "cell.bias_ih", "cell.weight_hh", "cell.bias_hh")  # fmt: skip


def _relu(values: Array) -> Array:
    return np.maximum(values, 0.0)


def _sigmoid(values: Array) -> Array:
    return 0.5 * (np.tanh(0.5 * values) + 1.0)


_FUNCTIONS: dict[str, Callable[[Array], Array]] = {"relu": _relu, "tanh": np.tanh}


def save_policy(
    path: str | os.PathLike[str],
    game: Game,
    config: Any,
    weights: Mapping[str, Any],
    activation: str = "relu",
) -> None:
    """Write a policy to a file, whole or not at all.

    Args:
        path: of the file, usually `policy.npz`.
        game: the game that it plays.
        config: the variant that it has learnt.
        weights: arrays by name: `trunk.N.weight` `(outputs, inputs)` and `trunk.N.bias` for rising
            numbers N (a PyTorch `state_dict` of a `Sequential` has such names), `actor.weight`,
            `actor.bias`, and those of a memory. Others are left out.
        activation: behind every layer but the last: one of `ACTIVATIONS`.

    Raises:
        ValueError: if the weights make no network for this variant.
    """
    config = check_game(game).config(config)
    header = {
        "format": FORMAT,
        "game": game.name,
        "version": game.version,
        "variant": game.config_to_dict(config),
        "features": game.num_features(config),
        "actions": game.num_actions(config),
        "activation": check_choice("activation", activation, ACTIVATIONS),
    }
    arrays = {name: np.asarray(weights[name], np.float32) for name in weights if _is_used(name)}
    SavedPolicy(header, arrays, compiled=False)  # refuses what does not fit together
    target = Path(check_path(path))
    temporary = target.with_name(f".{target.name}.tmp")
    with temporary.open("wb") as file:
        np.savez(file, **{_HEADER: np.array(json.dumps(header))}, **arrays)  # type: ignore[arg-type]
    os.replace(temporary, target)


def weights_of(layers: Iterable[Any]) -> tuple[dict[str, Any], str]:
    """Return weights and activation, as `save_policy` takes them, of layers of PyTorch.

    Args:
        layers: from the observation to the logits: `Linear`, and between them `ReLU` or `Tanh`.

    Raises:
        ValueError: for other layers, or a network without a hidden one.
    """
    layers = list(layers)
    kinds = [type(layer).__name__ for layer in layers]
    linear = [layer for layer, kind in zip(layers, kinds, strict=True) if kind == "Linear"]
    between = {kind.lower() for kind in kinds} - {"linear", "identity", "flatten"}
    if len(between) != 1 or not between <= set(ACTIVATIONS) or len(linear) < 2:
        raise ValueError(
            f"layers {', '.join(kinds)}: must be Linear, at least two, and between them ReLU, or "
            "between them Tanh"
        )
    weights = {}
    for number, layer in enumerate(linear):
        name = "actor" if layer is linear[-1] else f"trunk.{number}"
        weights[f"{name}.weight"] = layer.weight.detach().cpu().numpy()
        weights[f"{name}.bias"] = layer.bias.detach().cpu().numpy()
    return weights, between.pop()


def load_policy(
    path: str | os.PathLike[str],
    game: Game,
    *,
    greedy: bool = True,
    seed: int = 0,
    compiled: bool = True,
) -> SavedPolicy:
    """Return the agent that a file holds; nothing in the file is run.

    Args:
        path: of the file, or of the folder where it is called `policy.npz`.
        game: the game that it shall play.
        greedy: play the likeliest action; else draw one.
        seed: of the draws.
        compiled: play in compiled code, unless it has a memory; else by NumPy.

    Raises:
        ValueError: if there is no policy, or one of another game or version.
    """
    check_game(game)
    seed = check_seed(seed)
    check_bool("greedy", greedy)
    check_bool("compiled", compiled)
    file = Path(check_path(path))
    if file.is_dir():
        file = file / FILE_NAME
    header, arrays = _read(file)
    if header.get("format") != FORMAT:
        raise ValueError(f"{file} is no policy of format {FORMAT}")
    if (header.get("game"), header.get("version")) != (game.name, game.version):
        raise ValueError(
            f"{file} plays {header.get('game')}_v{header.get('version')}, not "
            f"{game.name}_v{game.version}"
        )
    try:
        policy = SavedPolicy(header, arrays, greedy=greedy, seed=seed, compiled=compiled)
    except ValueError as error:
        raise ValueError(f"{file} is damaged: {error}") from None
    policy.variant = _variant_number(game, header.get("variant"))
    return policy


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what a file says of its policy: `game`, `version`, `variant`, `features`, `actions`.

    Raises:
        ValueError: if there is no policy.
    """
    file = Path(check_path(path))
    return _read(file / FILE_NAME if file.is_dir() else file)[0]


def _variant_number(game: Game, fields: Any) -> int | None:
    """Return the number that tables of a variant carry; `None` if the variant is unknown here."""
    try:
        return int(game.blank_table(game.config_from_dict(fields))["variant"][0])
    except (TypeError, ValueError):
        return None


def _read(file: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the arrays of a file.

    Raises:
        ValueError: if there is none, or it is no such file, whatever is wrong with it.
    """
    if not file.exists():
        raise ValueError(f"{file}: no such file; training writes {FILE_NAME}")
    try:
        with np.load(file, allow_pickle=False) as content:
            header = dict(json.loads(str(content[_HEADER])))
            return header, {name: content[name] for name in content.files if name != _HEADER}
    except Exception:  # a damaged archive may raise anything
        raise ValueError(f"{file} is no policy written by `save_policy`") from None


def _is_used(name: str) -> bool:
    return name.startswith(("trunk.", "join.", "actor.")) or name in _MEMORY


def _array(weights: Mapping[str, Array], name: str, shape: tuple[int | None, ...]) -> Array:
    """Return an array of weights; refuse one that is missing, not finite or of another shape."""
    if name not in weights:
        raise ValueError(f"there is no {name}")
    array = weights[name]
    wrong = array.ndim != len(shape) or any(
        size not in (None, found) for size, found in zip(shape, array.shape, strict=False)
    )
    if wrong or array.dtype != np.float32 or not np.isfinite(array).all():
        wanted = ", ".join("any" if size is None else str(size) for size in shape)
        raise ValueError(
            f"{name} has shape {array.shape} and dtype {array.dtype}; must be ({wanted}) finite "
            "float32"
        )
    return array


def _layer(
    weights: Mapping[str, Array], name: str, inputs: int, outputs: int | None = None
) -> Layer:
    """Return the weight, transposed, and the bias of a dense layer."""
    weight = _array(weights, f"{name}.weight", (outputs, inputs))
    return np.ascontiguousarray(weight.T), _array(weights, f"{name}.bias", (len(weight),))


def _stack(weights: Mapping[str, Array], name: str, inputs: int) -> tuple[list[Layer], int]:
    """Return the layers `name.N`, in the order of N, and the number of their outputs."""
    layers = []
    names = {key.rpartition(".")[0] for key in weights if key.startswith(f"{name}.")}
    if not all(key[len(name) + 1 :].isdecimal() for key in names):
        raise ValueError(f"{', '.join(sorted(names))}: must be {name}.0 and so on")
    for layer in sorted(names, key=lambda key: int(key[len(name) + 1 :])):
        layers.append(_layer(weights, layer, inputs))
        inputs = len(layers[-1][1])
    return layers, inputs


def _size(header: Mapping[str, Any], name: str) -> int:
    """Return a size that the header tells."""
    size = header.get(name)
    if type(size) is not int or not 1 <= size <= _MOST:
        raise ValueError(f"{name}={size!r}: must be an integer from 1 to {_MOST}")
    return size


class SavedPolicy(RememberingAgent):
    """A trained policy that can sit at any table of its variant; see `load_policy`.

    What it draws depends on the seed, the table and the player, not on who is asked beside it.
    """

    name = "policy"

    def __init__(
        self,
        header: Mapping[str, Any],
        weights: Mapping[str, Array],
        *,
        greedy: bool = True,
        seed: int = 0,
        compiled: bool = True,
    ) -> None:
        """Make a network of weights.

        Args:
            header: what `save_policy` writes: `features`, `actions`, `activation`, `game`,
                `version`, `variant`.
            weights: arrays by name; see `save_policy`.
            greedy: play the likeliest action; else draw one.
            seed: of the draws.
            compiled: play in compiled code, unless it has a memory; else by NumPy.

        Raises:
            ValueError: if an array is missing, or they do not fit together.
        """
        self.header = dict(header)
        self.variant: int | None = None
        """The number of the variant that it has learnt; `None`: any."""
        self.greedy = greedy
        self.seed = seed
        features, actions = _size(header, "features"), _size(header, "actions")
        activation = header.get("activation")
        if not isinstance(activation, str) or activation not in ACTIVATIONS:
            allowed = ", ".join(ACTIVATIONS)
            raise ValueError(f"activation={activation!r}: must be one of {allowed}")
        self._activation = activation
        self._trunk, outputs = _stack(weights, "trunk", features)
        self._join: list[Layer] = []
        self._memory_size = 0
        if any(name.startswith("join.") for name in weights):
            self._read_memory(weights, features, actions)
            self._join, outputs = _stack(weights, "join", outputs + self._memory_size)
        self._actor = _layer(weights, "actor", outputs, actions)
        self.compiled = compiled and not self._join
        """Whether it plays in compiled code."""
        self._packed = pack(self._trunk, self._actor, activation) if self.compiled else None

    def _read_memory(self, weights: Mapping[str, Array], features: int, actions: int) -> None:
        """Take the layers of the memory."""
        self._observation_embedding = _layer(weights, "observation_embedding", features)
        width = len(self._observation_embedding[1])
        self._action_embedding = _array(weights, "action_embedding.weight", (actions, width))
        of_state = _array(weights, "cell.weight_hh", (None, None))
        size = self._memory_size = of_state.shape[1]
        self._cell = (
            _array(weights, "cell.weight_ih", (3 * size, width)).T,
            _array(weights, "cell.bias_ih", (3 * size,)),
            _array(weights, "cell.weight_hh", (3 * size, size)).T,
            _array(weights, "cell.bias_hh", (3 * size,)),
        )

    @property
    def network(self) -> Network:
        """The network, as compiled code takes it, if it plays there."""
        assert self._packed is not None
        return with_greed(self._packed, self.greedy)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int32]:
        """Return an action for each decision, `(n,)` int32.

        At tables of another variant with the same sizes it plays, with a warning.

        Raises:
            ValueError: if the tables are of another variant with other sizes.
        """
        variant = int(decisions.state["variant"][0]) if len(decisions.state) else None
        features, actions = decisions.observation.shape[1], decisions.action_mask.shape[1]
        self.check_variant(features, actions, variant)
        if self.greedy and not self._join:  # nothing is remembered
            return self._choose(decisions, np.zeros(len(decisions.observation), self._memory_dtype))
        memory, here = self.memories(decisions), (decisions.table, decisions.player)
        mine = memory[here]
        chosen = self._choose(decisions, mine)
        memory[here] = mine
        return chosen

    def think(self, decisions: Decisions) -> tuple[npt.NDArray[np.int32], Thoughts | None]:
        """Return an action for each decision, and the probabilities of all of them."""
        if self._join:
            state = self.memories(decisions)["state"][decisions.table, decisions.player]
        else:
            state = np.zeros((len(decisions.observation), 0), np.float32)
        logits = self._logits(decisions.observation.astype(np.float32), state)
        logits[decisions.action_mask == 0] = -np.inf
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return self.act(decisions), Thoughts(chances)

    def check_variant(self, features: int, actions: int, variant: int | None) -> None:
        """Refuse a variant with other sizes, and warn of another one with the same.

        Args:
            features: number of features of its observations.
            actions: number of its actions.
            variant: number that its tables carry; `None`: unknown.

        Raises:
            ValueError: if it has other sizes.
        """
        sizes, wanted = (features, actions), (self.header["features"], self.header["actions"])
        if sizes != wanted:
            raise ValueError(
                f"the policy has learnt a variant with {wanted[0]} features and {wanted[1]} "
                f"actions, {self.header.get('variant')}; this one has {sizes[0]} and {sizes[1]}"
            )
        if self.variant not in (None, variant) and variant is not None:
            warnings.warn(
                "the policy has learnt another variant of the same sizes: "
                f"{self.header['variant']}",
                UserWarning,
                stacklevel=3,
            )
            self.variant = None  # once is enough

    @property
    def _memory_dtype(self) -> np.dtype[np.void]:
        """The record of what is remembered at one table by one player."""
        return np.dtype([("rng", "u8", (2,)), ("state", "f4", (self._memory_size,))])

    def blank_memories(self, tables: int, players: int) -> npt.NDArray[np.void]:
        """Return what games begin with: random streams, and the states of the GRU."""
        memory = np.zeros((tables, players), self._memory_dtype)
        for player in range(players):
            memory["rng"][:, player] = rng.streams(self.seed, tables, player)
        return memory

    def reset(self, tables: npt.NDArray[np.int64] | None = None) -> None:
        """Forget what was remembered of these tables, which are dealt anew (`None`: of all)."""
        if self._join:
            super().reset(tables)

    def _choose(self, decisions: Decisions, memory: npt.NDArray[np.void]) -> npt.NDArray[np.int32]:
        """Return an action for each decision; bring its memory, `(n,)`, up to date."""
        count = len(memory)
        streams = np.ascontiguousarray(memory["rng"])
        actions = np.empty(count, np.int32)
        if self.compiled:
            seen = (
                np.require(array, np.int8, ["C", "A", "W"])  # one type, so one compilation
                for array in (decisions.observation, decisions.action_mask)
            )
            choose_all(*seen, streams, *self.network, 0, count, actions)
        else:
            observation, state = decisions.observation.astype(np.float32), memory["state"]
            logits = self._logits(observation, state)
            logits[decisions.action_mask == 0] = -np.inf
            if self.greedy:
                actions[:] = logits.argmax(axis=1)
            else:
                draw_all(logits, streams, 0, count, actions)
            memory["state"] = self._remember(observation, actions, state)
        memory["rng"] = streams
        return actions

    def _logits(self, observation: Array, state: Array) -> Array:
        activation = _FUNCTIONS[self._activation]
        view = observation
        for weight, bias in self._trunk:
            view = activation(view @ weight + bias)
        if self._join:
            view = np.concatenate([view, state], axis=1)
            for weight, bias in self._join:
                view = activation(view @ weight + bias)
        weight, bias = self._actor
        return np.asarray(view @ weight + bias, np.float32)

    def _remember(self, observation: Array, action: npt.NDArray[np.int32], state: Array) -> Array:
        """Return the states after decisions: those of a GRU fed with what was seen and done.

        The equations are those of PyTorch's `GRUCell`.
        """
        if not self._join:
            return state
        weight, bias = self._observation_embedding
        happened = (observation @ weight + bias) * self._action_embedding[action]
        of_input, input_bias, of_state, state_bias = self._cell
        now = np.split(happened @ of_input + input_bias, 3, axis=1)
        before = np.split(state @ of_state + state_bias, 3, axis=1)
        reset, update = (_sigmoid(now[i] + before[i]) for i in range(2))
        new = np.tanh(now[2] + reset * before[2])
        return np.asarray((1.0 - update) * new + update * state, np.float32)
