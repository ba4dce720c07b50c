"""operators: a kernel as a LinearOperator of SciPy, and one whose vectors stay in the kernel's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse.linalg import LinearOperator

from .errors import DtypeError, InputError, TransposeError

if TYPE_CHECKING:
    from .kernel import Kernel


class VectorsOrder(NamedTuple):
    """The order of a kernel's own vectors: own_x = x[columns], and y[rows] = own_y."""

    rows: np.ndarray
    columns: np.ndarray


def checked_order(order: Any) -> str:
    """The word for an order. Raises InputError."""
    if order in ("given", "own"):
        return str(order)
    raise InputError(f"order is {order!r}: it is 'given', or 'own' where x and y may have one of their own")


def is_wide(x: Any) -> bool:
    try:
        return len(getattr(x, "shape", ())) == 2
    except Exception:  # of the array's own library; the product tells it
        return False


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

    def __matmul__(self, x: Any) -> Any:
        """A x, for x of shape (columns,) or (columns, k). Of another operator it
        is the product of both. Raises ShapeError, DtypeError, DeviceError."""
        if isinstance(x, LinearOperator):
            return super().dot(x)
        return self.matmat(x) if is_wide(x) else self.matvec(x)

    def dot(self, x: Any) -> Any:
        """`k @ x`, or with a number for x the operator `x * k`."""
        return super().dot(x) if np.isscalar(x) else self @ x


class KernelOperator(Operator):
    """A and A^T by the kernel and its transpose, with the values that the kernel has at each call."""

    def __init__(self, kernel: "Kernel", **options: Any) -> None:
        super().__init__(kernel.dtype, kernel.shape)
        self.kernel = kernel
        self._options = options

    def _matvec(self, x: Any) -> Any:
        return self.kernel.matvec(x, **self._options)

    def _rmatvec(self, x: Any) -> Any:
        return self._adjoint()._matvec(x)

    def _matmat(self, x: Any) -> Any:
        return self.kernel.matmat(x, **self._options)

    def _rmatmat(self, x: Any) -> Any:
        return self._adjoint()._matmat(x)

    def _turned(self) -> "Kernel":
        return self.kernel.T

    def _transpose(self) -> "KernelOperator":
        return type(self)(self._turned(), **self._options)

    def _adjoint(self) -> Operator:
        return adjoint_of(self._transpose())


class TwoSided(Operator):
    """An operator that NumPy's arrays can stand before: x @ A is by the transpose."""

    __array_ufunc__ = None  # so that NumPy leaves x @ A to us

    def __rmatmul__(self, x: Any) -> Any:
        """x A, for x of shape (rows,) or, row by row, (k, rows): by the kernel of the transpose.
        Raises TransposeError where there is none."""
        if np.isscalar(x):
            raise DtypeError(f"{x!r:.80} is no vector: multiples are {x!r:.80} * k")
        return (self.T @ x.T).T if is_wide(x) else self.T @ x

    def __rmul__(self, x: Any) -> Any:
        return super().__rmul__(x) if np.isscalar(x) else self.__rmatmul__(x)


class Conjugated(TwoSided):
    """The operator of a kernel with all values conjugated: its product is the conjugate of that of
    conj(x)."""

    def __init__(self, base: Any) -> None:
        super().__init__(base.dtype, base.shape)
        self._base, self._kernel = base, getattr(base, "kernel", base)
        self._options = getattr(base, "_options", {})

    def matvec(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, **options: Any
    ) -> Any:
        """out = alpha * conj(A) x + beta * out; arguments and errors are those of the kernel's matvec."""
        return self._kernel._conjugated(x, out, alpha, beta, wide=False, **self._options, **options)

    def matmat(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, **options: Any
    ) -> Any:
        """The same for x of shape (columns, k)."""
        return self._kernel._conjugated(x, out, alpha, beta, wide=True, **self._options, **options)

    def rmatvec(self, x: Any) -> Any:
        """The product of the adjoint, which is the transpose of A."""
        return self._base.T.matvec(x)

    def rmatmat(self, x: Any) -> Any:
        """The same for x of shape (rows, k)."""
        return self._base.T.matmat(x)

    _matvec, _matmat, _rmatvec, _rmatmat = matvec, matmat, rmatvec, rmatmat

    def _transpose(self) -> "Conjugated":
        return Conjugated(self._base.T)

    def _adjoint(self) -> Any:
        return self._base.T


class OwnOperator(KernelOperator):
    """`kernel.own`: x and y lie in the kernel's own order. The arguments are those of its kernel."""

    def matvec(self, x: Any, out: Any = None, **options: Any) -> Any:
        return self.kernel.matvec(x, out, **self._options, **options)

    def matmat(self, x: Any, out: Any = None, **options: Any) -> Any:
        return self.kernel.matmat(x, out, **self._options, **options)

    def _turned(self) -> "Kernel":
        """Raises TransposeError where that has another order: it was tuned by itself."""
        other, ours, theirs = self.kernel.T, self.kernel.order, self.kernel.T.order
        if (ours is None) == (theirs is None) and all(map(np.array_equal, ours or (), (theirs or ())[::-1])):
            return other
        raise TransposeError(
            "the kernel of the transpose has its vectors in another order: k.T @ x takes those of the given one"
        )


def adjoint_of(transpose: Any) -> Any:
    """A^H, by A^T."""
    return Conjugated(transpose) if transpose.dtype.kind == "c" else transpose
