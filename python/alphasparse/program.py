"""program: runs the installed program `alphasparse`."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from typing import Any, Sequence

from . import _native
from .errors import HostError, MissingProgramError, ProgramError, program_error
from .progress import Errors, Names, renamed, shows_live_lines


# Where a wheel has the program, with its libraries and headers.
_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "installed", "bin", "alphasparse")


def find_program() -> str:
    """The program that ALPHASPARSE_PROGRAM names, else the one of the wheel, else the one in PATH.
    Raises MissingProgramError."""
    named = os.environ.get("ALPHASPARSE_PROGRAM")
    bundled = None if named else _native.find_program(_BUNDLED)
    found = bundled or _native.find_program(named or "alphasparse")
    if found:
        return found
    raise MissingProgramError(
        f"the program {named or 'alphasparse'} is missing: build it (tools/build release) or install "
        "it, and put its folder into PATH or name it by ALPHASPARSE_PROGRAM"
    )


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
    """A pipe whose reading end a program gets: the end of this process, in any way, ends the pipe,
    and that ends the program. Forks of this process give up the other end, for they may outlive
    it."""

    _open: "set[_Lifeline]" = set()

    def __init__(self) -> None:
        ends = os.pipe()
        # Above the standard streams: it would have their places where they are closed.
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


def _start(
    program: str, arguments: Sequence[str], errors: int
) -> "tuple[subprocess.Popen[bytes], _Lifeline]":
    lifeline = _Lifeline()
    try:
        child = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # the terminal's interrupts reach this process alone
            pass_fds=[lifeline.reader],
            env={**os.environ, "ALPHASPARSE_LIFELINE": str(lifeline.reader)},
        )
    except OSError as error:
        lifeline.end()
        raise MissingProgramError(
            f"the program {program} cannot be run ({error.strerror}): build or install it anew"
        ) from None
    except BaseException:
        lifeline.end()
        raise
    finally:
        lifeline.hand_over()
    return child, lifeline


def _printed(arguments: Sequence[str], names: Names) -> str:
    """The program's output, unchanged."""
    program = find_program()
    try:
        errors = Errors(shows_live_lines(), names)
    except OSError as error:  # no descriptors left, no terminals
        raise HostError(f"no pipe for the program: {error.strerror}") from None
    try:
        child, lifeline = _start(program, arguments, errors.writer)
    except BaseException:
        errors.start()  # it ends at once, and its descriptors with it
        raise
    try:
        errors.start()
        output, _ = child.communicate()
    except BaseException:
        _end(child)
        raise
    finally:
        lifeline.end()
    last = errors.last_line()
    if child.returncode < 0:
        told = f"the program {program} was ended by signal {-child.returncode}"
        raise ProgramError(told, child.returncode)
    if child.returncode != 0:
        told = last or f"the program {program} ended with exit code {child.returncode} and no message"
        raise program_error(told, child.returncode)
    return output.decode("utf-8", "replace")


def run_program(arguments: Sequence[str], names: Names = ()) -> str:
    """The program's output. `names` has temporary paths and the names that stand for them in all
    texts of the program. Its progress is shown on sys.stderr. An interrupt ends the program and
    then raises KeyboardInterrupt; the database keeps all measurements. Raises ProgramError with
    the line that it ends with."""
    return renamed(_printed(arguments, names), names)


def run_json(arguments: Sequence[str], names: Names = ()) -> "dict[str, Any]":
    """The object that the program prints with --json; `names`, as in run_program, are those of its
    progress and errors alone."""
    printed = _printed([*arguments, "--json"], names)
    try:
        told = json.loads(printed)
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise ProgramError(f"the program {find_program()} printed no object of JSON: is it another one?")
    return told


def main() -> None:
    """The command `alphasparse` of a wheel: becomes the program."""
    try:
        program = find_program()
        os.execv(program, [program, *sys.argv[1:]])
    except (MissingProgramError, OSError) as error:
        print(f"alphasparse: error: {error}", file=sys.stderr)
        sys.exit(4)
