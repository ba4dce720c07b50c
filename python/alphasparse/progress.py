"""progress: the program's standard error, shown as it comes and kept.

The line of an error is kept alone: it is in the exception, which shows it once."""

from __future__ import annotations

import os
import pty
import re
import sys
import threading
from typing import Sequence

Names = Sequence["tuple[str, str]"]  # temporary paths, and their names in messages

_ERROR = "alphasparse: error: "
_CLEAR = "\033[K"  # the terminal's rest of the line


def renamed(text: str, names: Names) -> str:
    """The text without the names of temporary files."""
    for temporary, called in names:
        text = text.replace(temporary, called)
    return text


def shows_live_lines() -> bool:
    """Whether text on sys.stderr is seen at once: in a terminal or a notebook."""
    try:
        return sys.stderr.isatty() or "ipykernel" in sys.modules
    except (AttributeError, ValueError):  # None, closed, or an object that only writes
        return "ipykernel" in sys.modules


def show(text: str) -> None:
    """Writes to sys.stderr, where there is one that takes it."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except Exception:  # the search goes on, whichever object stands there
        pass


class Errors:
    """The program's standard error: `writer` is its side of it."""

    def __init__(self, live: bool, names: Names = ()) -> None:
        self._reader, self.writer = pty.openpty() if live else os.pipe()
        self._names = names
        self._kept = bytearray()
        self._pending = ""
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        os.close(self.writer)
        self._thread.start()

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._reader, 4096)
            except OSError:  # a terminal that has lost its other side
                break
            if not piece:
                break
            self._kept += piece
            self._take(piece.decode("utf-8", "replace"))
        os.close(self._reader)

    def _take(self, text: str) -> None:
        """Shows whole lines, and the beginning of one that is no error."""
        *lines, rest = re.split(r"(?<=[\r\n])", self._pending + text)
        for line in lines:
            if not line.replace(_CLEAR, "").startswith(_ERROR):
                show(renamed(line, self._names))
        bare = rest.replace(_CLEAR, "")
        is_error = bare.startswith(_ERROR) or _ERROR.startswith(bare)
        self._pending = rest if is_error else ""
        if rest and not is_error:
            show(renamed(rest, self._names))

    def last_line(self) -> str:
        """The line of the error, else the last one; empty where nothing was written."""
        self._thread.join()
        text = self._kept.decode("utf-8", "replace").replace(_CLEAR, "").replace("\r", "\n")
        lines = [line for line in text.split("\n") if line.strip()]
        told = [line for line in lines if "error: " in line] or lines
        last = told[-1].strip().removeprefix(_ERROR) if told else ""
        return renamed(last, self._names)
