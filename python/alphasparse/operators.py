"""operators: a kernel as a LinearOperator of SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from .errors import DtypeError

if TYPE_CHECKING:
    from .kernel import Kernel


class Operator(LinearOperator):
    """An operator of SciPy that becomes no array but one of objects, where that is asked for."""

    def __array__(self, dtype: Any = None, *_: Any, **__: Any) -> np.ndarray:
        if dtype != object:
            raise DtypeError(
                "a kernel is no array: k @ x and x @ k multiply by dense arrays, and functions that want "
                "entries take the sparse matrix"
            )
        alone = np.empty((), object)
        alone[()] = self
        return alone


class KernelOperator(Operator):
    """A and A^T by the kernel and its transpose, with the values that the kernel has at each call."""

    def __init__(self, kernel: "Kernel", cast: bool = False) -> None:
        super().__init__(kernel.dtype, kernel.shape)
        self.kernel = kernel
        self._options = {"cast": True} if cast else {}

    def _matvec(self, x: Any) -> Any:
        return self.kernel.matvec(x, **self._options)

    def _rmatvec(self, x: Any) -> Any:
        return self.kernel.T.matvec(x, **self._options)

    def _matmat(self, x: Any) -> Any:
        return self.kernel.matmat(x, **self._options)

    def _rmatmat(self, x: Any) -> Any:
        return self.kernel.T.matmat(x, **self._options)

    def _transpose(self) -> "KernelOperator":
        return KernelOperator(self.kernel.T, **self._options)

    _adjoint = _transpose  # A is real
