"""saving: a kernel's files in another folder, with the values that the kernel has now."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from .errors import TransposeError
from .files import (
    TUNED,
    check_identity,
    check_present,
    identity_in_text,
    reject_others,
    runtime_of,
    source_of,
    stem_of,
    texts_of,
    write_tuned,
)
from .folders import locked, move_into, private_folder, without_tilde
from .matrices import Identity
from .number_types import dtype_name
from .trust import read_text

if TYPE_CHECKING:
    from .kernel import Kernel


def save(kernel: "Kernel", folder: str) -> str:
    """Writes a kernel and its transpose into a folder; gives the format file of the kernel there."""
    folder = without_tilde(folder, "folder")
    try:
        transpose: "Kernel | None" = kernel.T
    except TransposeError:
        transpose = None
    kernels = list(kernel._parts)
    if transpose is not None and transpose.path != kernel.path:
        kernels += transpose._parts
    with private_folder(folder) as place:
        identities = [one.current_identity() for one in kernels]
        for one, identity in zip(kernels, identities):
            with locked(os.path.dirname(one.path), exclusive=False):
                _copy(one, identity, dict(zip((k.identity for k in kernels), identities)), place)
        with locked(folder, exclusive=True):
            for one, identity in zip(kernels, identities):
                reject_others(os.path.join(folder, os.path.basename(one.path)), identity)
            move_into(folder, place)
    return os.path.join(folder, os.path.basename(kernel.path))


def _copy(kernel: "Kernel", identity: Identity, renamed: "dict[Identity, Identity]", place: str) -> None:
    """Puts a kernel's files into a folder."""
    source = source_of(kernel.path)
    check_present(kernel.path, source)
    found = identity_in_text(read_text(source), source, dtype_name(kernel.dtype))
    check_identity(source, found, kernel.identity)
    format = kernel.format()
    target = os.path.join(place, os.path.basename(kernel.path))
    if identity == kernel.identity:
        shutil.copyfile(kernel.path, target)
    else:
        with open(target, "wb") as file:
            file.write(format.with_values(kernel._canonical_values(), identity))
    shared = {os.path.join(os.path.dirname(kernel.path), "alphasparse_kernel.h")}
    for text in filter(os.path.exists, texts_of(kernel.path)):
        _copy_text(text, place, kernel.identity.values, identity.values)
        shared.update(runtime_of(text, read_text(text)))
    for file_name in filter(os.path.exists, sorted(shared)):
        shutil.copy2(file_name, place)
    if kernel.tuned:
        _write_tuned(place, kernel, identity, renamed)


def _copy_text(text: str, place: str, before: str, after: str) -> None:
    changed = read_text(text).replace(before, after)
    with open(os.path.join(place, os.path.basename(text)), "w", encoding="utf-8") as file:
        file.write(changed)


def _write_tuned(
    place: str, kernel: "Kernel", identity: Identity, renamed: "dict[Identity, Identity]"
) -> None:
    told: "dict[str, Any]" = dict(kernel.tuned)
    told["fingerprints"] = {"pattern": identity.pattern, "values": identity.values}
    mark = told.get("transpose_of")
    if mark:
        told["transpose_of"] = renamed.get(Identity(*mark), mark)
    name = os.path.basename(stem_of(kernel.path)) + TUNED
    write_tuned(os.path.join(place, name), told)
