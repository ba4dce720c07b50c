"""measured_times: the times of `alphasparse bench --json` and `bench_suite --json`, read back."""

import json
import math
from typing import NamedTuple

from laboratory import Refused, SCHEMA

WRITERS = "alphasparse bench --json or bench_suite --json"


class Design(NamedTuple):
    """A design that is right and has a time of its own."""
    name: str
    line: str  # the design's text
    time_us: float
    format_bytes: int


class Matrix:
    """A matrix as it was measured: the suite measures one in several types and regimes."""

    def __init__(self, name, dtype, cache, fingerprints):
        self.name, self.dtype, self.cache = name, dtype, cache
        self.fingerprints = fingerprints
        self.designs = []
        # Entries that are none: a library's algorithms, those that are wrong or have no time, and
        # those that share the kernel, and so the time, of an earlier one.
        self.libraries = self.untimed = self.duplicates = 0
        self.beyond_bound = 0  # left out by keep_spread
        self.noisy = 0  # of the designs, those with a time that bench itself doubts

    def add(self, row, libraries):
        line, status, time_us = row["design"], row["status"], row.get("time_us")
        name = row.get("name", line)
        if name in libraries or line in libraries:
            self.libraries += 1
        elif status == "duplicate":
            self.duplicates += 1
        elif not row.get("verified", status == "ok") or time_us is None:
            self.untimed += 1
        else:
            if not (time_us > 0 and math.isfinite(time_us)):
                raise Refused(f"{name} on {self.name} takes {time_us} us")
            self.noisy += row.get("noisy", False)
            self.designs.append(Design(name, line, time_us, row["format_bytes"]))

    def keep_spread(self, most):
        """Keeps so many designs, two at least: the fastest, the slowest, and others at equal
        distances between them in the order of their times."""
        count = len(self.designs)
        if count <= most:
            return
        ordered = sorted(self.designs, key=lambda design: design.time_us)
        self.designs = [ordered[i * (count - 1) // (most - 1)] for i in range(most)]
        self.beyond_bound += count - most


class MeasuredTimes:
    """All of a file."""

    def __init__(self, file, content):
        self.file = file
        self.kind, self.device = one_of(content, "kind", "measured", "modelled"), content["device"]
        gpu = content["gpu"]  # of bench an object, of the suite a name
        self.gpu, of = (gpu, content) if isinstance(gpu, str) else (gpu["name"], gpu)
        self.version = of["version"]
        self.matrices = []


def one_of(json_object, key, first, second):
    word = json_object[key]
    if word not in (first, second):
        raise Refused(f'"{key}" is neither {first} nor {second}')
    return word


def matrix_of(row, regimes, name, designs, libraries):
    """`regimes` says type and caches; `name` and `designs` are keys of the row."""
    libraries = libraries.union(peer["name"] for peer in row.get("peers", []))
    matrix = Matrix(row[name], one_of(regimes, "dtype", "f32", "f64"),
                    one_of(regimes, "cache", "warm", "cold"),
                    {key: row["fingerprints"][key] for key in ("pattern", "values")})
    for design in row[designs]:
        matrix.add(design, libraries)
    return matrix


def parsed(file):
    def no_number(text):
        raise ValueError(text)

    try:
        with open(file, encoding="utf-8") as opened:
            return json.load(opened, parse_constant=no_number)
    except OSError:
        raise Refused(f"{file}: cannot be read")
    except (ValueError, RecursionError):
        raise Refused(f"{file}: is no JSON, or not whole; write it with alphasparse bench "
                      "MATRIX... --json, or bench_suite --json FILE")


def read(file, libraries):
    """The measured times of a file. `libraries` are names of designs that are a library's, beside
    those that the file says are."""
    content = parsed(file)
    try:
        if content["schema"] != SCHEMA:
            raise Refused(f"its schema is not {SCHEMA}, which this program reads")
        times = MeasuredTimes(file, content)
        if times.kind != "measured":
            raise Refused(f"its times are {times.kind}, by {times.device}; a model is compared "
                          "with times that are measured on a GPU")
        if "rows" in content:
            times.matrices = [matrix_of(row, row, "matrix", "outcomes", libraries)
                              for row in content["rows"]]
        else:
            times.matrices = [matrix_of(row, content, "name", "designs", libraries)
                              for row in content["matrices"]]
        return times
    except Refused as refused:
        raise Refused(f"{file}: {refused}")
    except (KeyError, TypeError, AttributeError) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else error
        raise Refused(f"{file}: is not what {WRITERS} prints ({why})")
