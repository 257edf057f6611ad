"""Whether outcomes come as often as they should: the chi-square test of all games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)

ONE_IN_A_MILLION = 4.7534
"""What a standard normal variable exceeds with a chance of one in a million."""


def chi_square(outcomes: Iterable[Outcome], chances: Mapping[Outcome, float]) -> float:
    """Return Pearson's statistic over what is exceeded by chance once in a million.

    The limit is Wilson and Hilferty's approximation of the chi-square distribution's quantile.

    Args:
        outcomes: what was drawn, again and again, independently.
        chances: all that may be drawn, with the exact chance of each.
    """
    counts = Counter(outcomes)
    assert set(counts) <= set(chances), f"impossible: {set(counts) - set(chances)}"
    assert abs(sum(chances.values()) - 1) < 1e-9, "chances add up to 1"
    expected = {outcome: chance * counts.total() for outcome, chance in chances.items()}
    assert min(expected.values()) >= 5, "too few draws for so many outcomes"
    statistic = sum((counts[outcome] - due) ** 2 / due for outcome, due in expected.items())
    freedom = len(chances) - 1
    part = 2 / (9 * freedom)
    limit = freedom * (1 - part + ONE_IN_A_MILLION * part**0.5) ** 3
    return float(statistic / limit)


def assert_as_likely(outcomes: Iterable[Outcome], chances: Mapping[Outcome, float]) -> None:
    """Check that outcomes come as often as they should; see `chi_square`."""
    seen = list(outcomes)
    ratio = chi_square(seen, chances)
    assert ratio < 1, f"{ratio:.2f} times the limit: {Counter(seen)}, where {chances} is due"
