"""alphasparse: sparse matrix-vector products by kernels that are designed for one matrix.

    k = alphasparse.tune(A, device="cpu", time="30s")
    y = k @ x
"""

from .errors import (
    CompileError,
    DeviceError,
    DtypeError,
    Error,
    FileError,
    LayoutError,
    ProgramError,
    ShapeError,
    TransposeError,
    ValuesError,
)
from .formats import Format, read_format
from .kernel import Kernel, load
from .tuning import tune

__all__ = [
    "CompileError",
    "DeviceError",
    "DtypeError",
    "Error",
    "FileError",
    "Format",
    "Kernel",
    "LayoutError",
    "ProgramError",
    "ShapeError",
    "TransposeError",
    "ValuesError",
    "load",
    "read_format",
    "tune",
]
