"""measured_json: reads the JSON of bench, bench_suite and compare_model.

A measured time and a modelled one belong together where matrix, type, caches and the design's text
are the same. `read` sorts files by what they say of themselves: times that a GPU took, times that
the emulator modelled, and counts, from which times are modelled with any constants.
"""

import json
import math
from collections import defaultdict
from typing import NamedTuple

from laboratory import SCHEMA, Refused

WRITERS = "alphasparse bench --json, bench_suite --json or compare_model --json"


class Key(NamedTuple):
    """What was timed. The same matrix has other values in another type."""
    pattern: str
    values: str
    dtype: str
    cache: str
    design: str


class Entry(NamedTuple):
    matrix: str
    name: str
    time_us: float


class Counted(NamedTuple):
    works: list  # a list a share of L1, of the launches' counts
    assumed_us: float


class Inputs:
    """Everything that the files say."""

    def __init__(self):
        self.measured = {}  # Key -> Entry
        self.modelled = {}  # Key -> time in us
        self.counted = {}  # Key -> Counted
        self.models = set()  # (GPU's full name, version of the models)
        self.model = None  # of the counts: their table, constants and shares of L1
        self.measured_by = set()  # words
        self.files = 0


def _time(row):
    """A design's own time, or None: it failed, or shares the kernel of another."""
    time_us = row.get("time_us")
    if row["status"] != "ok" or not row.get("verified", True) or time_us is None:
        return None
    if not math.isfinite(time_us) or time_us <= 0:
        raise ValueError(f"{row['design']} takes {time_us} us")
    return time_us


def _keyed(matrix, regimes, rows):
    prints = matrix["fingerprints"]
    for row in rows:
        yield row, Key(prints["pattern"], prints["values"], regimes["dtype"], regimes["cache"],
                       row["design"])


def _timed_rows(content):
    """Of bench or the suite: (matrix' name, row, key, time) of every design with a time."""
    if "rows" in content:
        matrices = [(row["matrix"], row, row, row["outcomes"]) for row in content["rows"]]
    else:
        matrices = [(matrix["name"], matrix, content, matrix["designs"])
                    for matrix in content["matrices"]]
    for name, matrix, regimes, rows in matrices:
        peers = {peer["name"] for peer in matrix.get("peers", [])}
        for row, key in _keyed(matrix, regimes, rows):
            time_us = _time(row)
            if time_us is not None and row["design"] not in peers:
                yield name, row, key, time_us


def _gpu(content):
    """The suite tells the GPU's name where bench has an object."""
    gpu = content["gpu"]
    return (gpu, content["version"]) if isinstance(gpu, str) else (gpu["name"], gpu["version"])


def _add_timed(content, inputs, repeated):
    is_measured = content["kind"] == "measured"
    if not is_measured and content["kind"] != "modelled":
        raise ValueError(f"its kind is {content['kind']}")
    gpu, version = _gpu(content)
    if is_measured:
        inputs.measured_by.add(f"{content['device']} ({gpu}), {version}")
    else:
        inputs.models.add((gpu, version))
    for matrix, row, key, time_us in _timed_rows(content):
        if not is_measured:
            inputs.modelled[key] = time_us
            continue
        name = row.get("name", key.design)
        before = inputs.measured.get(key)
        if before and before.name != key.design:
            name = before.name
        inputs.measured[key] = Entry(matrix, name, time_us)
        repeated[key].append(time_us)


def _add_counted(content, inputs):
    model = content["modelled"]
    if inputs.model and inputs.model["l1_shares"] != model["l1_shares"]:
        raise ValueError("its counts were taken with other shares of L1 than those before")
    inputs.model = model
    inputs.models.add((model["gpu_name"], model["version"]))
    for matrix in content["matrices"]:
        for row, key in _keyed(matrix, matrix, matrix["designs"]):
            inputs.counted[key] = Counted(row["works"], row["assumed_us"])


def _content(file):
    try:
        with open(file, encoding="utf-8") as opened:
            content = json.load(opened)
    except OSError as error:
        raise Refused(f"{file}: cannot be read ({error.strerror}); name a file of {WRITERS}")
    except ValueError:
        raise Refused(f"{file}: is no JSON, or not whole; name a file of {WRITERS}")
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise Refused(f"{file}: has no schema {SCHEMA}, as files of {WRITERS} have")
    return content


def read(files):
    """Inputs of all files. A design that was measured several times has the geometric mean."""
    inputs = Inputs()
    repeated = defaultdict(list)
    for file in files:
        content = _content(file)
        try:
            if "table" in content.get("modelled", {}):
                _add_counted(content, inputs)
            else:
                _add_timed(content, inputs, repeated)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            why = f"{error} is missing" if isinstance(error, KeyError) else error
            raise Refused(f"{file}: is not what {WRITERS} writes ({why})")
        if len(inputs.models) > 1:
            names = " and ".join(f"{gpu}, {version}" for gpu, version in sorted(inputs.models))
            raise Refused(f"{file}: mixes times of two models ({names}); name files of one")
        inputs.files += 1
    for key, times in repeated.items():
        mean = math.exp(sum(map(math.log, times)) / len(times))
        inputs.measured[key] = inputs.measured[key]._replace(time_us=mean)
    return inputs
