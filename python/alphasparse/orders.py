"""orders: the order in which a caller's matrix has its values, where that is not canonical CSR's.

Arrays for `update` come in that order, and `values` gives them so."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import scipy.sparse as sp

from .errors import ValuesError
from .matrices import Parts, entries_of, parts_of

REMEDY = "give update a sparse matrix that has the values"


class Order:
    """For each value of the caller's matrix its index in canonical CSR.

    That permutation is made where it is asked for first, from copies of the index arrays. Some functions
    of SciPy sort a matrix, unasked, in place or into new arrays, and then nobody knows which order new
    values have. So the matrix is asked while others hold it, and after that its arrays, which stay."""

    def __init__(self, parts: Parts, matrix: Any) -> None:
        self._given = parts.index
        self._matrix = weakref.ref(matrix) if sp.issparse(matrix) else None
        self._is_loose = parts.kind == "coo" and not getattr(matrix, "is_coalesced", lambda: True)()
        without_values = np.broadcast_to(False, parts.data.shape)
        self._parts = parts._replace(index=tuple(map(np.array, parts.index)), data=without_values)
        self.shapes = {parts.data.shape, (parts.data.size,)}
        self._places: "np.ndarray | None" = None

    def __getstate__(self) -> "dict[str, Any]":
        # COO goes along, for SciPy gives it new arrays; others keep those in `_given`.
        matrix = self._matrix() if self._matrix is not None and self._parts.kind == "coo" else None
        return {**self.__dict__, "_matrix": matrix, "_places": None}

    def __setstate__(self, state: "dict[str, Any]") -> None:
        matrix = state["_matrix"]
        self.__dict__.update(state, _matrix=None if matrix is None else weakref.ref(matrix))

    def places(self) -> np.ndarray:
        """Raises ValuesError where the matrix was sorted since, or its values never had one order."""
        if self._is_loose:
            raise ValuesError(
                f"tune had a tensor that is not coalesced, and coalesce() sorts its values: {REMEDY}"
            )
        matrix = None if self._matrix is None else self._matrix()
        index = self._given if matrix is None else parts_of(matrix).index
        if not all(map(np.array_equal, index, self._parts.index)):
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
    return None if is_canonical or len(row) != nnz else Order(parts, matrix)
