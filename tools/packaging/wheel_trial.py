"""wheel_trial: a wheel in a fresh Debian without anything else."""

import os
import shutil

from debian_root import DebianRoot
from wheel_contents import WheelError

_PYTHON = "/trial/bin/python3"
_SCRIPT = """
import time
import numpy, scipy, scipy.sparse, alphasparse

rng = numpy.random.default_rng(1)
places = rng.integers(0, 40_000, (2, 400_000))
A = scipy.sparse.csr_matrix((rng.random(400_000), places), (40_000, 40_000))
x = numpy.ones(40_000)
started = time.perf_counter()
k = alphasparse.tune(A, device="cpu", time="5s", progress=False)
took = time.perf_counter() - started
assert numpy.allclose(k @ x, A @ x)


def shortest(product):
    times = []
    for _ in range(30):
        began = time.perf_counter()
        product()
        times.append(time.perf_counter() - began)
    return min(times)


print(f"alphasparse {alphasparse.__version__}, numpy {numpy.__version__}, "
      f"scipy {scipy.__version__}: "
      f"tuned in {took:.1f} s; A @ x is right and takes {shortest(lambda: k @ x) * 1e6:.0f} us, "
      f"SciPy's {shortest(lambda: A @ x) * 1e6:.0f} us")
"""


def try_wheel(root: DebianRoot, wheel: str) -> "list[str]":
    """Installs the one file there, and tunes and multiplies. Gives a line for each step; raises
    WheelError where one fails."""
    name = os.path.basename(wheel)
    shutil.copyfile(wheel, root.inside(f"/tmp/{name}"))
    with open(root.inside("/tmp/trial.py"), "w", encoding="utf-8") as file:
        file.write(_SCRIPT)
    root.run("python3", "-m", "venv", "/trial")
    root.run(_PYTHON, "-m", "pip", "install", "--quiet", f"/tmp/{name}")
    lines = [f"{root.suite}: installed {name}", _told_without_compiler(root)]
    root.run("apt-get", "-qq", "install", "--no-install-recommends", "--yes", "g++")
    lines.append(f"{root.suite}: {root.run(_PYTHON, '/tmp/trial.py').strip()}")
    doctor = root.run("/trial/bin/alphasparse", "doctor").split("\n")
    lines += [
        f"{root.suite}: {line}"
        for line in doctor
        if line.startswith(("alphasparse", "yes cpu", "yes emu"))
    ]
    return lines


def _told_without_compiler(root: DebianRoot) -> str:
    """The one line of the exception, which says how to get a compiler."""
    done = root.attempt([_PYTHON, "/tmp/trial.py"])
    lines = done.stderr.strip().split("\n")
    told = lines[-1]
    if (
        done.returncode != 1
        or not told.startswith("alphasparse.errors.")
        or "apt-get install g++" not in told
    ):
        raise WheelError(f"{root.suite}: without a compiler it said: {told}")
    return f"{root.suite}: without g++: {told}"
