#!/usr/bin/env python3
"""Measure a list of matrices on this CPU beside its baselines, and write README's table of them.

Each matrix is tuned in both types, by one thread and by all, with a database of its own. A ratio is
the median of a baseline over our median, as everywhere; in brackets its range (make_ratio in
tools/reports/ratios.h). The table begins with the losses. Results lie in the folder of --results, a
file a search: a run that was cut goes on from them, and the same call again writes the table anew.
"""

import argparse
import datetime
import json
import math
import pathlib
import statistics
import sys
import tempfile
import textwrap

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "tools/comparison"))

from laboratory import Options, Refused, WholeFile, command_main, output_of  # noqa: E402

BEGIN = "<!-- measured table: begin -->"
END = "<!-- measured table: end -->"
# The libraries' names in the JSON, and in the table.
LIBRARIES = {"MKL": "MKL", "Eigen": "Eigen", "OpenMP": "the loop"}
TYPES = ("f32", "f64")


# --- searches

class Search:
    """One matrix in one type on one device."""

    def __init__(self, file, dtype, device):
        self.file, self.dtype, self.device = file, dtype, device
        self.matrix = file.name.split(".")[0]
        self.column = dtype, device

    def result(self, options):
        """The result in tune's JSON: stored by an earlier call of this kind, or measured now."""
        device = self.device.replace(":", "-")
        stored = options.results / f"{self.matrix}.{self.dtype}.{device}.json"
        kind = {"time": options.time, "program": options.version}
        if stored.exists():
            content = json.loads(stored.read_text())
            if content["kind"] == kind:
                return content
        content = {"kind": kind, "date": datetime.date.today().isoformat(),
                   "result": self._tuned(options)}
        with WholeFile(str(stored)) as file:
            file.write_json(content)
        return content

    def _tuned(self, options):
        with tempfile.TemporaryDirectory() as folder:
            return json.loads(output_of(
                [options.program, "tune", self.file, "--device", self.device, "--dtype", self.dtype,
                 "--time", options.time, "--json", "--quiet", "--db", f"{folder}/tuning.db", "-o",
                 folder]))


def named_matrices(options):
    """The files of the list's matrices, and the names that have none."""
    names = [line.split()[0] for line in options.list.read_text().splitlines()
             if line.strip() and not line.startswith("#")]
    files, missing = [], []
    for name in names:
        found = [options.folder / (name + end) for end in (".mtx.gz", ".mtx")]
        found = [file for file in found if file.exists()]
        (files.append(found[0]) if found else missing.append(name))
    if not files:
        raise Refused(f"{options.folder}: holds none of the {len(names)} matrices of "
                      f"{options.list}")
    return files, missing


# --- ratios

class Ratio:
    """A baseline's time over ours: above 1 ours is faster."""

    def __init__(self, library, ours, theirs):
        self.library = library
        self.value = theirs["time_us"] / ours["time_us"]
        self.least = theirs["time_us_min"] / ours["time_us"]
        self.most = theirs["time_us"] / ours["time_us_min"]

    def text(self):
        text = f"{self.value:.2f} ({self.least:.2f}-{self.most:.2f}) {LIBRARIES[self.library]}"
        return f"**{text}**" if self.value < 1 else text


def ratios(result):
    """The ratio to the fastest algorithm of each library."""
    fastest = {}
    for peer in result["peers"]:
        if peer["status"] == "ok" and peer["verified"] and peer["library"] in LIBRARIES:
            known = fastest.get(peer["library"])
            if not known or peer["time_us"] < known["time_us"]:
                fastest[peer["library"]] = peer
    return {library: Ratio(library, result, peer) for library, peer in fastest.items()}


# --- the table

class Table:
    def __init__(self, contents, options, missing=(), failed=()):
        """`contents[matrix][type, device]` is a stored result."""
        self.options, self.missing, self.failed = options, missing, failed
        self.columns = [(dtype, device) for dtype in TYPES for device in options.devices]
        self.results = {matrix: {column: content["result"] for column, content in row.items()}
                        for matrix, row in contents.items()}
        self.dates = sorted({content["date"] for row in contents.values()
                             for content in row.values()})
        self.ratios = {matrix: {column: ratios(result) for column, result in row.items()}
                       for matrix, row in self.results.items()}

    def best(self, matrix, column):
        """The ratio to the fastest baseline; None where none was timed."""
        found = self.ratios[matrix][column].values()
        return min(found, key=lambda ratio: ratio.value, default=None)

    def _worst(self, matrix):
        found = [self.best(matrix, column) for column in self.columns]
        return min((ratio.value for ratio in found if ratio), default=math.inf)

    def _mean(self, column, ratio_of):
        found = [ratio_of(matrix, column) for matrix in self.results]
        values = [ratio.value for ratio in found if ratio]
        if not values:
            return "-"
        of = "" if len(values) == len(self.results) else f" of {len(values)}"
        return f"{statistics.geometric_mean(values):.2f}{of}"

    def _title(self, column):
        dtype, device = column
        threads = next(iter(self.results.values()))[column]["processor"]["threads"]
        return f"{dtype}, {threads} thread{'s' * (threads != 1)}"

    def rows(self):
        matrices = sorted(self.results, key=self._worst)
        yield ["matrix", *map(self._title, self.columns)]
        yield ["---"] * (1 + len(self.columns))
        for matrix in matrices:
            cells = [self.best(matrix, column) for column in self.columns]
            yield [matrix, *(ratio.text() if ratio else "-" for ratio in cells)]
        yield ["geometric mean", *(self._mean(column, self.best) for column in self.columns)]
        for library, name in LIBRARIES.items():
            yield [f"beside {name}", *(
                self._mean(column, lambda matrix, at: self.ratios[matrix][at].get(library))
                for column in self.columns)]

    def _all(self):
        return [result for row in self.results.values() for result in row.values()]

    def losses(self):
        bests = [self.best(matrix, column) for matrix in self.results for column in self.columns]
        return sum(1 for ratio in bests if ratio and ratio.value < 1), sum(map(bool, bests))

    def _baselines(self):
        """Present and missing ones, and those that some searches had no time for."""
        versions, missing = {}, {}
        for result in self._all():
            for peer in result["peers"]:
                if peer["library"] in LIBRARIES and peer["status"] == "ok":
                    versions[peer["library"]] = peer["version"]
            for each in result["baselines_missing"]:
                missing[each["library"]] = each["install"]
        named = [f"{LIBRARIES[library]} ({versions[library]})" if versions[library]
                 else LIBRARIES[library] for library in LIBRARIES if library in versions]
        lines = [f"Baselines: {', '.join(named) or 'none'}."]
        if missing:
            ways = [f"{library} ({install})" for library, install in sorted(missing.items())]
            lines.append(f"**Missing: {'; '.join(ways)}.**")
        never = [LIBRARIES[library] for library in LIBRARIES
                 if library not in versions and library not in missing]
        if never:
            lines.append(f"**Not tried: {', '.join(never)}.**")
        untried = sum(1 for result in self._all() if set(versions) - set(ratios(result)))
        if untried:
            lines.append(f"In {untried} of {len(self._all())} searches an installed baseline has "
                         "no time.")
        return lines

    def text(self):
        first = self._all()[0]
        lost, compared = self.losses()
        pays = [result["spmvs_to_pay"] for result in self._all() if result["spmvs_to_pay"]]
        dates = self.dates[0] if len(self.dates) == 1 else f"{self.dates[0]} to {self.dates[-1]}"
        lines = [f"Times measured on {first['processor']['name']}, {first['processor']['isa']}, "
                 f"{dates}, {self.options.version}, by `{self.options.command}`."]
        lines += self._baselines()
        for why, matrices in (("without a file", self.missing), ("with a failure", self.failed)):
            if matrices:
                lines.append(f"Matrices {why}: {', '.join(matrices)}.")
        lines += ["A cell tells how many times as fast as the fastest baseline our kernel is, by",
                  "medians; in brackets with the baseline's least time, and with ours.",
                  f"Losses come first: {lost} of {compared}.",
                  "`tools/suite/matrices.txt` names the origin of each matrix, and how to get it."]
        if pays:
            lines.append(f"A search of {self.options.time} has paid for itself after "
                         f"{statistics.median(pays):.0e} products (median of {len(pays)}).")
        table = "\n".join("| " + " | ".join(row) + " |" for row in self.rows())
        words = textwrap.fill(" ".join(lines), 100, break_long_words=False,
                              break_on_hyphens=False)
        return f"{words}\n\n{table}\n"


def with_table(readme, text, place):
    """The document with the text between its two marks."""
    begin, end = readme.find(BEGIN), readme.find(END)
    if begin < 0 or end < begin:
        raise Refused(f"{place}: has no lines {BEGIN} and {END}, between which the table goes")
    return readme[:begin + len(BEGIN)] + "\n" + text + readme[end:]


# --- the command

def parse():
    parser = Options(prog="measured_table", description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add, path = parser.add_argument, pathlib.Path
    add("folder", type=path, metavar="FOLDER", help="the folder of the matrices")
    add("--list", type=path, default=SOURCE / "tools/suite/matrices.txt", metavar="FILE",
        help="names of the matrices, a line each, with origins (tools/suite/matrices.txt)")
    add("--time", default="60s", help="of each search (60s)")
    add("--devices", default="cpu:1,cpu", type=lambda text: text.split(","), metavar="D,...",
        help="one thread and all threads (cpu:1,cpu)")
    add("--results", type=path, default=SOURCE / "build/measured", metavar="FOLDER",
        help="results that are kept (build/measured)")
    add("--program", default=str(SOURCE / "build/release/alphasparse"), metavar="FILE",
        help="alphasparse (build/release/alphasparse)")
    add("--document", type=path, default=SOURCE / "README.md", metavar="FILE",
        help="that the table is written into (README.md)")
    options = parser.parse_args()
    # Options that decide the times; no place of this machine.
    options.command = (f"tools/measured_table FOLDER --time {options.time} --devices "
                       f"{','.join(options.devices)}")
    return options


def run():
    options = parse()
    options.version = output_of([options.program, "--version"], "build it by tools/build").strip()
    readme = options.document.read_text()
    with_table(readme, "", options.document)  # before any work
    files, missing = named_matrices(options)
    options.results.mkdir(parents=True, exist_ok=True)
    contents, failed = {}, []
    searches = [Search(file, dtype, device) for file in files for dtype in TYPES
                for device in options.devices]
    for place, search in enumerate(searches, 1):
        print(f"{place} of {len(searches)}: {search.matrix} in {search.dtype} on {search.device}",
              file=sys.stderr, flush=True)
        try:
            contents.setdefault(search.matrix, {})[search.column] = search.result(options)
        except Refused as refused:
            failed.append(search.matrix)
            print(f"measured_table: {search.matrix}: {refused}", file=sys.stderr)
    whole = {matrix: row for matrix, row in contents.items() if matrix not in failed}
    if not whole:
        raise Refused("no matrix was measured whole")
    table = Table(whole, options, missing, sorted(set(failed)))
    with WholeFile(str(options.document)) as file:
        file.write(with_table(readme, table.text(), options.document))
    print(table.text(), end="")


if __name__ == "__main__":
    sys.exit(command_main("measured_table", run))
