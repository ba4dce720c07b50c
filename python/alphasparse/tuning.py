"""tuning: from a matrix to its kernel, by the program's search."""

from __future__ import annotations

import hashlib
import os
import re
import time as clocks
import weakref
from typing import Any, Iterable, Sequence

from . import _native
from .budgets import overrun_line, search_time, time_text
from .cache import drop_empty, python_folder
from .columns import checked_widths
from .errors import (
    DeviceError,
    DtypeError,
    Error,
    FileError,
    InputError,
    ProgramError,
    of_files,
    path_of,
    text_of,
)
from .files import (
    CPU,
    FORMAT,
    TUNED,
    identity_at,
    is_of_another,
    name_matrix,
    name_of_width,
    reject_others,
    source_of,
    stem_of,
    write_tuned,
)
from .folders import (
    kernels_of_other_runtime,
    locked,
    move_into,
    private_folder,
    same_contents,
    temporary_folder,
    whole_path,
)
from .kernel import Kernel
from .matrices import Identity, canonical_matrix, mirror_images, write_matrix
from .number_types import WIDEST, dtype_name
from .opening import load_file
from .operators import checked_order
from .program import find_program, run_json
from .progress import renamed, show
from .sources import source_for
from .transposes import Pair
from .trust import make_own_folder

__all__ = ["canonical_matrix", "dtype_name", "tune", "write_matrix"]  # as scripts import them


# Options of the program that are arguments of `tune`.
_ARGUMENTS = {"--device": "device=", "--dtype": "dtype=", "--time": "time=", "--name": "name=",
              "-o": "folder=", "--output": "folder=",
              "--transpose": "transpose=True for k.T, or tune the transpose",
              "--vectors": "vectors=", "--vectors-order": "order="}  # fmt: skip
_COMPLEX_FILE = "use --dtype c64 or c128"  # the program's remedy where a file's values are complex
_NAME_BYTES_MOST = 180  # a file's name has 255, and our longest endings some 70


def _is_taken(folder: str, name: str, source: Any, widths: "list[int]") -> bool:
    """Whether the kernel of another matrix has the name of one of the widths."""
    names = [name_of_width(name, width) for width in widths]
    found = [os.path.join(folder, one + ending) for one in names for ending in (CPU, FORMAT)]
    return any(os.path.exists(one) and is_of_another(one, source.identity) for one in found)


def _check_version(path: str) -> None:
    """Raises ProgramError where the program that wrote a format file is not of the package's version."""
    theirs, ours = _native.read_metadata(path)["generator"], _native.generator_version
    if theirs != ours:
        raise ProgramError(
            f"the program {find_program()} has generator {theirs}, the package {ours}: install both of one "
            "version, or name a program by ALPHASPARSE_PROGRAM"
        )


class _Search:
    """One matrix, its name, the words for the program, and the widths of the kernel."""

    def __init__(
        self, source: Any, name: str, folder: str, arguments: "list[str]", progress: bool, widths: "list[int]"
    ) -> None:
        self.source, self.base, self.folder = source, name, folder
        self.words, self.progress, self.widths = arguments, progress, widths

    def run(self, budget: str, transpose_of: "Identity | None" = None) -> Kernel:
        """The kernel of all widths, each by a search of its own."""
        kernels = []
        for width in self.widths:
            began = clocks.monotonic()
            self.is_whole = False  # it searched, and its kernel was compiled
            self.name = name_of_width(self.base, width)
            self.arguments = [*self.words, *(["--vectors", str(width)] if width > 1 else [])]
            kernels.append(self._run(transpose_of))
            if self.progress and self.is_whole and transpose_of is None:
                show(overrun_line(clocks.monotonic() - began, budget))
        kernels[0]._more = tuple(kernels[1:])
        return kernels[0]

    def _run(self, transpose_of: "Identity | None") -> Kernel:
        """Searches in a folder of its own, so that others may tune into the same one, and puts the
        files where they belong."""
        with private_folder(self.folder) as place:
            told = self._tell(place)
            found = told["files"]["format"]
            _check_version(found)
            told["files"] = {kind: self._final(file, place) for kind, file in told["files"].items()}
            if transpose_of is not None:
                told["transpose_of"] = transpose_of
            if self.source.order is not None:
                told["values_order"] = "given"
            told.update(arguments=self.arguments, progress=self.progress)
            write_tuned(stem_of(found) + TUNED, told)
            self.is_whole = bool(told.get("trials_now"))
            kernel = self._placed(found, self._final(found, place), place, told["device"])
            kernel._order, kernel._has_lost_order = self.source.order, False
            return kernel

    def _tell(self, place: str) -> "dict[str, Any]":
        """The program's answer. Its texts name the matrix, not the file that it was given, so they
        are the same in every search."""
        with temporary_folder() as scratch:
            file, called, more = self.source.put(scratch, self.name)
            words = ["tune", file, "-o", place, *more, *self.arguments]
            names = ((file, called), (place, self.folder))
            quiet = [] if self.progress else ["--quiet"]
            is_chosen = any(word.partition("=")[0] == "--runtime" for word in self.arguments)
            told = run_json([*words, *([] if is_chosen else ["--runtime", "shared"]), *quiet], names)
            if "files" not in told:  # an answer on many
                raise InputError("options name more matrices, or a shard: tune takes A alone; leave them out")
            if not is_chosen and kernels_of_other_runtime(self.folder, place):
                told = self._alone(told, [file, *more], place, names)
        name_matrix(told["files"]["format"], file, called, self.source.in_memory)
        return {**told, "matrix": called}

    def _alone(
        self, told: "dict[str, Any]", matrix: "list[str]", place: str, names: Any
    ) -> "dict[str, Any]":
        """The found design in a file that holds its runtime, where older kernels of the folder need
        another header."""
        words = ["--device", told["device"], "--dtype", told["dtype"], "--design", told["design"]]
        words += ["--vectors-order", told["vectors_order"], "--vectors", str(told["vectors"])]
        for one in os.listdir(place):
            if not one.startswith("."):
                os.remove(os.path.join(place, one))
        emitted = run_json(["emit", *matrix, "-o", place, *words, "--runtime", "standalone"], names)
        return {**told, "files": {**told["files"], **emitted["files"]}}

    def _final(self, file: Any, place: str) -> Any:
        is_ours = isinstance(file, str) and os.path.dirname(file) == place
        return os.path.join(self.folder, os.path.basename(file)) if is_ours else file

    def _placed(self, found: str, path: str, place: str, device: str) -> Kernel:
        """The kernel, loaded before others can write over it."""
        identity = identity_at(found)
        with locked(self.folder, exclusive=True):
            reject_others(path, identity)
            is_known = all(same_contents(one, self._final(one, place))
                           for one in (found, source_of(found)))  # fmt: skip
            if is_known:
                move_into(self.folder, place)
        if is_known:
            self.is_whole = False
            return load_file(path, device, identity)
        try:
            kernel = load_file(found, device, identity)
        except Error as error:  # the files will be in the user's folder
            error.args = (renamed(str(error), [(place, self.folder)]), *error.args[1:])
            raise
        finally:  # they are good files even where nothing here runs them
            with locked(self.folder, exclusive=True):
                reject_others(path, identity)
                move_into(self.folder, place)
        kernel.path = path
        return kernel

    def transposed(self) -> "_Search | None":
        """The search for the transpose, under a name that no other matrix has. None: A is
        symmetric."""
        source = self.source.transposed()
        if source is None:
            return None
        search = _Search(source, self.base + "_T", self.folder, self.words, self.progress, self.widths)
        if _is_taken(self.folder, search.base, source, self.widths):
            search.base = f"{self.base}-{source.identity.values[:8]}_T"
        return search


def _checked_device(device: Any) -> str:
    """Refuses a device on which no kernel can run here before anything is searched."""
    if re.fullmatch(r"cpu(:[1-9]\d*)?|(cuda|hip)(:\d+)?", text_of(device, "device")):
        return str(device)
    if device.startswith("emulated"):
        raise DeviceError(
            f"device {device}: its times are modelled and its kernels run on no machine here; "
            f"`alphasparse tune FILE --device {device}` writes one for a GPU elsewhere"
        )
    raise DeviceError(f"device {device!r}: it is cpu, cpu:THREADS, cuda, cuda:N, hip or hip:N")


def _words(options: Any, values: Any, order: Any) -> "list[str]":
    """More words for the program."""
    if isinstance(options, (str, bytes)) or not isinstance(options, Iterable):
        raise DtypeError("options takes a sequence of words: options=('--trials', '100')")
    if values not in ("fixed", "varying"):
        raise InputError(f"values is {values!r}: it is 'fixed', or 'varying' where update will come")
    more = ["--values", "varying"] if values == "varying" else []
    more += ["--vectors-order", "own"] if checked_order(order) == "own" else []
    ours = len(more)
    more += [text_of(word, "a word of options") for word in options]
    for word in more[ours:]:
        if word.partition("=")[0] in _ARGUMENTS:
            raise InputError(f"options has {word}: it is an argument, {_ARGUMENTS[word.partition('=')[0]]}")
    return more


def _place_and_name(
    source: Any, name: "str | None", folder: Any, digest: str, widths: "list[int]"
) -> "tuple[str, str]":
    """The folder of the files, and their name, which the kernel of no other matrix has there."""
    is_cached = folder is None
    if is_cached:
        folder = os.path.join(python_folder(), digest)
    place = whole_path(path_of(folder, "folder"), "folder")
    own_name = source.default_name or "matrix-" + digest[:8]
    if name is None and _is_taken(place, own_name, source, widths):
        own_name += "-" + digest[:8]
    name = own_name if name is None else text_of(name, "name")
    if not re.fullmatch(r"[^/\0]+", name) or name.startswith("."):
        raise FileError(f"name {name!r}: it is to be that of files")
    if len(os.fsencode(name)) > _NAME_BYTES_MOST:
        raise FileError(
            f"name {name[:20]!r}... has {len(os.fsencode(name))} bytes: give one of {_NAME_BYTES_MOST} at "
            "most, for endings follow"
        )
    if _is_taken(place, name, source, widths):
        raise FileError(
            f"{os.path.join(place, name)} is the name of another matrix' kernel, whose files are "
            "there: give another name or folder, or remove them"
        )
    if is_cached:
        make_own_folder(place)  # its kernels are code
    return place, name


def tune(
    A: Any,
    device: str = "cpu",
    time: "str | float" = "30s",
    dtype: Any = None,
    transpose: bool = False,
    name: "str | None" = None,
    folder: "str | os.PathLike[str] | None" = None,
    database: "str | os.PathLike[str] | None" = None,
    options: Sequence[str] = (),
    values: str = "fixed",
    progress: bool = True,
    order: str = "given",
    vectors: "int | Sequence[int]" = 1,
) -> Kernel:
    """The fastest verified kernel for A, of shape (rows, columns), that a search within `time` finds.

        >>> import alphasparse, numpy, scipy.sparse
        >>> A = scipy.sparse.eye(4, format="csr") * 3
        >>> k = alphasparse.tune(A, device="cpu:1", time="0", progress=False)
        >>> k @ numpy.arange(4.0)
        array([0., 3., 6., 9.])
        >>> k.shape, k.dtype, k.nnz
        ((4, 4), dtype('float64'), 4)

    `A` is any sparse matrix of SciPy, a sparse tensor, or the path of a file that the program reads:
    Matrix Market, Rutherford-Boeing, MATLAB 5, SciPy's .npz and more, packed or not. Of an
    archive or a MATLAB file, "FILE:MEMBER" is one matrix. `device` is
    cpu[:THREADS], cuda[:N] or hip[:N]. `time` is that of the call, in seconds, or text with a unit ("30s",
    "2m"); "0" takes the first design that is verified. Part of it is kept for compiling and loading
    the kernel: 3 s, and half of it at most. The search has the rest. A transpose takes as much
    again.
    `dtype`, of x and y, is float32, float64, complex64 or complex128 by any name; None is that of A, and of
    a file float64 or complex128. A real A may have complex x and y. With `transpose` A^T is tuned too,
    for `k.T` and `k.H`, unless A is symmetric.

    The files, NAME.*, go to `folder`, or into the cache. Without `name` it is that of the file, or
    "matrix" with a digest, so that other matrices may have the same folder; a name that another
    matrix has there is refused. Measurements go into the program's database, or the one given,
    which answers the same call at once. `values="varying"` takes designs that hold any values, for
    `k.update`. `order="own"` takes designs too that have x and y in an order of their own, for solvers
    that keep their vectors so (`Kernel.own`). `vectors` are one or more numbers of columns that a kernel is
    to multiply at once: 1, 2, 4, 8, 16, 32 or 64. Each has a search of its own, which takes as much time
    again, and files NAME_x2, NAME_x4 and so on. `options` are more words for `alphasparse tune`, but for those that are
    arguments here and those of several matrices. Progress goes to sys.stderr, unless
    `progress` is False. An interrupt ends the search and raises KeyboardInterrupt; the same call
    goes on from there.

    Raises InputError (ShapeError, ValuesError, DeviceError) and DtypeError for bad arguments,
    before anything is written; FileError; and ProgramError where the program ends with an error -
    ProgramInputError, NothingVerifiedError, ProgramHostError, DatabaseError - or is missing
    (MissingProgramError); CompileError and MissingDeviceError where the kernel cannot run here."""
    arguments, budget = ["--device", _checked_device(device)], time_text(time)
    words, widths = _words(options, values, order), checked_widths(vectors)
    if order == "own" and widths != [1]:
        raise InputError(f'vectors is {vectors!r:.80}: order="own" is for one vector; leave out either')
    asked = (device, *words, *(widths if widths != [1] else ()))
    if database is not None:
        words = ["--db", whole_path(path_of(database, "database"), "database"), *words]
    source = source_for(A, dtype)
    digest = hashlib.sha256(repr((*source.key, *asked)).encode()).hexdigest()[:16]
    arguments += ["--time", search_time(budget, source.nnz), "--dtype", source.dtype, *words]
    with of_files("the kernel cannot be written"):
        place, base = _place_and_name(source, name, folder, digest, widths)
        search = _Search(source, base, place, arguments, bool(progress), widths)
        try:
            kernel = search.run(budget)
            kernel._matrix = weakref.ref(A) if getattr(A, "format", "") == "coo" else None
        except BaseException as error:  # an interrupt too
            drop_empty(place)
            if dtype is None and source.dtype == "f64" and _COMPLEX_FILE in str(error):
                return tune(A, device, time, WIDEST["c"], transpose, name, folder, database, options, values,
                            progress, order, vectors)  # fmt: skip
            raise
        other = search.transposed() if transpose else None
        if other is not None:
            images = mirror_images(kernel.format().pattern())
            Pair(kernel, other.run(budget, transpose_of=kernel.identity), images, shared=False)
    if folder is None:
        _native.trim_cache()
    return kernel
