#!/usr/bin/env python3
"""decode_format: a format file back to its matrix, by the documented layout alone.

Usage: decode_format.py FILE...

For each file prints "rows cols nnz", then "row col value" for each non-zero in canonical order. It
shares no code with alphasparse: the file's layout is that of runtime/formats/format_file.h, and how a
design's arrays lie is known here by the design's operators. The matrix is decoded twice, from the arrays that kernels
read and through the host-only tensors; if the two differ, or anything is not as documented, it says
so and exits with 1. For designs of which it knows no arrays it says so, and only the second counts.
Values that the format has rounded are printed as it has them.
"""
import array
import hashlib
import json
import sys

ELEMENTS = {"U8": "B", "U16": "H", "U32": "I", "I32": "i", "F32": "f", "F64": "d"}


def expect(condition, what):
    if not condition:
        raise SystemExit(f"decode_format: {what}")


def check_digests(file, header, metadata):
    """"structure" is of the tensors of integers, "checksum" of all else (runtime/formats/format_file.h)."""
    end = 8 + int.from_bytes(file[:8], "little")
    at = file.index(b'"checksum":"') + len('"checksum":"')
    checksum = hashlib.blake2b(file[:at] + b"0" * 64 + file[at + 64 : end], digest_size=32)
    structure = hashlib.blake2b(digest_size=32)
    for name, facts in header.items():
        is_value = facts["dtype"].startswith("F")
        if not is_value:
            structure.update(f"{name} {facts['dtype']} {facts['shape'][0]}\n".encode())
        first, last = facts["data_offsets"]
        (checksum if is_value else structure).update(file[end + first : end + last])
    expect(checksum.hexdigest() == metadata["checksum"], "the checksum is wrong")
    expect(structure.hexdigest() == metadata["structure"], "the digest of the structure is wrong")


def read(path):
    """The metadata and the tensors, as arrays by name."""
    file = open(path, "rb").read()
    length = int.from_bytes(file[:8], "little")
    expect(length % 8 == 0, "the header's length is no multiple of 8")
    header = json.loads(file[8 : 8 + length].decode("ascii"))
    metadata = header.pop("__metadata__")
    expect(metadata["format"] == "alphasparse-format", "not a format file of alphasparse")
    expect(metadata["version"] == "1", "an unknown version")
    check_digests(file, header, metadata)
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


def check_arrays(metadata, tensors):
    """Every array of the kernel is of the shape and kind that `arrays` promises."""
    expect(0 <= float(metadata["value_error"]) <= 1, "an impossible value_error")
    for facts in json.loads(metadata["arrays"]):
        entries = tensors[facts["name"]]
        expect(facts["shape"] == [len(entries)], f"{facts['name']} has another shape")
        if entries.typecode in "fd":
            is_widened = entries.typecode == "f" and metadata["dtype"] == "f64"
            is_whole = entries.typecode == {"f32": "f", "f64": "d"}[metadata["dtype"]]
            expect(is_whole or is_widened, f"{facts['name']} is wider than the values")
            expect(is_widened or not facts.get("rounded"), f"{facts['name']} cannot be rounded")


SIGNS = {"yes": 1, "negated": -1}  # of the mirror images of one triangle


def fill_images(row_first, col, values, sign):
    """One triangle is stored: where (i, j) has no value, (j, i) has it."""
    index = {(i, col[nz]): nz for i in range(len(row_first) - 1) for nz in range(*row_first[i : i + 2])}
    for (i, j), nz in index.items():
        if values[nz] is None:
            expect(i > j, f"the value of ({i}, {j}) is missing, above the diagonal")
            values[nz] = sign * values[index[j, i]]
        else:
            expect(i <= j, f"({i}, {j}) and its mirror image are both stored")


def mirrored(entries, sign):
    """The entries of one triangle, and the mirrored entry of each."""
    for row, column, value in entries:
        yield row, column, value
        if row != column:
            yield column, row, sign * value


def through_sources(metadata, tensors):
    """The matrix by the host-only tensors: (row, col, value) in canonical order."""
    row_first = tensors["canonical_row_first"]
    nnz = int(metadata["nnz"])
    rows = int(metadata["rows"])
    values = [None] * nnz
    for name, sources in tensors.items():
        if not name.endswith(".source"):
            continue
        array_name = name[: -len(".source")]
        for entry, source in zip(tensors[array_name], sources):
            expect(source >= 0 or entry == 0, "a pad is not 0")
            if source >= 0:
                values[source] = entry
        for nz, code in enumerate(tensors.get(array_name + ".code", ())):
            if code >= 0:
                expect(sources[code] >= 0, "a value is coded as a pad")
                values[nz] = tensors[array_name][code]
    if metadata["mirrored"] in SIGNS:
        fill_images(row_first, tensors["canonical_col"], values, SIGNS[metadata["mirrored"]])
    expect(None not in values, "a value is missing")
    return [
        (row, tensors["canonical_col"][nz], values[nz])
        for row in range(rows)
        for nz in range(row_first[row], row_first[row + 1])
    ]


class Arrays:
    """The arrays of a kernel by name, whether they are stored or computed."""

    def __init__(self, metadata, tensors):
        self.tensors = tensors
        self.computed = {facts["name"]: facts for facts in json.loads(metadata["computed"])}

    def __contains__(self, name):
        return name in self.tensors or name in self.computed

    def entry(self, name, i):
        if name in self.tensors:
            return self.tensors[name][i]
        return self.evaluate(self.computed[name]["entry"], i)

    def evaluate(self, expression, i):
        """A computed entry: a tree of lists, as in runtime/formats/expression_json.h."""
        if expression == "i":
            return i
        if not isinstance(expression, list):
            return expression
        kind, *parts = expression
        if kind == "[]":
            return self.entry(parts[0], self.evaluate(parts[1], i))
        if kind == "bits":
            return self.packed_bits(parts[0], *(self.evaluate(part, i) for part in parts[1:]))
        if kind == "fields":
            return self.packed_fields(parts[0], parts[1], self.evaluate(parts[2], i))
        if kind == "bytes":
            return self.packed_bytes(parts[0], *(self.evaluate(part, i) for part in parts[1:]))
        a, b = (self.evaluate(part, i) for part in parts[:2])
        if kind in ("<", "=="):
            return self.evaluate(parts[2 if (a < b if kind == "<" else a == b) else 3], i)
        if kind == "run":
            place = self.evaluate(parts[2], i)
            return b + bin(a & (2 << place) - 1).count("1") - 1
        expect(kind in "+*" or kind == "min" or (a >= 0 and b > 0), "a division of another kind")
        result = {"+": a + b, "*": a * b, "min": min(a, b)}
        return result[kind] if kind in result else a // b if kind == "/" else a % b

    def window(self, name, bit):
        """The 32 bits of an array of words from one bit on."""
        words = self.tensors[name]
        first, shift = divmod(bit, 32)
        return (words[first] | words[first + 1] << 32) >> shift & 0xFFFFFFFF

    def packed_bits(self, name, head, place):
        """A field where the head of its chunk says, which says too how wide it is."""
        cut = head % 32
        return self.window(name, (head - place * (32 - cut)) % 2**32) >> cut

    def packed_fields(self, name, width, place):
        """A field where all have as many bits."""
        return self.window(name, place * width) & (1 << width) - 1

    def packed_bytes(self, name, head, place):
        """A field of 1, 2 or 4 bytes, as the head of its chunk says; of none it is its place."""
        first, size = head // 4, (0, 1, 2, 4)[head % 4]
        if size == 0:
            return place
        word, byte = divmod(place * size, 4)
        return self.tensors[name][first + word] >> 8 * byte & (1 << 8 * size) - 1

    def stored(self):
        """Entries of the values, pads included."""
        if "value" in self.tensors:
            return len(self.tensors["value"])
        return self.computed["value"]["shape"][0]

    def row_of_y(self, row):
        """Rows that were sorted name their row of y."""
        return self.entry("row_origin", row) if "row_origin" in self else row

    def columns(self, unit, positions):
        """The columns of one thread's entries; steps are added up from its first column on."""
        if "column_step" not in self:
            return [self.entry("column", position) for position in positions]
        name = "row_first_column" if "row_first_column" in self else "thread_first_column"
        column = self.entry(name, unit)
        columns = []
        for position in positions:
            column += self.entry("column_step", position)
            columns.append(column)
        return columns

    def row_entries(self, row, positions):
        """The non-zeros at the positions of one row, which is not yet a row of y. Columns ascend:
        one that does not is a pad, and so is -1."""
        positions = list(positions)
        last = -1
        for position, column in zip(positions, self.columns(row, positions)):
            if column > last:
                yield self.row_of_y(row), self.column_of_x(column), self.entry("value", position)
                last = column

    def column_of_x(self, column):
        """Columns that were renumbered name their column of x."""
        return self.entry("gathered_column", column) if "gathered_column" in self else column


def csr(design, rows, arrays):
    """csr-scalar, csr-vector, merge-csr: row_first_nz [rows + 1], the positions of each row."""
    for row in range(rows):
        positions = range(arrays.entry("row_first_nz", row), arrays.entry("row_first_nz", row + 1))
        yield from arrays.row_entries(row, positions)


def padded_csr(design, rows, arrays):
    """csr-vector with wide loads: row_first_entry [rows + 1], multiples of so many entries."""
    multiple = int(design["thread_pad"]["multiple"])
    for row in range(rows):
        first, end = (arrays.entry("row_first_entry", row + i) for i in (0, 1))
        expect(first % multiple == 0 and end % multiple == 0, "a row begins at no multiple")
        yield from arrays.row_entries(row, range(first, end))


def stream(design, rows, arrays):
    """csr-stream: a thread has one non-zero; row_first_thread [rows + 1]."""
    for row in range(rows):
        first, end = (arrays.entry("row_first_thread", row + i) for i in (0, 1))
        yield from arrays.row_entries(row, range(first, end))


def coo(design, rows, arrays):
    """coo: a thread has one non-zero; thread_row [nnz] is its row of y."""
    for position in range(arrays.stored()):
        (column,) = arrays.columns(position, [position])
        row = arrays.entry("thread_row", position)
        yield row, arrays.column_of_x(column), arrays.entry("value", position)


def row_grouped(design, rows, arrays):
    """row-grouped-csr: a group of rows is a block's, from block_first_entry[b] on, its threads
    rounded up to whole warps."""
    group = int(design["block_rows"]["rows"])
    stride = (min(group, rows) + 31) // 32 * 32
    for row in range(rows):
        first = arrays.entry("block_first_entry", row // group) + row % group
        end = arrays.entry("block_first_entry", row // group + 1)
        yield from arrays.row_entries(row, range(first, end, stride))


def lane_positions(design, lane, first, end, lanes):
    """The positions of one lane of a transposed tile; neighbours stay together in runs."""
    run = int(design["interleave"].get("run", 1))
    starts = range(first + run * lane, end, run * lanes)
    return [start + k for start in starts for k in range(run)]


def ell(design, rows, arrays):
    """ell, ellpack-r: one tile of all rows; its columns begin at multiples of 32 positions; with
    length=own only the first row_length of a row are its own."""
    lanes = (rows + 31) // 32 * 32
    for row in range(rows):
        positions = lane_positions(design, row, 0, arrays.stored(), lanes)
        if design.get("thread_pad", {}).get("length") == "own":
            positions = positions[: arrays.entry("row_length", row)]
        yield from arrays.row_entries(row, positions)


def jds(design, rows, arrays):
    """jds: diagonal k begins at diagonal_first_entry[k] and has the k-th non-zero of each of the
    first rows, as many as it is long."""
    if design["interleave"].get("by") != "ragged":  # rows of equal length
        yield from ell(design, rows, arrays)
        return
    stored = arrays.stored()
    positions = [[] for row in range(rows)]
    first, diagonal = 0, 0
    while first < stored:
        diagonal += 1
        end = arrays.entry("diagonal_first_entry", diagonal)
        for row in range(end - first):
            positions[row].append(first + row)
        first = end
    for row in range(rows):
        yield from arrays.row_entries(row, positions[row])


def sell(design, rows, arrays):
    """sell-c-sigma: a slice of 32 rows is a warp's, from warp_first_entry[w] on; a lane reads every
    32nd position. The slice of a matrix of one row is called a row."""
    expect(design["warp_rows"]["rows"] == "32", "slices of other than 32 rows")
    first_entry = "warp_first_entry" if "warp_first_entry" in arrays else "row_first_entry"
    for row in range(rows):
        first = arrays.entry(first_entry, row // 32)
        end = arrays.entry(first_entry, row // 32 + 1)
        positions = lane_positions(design, row % 32, first, end, 32)
        if design.get("thread_pad", {}).get("length") == "own":
            positions = positions[: arrays.entry("row_length", row)]
        yield from arrays.row_entries(row, positions)


def diagonals(design, rows, arrays):
    """As sell, but each step is a diagonal with the column of the first lane; bit p % 32 of
    entry_bits[p / 32] says whether there is an entry at position p."""
    expect(design["warp_rows"]["rows"] == "32", "slices of other than 32 rows")
    first_entry = "warp_first_entry" if "warp_first_entry" in arrays else "row_first_entry"
    for row in range(rows):
        lane, end = row % 32, arrays.entry(first_entry, row // 32 + 1)
        for position in range(arrays.entry(first_entry, row // 32) + lane, end, 32):
            if arrays.entry("entry_bits", position // 32) >> position % 32 & 1:
                column = arrays.entry("diagonal_column", position // 32) + lane
                yield arrays.row_of_y(row), column, arrays.entry("value", position)


def csr5(design, rows, arrays):
    """csr5: a tile of 32 * items positions is a warp's, stored transposed. A set bit of bit_flag
    opens a segment; the segment's row is the tile's first row and its number, or its empty_offset
    where bit 31 of tile_ptr says that the tile has empty rows."""
    items = int(design["thread_nnz"]["nnz"])
    tile_size = 32 * items
    for tile in range(arrays.stored() // tile_size):
        tile_ptr = arrays.entry("tile_ptr", tile)
        first_row = tile_ptr & 0x7FFFFFFF
        segments = []  # the positions of each
        for thread in range(32):
            flags = arrays.entry("thread_word", tile * 32 + thread) & (1 << items) - 1
            first = tile * tile_size
            positions = lane_positions(design, thread, first, first + tile_size, 32)
            for item, position in enumerate(positions):
                if flags >> item & 1:
                    segments.append([])
                segments[-1].append(position)
        for segment, positions in enumerate(segments):
            offset = segment
            if tile_ptr >> 31:
                offset = arrays.entry(
                    "empty_offset", arrays.entry("empty_offset_first", tile) + segment
                )
            yield from arrays.row_entries(first_row + offset, positions)


# The operators of a design, in order, without those that change no layout -> its decoder.
DECODERS = {
    "compress thread_rows thread_total": csr,
    "compress thread_cols thread_total warp_total": csr,
    "compress thread_cols thread_pad thread_total warp_total": padded_csr,
    "compress block_merge_path thread_merge_path thread_merge shared_offset": csr,
    "compress block_rows thread_nnz thread_total shared_offset": stream,
    "compress thread_nnz thread_total": coo,
    "compress block_rows thread_rows thread_pad interleave thread_total": row_grouped,
    "compress thread_rows thread_pad interleave thread_total": ell,
    "compress thread_rows interleave thread_total": jds,
    "compress warp_rows thread_rows thread_pad interleave thread_total": sell,
    "compress warp_rows thread_rows warp_diagonals interleave thread_total": diagonals,
    "compress warp_nnz thread_nnz interleave thread_bitmap warp_segment": csr5,
}
SORTS = ("sort_rows", "sort_rows_in_bands", "reorder")  # named by row_origin
WIDTHS = ("block_pad", "warp_pad")  # seen in first_entry
SINKS = ("global_store", "global_add", "global_atomic", "global_carry")
NO_LAYOUT = SORTS + WIDTHS + SINKS + ("symmetric_half", "launch", "compact")


def operators(design):
    """The steps of a design text, {name: {parameter: value}}, in order; none where it has branches."""
    if "{" in design:
        return {}
    steps = [step.split() for step in design.split("|")]
    return {step[0]: dict(word.split("=", 1) for word in step[1:]) for step in steps}


def decode(path):
    metadata, tensors = read(path)
    check_arrays(metadata, tensors)
    matrix = through_sources(metadata, tensors)
    design = operators(metadata["design"])
    arrays = Arrays(metadata, tensors)
    decoder = DECODERS.get(" ".join(name for name in design if name not in NO_LAYOUT))
    if decoder:
        entries = decoder(design, int(metadata["rows"]), arrays)
        sign = SIGNS.get(metadata["mirrored"])
        decoded = sorted(mirrored(entries, sign) if sign else entries)
        expect(decoded == matrix, "the kernel's arrays and the host-only tensors differ")
    else:
        print("decode_format: no decoder for this design; sources only", file=sys.stderr)
    return metadata, matrix


def main():
    for path in sys.argv[1:]:
        metadata, matrix = decode(path)
        print(metadata["rows"], metadata["cols"], metadata["nnz"])
        for row, col, value in matrix:
            print(row, col, f"{value:.17g}")


if __name__ == "__main__":
    main()
