"""Objects whose arrays can be written again wherever they are unpickled.

Ray's object store, Dask and joblib hand out arrays that lie in memory which many processes read.
Compiled code writes to ours, so what is revived there gets copies of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class OwnsArrays:
    """Takes copies of arrays that cannot be written when it is unpickled."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over the attributes."""
        self.__dict__.update({name: writable(value) for name, value in state.items()})


def writable(value: Any) -> Any:
    """Return an array that can be written, itself or a copy; tuples of them alike.

    Anything else comes back as it is.
    """
    if isinstance(value, np.ndarray):
        return value if value.flags.behaved else _copy(value)
    if isinstance(value, tuple):
        items = map(writable, value)
        return value._make(items) if hasattr(value, "_make") else tuple(items)
    return value


def _copy(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy byte by byte: NumPy's own leaves the padding of records to chance."""
    if not array.size:
        return array.copy()
    return np.frombuffer(bytearray(array.tobytes()), array.dtype).reshape(array.shape)
