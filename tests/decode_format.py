#!/usr/bin/env python3
"""decode_format: a format file back to its matrix, by the documented layout alone.

Usage: decode_format.py FILE

Prints "rows cols nnz", then "row col value" for each non-zero in canonical order. It shares no code
with alphasparse: the file's layout is that of runtime/format_file.h, and how a design's arrays lie
is known here by the design's operators. The matrix is decoded twice, from the arrays that kernels
read and through the host-only tensors; if the two differ, or anything is not as documented, it says
so and exits with 1. For designs of which it knows no arrays it says so, and the second alone counts.
"""
import array
import json
import sys

ELEMENTS = {"U8": "B", "U16": "H", "U32": "I", "I32": "i", "F32": "f", "F64": "d"}


def expect(condition, what):
    if not condition:
        raise SystemExit(f"decode_format: {what}")


def fnv1a(data):
    state = 0xCBF29CE484222325
    for byte in data:
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{state:016x}"


def check_checksum(file, digits):
    at = file.index(b'"checksum":"' + digits.encode()) + len('"checksum":"')
    expect(fnv1a(file[:at] + b"0" * 16 + file[at + 16 :]) == digits, "the checksum is wrong")


def read(path):
    """The metadata and the tensors, as arrays by name."""
    file = open(path, "rb").read()
    length = int.from_bytes(file[:8], "little")
    expect(length % 8 == 0, "the header's length is no multiple of 8")
    header = json.loads(file[8 : 8 + length].decode("ascii"))
    metadata = header.pop("__metadata__")
    expect(metadata["format"] == "alphasparse-format", "not a format file of alphasparse")
    expect(metadata["version"] == "1", "an unknown version")
    check_checksum(file, metadata["checksum"])
    data = file[8 + length :]
    tensors = {}
    end = 0
    last_size = 8
    for name, facts in header.items():
        entries = array.array(ELEMENTS[facts["dtype"]])
        expect(facts["data_offsets"][0] == end, f"{name} does not start where the last one ends")
        expect(entries.itemsize <= last_size, f"{name} is wider than the tensor before it")
        end = facts["data_offsets"][1]
        last_size = entries.itemsize
        entries.frombytes(data[facts["data_offsets"][0] : end])
        expect(facts["shape"] == [len(entries)], f"{name} has another shape")
        tensors[name] = entries
    expect(end == len(data), "the last tensor does not end with the file")
    return metadata, tensors


def check_ranges(metadata, tensors):
    """Every array of the kernel keeps what `arrays` promises of it."""
    for facts in json.loads(metadata["arrays"]):
        entries = tensors[facts["name"]]
        expect(facts["shape"] == [len(entries)], f"{facts['name']} has another shape")
        if entries.typecode in "fd":
            continue
        inside = all(facts["least"] <= entry <= facts["most"] for entry in entries)
        expect(inside, f"{facts['name']} leaves its range")
        ascends = all(a <= b for a, b in zip(entries, entries[1:]))
        expect(ascends or not facts["ascending"], f"{facts['name']} does not ascend")


def through_sources(metadata, tensors):
    """The matrix by the host-only tensors: (row, col, value) in canonical order."""
    row_first = tensors["canonical_row_first"]
    nnz = int(metadata["nnz"])
    rows = int(metadata["rows"])
    values = [None] * nnz
    for name, sources in tensors.items():
        if not name.endswith(".source"):
            continue
        for entry, source in zip(tensors[name[: -len(".source")]], sources):
            expect(source >= 0 or entry == 0, "a pad is not 0")
            if source >= 0:
                values[source] = entry
    expect(None not in values, "a value is missing")
    return [
        (row, tensors["canonical_col"][nz], values[nz])
        for row in range(rows)
        for nz in range(row_first[row], row_first[row + 1])
    ]


def csr_scalar(metadata, tensors):
    """row_first_nz [rows + 1], column [nnz] and value [nnz], row by row."""
    row_first = tensors["row_first_nz"]
    return [
        (row, tensors["column"][nz], tensors["value"][nz])
        for row in range(int(metadata["rows"]))
        for nz in range(row_first[row], row_first[row + 1])
    ]


# Operators of a design (its names in order, launch and the passes left out) -> the arrays that its
# decoder takes, and the decoder.
DECODERS = {
    "compress thread_rows thread_total global_store": (
        ("row_first_nz", "column", "value"),
        csr_scalar,
    ),
}


def operators(design):
    names = [step.split()[0] for step in design.split("|")]
    return " ".join(name for name in names if name not in ("launch", "compact"))


def decode(path):
    metadata, tensors = read(path)
    check_ranges(metadata, tensors)
    matrix = through_sources(metadata, tensors)
    arrays, decoder = DECODERS.get(operators(metadata["design"]), ((), None))
    if decoder and all(name in tensors for name in arrays):
        expect(sorted(decoder(metadata, tensors)) == matrix, "the kernel's arrays differ")
    else:
        print("decode_format: no decoder for these arrays; sources only", file=sys.stderr)
    return metadata, matrix


def main():
    metadata, matrix = decode(sys.argv[1])
    print(metadata["rows"], metadata["cols"], metadata["nnz"])
    for row, col, value in matrix:
        print(row, col, f"{value:.17g}")


if __name__ == "__main__":
    main()
