"""laboratory: the code that its commands share - the program that knows kernels, their options,
their end.

The program kernel_facts builds, counts and compiles kernels; a question is a JSON object, its
answer another one (tools/comparison/kernel_facts.cpp). It lies beside the command as it was called:
in the build folder, where commands are links, or in the archive.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import time

SCHEMA = 1
BAD_INPUT, NO_DEVICE = 2, 4


class Refused(Exception):
    """One line for a person: the problem, its place, the remedy."""

    def __init__(self, text, code=BAD_INPUT):
        super().__init__(text)
        self.code = code


def find_program(name, *folders):
    """A program in one of these folders beside the command as it was called, or in the build."""
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    source = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../build/release/tools")
    for folder in (here, source):
        for inner in folders:
            program = os.path.join(folder, inner, name)
            if os.access(program, os.X_OK):
                return program
    raise Refused(f"{here}: has no program {name}; build it by tools/build", NO_DEVICE)


def output_of(words, remedy="", statuses=()):
    """The output of a command that succeeds. A failure with one of these exit statuses keeps it;
    any other one is that of a tool that does not work, and `remedy` helps."""
    status, remedy = None, f"; {remedy}" if remedy else ""
    try:
        ended = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace")
        status, said = ended.returncode, (ended.stderr or ended.stdout).strip().splitlines()
        how = f"exit status {status}: {said[-1] if said else 'it says nothing'}"
    except OSError as error:
        how = f"cannot be started: {error.strerror}"
    if status == 0:
        return ended.stdout
    raise Refused(f"{words[0]}: {how}{remedy}", status if status in statuses else NO_DEVICE)


class KernelFacts:
    """The running program. A context manager: it ends with its block."""

    def __init__(self, program=None):
        self._process = subprocess.Popen([program or find_program("kernel_facts", "")], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def ask(self, ask, **details):
        """The answer; `refused` in it says why a design or a twin has none."""
        try:
            self._process.stdin.write(json.dumps({"ask": ask, **details}) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise Refused(f"kernel_facts ended at a question ({ask}); its memory may not hold the "
                          "matrix", NO_DEVICE)
        answer = json.loads(answer)
        if "error" in answer:
            raise Refused(answer["error"], answer["code"])
        return answer


class Options(argparse.ArgumentParser):
    """Its mistakes end in one line, as those of the program do."""

    def __init__(self, **more):
        super().__init__(allow_abbrev=False, **more)

    def error(self, message):
        raise Refused(f"{message}; see {self.prog} --help")


class ProgressLine:
    """How far work is, on standard error: one live line on a terminal, one every 10 s in a log."""

    def __init__(self, quiet):
        self._quiet, self._live = quiet, sys.stderr.isatty()
        self._begun = self._told = time.monotonic()

    def update(self, text):
        now = time.monotonic()
        if self._quiet or not (self._live or now - self._told >= 10):
            return
        self._told = now
        line = f"{printable(text)} | {now - self._begun:.0f} s"
        print(f"\r\033[K{line}" if self._live else line, end="" if self._live else "\n",
              file=sys.stderr, flush=True)

    def clear(self):
        if self._live and not self._quiet:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class WholeFile:
    """A file that appears under its name when all of it is written. Made at once, so that a place
    that cannot be written ends the command before its work."""

    def __init__(self, path):
        self._path = path
        if not path:
            return
        pipe = os.path.exists(path) and not os.path.isfile(path)  # or a device
        self._temporary = None if pipe else f"{os.path.realpath(path)}.{os.getpid()}"
        try:
            self._file = open(self._temporary or path, "w", encoding="utf-8")
        except OSError as error:
            remedy = "; make the folder first" if isinstance(error, FileNotFoundError) else ""
            raise Refused(f"cannot write {path}: {error.strerror}{remedy}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if not self._path:
            return
        self._file.close()
        if self._temporary and kind:
            os.unlink(self._temporary)
        elif self._temporary:
            os.replace(self._temporary, os.path.realpath(self._path))

    def write(self, text):
        if self._path:
            self._file.write(text)

    def write_json(self, content):
        self.write(json_text(content))


def json_text(content):
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def printable(text):
    """Text of a file as it may be shown: a ? for characters that a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in text)


def command_main(name, run):
    """Calls run() and ends as the program's commands do."""
    try:
        run()
    except Refused as refused:
        print(f"{name}: error: {printable(str(refused))}", file=sys.stderr)
        return refused.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"{name}: error: {printable(str(error))}", file=sys.stderr)
        return BAD_INPUT
    return 0


def with_packages(name):
    """Starts the command anew by a Python that has NumPy and SciPy, where this one has not."""
    try:
        for package in ("numpy", "scipy"):
            importlib.import_module(package)
        return
    except ImportError as error:
        missing = error.name
    for python in (os.environ.get("ALPHASPARSE_PYTHON"), "/usr/bin/python3"):
        if not python or not os.access(python, os.X_OK):
            continue
        if os.path.samefile(python, sys.executable):
            continue
        tried = subprocess.run([python, "-c", "import numpy, scipy"], stderr=subprocess.DEVNULL)
        if tried.returncode == 0:
            os.execv(python, [python, *sys.argv])
    print(f"{name}: the package {missing} is missing here; install it with pip install numpy scipy "
          "(Debian: python3-scipy)", file=sys.stderr)
    sys.exit(NO_DEVICE)
