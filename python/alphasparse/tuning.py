"""tuning: from a matrix to its kernel, by the program's search."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from typing import Any, Sequence

import scipy.io
import scipy.sparse as sp

from .compiled import cache_folder, remove_made_of_others
from .errors import FileError
from .files import (
    CPU,
    FORMAT,
    TUNED,
    is_of_another,
    refuse_others,
    source_of,
    stem_of,
    texts_of,
    write_tuned,
)
from .folders import locked, move_into, private_folder, same_contents
from .formats import is_symmetric_pattern, mirror_images
from .kernel import Kernel, load_file
from .matrices import Identity, canonical_matrix, dtype_name, identity_of, write_matrix
from .program import run_json
from .transposes import Pair
from .trust import make_own_folder, read_text


def _matrix_of(a: Any, dtype: Any) -> sp.csr_matrix:
    if not isinstance(a, (str, os.PathLike)):
        return canonical_matrix(a, dtype)
    if not os.path.exists(a):
        raise FileError(f"{os.fspath(a)}: no such matrix")
    return canonical_matrix(scipy.io.mmread(os.fspath(a)), dtype)


def _digest(identity: Identity, device: str, options: Sequence[str]) -> str:
    return hashlib.sha256(repr((*identity, device, *options)).encode()).hexdigest()[:16]


def _name_in(path: "str | os.PathLike[str]") -> str:
    name = os.path.basename(os.fspath(path)).removesuffix(".gz").removesuffix(".mtx")
    return name or "matrix"


def _is_taken(folder: str, name: str, identity: Identity) -> bool:
    """Whether the kernel of another matrix has the name."""
    return any(
        is_of_another(os.path.join(folder, name + ending), identity) for ending in (CPU, FORMAT)
    )


def _free_name(a: Any, digest: str, folder: str, identity: Identity) -> str:
    """That of the file where no other matrix has it; else one of the matrix' own."""
    if not isinstance(a, (str, os.PathLike)):
        return "matrix-" + digest[:8]
    name = _name_in(a)
    return f"{name}-{digest[:8]}" if _is_taken(folder, name, identity) else name


class _Search:
    """One matrix, its name, and the words for the program."""

    def __init__(self, csr: sp.csr_matrix, name: str, folder: str, arguments: "list[str]") -> None:
        self.csr, self.name, self.folder, self.arguments = csr, name, folder, arguments
        self.identity = identity_of(csr)

    def path(self, device: str) -> str:
        return os.path.join(self.folder, self.name + (CPU if device.startswith("cpu") else FORMAT))

    def run(self, transpose_of: "Identity | None" = None) -> Kernel:
        """Searches in a folder of its own, so that others may tune into the same one, and puts the
        files where they belong."""
        with private_folder(self.folder) as place:
            told = self._tell(place)
            found = told["files"]["format"]
            path = os.path.join(self.folder, os.path.basename(found))
            told["files"] = {kind: self._final(file, place) for kind, file in told["files"].items()}
            if transpose_of is not None:
                told["transpose_of"] = transpose_of
            write_tuned(stem_of(found) + TUNED, {**told, "arguments": self.arguments})
            return self._placed(found, path, place, told["device"])

    def _tell(self, place: str) -> "dict[str, Any]":
        """What the program says. Its texts name the matrix, not the file that it was written to, so
        they are the same in every search."""
        with tempfile.TemporaryDirectory(prefix="alphasparse-") as scratch:
            file = os.path.join(scratch, self.name + ".mtx")
            write_matrix(file, self.csr)
            told = run_json(["tune", file, "-o", place, *self.arguments])
        for text in texts_of(told["files"]["format"]):
            if os.path.exists(text):
                named = read_text(text).replace(file, self.name + ".mtx")
                with open(text, "w", encoding="utf-8") as output:
                    output.write(named)
        return {**told, "matrix": self.name + ".mtx"}

    def _final(self, file: Any, place: str) -> Any:
        is_ours = isinstance(file, str) and os.path.dirname(file) == place
        return os.path.join(self.folder, os.path.basename(file)) if is_ours else file

    def _placed(self, found: str, path: str, place: str, device: str) -> Kernel:
        """The kernel, loaded before others can write over it."""
        with locked(self.folder, exclusive=True):
            refuse_others(path, self.identity)
            is_known = all(same_contents(one, self._final(one, place))
                           for one in (found, source_of(found)))  # fmt: skip
            if is_known:  # and maybe compiled
                move_into(self.folder, place)
        if is_known:
            return load_file(path, device, self.identity)
        try:
            kernel = load_file(found, device, self.identity)
        finally:  # they are good files even where nothing here runs them
            self._publish(found, path, place)
        kernel.path = path
        return kernel

    def _publish(self, found: str, path: str, place: str) -> None:
        text = read_text(source_of(found))
        with locked(self.folder, exclusive=True):
            refuse_others(path, self.identity)
            move_into(self.folder, place)
            for ending in ("so", "cubin"):
                remove_made_of_others(source_of(path), text, ending)

    def is_symmetric(self) -> bool:
        data = self.csr.data
        return is_symmetric_pattern(self.csr) and bool((data == data[mirror_images(self.csr)]).all())

    def transposed(self) -> "_Search":
        """That of the transpose, under a name that no other matrix has."""
        csr = canonical_matrix(self.csr.T, self.csr.dtype)
        search = _Search(csr, self.name + "_T", self.folder, self.arguments)
        if _is_taken(self.folder, search.name, search.identity):
            search.name += "-" + search.identity.values[:8]
        return search


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
) -> Kernel:
    """The fastest verified kernel for A that a search within `time` finds.

    `A` is any sparse matrix of SciPy, or the path of a Matrix Market file; `device` is cpu[:THREADS]
    or cuda[:N]; `dtype` float32 or float64, that of A where it is None. With `transpose` A^T is
    tuned too, for `k.T`, unless A is symmetric. The files, NAME.*, go to `folder`, or into the
    cache. Without `name` it is that of the file, or "matrix" with a digest, so that other matrices
    may have the same folder; a name that another matrix has there is refused. What was measured
    goes into the program's database, or the one given, which answers the same call at once.
    `options` are more words for `alphasparse tune`. Progress goes to sys.stderr; an interrupt ends
    the search with the best so far.

    Raises ProgramError where the program is missing or finds nothing, DtypeError, ShapeError,
    ValuesError, FileError."""
    csr = _matrix_of(A, dtype)
    identity = identity_of(csr)
    digest = _digest(identity, device, options)
    if folder is None:
        folder = os.path.join(cache_folder(), "python", digest)
        make_own_folder(folder)  # its kernels are code
    place = os.path.abspath(folder)
    if name is None:
        name = _free_name(A, digest, place, identity)
    if not re.fullmatch(r"[^/\0]+", name) or name.startswith("."):
        raise FileError(f"name {name!r}: it is to be that of files")
    seconds = time if isinstance(time, str) else f"{time:g}s"
    arguments = ["--device", device, "--time", seconds, "--dtype", dtype_name(csr.dtype)]
    arguments += ["--db", os.path.abspath(os.fspath(database))] if database is not None else []
    arguments += options
    search = _Search(csr, name, place, arguments)
    refuse_others(search.path(device), identity)
    kernel = search.run()
    if transpose and not search.is_symmetric():
        other = search.transposed().run(transpose_of=kernel.identity)
        Pair(kernel, other, mirror_images(csr), shared=False)
    return kernel
