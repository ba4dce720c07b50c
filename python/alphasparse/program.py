"""program: runs the installed program `alphasparse`."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import threading
from typing import Any, Sequence

from .errors import ProgramError
from .trust import find_executable


def find_program() -> str:
    """The program that ALPHASPARSE_PROGRAM names, else the one in PATH. Raises ProgramError."""
    named = os.environ.get("ALPHASPARSE_PROGRAM")
    found = find_executable(named or "alphasparse")
    if found:
        return found
    raise ProgramError(
        f"the program {named or 'alphasparse'} is missing: build it (tools/build release) or install "
        "it, and put its folder into PATH or name it by ALPHASPARSE_PROGRAM"
    )


def _shows_live_lines() -> bool:
    """Whether what goes to sys.stderr is seen at once: in a terminal or a notebook."""
    try:
        return sys.stderr.isatty() or "ipykernel" in sys.modules
    except (AttributeError, ValueError):  # None, closed, or an object that only writes
        return "ipykernel" in sys.modules


def _show(text: str) -> None:
    """Writes to sys.stderr, where there is one that takes it."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except Exception:  # whatever stands there, the search goes on
        pass


class _Errors:
    """What the program writes on standard error: shown as it comes, and kept."""

    def __init__(self, live: bool) -> None:
        self._reader, self.writer = pty.openpty() if live else os.pipe()
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        os.close(self.writer)
        self._thread.start()

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self._reader, 4096)
            except OSError:  # a terminal whose other side is gone
                break
            if not piece:
                break
            self._kept += piece
            _show(piece.decode("utf-8", "replace"))
        os.close(self._reader)

    def last_line(self) -> str:
        self._thread.join()
        lines = self._kept.decode("utf-8", "replace").replace("\r", "\n").split("\n")
        told = [line for line in lines if "error: " in line] or [line for line in lines if line]
        return told[-1].strip() if told else "it said nothing"


def _end(child: "subprocess.Popen[bytes]") -> None:
    """Interrupts the program, which then keeps its measurements and ends its own processes, and
    waits for it. Another interrupt ends it at once."""
    child.send_signal(signal.SIGINT)
    try:
        child.communicate()
    except BaseException:
        child.kill()
        child.wait()


class _Lifeline:
    """A pipe whose reading end a program gets: the end of this process, in whatever way, ends the
    pipe, and that ends the program. Forks of this process give up the other end, for they may
    outlive it."""

    _open: "set[_Lifeline]" = set()

    def __init__(self) -> None:
        ends = os.pipe()
        # Above the standard streams, whose places it would have where they are closed.
        self.reader, self._writer = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 3) for end in ends)
        for end in ends:
            os.close(end)
        self._open.add(self)

    def hand_over(self) -> None:
        """The program has it."""
        os.close(self.reader)

    def end(self) -> None:
        self._open.discard(self)
        os.close(self._writer)

    @classmethod
    def end_all(cls) -> None:
        for lifeline in list(cls._open):
            lifeline.end()


os.register_at_fork(after_in_child=_Lifeline.end_all)


def _start(words: "list[str]", errors: int) -> "tuple[subprocess.Popen[bytes], _Lifeline]":
    lifeline = _Lifeline()
    try:
        child = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # the terminal's interrupts come to us alone
            pass_fds=[lifeline.reader],
            env={**os.environ, "ALPHASPARSE_LIFELINE": str(lifeline.reader)},
        )
    except BaseException:
        lifeline.end()
        raise
    finally:
        lifeline.hand_over()
    return child, lifeline


def run_program(arguments: Sequence[str], named: "tuple[str, str] | None" = None) -> str:
    """What the program prints. Its errors name named[1] in the place of named[0]. Its progress is shown on sys.stderr. An interrupt ends the program
    and then raises KeyboardInterrupt; the database keeps what was measured. Raises ProgramError with the line that it ends with."""
    errors = _Errors(_shows_live_lines())
    child, lifeline = _start([find_program(), *arguments], errors.writer)
    try:
        errors.start()
        output, _ = child.communicate()
    except BaseException:
        _end(child)
        raise
    finally:
        lifeline.end()
    last = errors.last_line()
    if child.returncode != 0:
        raise ProgramError(last.replace(*named) if named else last, child.returncode)
    return output.decode("utf-8")


def run_json(
    arguments: Sequence[str], named: "tuple[str, str] | None" = None
) -> "dict[str, Any]":
    """The object that the program prints with --json; `named` as in run_program."""
    return json.loads(run_program([*arguments, "--json"], named))
