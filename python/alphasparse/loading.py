"""loading: whether a format file is the one that the kernel beside it was made with. The kernel's
text states the file's metadata, and that text is trusted. The metadata have the digest of all
arrays but the values (runtime/formats/format_file.h), which the reader has compared with the arrays.
So a kernel follows only entries with which it was verified."""

from __future__ import annotations

import re

from .errors import FileError
from .files import REMEDY, source_of
from .formats import Format

_METADATA = re.compile(r"^//= (\w+) (.*)$", re.MULTILINE)


def check_format(format: Format, text: str) -> None:
    """Raises FileError where the format file is not that of the kernel's text. No device is
    needed."""
    expected = dict(_METADATA.findall(text))
    source = source_of(format.path)
    if "structure" not in expected:
        raise FileError(f"{source} does not state the metadata of its format file; {REMEDY}")
    for name in sorted({*expected, *format.metadata} - {"checksum"}):
        ours, theirs = expected.get(name, "missing"), format.metadata.get(name, "missing")
        if ours != theirs:
            raise FileError(
                f"{format.path}: kernel and format differ: {name} is {ours:.80} in {source} and "
                f"{theirs:.80} in the file; {REMEDY}"
            )
