"""rebuilding: formats of the same designs with values that the old formats cannot hold."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from .errors import ProgramInputError, TransposeError, ValuesError
from .files import ending_of, name_matrix, name_of, name_of_width, named_width, reject_others
from .folders import (
    RUNTIME,
    kernels_of_other_runtime,
    locked,
    move_into,
    private_folder,
    temporary_folder,
)
from .matrices import identity_of, write_for_program
from .number_types import dtype_name
from .program import run_program

if TYPE_CHECKING:
    from .kernel import Kernel


def rebuild(kernel: "Kernel", values: np.ndarray) -> None:
    """Gives a kernel, and its transpose where there is one, formats with other values, [nnz] in
    canonical order. Their files have names of their own beside the old ones, which stay. Raises
    ValuesError where a design does not fit the values; then neither changes."""
    try:
        transpose: "Kernel | None" = kernel.T
    except TransposeError:
        transpose = None
    fresh = _emitted(kernel, values)
    if transpose is None:
        kernel._adopt(fresh)
        return
    pair = kernel._pair
    assert pair is not None
    turned = pair.values_of_other(kernel, values)
    if pair.shared and np.array_equal(values, turned):
        kernel._adopt(fresh)
        transpose._adopt(fresh)
        return
    other = _emitted(transpose, turned)
    kernel._adopt(fresh)
    transpose._adopt(other)
    pair.shared = False


def _emitted(kernel: "Kernel", values: np.ndarray) -> "Kernel":
    """A kernel of the same designs and pattern with other values, loaded from files beside it."""
    matrix = kernel.format().pattern()
    matrix.data = values
    fresh = [_emitted_width(one, matrix) for one in kernel._parts]
    fresh[0]._more = tuple(fresh[1:])
    return fresh[0]


def _emitted_width(kernel: "Kernel", matrix: sp.csr_matrix) -> "Kernel":
    identity = identity_of(matrix, kernel.dtype)
    base = named_width(name_of(kernel.path))[0].partition("-values-")[0]
    name = name_of_width(f"{base}-values-{identity.values[:8]}", kernel._width)
    folder = os.path.dirname(kernel.path)
    path = os.path.join(folder, name + ending_of(kernel.path))
    with private_folder(folder) as place:
        _emit(kernel, matrix, name, place, "shared")
        if kernels_of_other_runtime(folder, place):
            os.remove(os.path.join(place, RUNTIME))
            _emit(kernel, matrix, name, place, "standalone")
        with locked(folder, exclusive=True):
            reject_others(path, identity)
            move_into(folder, place)
    return kernel._open(path, kernel.device, identity)


def _emit(
    kernel: "Kernel", matrix: sp.csr_matrix, name: str, place: str, runtime: str
) -> None:
    called = name + ".mtx"
    with temporary_folder() as scratch:
        file = write_for_program(scratch, name, matrix)
        words = ["--device", kernel.device, "--dtype", dtype_name(kernel.dtype)]
        words += ["--design", kernel.design, "--vectors-order", "own" if kernel.order else "given"]
        words += ["--vectors", str(kernel._width), "--runtime", runtime]
        try:
            run_program(["emit", file, "-o", place, *words], ((file, called),))
        except ProgramInputError as error:
            raise ValuesError(
                f"the design does not fit the values ({error}); "
                'tune(A, values="varying") takes designs that hold any'
            ) from None
    name_matrix(os.path.join(place, name + ending_of(kernel.path)), file, called, "A")
