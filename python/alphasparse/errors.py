"""errors: every exception of the package is an Error, each with one line that says what to do."""


class Error(Exception):
    """What the package raises."""


class ShapeError(Error, ValueError):
    """A vector or a matrix of the wrong shape."""


class DtypeError(Error, TypeError):
    """Values of another type than the kernel's."""


class LayoutError(Error, ValueError):
    """An output that cannot be written as it lies: not contiguous, read-only, over x."""


class DeviceError(Error, ValueError):
    """An array on another device than the kernel, or a device that is missing."""


class ValuesError(Error, ValueError):
    """Values that the format cannot hold."""


class TransposeError(Error, ValueError):
    """The transpose was not tuned."""


class FileError(Error, OSError):
    """A file that is missing, damaged or not what its neighbours say."""


class CompileError(Error, RuntimeError):
    """A compiler that is missing or refuses a kernel."""


class ProgramError(Error, RuntimeError):
    """The program alphasparse is missing or ended with an error; `exit_code` is its own."""

    def __init__(self, text: str, exit_code: "int | None" = None) -> None:
        super().__init__(text)
        self.exit_code = exit_code
