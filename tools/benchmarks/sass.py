"""sass: the machine code of kernels as nvdisasm prints it, and the facts of their loads in it.

A GPU issues the instructions of a thread in their order and waits at the first one that reads the
result of a load which is not there yet. So the loads between two such waits are in flight together:

  LDG R2, [R4]   LDG R3, [R6]   LDG R8, [R4+4]   FFMA R9, R2, R3, R9   FFMA R9, R8, R5, R9

waits once, behind three loads: [3]. Loads that were issued ahead of a wait count as arrived with
it, as memory answers about in order.
"""

import re
from typing import NamedTuple

INSTRUCTION = re.compile(r"/\*([0-9a-fA-F]+)\*/\s*(?:@\S+\s+)?([^\s;]+)\s*([^;]*)")
# R4 of "-R4.reuse", R2 and R3 of "desc[UR4][R2.64+0x8]"; none of "UR4", "RZ" or "c[0x0][0x210]".
REGISTER = re.compile(r"(?<![A-Za-z0-9_])R(\d+)(\.64)?")
DOUBLE = ("DFMA", "DADD", "DMUL", "DSETP")
STORES = ("STG", "ST", "STS", "STL", "RED")
READERS = STORES + ("R2P", "R2UR", "BRX", "JMX", "BAR", "CCTL")


class Registers(NamedTuple):
    """Registers first, first + 1, ... that an operand names."""
    first: int
    count: int
    operand: int  # which one, from 0

    def numbers(self):
        return range(self.first, self.first + self.count)


class Instruction:
    def __init__(self, address, opcode, operands):
        self.address = address
        self.opcode = opcode  # with its suffixes: "LDG.E.64.CONSTANT"
        self.name, *self.suffixes = opcode.split(".")
        self.written, self.read = [], []  # general registers; at most one operand is written
        self.target = None  # of a branch to a label: its address
        self._add(operands)

    def is_(self, *names):
        """Whether the opcode is one of the names, with or without suffixes."""
        return any((self.opcode + ".").startswith(name + ".") for name in names)

    @property
    def loads_globally(self):
        return self.is_("LDG", "LD")

    def _moved(self):
        """Registers of the value that a memory instruction moves."""
        return 4 if "128" in self.suffixes else 2 if "64" in self.suffixes else 1

    def _result(self):
        """Registers that the first one named stands for, where it is the result."""
        if self.loads_globally or self.is_("LDS", "LDL", "LDC"):
            return self._moved()
        from_integer = self.is_("I2F") and "F64" in self.suffixes
        to_double = self.is_("F2F") and self.suffixes[:1] == ["F64"]
        wide = self.is_(*DOUBLE) or "WIDE" in self.suffixes or from_integer or to_double
        return 2 if wide else 1

    def _add(self, operands):
        # The result is a predicate, or there is none: every register is read.
        result_is_known = self.is_(*READERS) or self.name.endswith("SETP")
        for index, operand in enumerate(operands.split(",")):
            operand = operand.strip()
            is_memory = "[" in operand
            for number, wide in REGISTER.findall(operand):
                count = 2 if wide else 1
                if not result_is_known and not is_memory:
                    self.written.append(Registers(int(number), self._result(), index))
                    result_is_known = True
                    continue
                if self.is_(*DOUBLE):
                    count = 2
                if self.is_(*STORES) and not is_memory:
                    count = self._moved()
                self.read.append(Registers(int(number), count, index))
            result_is_known = result_is_known or operand.startswith("RZ")
        # The addend of a wide product has two registers, as its result.
        if "WIDE" in self.suffixes and len(self.read) > 1:
            self.read[-1] = self.read[-1]._replace(count=2)


class Kernel:
    def __init__(self, name):
        self.name, self.instructions = name, []


def parse(text):
    """The kernels in nvdisasm's output for a cubin, in its order."""
    kernels, places, branches, labels = [], {}, [], []

    def end_kernel():
        for instruction, label in branches:
            instruction.target = places.get(label)
        for each in (places, branches, labels):
            each.clear()

    for line in map(str.strip, text.splitlines()):
        if line.startswith(".text.") and line.endswith(":"):
            end_kernel()
            kernels.append(Kernel(line[6:-1]))
        elif not kernels:
            continue
        elif line.endswith(":"):
            labels.append(line[:-1])
        elif found := INSTRUCTION.match(line):
            address, opcode, operands = found.groups()
            instruction = Instruction(int(address, 16), opcode, operands)
            places.update(dict.fromkeys(labels, instruction.address))
            labels.clear()
            label = re.search(r"`\(([^)]*)\)", line)
            if instruction.is_("BRA") and label:
                branches.append((instruction, label[1]))
            kernels[-1].instructions.append(instruction)
    end_kernel()
    return kernels


class Range(NamedTuple):
    """The instructions [first, end) of a kernel."""
    first: int
    end: int
    repeats: bool = False  # a loop


def main_loop(kernel):
    """The loop that loads most, among the backward branches without another such loop inside; the
    whole kernel where no loop loads."""
    code = kernel.instructions

    def loads(loop):
        return sum(one.loads_globally for one in code[loop.first:loop.end])

    def is_inside(inner, outer):
        return inner != outer and outer.first <= inner.first and inner.end <= outer.end

    loading = []
    for at, branch in enumerate(code):
        if branch.target is None:
            continue
        first = next((i for i, one in enumerate(code) if one.address >= branch.target), len(code))
        loop = Range(first, at + 1, True)
        if first <= at and loads(loop):
            loading.append(loop)
    innermost = [loop for loop in loading if not any(is_inside(other, loop) for other in loading)]
    return max(innermost, key=loads, default=Range(0, len(code)))


class Loads:
    """How a range loads. Branches inside are not followed: every instruction counts as executed
    once, in the order of the text."""

    def __init__(self):
        self.instructions = 0
        self.loads = 0  # from global memory, of any width
        self.constant_loads = 0  # of these, by the read-only path: LDG.CONSTANT
        self.local_accesses = 0  # spills and arrays of a thread: LDL and STL
        # Products: FFMA and DFMA of which a factor is a loaded value, FMUL and DMUL of two. A moved
        # or converted value is the same value.
        self.nonzeros = 0
        self.in_flight = []  # loads issued up to each wait; a loop's in its steady state
        self.ahead_of_the_product = 0  # loads issued before the first product, from the top


class LoadWalk:
    """The known state of registers while a range is walked through."""

    def __init__(self):
        self._issued = 0  # loads since the last wait
        self._outstanding = set()  # registers that these will write
        self._loaded = set()  # registers that hold a loaded value

    def step(self, one, counted):
        # An instruction that writes where a load will write waits too.
        if any(self._any(self._outstanding, each) for each in one.read + one.written):
            counted.in_flight.append(self._issued)
            self._issued = 0
            self._outstanding.clear()
        if self._is_product(one):
            if not counted.nonzeros:
                counted.ahead_of_the_product = counted.loads
            counted.nonzeros += 1
        counted.instructions += 1
        counted.local_accesses += one.is_("LDL", "STL")
        if one.loads_globally:
            counted.loads += 1
            self._issued += 1
            counted.constant_loads += "CONSTANT" in one.suffixes
        self._write(one)

    @staticmethod
    def _any(registers, named):
        return not registers.isdisjoint(named.numbers())

    def _is_product(self, one):
        # Operands 1 and 2, which follow the result, are the factors.
        factors = sum(each.operand <= 2 and self._any(self._loaded, each) for each in one.read)
        if one.is_("FFMA", "DFMA"):
            return factors > 0
        return one.is_("FMUL", "DMUL") and factors == 2

    def _write(self, one):
        keeps_value = (one.is_("MOV", "IMAD.MOV", "F2F", "SEL", "FSEL") and
                       any(self._any(self._loaded, each) for each in one.read))
        holds_loaded = one.loads_globally or one.is_("LDS") or keeps_value
        for written in one.written:
            self._loaded.difference_update(written.numbers())
            if holds_loaded:
                self._loaded.update(written.numbers())
            if one.loads_globally:
                self._outstanding.update(written.numbers())


def loads_of(kernel, range_):
    walk = LoadWalk()
    for _ in range(2 if range_.repeats else 1):
        counted = Loads()
        for one in kernel.instructions[range_.first:range_.end]:
            walk.step(one, counted)
    return counted
