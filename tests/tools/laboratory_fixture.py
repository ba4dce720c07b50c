"""laboratory_fixture: the commands in Python as they are built, and their modules.

KERNEL_FACTS names the program that they ask, which lies beside them in the build folder.
"""

import functools
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOLS = pathlib.Path(os.environ["KERNEL_FACTS"]).parent
EXAMPLES = SOURCE / "examples"
for folder in ("comparison", "suite", "benchmarks"):
    sys.path.append(str(SOURCE / "tools" / folder))

from laboratory import KernelFacts  # noqa: E402


@functools.cache
def facts():
    """The program, which ends with the tests."""
    return KernelFacts(os.environ["KERNEL_FACTS"])


@functools.cache
def models():
    """The GPU models and their constants."""
    return facts().ask("models")


def model(name):
    return next(each for each in models()["models"] if each["name"] == name)


def command(name):
    """A command of the build folder, started by this Python and not by python3 of PATH."""
    return [sys.executable, "-B", str(TOOLS / name)]


def run(words, folder, **environment):
    return subprocess.run([str(word) for word in words], cwd=folder, text=True,
                          capture_output=True, env={**os.environ, **environment})


def done(words, folder, **environment):
    ended = run(words, folder, **environment)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def expect_refusal(name, ended, text, status=2):
    assert ended.returncode == status, ended.stderr
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1 and ended.stderr.startswith(f"{name}: "), ended.stderr
    assert text in ended.stderr
