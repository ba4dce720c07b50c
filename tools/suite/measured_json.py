"""measured_json: reads the JSON of bench, bench_suite and compare_model.

A measured time and a modelled one belong together where matrix, type, caches and the design's text
are the same. `read` sorts files by their own words: times that a GPU took, times that the emulator
modelled, and counts, from which times are modelled with any constants.
"""

import math
from collections import defaultdict
from typing import NamedTuple

import measured_times
from laboratory import SCHEMA, Refused

WRITERS = "alphasparse bench --json, bench_suite --json or compare_model --json"


class Key(NamedTuple):
    """The subject of a time. The same matrix has other values in another type."""
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


def _add_timed(file, content, inputs, repeated):
    times = measured_times.of_content(file, content)
    if times.kind == "measured":
        inputs.measured_by.add(f"{times.device} ({times.gpu}), {times.version}")
    else:
        inputs.models.add((times.gpu, times.version))
    for matrix in times.matrices:
        for design in matrix.designs:
            key = Key(**matrix.fingerprints, dtype=matrix.dtype, cache=matrix.cache,
                      design=design.line)
            if times.kind == "modelled":
                inputs.modelled[key] = design.time_us
                continue
            before = inputs.measured.get(key)
            name = before.name if before and before.name != key.design else design.name
            inputs.measured[key] = Entry(matrix.name, name, design.time_us)
            repeated[key].append(design.time_us)


def _add_counted(content, inputs):
    model = content["modelled"]
    if inputs.model and inputs.model["l1_shares"] != model["l1_shares"]:
        raise ValueError("its counts were taken with other shares of L1 than those before")
    inputs.model = model
    inputs.models.add((model["gpu_name"], model["version"]))
    for matrix in content["matrices"]:
        for row in matrix["designs"]:
            key = Key(**matrix["fingerprints"], dtype=matrix["dtype"], cache=matrix["cache"],
                      design=row["design"])
            inputs.counted[key] = Counted(row["works"], row["assumed_us"])


def _content(file):
    content = measured_times.parsed(file)
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
                _add_timed(file, content, inputs, repeated)
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
