"""kernel: what kernels of all devices have in common, and `load`."""

from __future__ import annotations

import glob
import json
import os
import shutil
import tempfile
from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator

from .compiled import made_of
from .errors import FileError, ProgramError, ShapeError, TransposeError
from .formats import Format, canonical, is_symmetric_pattern, mirror_images
from .program import run_program
from .trust import is_own_file, make_folders, read_text

FORMAT = ".safetensors"
CPU = ".cpu" + FORMAT
TUNED = ".tune.json"


class Kernel:
    """y = A x for one matrix on one device, which `tune` found or `load` read.

    `path` is the format file, NAME.cpu.safetensors or NAME.safetensors; `shape` that of A, `dtype`
    that of A, x and y, `nnz` the number of non-zeros, `design` the line that its kernel was made
    from, and `device` what it runs on. A kernel pickles as its path, so its files must stay."""

    path: str
    shape: "tuple[int, int]"
    dtype: np.dtype
    nnz: int
    design: str
    device: str

    _transpose: "Kernel | None" = None
    _values: "np.ndarray | None" = None  # those of the last update

    def matvec(self, x: Any, out: Any = None, alpha: float = 1.0, beta: float = 0.0) -> Any:
        """out = alpha * A x + beta * out, for x of shape (columns,); gives out, of shape (rows,)."""
        raise NotImplementedError

    def _columns(self, x: Any) -> "tuple[list[Any], Any]":
        """The columns of a matrix, as vectors, and the matrix that their products fill."""
        raise NotImplementedError

    def _update(self, values: np.ndarray) -> None:
        raise NotImplementedError

    def __matmul__(self, x: Any) -> Any:
        """A x, for x of shape (columns,) or, column by column, (columns, k)."""
        if len(getattr(x, "shape", ())) != 2:
            return self.matvec(x)
        if x.shape[0] != self.shape[1]:
            raise ShapeError(
                f"x has shape {tuple(x.shape)}, but a matrix of {self.shape[0]} x {self.shape[1]} "
                f"takes ({self.shape[1]}, k)"
            )
        columns, y = self._columns(x)
        for number, column in enumerate(columns):
            self.matvec(column, out=y[:, number])
        return y

    def __repr__(self) -> str:
        rows, cols = self.shape
        return (
            f"<alphasparse kernel: {rows} x {cols}, {self.nnz} non-zeros, {self.dtype}, "
            f"on {self.device}: {self.design}>"
        )

    def __reduce__(self) -> Any:
        return _restore, (self.path, self.device, self._values)

    @property
    def T(self) -> "Kernel":
        """The kernel of the transpose: this one where A is symmetric, else the one that was tuned
        with it, NAME_T beside NAME. Raises TransposeError where there is none."""
        if self._transpose is None:
            self._transpose = self._find_transpose()
        if self._transpose is self and self._values is not None:
            if not self._is_symmetric(self._values):
                self._transpose = None
                raise TransposeError(f"{self.path}: its new values are not symmetric")
        return self._transpose

    def _find_transpose(self) -> "Kernel":
        path = _transposed_path(self.path)
        if os.path.exists(path):
            other = load(path, device=self.device)
            if other.shape != self.shape[::-1] or other.nnz != self.nnz:
                raise TransposeError(f"{path} is not the transpose of {self.path}")
            other._transpose = self
            if self._values is not None:
                other._update(self._transposed_values(self._values))
            return other
        matrix = Format(self.path).matrix()
        if self._is_symmetric(matrix.data):
            return self
        raise TransposeError(
            f"the transpose of {self.path} was not tuned: tune(A, transpose=True) does it"
        )

    def _is_symmetric(self, values: np.ndarray) -> bool:
        pattern = Format(self.path).pattern()
        return is_symmetric_pattern(pattern) and np.array_equal(
            values, values[mirror_images(pattern)]
        )

    def _transposed_values(self, values: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(values[mirror_images(Format(self.path).pattern())])

    def update(self, values: Any) -> None:
        """Other values for the same pattern: [nnz], of the kernel's dtype, in the order of A as
        canonical CSR (row by row, columns ascending, no duplicates). The transpose follows. No
        product may be running. Raises ValuesError where the format cannot hold them; `tune` with
        options=("--values", "varying") takes designs that hold any."""
        taken = canonical(values, self.nnz, self.dtype).copy()
        self._update(taken)
        self._values = taken
        other = self._transpose
        if other is not None and other is not self:
            other._update(self._transposed_values(taken))
            other._values = None

    def aslinearoperator(self) -> LinearOperator:
        """A SciPy LinearOperator: matvec is this kernel's, rmatvec its transpose's where it is
        there. On a CPU."""
        try:
            transpose: "Kernel | None" = self.T
        except TransposeError:
            transpose = None

        def product(kernel: Kernel) -> Any:
            return lambda x: kernel.matvec(np.ascontiguousarray(x, kernel.dtype).reshape(-1))

        return LinearOperator(
            self.shape,
            matvec=product(self),
            rmatvec=product(transpose) if transpose is not None else None,
            dtype=self.dtype,
        )

    @property
    def tuned(self) -> "dict[str, Any]":
        """What `tune` said of it (docs/reference.md, JSON); empty where `tune` of this package did
        not make it. `arguments` are the words that the program was given."""
        try:
            return json.loads(read_text(_stem(self.path) + TUNED))
        except FileNotFoundError:
            return {}

    def explain(self) -> str:
        """What was tried and why the winner won, as the program tells it. Answered from the
        database where that knows the matrix, else by a search of a second. Raises ProgramError."""
        return self._ask(["--explain"])

    def report(self, file: "str | os.PathLike[str] | None" = None) -> str:
        """The path of an HTML page on the search, written by the program. Raises ProgramError where
        the program knows no --report."""
        path = os.path.abspath(os.fspath(file or _stem(self.path) + ".report.html"))
        self._ask(["--report", path])
        if not os.path.exists(path):
            raise ProgramError(f"the program has not written {path}")
        return path

    def _ask(self, options: "list[str]") -> str:
        from .tuning import dtype_name, write_matrix

        name = os.path.basename(_stem(self.path).removesuffix(".cpu"))
        fallback = ["--device", self.device, "--dtype", dtype_name(self.dtype), "--time", "1s"]
        with tempfile.TemporaryDirectory(prefix="alphasparse-") as folder:
            matrix = os.path.join(folder, name + ".mtx")
            write_matrix(matrix, Format(self.path).matrix())
            # Words of others could name any file that we can write.
            words = self.tuned.get("arguments", fallback) if is_own_file(_stem(self.path) + TUNED) else fallback
            return run_program(["tune", matrix, "-o", folder, *words, *options])

    def save(self, folder: "str | os.PathLike[str]") -> str:
        """Copies the kernel's files, and those of its transpose where it was tuned, into a folder,
        which is made; `load` takes what it gives, the path of the format file there."""
        make_folders(os.fspath(folder))
        for path in (self.path, _transposed_path(self.path)):
            if os.path.exists(path):
                for file in kernel_files(path):
                    if os.path.exists(file):
                        shutil.copy2(file, folder)
        return os.path.join(os.fspath(folder), os.path.basename(self.path))


def _stem(path: str) -> str:
    return path.removesuffix(FORMAT)


def source_of(path: str) -> str:
    """The text beside a format file that this package compiles."""
    return _stem(path) + (".cpp" if path.endswith(CPU) else ".kernel.cu")


def kernel_files(path: str) -> "list[str]":
    """What belongs to a format file, itself included, whether it is there or not."""
    stem = _stem(path)
    endings = [".cpp", ".h"] if path.endswith(CPU) else [".kernel.cu", ".cu", ".h"]
    shared = os.path.join(os.path.dirname(path), "alphasparse_kernel.h")
    made = [one for kind in ("so", "cubin") for one in made_of(source_of(path), kind)]
    return [path, *(stem + ending for ending in endings), stem + TUNED, shared, *made]


def _transposed_path(path: str) -> str:
    """NAME.safetensors and NAME_T.safetensors are each other's."""
    ending = CPU if path.endswith(CPU) else FORMAT
    name = path.removesuffix(ending)
    return (name.removesuffix("_T") if name.endswith("_T") else name + "_T") + ending


def _format_file(path: str) -> str:
    """The format file that a path means."""
    if os.path.isdir(path):
        found = sorted(glob.glob(os.path.join(glob.escape(path), "*" + FORMAT)))
        own = [one for one in found if _transposed_path(one) not in found or "_T" not in one]
        if len(own) != 1:
            told = ", ".join(os.path.basename(one) for one in own) or "none"
            raise FileError(f"{path} has not one kernel but: {told}; load one by its path")
        return own[0]
    for ending in (".cpu.cpp", ".cpu.h", ".kernel.cu", ".cu", ".h"):
        if path.endswith(ending):
            path = path.removesuffix(ending) + (CPU if ending.startswith(".cpu") else FORMAT)
    found = [one for one in (path, path + CPU, path + FORMAT) if os.path.isfile(one)]
    if not found or not found[0].endswith(FORMAT):
        raise FileError(f"{path}: no format file of a kernel; tune or emit it")
    return found[0]


def load(path: "str | os.PathLike[str]", device: "str | None" = None) -> Kernel:
    """The kernel that tune, emit or save left: `path` is its format file or any file beside it of
    that name, the name without an ending, or a folder with one kernel. `device` is where it runs:
    cpu[:THREADS] - as many as it was tuned with where it is not said - or cuda[:N].

    Raises FileError, CompileError where its text does not compile here, DeviceError."""
    from .cpu import CpuKernel
    from .gpu import CudaKernel

    file = os.path.abspath(_format_file(os.fspath(path)))
    is_cpu = file.endswith(CPU)
    if not os.path.exists(source_of(file)):
        raise FileError(f"{source_of(file)} is missing beside {file}; tune or emit it again")
    return CpuKernel(file, device) if is_cpu else CudaKernel(file, device)


def _restore(path: str, device: str, values: "np.ndarray | None") -> Kernel:
    kernel = load(path, device)
    if values is not None:
        kernel.update(values)
    return kernel
