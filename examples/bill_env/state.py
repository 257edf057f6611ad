"""One game of The Bill as one NumPy record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bill_env.config import Config
from waiter_envs.core.records import COMMON_FIELDS, blank_record, name_variant


def table_dtype(config: Config) -> np.dtype[np.void]:
    """Return the structured dtype of one table."""
    return np.dtype(
        [
            *COMMON_FIELDS,
            ("purse", "i1", (config.num_players,)),  # coins of each player, seen by nobody else
            ("bill", "i1"),  # coins that all dishes cost so far
            ("coins", "i1"),  # the variant: the most that a purse can hold
        ],
        align=True,
    )


def blank_table(config: Config) -> npt.NDArray[np.void]:
    """Return an array of one table that holds the variant, before anything is dealt."""
    table = blank_record(table_dtype(config))
    table["coins"] = config.coins
    return name_variant(table, config.num_players)
