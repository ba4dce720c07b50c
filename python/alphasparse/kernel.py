"""kernel: the parts that kernels of all devices have in common."""

from __future__ import annotations

import html
import os
import time
from typing import Any, Callable, Sequence

import numpy as np
from scipy.sparse.linalg import LinearOperator

from . import _native, matrices, rebuilding
from .columns import composed
from .errors import (
    DtypeError,
    Error,
    InputError,
    ProgramError,
    ShapeError,
    ValuesError,
    of_files,
    path_of,
)
from .files import (
    TUNED,
    check_identity,
    check_present,
    name_of,
    read_tuned,
    stem_of,
    tuned_identity,
    widths_beside,
)
from .folders import temporary_folder
from .formats import Format
from .matrices import Identity, identity_of, narrowed, summed_matrix, write_for_program
from .number_types import dtype_name
from .operators import KernelOperator, Operator, OwnOperator, TwoSided, VectorsOrder, adjoint_of
from .orders import REMEDY, Order, order_of
from .program import run_program
from .progress import Names, renamed
from .saving import save
from .transposes import Pair, find_pair
from .trust import read_text
from .vectors import converted, plain


class Kernel(TwoSided):
    """y = A x for one matrix on one device, which `tune` found or `load` read.

        >>> import alphasparse, numpy, scipy.sparse
        >>> A = scipy.sparse.csr_matrix([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])
        >>> k = alphasparse.tune(A, device="cpu:1", time="0", transpose=True, progress=False)
        >>> k @ numpy.ones(3)
        array([3., 3.])
        >>> numpy.ones(2) @ k
        array([1., 2., 3.])
        >>> (2 * k).matvec(numpy.ones(3))
        array([6., 6.])

    It is a LinearOperator of SciPy, for scipy.sparse.linalg: `k.dot`, `x @ k`, `2 * k` and sums of
    operators work. `k.H` conjugates where A is complex; `k.T` never does.

    `path` is the format file, NAME.cpu.safetensors or NAME.safetensors; `shape` that of A, `dtype`
    that of x and y - a real A may have complex ones - `nnz` the number of non-zeros, `design` the line that its kernel was made
    from, and `device` the device that it runs on. `identity` names the matrix that the files are
    of. A file that is read later and is of another matrix raises FileError. A kernel pickles as its
    path and the values of its last update, so its files must stay.

    A kernel of tune(order="own") may have x and y in an `order` of its own. `k @ x` is right, but copies
    both there and back in each product, which may cost as much as the order gains. `k.own @ x` does not:

        >>> k = alphasparse.tune(A, device="cpu:1", time="0", order="own", progress=False)
        >>> k.from_own(k.own @ k.to_own(numpy.ones(3)))
        array([3., 3.])

    `vectors` are the widths that it was tuned for, (1,) without tune(vectors=...). Products of any
    number of columns are composed of them.

        >>> k = alphasparse.tune(A, device="cpu:1", time="0", vectors=[1, 2], progress=False)
        >>> k @ numpy.ones((3, 5))
        array([[3., 3., 3., 3., 3.],
               [3., 3., 3., 3., 3.]])
        >>> k.explain(columns=5).startswith("5 columns are ")
        True"""

    path: str
    shape: "tuple[int, int]"
    dtype: np.dtype
    nnz: int
    design: str
    device: str
    identity: Identity

    _open: "Callable[..., Kernel]"  # opening.load_file

    _width = 1  # the columns of one product
    _more: "tuple[Kernel, ...]" = ()  # the kernels of its other widths, with files of their own
    _pair: "Pair | None" = None
    _values: "np.ndarray | None" = None  # those of the last update, in canonical order
    _order: "Order | None" = None  # of the caller's values; None: canonical
    _has_lost_order: "bool | None" = None  # None: nobody has asked
    _told_values_dtype: "np.dtype | None" = None  # likewise
    _matrix: Any = None  # in COO, as a weak reference: SciPy may sort it by columns

    def _describe(
        self, path: str, device: str, shape: "tuple[int, int]", dtype: np.dtype, nnz: int, design: str,
        identity: Identity,
    ) -> None:  # fmt: skip
        """The facts of a kernel, and those that SciPy's own methods of an operator read."""
        LinearOperator.__init__(self, dtype, shape)
        self.path, self.device, self.nnz = path, device, nnz
        self.design, self.identity = design, identity

    @property
    def vectors(self) -> "tuple[int, ...]":
        """The numbers of columns that it multiplies at once, ascending."""
        return tuple(sorted(one._width for one in self._parts))

    @property
    def _parts(self) -> "tuple[Kernel, ...]":
        """The kernels of all widths; this one is the first."""
        return (self, *self._more)

    def _copy_facts(self, other: "Kernel") -> None:
        """Becomes like another kernel, but for its arrays, which other widths of it share."""
        self.__dict__.update(other.__dict__)
        self._more = tuple(one._sharing_arrays() for one in other._more)

    def matvec(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, *, own: bool = False
    ) -> Any:
        """out = alpha * A x + beta * out, for x of shape (columns,); gives out, of shape (rows,). With
        `own` both lie in the kernel's own order. Raises ShapeError, DtypeError, LayoutError, DeviceError."""
        raise NotImplementedError

    def matmat(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, *, own: bool = False
    ) -> Any:
        """out = alpha * A x + beta * out, for x of shape (columns, k); gives out, of shape (rows, k). Raises
        ShapeError, DtypeError, LayoutError, DeviceError."""
        raise NotImplementedError

    @property
    def order(self) -> "VectorsOrder | None":
        """The order in which the kernel has x and y: `rows` and `columns`, the caller's row of each
        element of y, and the column of each of x. None: the caller's own, as without order="own"."""
        raise NotImplementedError

    def to_own(self, x: Any) -> Any:
        """A copy of x, of shape (columns,) or (columns, k), in the kernel's own order."""
        raise NotImplementedError

    def from_own(self, y: Any) -> Any:
        """A copy in the given order of a y, of shape (rows,) or (rows, k), in the kernel's own one."""
        raise NotImplementedError

    @property
    def own(self) -> OwnOperator:
        """The kernel for vectors that stay in its own order: `k.own @ x` permutes nothing, so a solver
        permutes at both ends alone. Its matvec takes `out`, `alpha` and `beta`."""
        return OwnOperator(self, own=True)

    def _update(self, values: np.ndarray) -> None:
        raise NotImplementedError

    def _sharing_arrays(self) -> "Kernel":
        """Another kernel with the same arrays in memory."""
        raise NotImplementedError

    def _take_own_arrays(self) -> None:
        """Loads the format files again, and no longer shares arrays."""
        for one in self._parts:
            one._take_arrays_of(one._open(one.path, one.device, one.identity))

    def _matvec(self, x: Any) -> Any:  # SciPy's sums and multiples of operators call it
        return self.matvec(x)

    def rmatvec(self, x: Any, out: Any = None, **options: Any) -> Any:
        """A^H x for x of shape (rows,), by the kernel of the transpose; `out`, of shape (columns,),
        and `options` are those of `matvec`. Raises TransposeError where there is none."""
        return self.H.matvec(x, out, **options)

    def rmatmat(self, x: Any, out: Any = None, **options: Any) -> Any:
        """The same for x of shape (rows, k). Raises TransposeError where there is none."""
        return self.H.matmat(x, out, **options)

    _matmat, _rmatvec, _rmatmat = matmat, rmatvec, rmatmat

    def transpose(self) -> "Kernel":
        """`T`, the kernel of the transpose."""
        return self.T

    def adjoint(self) -> Operator:
        """`H`, the conjugate of `T`. Its products conjugate x and y, a pass over each; `T` needs none."""
        return adjoint_of(self.T)

    _transpose, _adjoint, H = transpose, adjoint, property(adjoint)

    def _conjugated(
        self, x: Any, out: Any, alpha: complex, beta: complex, wide: bool, **options: Any
    ) -> Any:
        """The product of conj(A): matvec, or matmat where it is `wide`."""
        raise NotImplementedError

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"<alphasparse kernel: {rows} x {cols}, {self.nnz} non-zeros, {self.dtype}, "
            f"on {self.device}{self._told_widths()}: {self.design}>"
        )

    def _told_widths(self) -> str:
        return "" if self.vectors == (1,) else f", for {', '.join(map(str, self.vectors))} vectors"

    def _repr_html_(self) -> str:
        """For notebooks."""
        rows, cols = self.shape
        facts = {"matrix": f"{rows} x {cols}, {self.nnz} non-zeros, {self.dtype}",
                 "device": self.device, "design": self.design, "files": self.path}  # fmt: skip
        lines = (f"<tr><th>{name}</th><td>{html.escape(told)}</td></tr>" for name, told in facts.items())
        return f"<table><caption>alphasparse kernel</caption>{''.join(lines)}</table>"

    def __reduce__(self) -> Any:
        return _restore, (
            self.path, self.device, self._values, self.identity, self._order, self._has_lost_order,
            [(one.path, one.identity) for one in self._more],
        )  # fmt: skip

    def format(self) -> Format:
        """The format file, with the values from before any update. Raises FileError where it is
        gone, or of another matrix now."""
        check_present(self.path)
        format = Format(self.path)
        check_identity(self.path, format.identity, self.identity)
        return format

    def values(self) -> np.ndarray:
        """The values, [nnz], that the kernel has now, in the order in which `update` takes them;
        rounded as the format has them where there was no update. Raises FileError, and ValuesError
        where that order is no longer known."""
        values = self._canonical_values()
        return values if self._order is None else values[self._order.places()]

    def _canonical_values(self) -> np.ndarray:
        """The same, in the order of canonical CSR."""
        return self.format().matrix().data if self._values is None else self._values.copy()

    @property
    def _values_dtype(self) -> np.dtype:
        """Of the matrix' values: real ones of a real matrix, also where x and y are complex."""
        if self.dtype.kind != "c":
            return self.dtype
        if self._told_values_dtype is None:
            self._told_values_dtype = self.format().values_dtype
        return self._told_values_dtype

    @property
    def T(self) -> "Kernel":
        """The kernel of the transpose, with the same values at all times. It is found by pattern
        and values: this kernel's own format where A was symmetric, else the one in the same
        folder that was tuned with it. Raises TransposeError where there is none."""
        if self._pair is None:
            find_pair(self)
        assert self._pair is not None
        return self._pair.other(self)

    def _loaded(self, path: str) -> "Kernel":
        """Another kernel on the same device, with the widths beside it."""
        with of_files(f"{path} cannot be loaded"):
            return self._open(path, self.device)._with_widths()

    def _with_widths(self) -> "Kernel":
        """Takes the kernels of other widths that lie beside its file."""
        found = [] if self.order else widths_beside(self.path, self.identity)
        self._more = tuple(self._open(path, self.device, self.identity) for path in found)
        return self

    def _adopt(self, other: "Kernel") -> None:
        """Becomes another kernel of the same pattern, for every reference to this one."""
        for one, fresh in zip(self._parts, other._parts):
            one._take_arrays_of(fresh)
            one.path, one.identity, one._values = fresh.path, fresh.identity, None

    def _take_arrays_of(self, other: "Kernel") -> None:
        raise NotImplementedError

    def _set_values(self, values: np.ndarray) -> None:
        """Other values for all widths. After any exception all have the values that they had."""
        before = [(one, one._canonical_values(), one._values) for one in self._parts[:-1]]
        for number, one in enumerate(self._parts):
            try:
                one._update(values)
            except Error:
                for other, old, known in before[:number]:
                    other._update(old)
                    other._values = known
                raise
            one._values = values

    def _note_values(self, values: "np.ndarray | None") -> None:
        """The values that the arrays of all widths have; None: those of the files."""
        for one in self._parts:
            one._values = values

    def update(self, values: Any, cast: bool = False, rebuild: bool = False) -> float:
        """Other values for the same pattern, as an array or as a sparse matrix or tensor that has the
        pattern, stored zeros included. The transpose follows. No product may be running.

        An array has the order that the values of A had when `tune` got it: that of `A.data` of CSR,
        CSC, COO and BSR, sorted or not, and of the values of a sparse tensor. For A of another format
        or with repeated entries, for paths, for `T`, and for a kernel that was loaded it is that of
        canonical CSR: row by row, columns ascending, [nnz]. An array is refused where its order is not known.

        Values of another type are converted where nothing gets lost: integers where each is exact in
        the kernel's type, other types where all their numbers are. `cast` allows losses. Raises
        ShapeError, DtypeError, or ValuesError where the format of this kernel or of its transpose
        cannot hold the values; then neither changes. `tune(A, values="varying")` takes designs that
        hold any. With `rebuild` formats of the same designs are made for values that the old ones
        cannot hold, in files of their own beside the old ones. Gives the seconds that this took, 0
        where it was not needed."""
        if matrices.is_sparse(values):
            given, whole = self._values_in(values)
        else:
            given, whole = self._in_canonical_order(plain(values, "values")), False
        taken = np.array(converted(given, self._values_dtype, "values", cast, whole), order="C")
        try:
            if self._pair is None:
                self._set_values(taken)
            else:
                self._pair.update(self, taken)
        except ValuesError as error:
            if not rebuild:
                raise ValuesError(
                    f'{error}; tune(A, values="varying") takes designs that hold any, and '
                    "update(values, rebuild=True) makes the format anew"
                ) from None
            began = time.monotonic()
            with of_files("the format cannot be made anew"):
                rebuilding.rebuild(self, taken)
            return time.monotonic() - began
        return 0.0

    def _in_canonical_order(self, values: np.ndarray) -> np.ndarray:
        """Values that the caller has in the order of A. Raises ShapeError, ValuesError."""
        order = self._order
        if values.shape not in ({(self.nnz,)} if order is None else order.shapes):
            told = "canonical CSR, row by row with columns ascending" if order is None else "the A of tune"
            raise ShapeError(
                f"values have shape {values.shape}, the matrix takes ({self.nnz},): those of {told}, or a "
                "sparse matrix of the same pattern"
            )
        if order is not None:
            return order.canonical(values)
        if self._is_of_lost_order():
            raise ValuesError(
                "values are an array, but the matrix of tune has another order than canonical CSR, "
                f"which is not known here: {REMEDY}"
            )
        return values

    def _is_of_lost_order(self) -> bool:
        if self._pair is not None and self._pair.other(self)._order is not None:
            return True
        matrix = self._matrix and self._matrix()
        if matrix is not None and order_of(matrix, self.nnz) is not None:
            return True
        if self._has_lost_order is None:
            self._has_lost_order = read_tuned(self.path).get("values_order") == "given"
        return self._has_lost_order

    def _values_in(self, matrix: Any) -> "tuple[np.ndarray, bool]":
        """The values, in canonical order, of a matrix with the kernel's pattern, and whether they
        were integers. Raises ShapeError, ValuesError, DtypeError."""
        if matrix.shape != self.shape:
            raise ShapeError(f"values are a matrix of shape {matrix.shape}, the kernel's has {self.shape}")
        sums, given = summed_matrix(matrix)
        csr, whole = narrowed(sums, given), given.kind in "biu"
        if identity_of(csr).pattern != self.identity.pattern:
            raise ValuesError(
                f"values are a matrix of another pattern, with {csr.nnz} non-zeros, the kernel's has "
                f"{self.nnz}; zeros of the pattern are to be stored, and tune makes a kernel of another pattern"
            )
        return np.asarray((sums if whole else csr).data), whole

    def aslinearoperator(self, cast: bool = False) -> LinearOperator:
        """A SciPy LinearOperator: matvec is this kernel's, rmatvec its transpose's. It has the
        values that the kernel has when it is called. `cast` allows that digits of vectors get
        lost. Raises DeviceError where the kernel is on a GPU."""
        return KernelOperator(self, **({"cast": True} if cast else {}))

    @property
    def tuned(self) -> "dict[str, Any]":
        """The results of `tune` for this kernel (docs/reference.md, JSON); empty where `tune` of
        this package did not make it. `arguments` are the words that the program was given.
        Raises FileError where the kernel's files are gone, or of another matrix now."""
        check_present(self.path)
        told = read_tuned(self.path)
        if told:
            found = tuned_identity(told)
            if found is not None:
                check_identity(stem_of(self.path) + TUNED, found, self.identity)
        return told

    def explain(self, progress: "bool | None" = None, columns: "int | None" = None) -> str:
        """The designs that were tried and the reasons why the winner won, as text of the program.
        The answer comes from the database where that knows the matrix, else from a search of a
        second. Its progress goes to sys.stderr, or not, as `progress` says, else as `tune` was
        told. With `columns` it first says of which widths a product of so many columns is composed,
        and then explains each of these. Raises ProgramError, and InputError for wrong `columns`."""
        if columns is None:
            return self._ask(["--explain"], progress)[0]
        if not isinstance(columns, (int, np.integer)) or columns < 1:
            raise InputError(f"columns is {columns!r:.80}: it takes a whole number of 1 or more")
        used = composed(self, int(columns))
        texts = [f"{columns} columns are {' + '.join(map(str, used))}\n"]
        for one in sorted(self._parts, key=lambda one: -one._width):
            if one._width in used:
                texts.append(f"width {one._width}: {one.design}\n{one._ask(['--explain'], progress)[0]}")
        return "\n".join(texts)

    def report(self, file: "str | os.PathLike[str] | None" = None, progress: "bool | None" = None) -> str:
        """The path of an HTML page on the search, written by the program; `progress` is that of
        `explain`. Raises InputError where `file` does not end in .html, and ProgramError where the
        program knows no --report."""
        path = os.path.abspath(path_of(file or stem_of(self.path) + ".report.html", "file"))
        if not path.endswith(".html"):
            raise InputError(f"file {file}: the report is a page of HTML; name a file that ends in .html")
        names = self._ask(["--report", path], progress)[1]
        if not os.path.exists(path):
            raise ProgramError(f"the program has not written {path}")
        with of_files("the report cannot be written"):
            page = renamed(read_text(path), [(html.escape(one), html.escape(called)) for one, called in names])
            with open(path, "w", encoding="utf-8") as output:
                output.write(page)
        return path

    def _ask(self, options: "list[str]", progress: "bool | None") -> "tuple[str, Names]":
        """The program's text about the search, and its names for the temporary files."""
        matrix = self.format().matrix()
        if self._values is not None:
            matrix.data = self._values
        fallback = ["--device", self.device, "--dtype", dtype_name(self.dtype), "--time", "1s"]
        fallback += ["--vectors-order", "own"] if self.order else ["--vectors", str(self._width)]
        with temporary_folder() as folder:
            called = name_of(self.path) + ".mtx"
            file = write_for_program(folder, name_of(self.path), matrix)
            # Words of others could name any file that we can write.
            trusted = _native.is_own_file(stem_of(self.path) + TUNED)
            words = self.tuned.get("arguments", fallback) if trusted else fallback
            names = ((file, called), (folder, os.path.dirname(self.path)))
            if not (self.tuned.get("progress", True) if progress is None else progress):
                options = ["--quiet", *options]
            return run_program(["tune", file, "-o", folder, *words, *options], names), names

    def save(self, folder: "str | os.PathLike[str]") -> str:
        """Writes the kernel's files, and those of its transpose where it was tuned, into a folder,
        which is made. It returns the path of the format file there, for `load`. After an update
        the files have the new values. Raises FileError where the kernel of another matrix has
        the name there."""
        place = os.path.abspath(path_of(folder, "folder"))
        with of_files(f"{place} cannot have the kernel"):
            return save(self, place)

    def current_identity(self) -> Identity:
        """The identity of the matrix with the values that the kernel has now."""
        if self._values is None:
            return self.identity
        matrix = self.format().pattern()
        matrix.data = self._values
        return identity_of(matrix, self.dtype)


def _restore(
    path: str, device: str, values: "np.ndarray | None", identity: "Identity | None" = None,
    order: "Order | None" = None, has_lost_order: "bool | None" = None,
    more: "Sequence[tuple[str, Identity]]" = (),
) -> Kernel:  # fmt: skip
    kernel = Kernel._open(path, device, identity)
    kernel._more = tuple(Kernel._open(other, device, its) for other, its in more)
    kernel._order, kernel._has_lost_order = order, has_lost_order
    if values is not None:
        kernel._set_values(values)
    return kernel
