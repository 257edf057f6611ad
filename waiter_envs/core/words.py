"""Several small numbers at once: sixteen compared, eight written, with one instruction each.

Observations, masks and piles are rows of bytes. Compiled byte by byte, with the branches that a
rule has, they cost most of a step. What stands here does the same for many bytes; the functions as
Python reads them say what that is, and are what runs where nothing is compiled. Compiled code calls
the versions below them. Those trust their arguments: nothing may lie outside of an array.
"""

from __future__ import annotations

import functools
from typing import Any

from llvmlite import ir
from numba import extending
from numba.core import cgutils, types

from waiter_envs.core.jit import njit

LANES = 16
"""Bytes that are compared at once."""


def store_word(row: Any, at: int, word: int) -> None:
    """Write the eight bytes of `word` to the cells of `row` from `at` on, lowest byte first."""
    for cell in range(8):
        row[at + cell] = _signed(int(word) >> 8 * cell & 0xFF, 8)


def store_half_word(row: Any, at: int, word: int) -> None:
    """Write the four lowest bytes of `word` to the cells of `row` from `at` on."""
    for cell in range(4):
        row[at + cell] = _signed(int(word) >> 8 * cell & 0xFF, 8)


def load_word(row: Any, at: int) -> int:
    """Return the eight cells of `row` from `at` on as a word, the first one as its lowest byte."""
    word = sum((int(row[at + cell]) & 0xFF) << 8 * cell for cell in range(8))
    return _signed(word, 64)


def equal_lanes(places: Any, at: int, value: int) -> int:
    """Return which of the sixteen places from `at` on hold `value`: bit i for place at + i."""
    found = 0
    for lane in range(LANES):
        found |= (places[at + lane] == value) << lane
    return found


def store_equal_lanes(row: Any, at: int, places: Any, start: int, value: int) -> None:
    """Write for each of the sixteen places from `start` on whether it holds `value`."""
    for lane in range(LANES):
        row[at + lane] = places[start + lane] == value


def count_ones(word: int) -> int:
    """Return how many of the 64 bits of a word are 1."""
    return (int(word) & (1 << 64) - 1).bit_count()


def lowest_one(word: int) -> int:
    """Return the place of the lowest 1 of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


def highest_one(word: int) -> int:
    """Return the place of the highest 1 of a word that is not 0."""
    return (int(word) & (1 << 64) - 1).bit_length() - 1


def _signed(number: int, bits: int) -> int:
    """Return what an unsigned number of so many bits is as a signed one."""
    return number - (number >> bits - 1 << bits)


@njit
def find(places, start, stop, value):
    """Return which places from `start` to `stop - 1`, 16 to 64 of them, hold `value`.

    It is a set: bit 0 stands for the place `start`.
    """
    found = 0
    last = stop - LANES
    for at in range(start, last, LANES):
        found |= equal_lanes(places, at, value) << at - start
    return found | equal_lanes(places, last, value) << last - start


@njit
def nth_one(word, number):
    """Return the place of a 1 of a word that has more than `number` of them; 0: the lowest."""
    place = 0
    width = 32
    while width > 0:
        below = count_ones(word & (1 << width) - 1)
        if number >= below:
            number -= below
            word >>= width
            place += width
        width >>= 1
    return place


# -- Compiled ----------------------------------------------------------------------------------

_BYTE = ir.IntType(8)
_INT64 = ir.IntType(64)
_VECTOR = ir.VectorType(_BYTE, LANES)


def _is_bytes(array: Any) -> bool:
    """Return whether a type is a row of bytes, one behind the other."""
    return (
        isinstance(array, types.Array)
        and array.ndim == 1
        and array.layout == "C"
        and array.dtype in (types.int8, types.uint8, types.boolean)
    )


def _address(context: Any, builder: Any, kind: Any, array: Any, at: Any, of: Any) -> Any:
    """Return a pointer of type `of` to the element `at` of an array."""
    data = context.make_array(kind)(context, builder, array).data
    start = builder.bitcast(data, _BYTE.as_pointer())
    return builder.bitcast(builder.gep(start, [at]), of.as_pointer())


def _compare(context: Any, builder: Any, kind: Any, places: Any, at: Any, value: Any) -> Any:
    """Return sixteen bits: whether each place holds a value."""
    held = builder.load(_address(context, builder, kind, places, at, _VECTOR), align=1)
    wanted = ir.Constant(_VECTOR, ir.Undefined)
    byte = builder.trunc(value, _BYTE)
    first = builder.insert_element(wanted, byte, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.icmp_signed("==", held, builder.shuffle_vector(first, wanted, zeros))


_intrinsic: Any = extending.intrinsic
_compiled: Any = functools.partial(extending.overload, strict=False)


def _storing(bits: int) -> Any:
    """Return an intrinsic that writes the lowest bits of a word to the cells of a row."""

    @_intrinsic
    def store(typing: Any, row: Any, at: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = ir.IntType(bits)
            target = _address(context, builder, row, arguments[0], arguments[1], kind)
            lowest = arguments[2] if bits == 64 else builder.trunc(arguments[2], kind)
            builder.store(lowest, target, align=1)
            return context.get_dummy_value()

        return types.none(row, types.int64, types.int64), generate

    return store


_store_word, _store_half_word = _storing(64), _storing(32)


@_intrinsic
def _load_word(typing: Any, row: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(
            _address(context, builder, row, arguments[0], arguments[1], _INT64), align=1
        )

    return types.int64(row, types.int64), generate


@_intrinsic
def _equal_lanes(typing: Any, places: Any, at: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        equal = _compare(context, builder, places, *arguments)
        return builder.zext(builder.bitcast(equal, ir.IntType(LANES)), _INT64)

    return types.int64(places, types.int64, types.int64), generate


@_intrinsic
def _store_equal_lanes(typing: Any, row: Any, at: Any, places: Any, start: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        equal = _compare(context, builder, places, *arguments[2:])
        target = _address(context, builder, row, arguments[0], arguments[1], _VECTOR)
        builder.store(builder.zext(equal, _VECTOR), target, align=1)
        return context.get_dummy_value()

    return types.none(row, types.int64, places, types.int64, types.int64), generate


@_intrinsic
def _count_ones(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@_intrinsic
def _lowest_one(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.int64), generate


@_intrinsic
def _highest_one(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], cgutils.true_bit)
        return builder.sub(ir.Constant(_INT64, 63), zeros)

    return types.int64(types.int64), generate


@_compiled(store_word)
def _compile_store_word(row: Any, at: Any, word: Any) -> Any:
    return (lambda row, at, word: _store_word(row, at, word)) if _is_bytes(row) else None


@_compiled(store_half_word)
def _compile_store_half_word(row: Any, at: Any, word: Any) -> Any:
    return (lambda row, at, word: _store_half_word(row, at, word)) if _is_bytes(row) else None


@_compiled(load_word)
def _compile_load_word(row: Any, at: Any) -> Any:
    return (lambda row, at: _load_word(row, at)) if _is_bytes(row) else None


@_compiled(equal_lanes)
def _compile_equal_lanes(places: Any, at: Any, value: Any) -> Any:
    if _is_bytes(places):
        return lambda places, at, value: _equal_lanes(places, at, value)
    return None


@_compiled(store_equal_lanes)
def _compile_store_equal_lanes(row: Any, at: Any, places: Any, start: Any, value: Any) -> Any:
    if _is_bytes(row) and _is_bytes(places):
        return lambda row, at, places, start, value: _store_equal_lanes(
            row, at, places, start, value
        )
    return None


@_compiled(count_ones)
def _compile_count_ones(word: Any) -> Any:
    return lambda word: _count_ones(word)


@_compiled(lowest_one)
def _compile_lowest_one(word: Any) -> Any:
    return lambda word: _lowest_one(word)


@_compiled(highest_one)
def _compile_highest_one(word: Any) -> Any:
    return lambda word: _highest_one(word)
