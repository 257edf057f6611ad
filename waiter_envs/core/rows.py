"""Rows of small numbers as features, all of a row at once.

A field of a table that holds a row for each player has a shape that compiled code knows while it
is compiled. So a whole row becomes features with a few instructions: its numbers are laid out, each
as often as it has features, and compared with what the features stand for. The functions as Python
reads them say what that is, and are what runs where nothing is compiled.

All of them take the observation and where to start, the features of each number (a constant), the
field and which of its rows, and return where they end. `features` writes single numbers.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending
from numba.core import cgutils, types


def put_row_of_ones(observation: Any, start: int, length: int, field: Any, row: int) -> int:
    """Write each number of a row one-hot, and nothing for a negative one."""
    return _put(observation, start, length, field[row], lambda number, place: number == place)


def put_row_of_levels(observation: Any, start: int, length: int, field: Any, row: int) -> int:
    """Write each number of a row as a thermometer."""
    return _put(observation, start, length, field[row], lambda number, place: number > place)


def put_runs(observation: Any, start: int, field: Any, row: int, places: Any) -> int:
    """Write of as many places as a row of `places` has in which run each lies, one-hot.

    A row of `field` holds the lengths of the runs, one behind the other; places behind the last run
    are in none.
    """
    lengths = [int(field[row][run]) for run in range(field.shape[1])]
    run_of = [run for run, length in enumerate(lengths) for _ in range(length)]
    for place in range(places.shape[1]):
        for run in range(field.shape[1]):
            observation[start + run] = place < len(run_of) and run_of[place] == run
        start += field.shape[1]
    return start


def put_bytes_of_ones(observation: Any, start: int, length: int, word: int, count: int) -> int:
    """Write each of the lowest `count` bytes of a word, less 1, one-hot, and nothing for a 0."""
    for byte in range(count):
        for place in range(length):
            observation[start + place] = int(word) >> 8 * byte & 0xFF == place + 1
        start += length
    return start


def sum_of_row(field: Any, row: int) -> int:
    """Return the sum of a row of `field`, whose numbers are not negative."""
    return sum(int(field[row][i]) for i in range(field.shape[1]))


def _put(observation: Any, start: int, length: int, numbers: Any, feature: Any) -> int:
    for number in range(numbers.shape[0]):
        for place in range(length):
            observation[start + place] = feature(int(numbers[number]), place)
        start += length
    return start


# -- Compiled ----------------------------------------------------------------------------------

_intrinsic: Any = extending.intrinsic
_overload: Any = functools.partial(extending.overload, strict=False)

_BYTE, _INDEX, _INT64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)


def _one(builder: Any, numbers: Any, places: list[int]) -> Any:
    return builder.icmp_signed("==", numbers, ir.Constant(numbers.type, places))


def _level(builder: Any, numbers: Any, places: list[int]) -> Any:
    return builder.icmp_signed(">", numbers, ir.Constant(numbers.type, places))


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any, of: Any) -> Any:
    """Return a pointer of type `of` to an element of an array."""
    data = context.make_array(kind)(context, builder, array).data
    data = builder.bitcast(data, context.get_data_type(kind.dtype).as_pointer())
    return builder.bitcast(builder.gep(data, [at]), of.as_pointer())


MOST_CELLS = 512
"""Features that are written at once; a wider row is written in loops, as vectors of thousands of
lanes would be compiled for minutes."""


def _compile(put: Callable[..., int], compare: Callable[..., Any], loop: Any) -> None:
    """Compile a function of this module by what it compares, at once and in loops."""

    @_intrinsic(prefer_literal=True)
    def store(typing: Any, observation: Any, start: Any, length: Any, field: Any, row: Any) -> Any:
        count, places = field.shape[1], length.literal_value
        size = count * places

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            target, at, _, source, index = arguments
            element = context.get_data_type(field.dtype)
            vector = ir.VectorType(element, count)
            first = builder.mul(index, ir.Constant(index.type, count))
            data = _pointer(context, builder, field, source, first, vector)
            numbers = builder.load(data, align=field.dtype.bitwidth // 8)
            order = ir.Constant(ir.VectorType(_INDEX, size), [i // places for i in range(size)])
            spread = builder.shuffle_vector(numbers, ir.Constant(vector, ir.Undefined), order)
            features = compare(builder, spread, [i % places for i in range(size)])
            _store_features(context, builder, observation, target, at, features)
            return builder.add(at, ir.Constant(at.type, size))

        return types.int64(observation, types.int64, length, field, types.int64), generate

    @_overload(put, prefer_literal=True)
    def compiled(observation: Any, start: Any, length: Any, field: Any, row: Any) -> Any:
        if not isinstance(length, types.IntegerLiteral):
            return None
        if length.literal_value * field.shape[1] > MOST_CELLS:
            return loop
        return lambda observation, start, length, field, row: store(
            observation, start, length, field, row
        )


def _loop_of_ones(observation, start, length, field, row):
    for i in range(field.shape[1]):
        for place in range(length):
            observation[start + place] = field[row, i] == place
        start += length
    return start


def _loop_of_levels(observation, start, length, field, row):
    for i in range(field.shape[1]):
        for place in range(length):
            observation[start + place] = field[row, i] > place
        start += length
    return start


def _loop_of_runs(observation, start, field, row, places):
    first = 0
    for run in range(field.shape[1]):
        end = first + field[row, run]
        for place in range(places.shape[1]):
            cell = start + place * field.shape[1] + run
            observation[cell] = (place >= first) & (place < end)
        first = end
    return start + places.shape[1] * field.shape[1]


@_intrinsic
def _store_runs(
    typing: Any, observation: Any, start: Any, field: Any, row: Any, places: Any
) -> Any:
    runs, count = field.shape[1], places.shape[1]
    size = runs * count

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, at, source, index, _ = arguments
        held = context.get_data_type(field.dtype)
        first = builder.mul(index, ir.Constant(index.type, runs))
        data = _pointer(context, builder, field, source, first, held)
        end, ends = _INT64(0), _INT64(0)
        for run in range(runs):
            length = builder.load(builder.gep(data, [_INDEX(run)]))
            end = builder.add(end, builder.sext(length, _INT64))
            ends = builder.or_(ends, builder.shl(end, _INT64(8 * run)))
        starts = builder.shl(ends, _INT64(8))
        place = ir.Constant(ir.VectorType(_BYTE, size), [i // runs for i in range(size)])
        order = [i % runs for i in range(size)]
        inside = builder.and_(
            builder.icmp_unsigned(">=", place, _spread(builder, starts, order)),
            builder.icmp_unsigned("<", place, _spread(builder, ends, order)),
        )
        _store_features(context, builder, observation, target, at, inside)
        return builder.add(at, ir.Constant(at.type, size))

    return types.int64(observation, types.int64, field, types.int64, places), generate


def _spread(builder: Any, word: Any, order: list[int]) -> Any:
    """Return the bytes of a word in some order."""
    lanes = ir.VectorType(_BYTE, 8)
    order = ir.Constant(ir.VectorType(_INDEX, len(order)), order)
    return builder.shuffle_vector(
        builder.bitcast(word, lanes), ir.Constant(lanes, ir.Undefined), order
    )


def _store_features(
    context: Any, builder: Any, kind: Any, observation: Any, at: Any, features: Any
) -> None:
    """Write features, which are bits, to an observation."""
    cells = ir.VectorType(_BYTE, features.type.count)
    data = _pointer(context, builder, kind, observation, at, cells)
    builder.store(builder.zext(features, cells), data, align=1)


@_intrinsic(prefer_literal=True)
def _store_bytes_of_ones(
    typing: Any, observation: Any, start: Any, length: Any, word: Any, count: Any
) -> Any:
    places, size = length.literal_value, length.literal_value * count.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        target, at, _, numbers, _ = arguments
        spread = _spread(builder, numbers, [i // places for i in range(size)])
        wanted = ir.Constant(spread.type, [i % places + 1 for i in range(size)])
        features = builder.icmp_signed("==", spread, wanted)
        _store_features(context, builder, observation, target, at, features)
        return builder.add(at, ir.Constant(at.type, size))

    return types.int64(observation, types.int64, length, types.int64, count), generate


@_overload(put_bytes_of_ones, prefer_literal=True)
def _compiled_bytes(observation: Any, start: Any, length: Any, word: Any, count: Any) -> Any:
    if not (isinstance(length, types.IntegerLiteral) and isinstance(count, types.IntegerLiteral)):
        return None
    return lambda observation, start, length, word, count: _store_bytes_of_ones(
        observation, start, length, word, count
    )


@_intrinsic
def _sum_of_row(typing: Any, field: Any, row: Any) -> Any:
    count = field.shape[1]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, index = arguments
        vector = ir.VectorType(context.get_data_type(field.dtype), count)
        first = builder.mul(index, ir.Constant(index.type, count))
        data = _pointer(context, builder, field, source, first, vector)
        numbers = builder.load(data, align=field.dtype.bitwidth // 8)
        wide = ir.VectorType(_INDEX, count)
        signature = ir.FunctionType(_INDEX, [wide])
        name = f"llvm.vector.reduce.add.v{count}i32"
        add_up = cgutils.get_or_insert_function(builder.module, signature, name)
        return builder.zext(builder.call(add_up, [builder.zext(numbers, wide)]), _INT64)

    return types.int64(field, types.int64), generate


@_overload(sum_of_row)
def _compiled_sum(field: Any, row: Any) -> Any:
    return lambda field, row: _sum_of_row(field, row)


@_overload(put_runs)
def _compiled_runs(observation: Any, start: Any, field: Any, row: Any, places: Any) -> Any:
    if places.shape[1] * field.shape[1] > MOST_CELLS:
        return _loop_of_runs
    return lambda observation, start, field, row, places: _store_runs(
        observation, start, field, row, places
    )


_compile(put_row_of_ones, _one, _loop_of_ones)
_compile(put_row_of_levels, _level, _loop_of_levels)
