"""orders: the order in which a caller's matrix has its values, where that is not canonical CSR's.

Arrays for `update` come in that order, and `values` gives them so."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import ValuesError
from .matrices import Parts, entries_of, parts_of

REMEDY = "give update a sparse matrix that has the values"


class Order:
    """For each value of the caller's matrix its index in canonical CSR.

    That permutation is made where it is asked for first, from copies of the index arrays. The arrays
    themselves stay too: some functions of SciPy sort a matrix in place, unasked, and then nobody knows
    which order new values have."""

    def __init__(self, parts: Parts) -> None:
        self._given = parts.index
        without_values = np.broadcast_to(False, parts.data.shape)
        self._parts = parts._replace(index=tuple(map(np.array, parts.index)), data=without_values)
        self.shapes = {parts.data.shape, (parts.data.size,)}
        self._places: "np.ndarray | None" = None

    def __getstate__(self) -> "dict[str, Any]":
        return {**self.__dict__, "_given": self._parts.index}

    def places(self) -> np.ndarray:
        """Raises ValuesError where the matrix was sorted since."""
        if not all(map(np.array_equal, self._given, self._parts.index)):
            raise ValuesError(f"the matrix that tune was given has another order by now: {REMEDY}")
        if self._places is None:
            entries = entries_of(self._parts)
            in_rows = np.lexsort((entries.col, entries.row))
            self._places = np.empty_like(in_rows)
            self._places[in_rows] = np.arange(len(in_rows))
        return self._places

    def canonical(self, values: np.ndarray) -> np.ndarray:
        """Values of the matrix in the order of canonical CSR."""
        result = np.empty_like(values, shape=values.size)
        result[self.places()] = values.reshape(-1)
        return result


def order_of(matrix: Any, nnz: int) -> "Order | None":
    """The order of a matrix with `nnz` entries in canonical CSR. None: it has that one, or no array
    with a value for each of them."""
    parts = parts_of(matrix)
    entries = entries_of(parts)
    if parts.kind == "listed" or parts.data.size != nnz:
        return None
    row, col = (one.astype(np.int64) for one in (entries.row, entries.col))
    is_canonical = len(row) == nnz and (np.diff(row * parts.shape[1] + col) > 0).all()
    return None if is_canonical or len(row) != nnz else Order(parts)
