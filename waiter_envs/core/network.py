"""Networks in compiled code: a trained policy plays inside the loops over tables.

A network is a stack of dense layers and a dense layer to the logits. It is kept in two arrays whose
types tell nothing of its sizes, so that one compilation serves all networks, also several at once:

* `weights`, `(rows, width)` float32: what an input adds to the outputs of a layer is one row. So
  the first layer, whose inputs are mostly 0, adds up the few rows whose feature is 1; the next ones
  skip what the layer before has set to 0. The last layer has a row for each action, its bias
  behind the weights, and only those of legal actions are read.
* `layouts`, int64, a row for each network: where its parts are (`ACTIVATION` and so on).

Python asks for the choices of a batch (`choose_all`); a loop over tables calls what `choose_at`
makes for a game, and so may whatever searches.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from waiter_envs.core import jit, rng
from waiter_envs.core.fingerprint import fingerprint
from waiter_envs.core.interpreted import INTERPRETED
from waiter_envs.core.jit import bind, njit, njit_allocating, njit_sums
from waiter_envs.core.rng import next_uint32

Array = npt.NDArray[np.float32]
Layer = tuple[Array, Array]
"""Weight `(inputs, outputs)` and bias `(outputs,)`."""
Network = tuple[Array, npt.NDArray[np.int64]]
"""`weights` and `layouts`."""

ACTIVATIONS = ("relu", "tanh")
"""What may stand behind every layer but the last; a layout has the place in this tuple."""
_RELU = ACTIVATIONS.index("relu")

# A layout. Behind these columns, from `LAYERS` on, three for each layer but the last.
FEATURES, ACTIVATION, GREEDY, DEPTH, HEAD, HEAD_INPUTS, LAYERS = range(7)
FIRST_ROW, BIAS_ROW, OUTPUTS, LAYER_COLUMNS = range(4)

_GROUP = 8
"""Rows that are added in one pass."""
_LANES = 16
"""Widths are multiples of this: no loop over a row has a rest."""

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)
_UNIT = 2.0**-32


# -- Making one --------------------------------------------------------------------------------


def pack(layers: Sequence[Layer], head: Layer, activation: str) -> Network:
    """Return the network of some layers and one to the logits; it is greedy (`with_greed`)."""
    widths = [_padded(len(bias)) for _, bias in layers]
    head_inputs = len(head[0])
    width = max([*widths, _padded(head_inputs + 1)])
    blocks: list[Array] = []
    placed: list[int] = []
    row = 0
    for (weight, bias), outputs in zip(layers, widths, strict=True):
        blocks += [_block(weight, width), _block(bias[np.newaxis], width)]
        placed += [row, row + len(weight), outputs]
        row += len(weight) + 1
    blocks.append(_block(np.concatenate([head[0], head[1][np.newaxis]]).T, width))
    features = len((*layers, head)[0][0])
    layout = [features, ACTIVATIONS.index(activation), True, len(layers), row, head_inputs, *placed]
    return np.concatenate(blocks), np.array([layout], np.int64)


def join(networks: Sequence[Network]) -> Network:
    """Return several networks as one; each keeps its layout, in the order given."""
    width = max(weights.shape[1] for weights, _ in networks)
    columns = max(layouts.shape[1] for _, layouts in networks)
    blocks, joined = [], np.zeros((len(networks), columns), np.int64)
    row = 0
    for number, (weights, layouts) in enumerate(networks):
        layout = joined[number, : layouts.shape[1]]
        layout[:] = layouts[0]
        moved = [HEAD]
        for layer in range(layout[DEPTH]):
            moved += [LAYERS + LAYER_COLUMNS * layer + part for part in (FIRST_ROW, BIAS_ROW)]
        layout[moved] += row
        blocks.append(_block(weights, width))
        row += len(weights)
    return np.concatenate(blocks), joined


def with_greed(network: Network, greedy: bool) -> Network:
    """Return the same network, which plays its likeliest action or draws one."""
    weights, layouts = network
    layouts = layouts.copy()
    layouts[:, GREEDY] = greedy
    return weights, layouts


def _padded(width: int) -> int:
    return -(-width // _LANES) * _LANES


def _block(rows: Array, width: int) -> Array:
    """Return rows of `width`, filled up with zeros."""
    block = np.zeros((len(rows), width), np.float32)
    block[:, : rows.shape[1]] = rows
    return block


# -- Choosing ----------------------------------------------------------------------------------


@njit
def find(values, places):
    """List where `values` are not 0; return how many. There is no branch to be mispredicted."""
    found = 0
    for i in range(values.shape[0]):
        places[found] = i
        found += values[i] != 0
    return found


@njit
def take(values, places, found, factors):
    """Copy the values that have been found."""
    for k in range(found):
        factors[k] = values[places[k]]


@njit_sums
def add_rows(weights, first, places, factors, found, total):
    """Add to `total` the rows behind `first` that are listed, each times its factor."""
    for k in range(found, found + _GROUP - 1):  # so that groups are full
        places[k] = 0
        factors[k] = _ZERO
    for k in range(0, found, _GROUP):
        row0, row1 = weights[first + places[k]], weights[first + places[k + 1]]
        row2, row3 = weights[first + places[k + 2]], weights[first + places[k + 3]]
        row4, row5 = weights[first + places[k + 4]], weights[first + places[k + 5]]
        row6, row7 = weights[first + places[k + 6]], weights[first + places[k + 7]]
        f0, f1, f2, f3 = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        f4, f5, f6, f7 = factors[k + 4], factors[k + 5], factors[k + 6], factors[k + 7]
        for j in range(total.shape[0]):
            total[j] += (f0 * row0[j] + f1 * row1[j] + f2 * row2[j] + f3 * row3[j]) + (
                f4 * row4[j] + f5 * row5[j] + f6 * row6[j] + f7 * row7[j]
            )


@njit_sums
def product(view, row):
    """Return the sum of the products of `view` with the beginning of `row`."""
    total = _ZERO
    for j in range(view.shape[0]):
        total += view[j] * row[j]
    return total


if INTERPRETED:  # by whole rows: number by number would take Python a second

    def add_rows(weights, first, places, factors, found, total):
        """Add to `total` the rows behind `first` that are listed, each times its factor."""
        rows = np.asarray(weights)[first + places[:found], : total.shape[0]]
        total += factors[:found] @ rows

    def product(view, row):
        """Return the sum of the products of `view` with the beginning of `row`."""
        return view @ np.asarray(row)[: view.shape[0]]


@njit
def tanh(x):
    """Return the hyperbolic tangent, to some units of the last digit.

    J. H. Lambert's continued fraction (1768) for an eighth of `x`, whose tangent is then doubled
    thrice. There is no branch in it, so a loop takes many numbers at a time.
    """
    x = min(max(x, np.float32(-10.0)), np.float32(10.0)) * np.float32(0.125)
    square = x * x
    above = np.float32(945.0) + square * (np.float32(105.0) + square)
    below = np.float32(945.0) + square * (np.float32(420.0) + square * np.float32(15.0))
    t = x * above / below
    t = _TWO * t / (_ONE + t * t)
    t = _TWO * t / (_ONE + t * t)
    return _TWO * t / (_ONE + t * t)


@njit
def activate(values, activation):
    """Apply an activation to all `values`."""
    if activation == _RELU:
        for j in range(values.shape[0]):
            values[j] = max(values[j], _ZERO)
    else:
        for j in range(values.shape[0]):
            values[j] = tanh(values[j])


@njit
def pick(logits, count, greedy, stream):
    """Return the place of the largest of `count` logits, or of one drawn by their softmax."""
    best = 0
    for k in range(1, count):
        if logits[k] > logits[best]:
            best = k
    if greedy:
        return best
    top, total = logits[best], 0.0
    for k in range(count):
        logits[k] = math.exp(logits[k] - top)
        total += logits[k]
    point = next_uint32(stream) * _UNIT * total
    total = 0.0
    for k in range(count):
        total += logits[k]
        if total > point:
            return k
    return best


@njit_allocating
def choose(observation, mask, weights, layout, stream):
    """Return a legal action of the player who sees `observation`.

    Args:
        observation: `(features,)` int8.
        mask: `(actions,)` int8.
        weights: of networks.
        layout: of one of them.
        stream: random stream; a greedy network leaves it alone.
    """
    width = weights.shape[1]
    room = max(observation.shape[0], mask.shape[0], width) + _GROUP
    places = np.empty(room, np.int64)
    factors = np.empty(room, np.float32)
    view = np.zeros(width, np.float32)
    found = find(observation, places)
    take(observation, places, found, factors)
    if layout[DEPTH] == 0:
        for k in range(found):
            view[places[k]] = factors[k]
    for column in range(LAYERS, LAYERS + LAYER_COLUMNS * layout[DEPTH], LAYER_COLUMNS):
        outputs = view[: layout[column + OUTPUTS]]
        bias = weights[layout[column + BIAS_ROW]]
        for j in range(outputs.shape[0]):
            outputs[j] = bias[j]
        add_rows(weights, layout[column + FIRST_ROW], places, factors, found, outputs)
        activate(outputs, layout[ACTIVATION])
        found = find(outputs, places)
        take(outputs, places, found, factors)
    view[layout[HEAD_INPUTS]] = _ONE  # of the bias
    inputs = view[: layout[HEAD_INPUTS] + 1]
    legal = find(mask, places)
    for k in range(legal):
        factors[k] = product(inputs, weights[layout[HEAD] + places[k]])
    return places[pick(factors, legal, layout[GREEDY], stream)]


def choose_at(observe: Callable[..., Any]) -> Any:
    """Return `choose(table, mask, weights, layout, stream)`, for a game's `observe`."""

    @njit_allocating
    def choose_at_table(table, mask, weights, layout, stream):
        observation = np.empty(layout[FEATURES], np.int8)
        observe(table, table.current_player, observation)
        return choose(observation, mask, weights, layout, stream)

    return choose_at_table


# -- Called from Python ------------------------------------------------------------------------


def _choose_all(observation, action_mask, streams, weights, layouts, start, stop, actions):
    """Write the choice of the first network for each row to `actions`."""
    for i in range(start, stop):
        actions[i] = choose(observation[i], action_mask[i], weights, layouts[0], streams[i])


def _draw_all(logits, streams, start, stop, actions):
    """Write an action drawn by the softmax of each row to `actions`; the logits are used up."""
    for i in range(start, stop):
        actions[i] = pick(logits[i], logits.shape[1], 0, streams[i])


# They call other files' functions, so their cache too must notice an edit there.
_LABEL = fingerprint([sys.modules[__name__], rng, jit, *jit.COMPILERS])
choose_all = bind(_choose_all, {}, _LABEL)
draw_all = bind(_draw_all, {}, _LABEL)
