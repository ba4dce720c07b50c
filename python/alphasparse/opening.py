"""opening: `load`, and the class of a file's kernel."""

from __future__ import annotations

import os

from .cache import note_use
from .cpu import CpuKernel
from .errors import FileError, of_files, path_of
from .files import CPU, check_identity, check_present, format_file, identity_at, source_of
from .folders import locked
from .gpu import GpuKernel
from .kernel import Kernel
from .matrices import Identity
from .operators import checked_order


def load(
    path: "str | os.PathLike[str]", device: "str | None" = None, order: "str | None" = None
) -> Kernel:
    """The kernel that tune, emit or save left: `path` is its format file or any file beside it of
    that name, the name without an ending, or a folder with one kernel. `device` is where it runs:
    cpu[:THREADS] - as many as it was tuned with where it is not said - cuda[:N] or hip[:N]. `order` is
    "given" or "own" where the kernel is to have its vectors so; else it has either (`Kernel.order`).

        >>> import alphasparse, numpy, scipy.sparse
        >>> A = scipy.sparse.eye(4, format="csr") * 3
        >>> path = alphasparse.tune(A, device="cpu:1", time="0", folder="to", progress=False).path
        >>> k = alphasparse.load(path)
        >>> k @ numpy.ones(4)
        array([3., 3., 3., 3.])

    Raises FileError, CompileError where its text does not compile here, DeviceError."""
    given, wanted = path_of(path, "path"), None if order is None else checked_order(order)
    with of_files(f"{given} cannot be loaded"):
        kernel = load_file(os.path.abspath(format_file(given)), device)._with_widths()
    found = "own" if kernel.order else "given"
    if wanted not in (None, found):
        told = f"{kernel.path} has x and y in the {found} order, not the {wanted} one"
        raise FileError(f'{told}: load it without order=, or tune(A, order="{wanted}")')
    return kernel


def load_file(file: str, device: "str | None", expected: "Identity | None" = None) -> Kernel:
    """The kernel of a format file; raises FileError where it is not that of the expected matrix."""
    with locked(os.path.dirname(file), exclusive=False):
        if expected is not None:
            check_present(file)
            check_identity(file, identity_at(file), expected)
        if not os.path.exists(source_of(file)):
            raise FileError(f"{source_of(file)} is missing beside {file}; tune or emit it again")
        kernel = CpuKernel(file, device) if file.endswith(CPU) else GpuKernel(file, device)
        if expected is not None:
            check_identity(file, kernel.identity, expected)
        note_use(os.path.dirname(file))
        return kernel


Kernel._open = staticmethod(load_file)
