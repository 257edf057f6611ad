"""Words and rows: what is compiled against the plain reading, over many random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.kernels import kernel_of
from waiter_envs.core import words
from waiter_envs.core.features import DIGITS, LEVELS, ONE_OF
from waiter_envs.core.kernels import count_legal, draw, pack
from waiter_envs.core.rng import streams
from waiter_envs.core.rows import (
    put_bytes_of_ones,
    put_row_of_levels,
    put_row_of_ones,
    put_runs,
    sum_of_row,
)
from waiter_envs.core.words import (
    count_ones,
    equal_lanes,
    find,
    highest_one,
    load_word,
    lowest_one,
    nth_one,
    store_equal_lanes,
    store_half_word,
    store_word,
)

RECORD = np.dtype(
    [
        ("colours", "i1", (3, 11)),
        ("heights", "i2", (3, 5)),
        ("dishes", "i1", (3, 13)),
        ("counts", "i2", (3, 4)),
    ],
    align=True,
)
CELLS = 400
CHANCE = np.random.default_rng(0)


@kernel_of()
def of_words(row, places, word, found):
    """Use every function on words once."""
    found[0] = equal_lanes(places, 3, 1)
    found[1] = find(places, 2, 40, 1)
    found[2] = count_ones(find(places, 1, 65, 1))
    found[3] = count_ones(word)
    found[4] = lowest_one(word)
    found[5] = highest_one(word)
    found[6] = nth_one(word, 0)
    found[7] = nth_one(word, count_ones(word) - 1)
    found[8] = load_word(places, 5)
    store_equal_lanes(row, 0, places, 4, 1)
    store_word(row, 20, word)
    store_half_word(row, 31, word)


@pytest.mark.parametrize("word", [1, -1, -(2**63), 2**62, 0x0101010101010101, 6, 2**63 - 1])
def test_words(word: int) -> None:
    places = CHANCE.integers(-1, 3, 70).astype(np.int8)
    row, found = np.full(40, 9, np.int8), np.zeros(9, np.int64)
    of_words(row, places, word, found)
    ones = [place for place in range(64) if word >> place & 1]

    def set_of(start: int, stop: int) -> int:
        return sum(int(places[place] == 1) << place - start for place in range(start, stop))

    expected = [
        set_of(3, 19),
        set_of(2, 40),
        int((places[1:65] == 1).sum()),
        len(ones),
        ones[0],
        ones[-1],
    ]
    expected += [ones[0], ones[-1], int(places[5:13].view(np.int64)[0])]
    assert found.tolist() == expected
    bytes_of_word = list(np.array([word], np.int64).view(np.int8))
    cells = (places[4:20] == 1).astype(int).tolist() + [9] * 4
    cells += [*bytes_of_word, 9, 9, 9, *bytes_of_word[:4], *[9] * 5]
    assert row.tolist() == cells


@pytest.mark.parametrize("number", range(64))
def test_every_one_is_found_by_its_number(number: int) -> None:
    word = int(CHANCE.integers(2**62)) | 1 << number
    place = [place for place in range(64) if word >> place & 1].index(number)
    assert nth(word - (word >> 63 << 64), place) == number


@kernel_of()
def nth(word, number):
    """Return the place of a 1."""
    return nth_one(word, number)


def test_tables_of_cells() -> None:
    """The lookup tables say what their comments say."""
    for number in range(256):
        digits = [int(digit) for digit in f"{number:08b}"[::-1]]
        assert list(DIGITS[number : number + 1].view(np.int8)) == digits
    for count in range(9):
        assert list(LEVELS[count : count + 1].view(np.int8)) == [1] * count + [0] * (8 - count)
    for which in range(-1, 8):
        cells = list(ONE_OF[which + 1 : which + 2].view(np.int8))
        assert cells == [int(place == which) for place in range(8)]


@kernel_of()
def of_rows(records, row, tops, cells, ends):
    """Write rows of each kind, one behind the other, and where they end."""
    table = records[0]
    ends[0] = put_row_of_ones(cells, 1, 4, table.colours, row)
    ends[1] = put_row_of_levels(cells, ends[0], 3, table.counts, row)
    ends[2] = put_runs(cells, ends[1], table.heights, row, table.dishes)
    ends[3] = put_bytes_of_ones(cells, ends[2], 4, tops, 5)
    ends[4] = sum_of_row(table.counts, row)


def plain_rows(records: Any, row: int, tops: int, cells: Any, ends: Any) -> None:
    """Do what `of_rows` does, as plain Python."""
    table = records[0]
    ends[0] = put_row_of_ones(cells, 1, 4, table["colours"], row)
    ends[1] = put_row_of_levels(cells, int(ends[0]), 3, table["counts"], row)
    ends[2] = put_runs(cells, int(ends[1]), table["heights"], row, table["dishes"])
    ends[3] = put_bytes_of_ones(cells, int(ends[2]), 4, tops, 5)
    ends[4] = sum_of_row(table["counts"], row)


@pytest.mark.parametrize("row", [0, 1, 2])
def test_rows(row: int) -> None:
    """Compiled rows are the plain ones, and no other cell is touched."""
    for _ in range(20):
        records = np.zeros(1, RECORD)
        records["colours"] = CHANCE.integers(-1, 4, (3, 11))
        records["counts"] = CHANCE.integers(0, 32, (3, 4))
        records["heights"] = CHANCE.integers(0, 3, (3, 5))
        tops = int(sum(int(top) << 8 * i for i, top in enumerate(CHANCE.integers(0, 5, 5))))
        first, second = (np.full(CELLS, 7, np.int8) for _ in range(2))
        ends, plain_ends = np.zeros(5, np.int64), np.zeros(5, np.int64)
        of_rows(records, row, tops, first, ends)
        plain_rows(records, row, tops, second, plain_ends)
        assert ends.tolist() == plain_ends.tolist()
        assert ends[4] == records["counts"][0, row].sum()
        assert first.tolist() == second.tolist()
        assert (first[int(ends[3]) :] == 7).all()


WIDE = np.dtype(
    [("numbers", "i2", (2, 300)), ("lengths", "i2", (2, 5)), ("places", "i1", (2, 700))], align=True
)


@kernel_of()
def of_wide_rows(records, row, cells, ends):
    """Write rows that are too wide to be written at once."""
    table = records[0]
    ends[0] = put_row_of_ones(cells, 1, 4, table.numbers, row)
    ends[1] = put_row_of_levels(cells, ends[0], 7, table.numbers, row)
    ends[2] = put_runs(cells, ends[1], table.lengths, row, table.places)


@pytest.mark.parametrize("row", [0, 1])
def test_wide_rows(row: int) -> None:
    """Rows of any width are right, beyond what a vector or a byte holds."""
    records = np.zeros(1, WIDE)
    records["numbers"] = CHANCE.integers(-1, 8, (2, 300))
    records["lengths"] = [[1, 300, 0, 200, 90], [255, 1, 130, 0, 2]]
    numbers, places = records["numbers"][0, row], np.arange(700)
    ends_of_runs = np.cumsum(records["lengths"][0, row])
    run = np.searchsorted(ends_of_runs, places, side="right")
    expected = [
        [number == place for number in numbers for place in range(4)],
        [number > place for number in numbers for place in range(7)],
        [run[place] == which for place in places for which in range(5)],
    ]
    cells, ends = np.full(9000, 7, np.int8), np.zeros(3, np.int64)
    of_wide_rows(records, row, cells, ends)
    written = [int(cell) for cells_of_row in expected for cell in cells_of_row]
    assert cells.tolist() == [7, *written, *[7] * (9000 - int(ends[2]))]


def test_runs_read_plainly() -> None:
    """Of seven dishes in stacks of 2, 0, 3, which stack each lies in."""
    lengths, places = np.array([[2, 0, 3]], np.int8), np.zeros((1, 7), np.int8)
    cells = np.full(22, 7, np.int8)
    assert put_runs(cells, 0, lengths, 0, places) == 21
    stacks = [0, 0, 2, 2, 2, None, None]
    assert cells[:21].reshape(7, 3).tolist() == [[int(s == r) for r in range(3)] for s in stacks]


@kernel_of()
def of_masks(mask, stream, packed):
    """Count, draw and pack."""
    pack(mask, packed)
    legal = count_legal(mask)
    return legal, draw(mask, legal, stream)


@pytest.mark.parametrize("size", [1, 7, 8, 15, 16, 63, 64, 65, 93, 104, 624, 749])
def test_masks_of_any_size(size: int) -> None:
    """Legal actions are counted, drawn and packed, whatever the size of the action space."""
    for density in (0.02, 0.5, 1.0):
        mask = (CHANCE.random(size) < density).astype(np.int8)
        mask[CHANCE.integers(size)] = 1
        packed = np.zeros(-(-size // 8), np.uint8)
        drawn = set()
        for number in range(30):
            stream = streams(number, 1)[0]
            legal, action = of_masks(mask, stream, packed)
            assert legal == mask.sum()
            assert mask[action] == 1
            drawn.add(int(action))
        assert np.array_equal(packed, np.packbits(mask))
        assert len(drawn) == 1 if legal == 1 else len(drawn) > 1


def test_every_function_has_a_plain_reading() -> None:
    """What the file offers is called from Python too; `plain` rules rely on it."""
    assert words.count_ones(-1) == 64
    assert words.highest_one(-1) == 63
    assert words.lowest_one(-8) == 3
