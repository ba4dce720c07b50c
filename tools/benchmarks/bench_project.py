#!/usr/bin/env python3
"""bench_project: the cost of many kernels in one CMake project, standalone ones beside ones that
share alphasparse_runtime.h.

    bench_project.py PROGRAM FOLDER [--kernels 30] [--target cpu|cuda] [--jobs N]

PROGRAM is alphasparse; FOLDER takes the projects. Kernels of six designs over the example matrices
are emitted in both forms. Each form is built and linked from nothing by the CMake function
alphasparse_add_kernel, both in one run of this script. It prints the processor's seconds of
both builds, the bytes of both programs and sources, and their ratios. Kernels for GPUs need nvcc,
and no GPU."""

from __future__ import annotations

import os
import re
import resource
import shutil
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../comparison"))

from laboratory import NO_DEVICE, Options, Refused, command_main, output_of  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MATRICES = ["1138_bus", "jagmesh7", "karate", "plskz362", "rajat19"]
DESIGNS = ["csr-scalar", "csr-vector", "sell-c-sigma", "ell", "merge-csr", "csr5"]
FORMS = ["standalone", "shared"]
LISTS = """cmake_minimum_required(VERSION 3.25)
project(kernels LANGUAGES CXX{language})
include("{root}/build/release/alphasparse-config.cmake")
add_executable(program main.cpp)
"""


def emit(program: str, folder: str, form: str, target: str, count: int) -> "list[str]":
    """Emits the kernels of one form; gives their names."""
    device = "cpu:2" if target == "cpu" else "emulated:h200"
    names = []
    for number in range(count):
        matrix = MATRICES[number % len(MATRICES)]
        design = DESIGNS[number // len(MATRICES) % len(DESIGNS)]
        name = f"k{number}_{matrix}"
        output_of([program, "emit", f"{ROOT}/examples/{matrix}.mtx.gz", "--design", design, "--device", device,
                   "--name", name, "--runtime", form, "-o", folder])  # fmt: skip
        names.append(name)
    return names


def write_project(folder: str, target: str, names: "list[str]") -> "list[str]":
    """The project of the kernels in a folder; gives their sources."""
    ending = ".cpu.cpp" if target == "cpu" else ".cu"
    sources = [os.path.join(folder, name + ending) for name in names]
    prefixes = []
    for name in names:
        with open(os.path.join(folder, name + (".cpu.h" if target == "cpu" else ".h"))) as header:
            prefixes.append(re.search(r"(\w+)_interface\(void\)", header.read())[1])
    with open(os.path.join(folder, "main.cpp"), "w") as file:
        file.write('#include "alphasparse_kernel.h"\n')
        for prefix in prefixes:
            file.write(f'extern "C" const alphasparse_kernel* {prefix}_interface(void);\n')
        calls = " + ".join(f"({prefix}_interface()->version != ALPHASPARSE_KERNEL_VERSION)" for prefix in prefixes)
        file.write(f"int main() {{ return {calls}; }}\n")
    with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
        file.write(LISTS.format(root=ROOT, language="" if target == "cpu" else " CUDA"))
        for source in sources:
            file.write(f'alphasparse_add_kernel(program "{source}")\n')
    return sources


def build(folder: str, target: str, jobs: int) -> "tuple[float, int]":
    """Seconds of the processor for a build from nothing, and the bytes of its program."""
    place = os.path.join(folder, "build")
    words = ["cmake", "-G", "Ninja", "-S", folder, "-B", place, "-DCMAKE_BUILD_TYPE=Release"]
    if target == "cuda":
        words += ["-DCMAKE_CUDA_COMPILER=" + nvcc(), "-DCMAKE_CUDA_ARCHITECTURES=90"]
    output_of(words)
    before = seconds_of_children()
    output_of(["cmake", "--build", place, "-j", str(jobs)])
    seconds = seconds_of_children() - before
    program = os.path.join(place, "program")
    if target == "cpu":
        output_of([program])
    output_of(["strip", program])
    return seconds, os.path.getsize(program)


def seconds_of_children() -> float:
    """Seconds of the processor that ended children took, which other programs hardly change."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def nvcc() -> str:
    found = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.access(found, os.X_OK):
        raise Refused("nvcc is missing: install CUDA's toolkit, or take --target cpu", NO_DEVICE)
    return found


def main() -> None:
    parser = Options(prog="bench_project", description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--kernels", type=int, default=30)
    parser.add_argument("--target", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    told = {}
    for form in FORMS:
        folder = os.path.join(os.path.abspath(asked.folder), f"{asked.target}-{form}")
        shutil.rmtree(folder, ignore_errors=True)
        names = emit(os.path.abspath(asked.program), folder, form, asked.target, asked.kernels)
        sources = write_project(folder, asked.target, names)
        header = os.path.join(folder, "alphasparse_runtime.h")
        bytes_of_text = sum(os.path.getsize(one) for one in sources + [header] if os.path.exists(one))
        told[form] = (*build(folder, asked.target, asked.jobs), bytes_of_text)
    print(f"{asked.kernels} kernels for {asked.target}, {asked.jobs} jobs")
    print(f"{'':<12}{'build s':>10}{'program kB':>12}{'sources kB':>12}")
    for form in FORMS:
        seconds, size, text = told[form]
        print(f"{form:<12}{seconds:>10.1f}{size / 1000:>12.0f}{text / 1000:>12.0f}")
    ratios = [of_shared / alone for of_shared, alone in zip(told["shared"], told["standalone"])]
    print(f"{'ratio':<12}{ratios[0]:>10.2f}{ratios[1]:>12.2f}{ratios[2]:>12.2f}")


if __name__ == "__main__":
    sys.exit(command_main("bench_project", main))
