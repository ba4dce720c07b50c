"""alphasparse: sparse matrix-vector products by kernels that are designed for one matrix.

    k = alphasparse.tune(A, device="cpu", time="30s")
    y = k @ x
"""

from importlib.metadata import version as _version

from .errors import (
    ArrayNameError,
    CompileError,
    DatabaseError,
    DeviceError,
    DtypeError,
    Error,
    FileError,
    HostError,
    InputError,
    LayoutError,
    MissingDeviceError,
    MissingProgramError,
    NothingVerifiedError,
    ProgramError,
    ProgramHostError,
    ProgramInputError,
    ShapeError,
    ToolchainError,
    TransposeError,
    ValuesError,
)
from .formats import Format, read_format
from .kernel import Kernel
from .opening import load
from .tuning import tune

__version__ = _version("alphasparse")

__all__ = [
    "ArrayNameError",
    "CompileError",
    "DatabaseError",
    "DeviceError",
    "DtypeError",
    "Error",
    "FileError",
    "Format",
    "HostError",
    "InputError",
    "Kernel",
    "LayoutError",
    "MissingDeviceError",
    "MissingProgramError",
    "NothingVerifiedError",
    "ProgramError",
    "ProgramHostError",
    "ProgramInputError",
    "ShapeError",
    "ToolchainError",
    "TransposeError",
    "ValuesError",
    "load",
    "read_format",
    "tune",
]
