"""Kernels on a GPU, with fakes of NVIDIA's driver and compiler (gpu_arrays.py)."""

import ctypes
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix
from gpu_arrays import GpuArray, InterfaceArray, doubles, kernel, no_collection, wait  # noqa: F401
from test_own_order import MATRICES, own_kernel

import alphasparse


def first_device(doubles):
    """The handle of the first GPU."""
    device = ctypes.c_int()
    assert doubles.cuDeviceGet(ctypes.byref(device), 0) == 0
    return device


def test_products_are_queued_on_the_stream_of_their_arrays(kernel, matrix, wait):
    assert (kernel.device, kernel.shape, kernel.nnz) == ("cuda:0", matrix.shape, matrix.nnz)
    x = GpuArray(integers(200))
    y = kernel @ x
    assert np.isnan(y.host).all()  # nobody has waited
    wait()
    assert np.array_equal(y.host, matrix @ x.host)
    assert x.streams == [1] and y.streams == [1]  # the default one, by DLPack's number
    out = GpuArray(integers(300))
    expected = 2 * (matrix @ x.host) + 3 * out.host
    assert kernel.matvec(x, out=out, alpha=2, beta=3, stream=0x40) is out
    wait()
    assert np.array_equal(out.host, expected) and out.streams == [0x40]


@pytest.mark.parametrize("is_prepared", [True, False])
def test_the_first_product_stands_in_a_capture_where_its_stream_is_prepared(
    kernel, matrix, doubles, wait, is_prepared
):
    context, stream, graph, launched = (ctypes.c_void_p() for _ in range(4))
    assert doubles.cuDevicePrimaryCtxRetain(ctypes.byref(context), first_device(doubles)) == 0
    assert doubles.cuCtxSetCurrent(context) == 0
    assert doubles.cuStreamCreate(ctypes.byref(stream), 1) == 0
    x, out = GpuArray(integers(200)), GpuArray(np.zeros(300))
    if is_prepared:
        kernel.prepare(stream.value)
    assert doubles.cuStreamBeginCapture_v2(stream, 0) == 0
    if not is_prepared:
        with pytest.raises(alphasparse.DeviceError, match="cuMemAlloc"):
            kernel.matvec(x, out=out, stream=stream.value)
        assert doubles.cuStreamEndCapture(stream, ctypes.byref(graph)) == 901  # spoiled
        return
    kernel.matvec(x, out=out, stream=stream.value)
    assert doubles.cuStreamEndCapture(stream, ctypes.byref(graph)) == 0
    assert not out.host.any()  # recorded alone
    assert doubles.cuGraphInstantiateWithFlags(ctypes.byref(launched), graph, ctypes.c_ulonglong(0)) == 0
    assert doubles.cuGraphLaunch(launched, stream) == 0
    wait()
    assert np.array_equal(out.host, matrix @ x.host)
    assert doubles.cuGraphExecDestroy(launched) == doubles.cuGraphDestroy(graph) == 0


@pytest.mark.parametrize("variable, folder", [("CUDA_HOME", "lib64"), ("CONDA_PREFIX", "lib")])
def test_nvrtc_is_sought_where_the_program_seeks_it(tmp_path, monkeypatch, variable, folder):
    for name in ("ALPHASPARSE_LIBNVRTC", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    assert str(tmp_path / folder / "libnvrtc.so.13") in alphasparse._native.nvrtc_paths()


def test_alpha_0_reads_no_x(program, tmp_path, kernel, wait):
    narrow = alphasparse.load(
        emit(program, str(tmp_path), random_matrix(300, 200, 900, np.float32), "n",
             "--device", "emulated", "--design", "coo")
    )  # fmt: skip
    for one in (kernel, narrow):
        x = GpuArray(np.full(200, np.nan, one.dtype))
        out = GpuArray(integers(300, one.dtype))
        expected = 3 * out.host
        one.matvec(x, out=out, alpha=0, beta=3)
        fresh = one.matvec(x, alpha=0)
        wait()
        assert np.array_equal(out.host, expected) and not fresh.host.any()
        x.host[:] = 1
        again = one.matvec(x)
        wait()
        assert again.host.any()


def test_the_cuda_array_interface_is_taken_too(kernel, matrix, wait):
    x, out = InterfaceArray(integers(200), stream=2), InterfaceArray(np.zeros(300))
    kernel.matvec(x, out=out)
    wait()
    assert np.array_equal(out.host, matrix @ x.host)


def test_columns_and_gaps_are_gathered_on_the_device(kernel, matrix, wait):
    wide = np.stack([integers(200, seed=seed) for seed in range(3)], axis=1)
    for whole in (wide, np.asfortranarray(wide), wide * (2 - 1j), np.repeat(wide, 2, axis=1)[:, ::2],
                  wide[:, :1], wide[:, :0]):  # fmt: skip
        y = kernel @ GpuArray(whole)
        wait()
        assert y.dtype == whole.dtype and np.array_equal(y.host, matrix @ whole)
    for vector in (wide[:, 1], np.repeat(wide[:, 0], 3)[::3], (wide[:, 0] * 1j).imag):
        for array in (GpuArray, InterfaceArray):
            out = array(np.zeros(300))
            kernel.matvec(array(vector), out=out)
            wait()
            assert np.array_equal(out.host, matrix @ vector)


@pytest.mark.parametrize("widths, dtype", [((1, 2, 8), np.float64), ((4,), np.float32)])
def test_columns_are_tiles_of_the_widths(program, tmp_path, wait, widths, dtype):
    matrix = random_matrix(50, 60, 300, dtype)
    design = "compress | thread_cols lanes=8 | thread_total | warp_total | global_atomic | launch threads=64"
    for width in widths:
        words = ("--device", "emulated", "--vectors", str(width), "--design", design + " columns=4" * (width == 8))
        name = f"m_x{width}" if width > 1 else "m"
        emit(program, str(tmp_path), matrix, name, *words)
    kernel = alphasparse.load(tmp_path)
    assert kernel.vectors == widths and kernel.device == "cuda:0"
    kernel.prepare()
    other = matrix.copy()
    other.data = integers(matrix.nnz, dtype, seed=17)
    for expected in (matrix, other):
        kernel.update(expected.data)
        for columns in (0, 1, 3, 8, 11):
            wide = integers(60 * columns, dtype).reshape(60, columns)
            room = np.zeros((60, columns + 1), dtype)  # its rows break the alignment of loads
            room[:, 1:] = wide
            turn = np.array(2 - 1j, np.result_type(dtype, np.complex64))
            for x in (wide, np.asfortranarray(wide), room[:, 1:], np.repeat(wide, 2, axis=1)[:, ::2], wide * turn,
                      np.asfortranarray(wide * turn)):  # fmt: skip
                out = GpuArray(np.asarray(integers(50 * columns).reshape(50, columns), x.dtype))
                for place in (out, GpuArray(np.asfortranarray(out.host))):
                    right = 2 * (expected @ x) + 3 * place.host
                    assert kernel.matmat(GpuArray(x), place, alpha=2, beta=3) is place
                    wait()
                    assert np.array_equal(place.host, right)
                y, zero = kernel @ GpuArray(x), kernel.matmat(GpuArray(x * np.nan), alpha=0)
                wait()
                assert np.array_equal(y.host, expected @ x) and not zero.host.any()
        x = integers(60, dtype)
        y = kernel @ GpuArray(x)
        wait()
        assert np.array_equal(y.host, expected @ x)
    x, both = GpuArray(np.ones((60, 4), dtype)), np.zeros((120, 8), dtype)
    y = np.ones((50, 4), dtype)
    for kind, words, out in [(alphasparse.LayoutError, "written", InterfaceArray(y, read_only=True)),
                             (alphasparse.ShapeError, r"out has shape.*\(50, 4\)", GpuArray(y[:, :3]))]:  # fmt: skip
        with pytest.raises(kind, match=words):
            kernel.matmat(x, out)
    with pytest.raises(alphasparse.LayoutError, match="overlap"):
        kernel.matmat(GpuArray(both[:60]), GpuArray(both[59:109]))
    both[:60, :4] = integers(240).reshape(60, 4)
    kernel.matmat(GpuArray(both[:60, :4]), GpuArray(both[:50, 4:]))
    wait()
    assert np.array_equal(both[:50, 4:], other @ both[:60, :4])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_update_leaves_the_pads_of_wide_loads(program, tmp_path, wait, dtype):
    matrix = random_matrix(120, 90, 700, dtype, seed=13)
    design = ("compress | thread_cols lanes=4 | thread_pad multiple=4 | thread_total vector=4 | "
              "warp_total | global_store | launch threads=64")  # fmt: skip
    words = ("--device", "emulated", "--design", design)
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "w", *words))
    other = matrix.copy()
    other.data = integers(matrix.nnz, dtype, seed=17)
    x = GpuArray(integers(90, dtype))
    for expected in (matrix, other):
        kernel.update(expected.data)
        y = kernel @ x
        wait()
        assert np.array_equal(y.host, expected @ x.host)


@pytest.mark.parametrize("sign, kind", [(1, "symmetric"), (-1, "skew-symmetric")])
def test_the_transpose_of_a_matrix_with_mirror_images_follows_updates(program, tmp_path, wait, sign, kind):
    half = random_matrix(40, 40, 150, seed=5)
    matrix = (half + sign * half.T).tocsr()
    words = ("--device", "emulated", "--design")
    plain = alphasparse.load(emit(program, str(tmp_path), matrix, "p", *words, "csr-scalar"))
    design = "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic"
    triangle = alphasparse.load(
        emit(program, str(tmp_path), matrix, "t", *words, design + " | launch threads=256")
    )
    x = integers(40)
    for kernel in (plain, triangle):
        transpose, other = kernel.T, matrix.copy()
        assert transpose.path == kernel.path
        other.data = np.arange(kernel.nnz, dtype=float)
        if kernel is triangle:
            with pytest.raises(alphasparse.ValuesError, match=f"not {kind}"):
                kernel.update(other.data)
            other = 2 * matrix
        kernel.update(other.data)
        for one, expected in ((kernel, other @ x), (transpose, other.T @ x)):
            y = one @ GpuArray(x)
            wait()
            assert np.array_equal(y.host, expected)
        y = kernel.rmatvec(GpuArray(x * 1j))
        wait()
        assert np.array_equal(y.host, other.T @ (x * 1j))


def test_wrong_arguments_are_told(kernel):
    x, y = integers(200), integers(300)
    elsewhere = GpuArray(x)
    elsewhere.device = (2, 1)
    on_host = GpuArray(x)
    on_host.device = (1, 0)
    marked = GpuArray(x)
    marked.is_neg = lambda: True
    cases = [
        (alphasparse.DtypeError, r"resolve_neg\(\)", (marked, None)),
        (alphasparse.DeviceError, "does not lie on a GPU", (x, None)),
        (alphasparse.DeviceError, "does not lie on a GPU", (on_host, None)),
        (alphasparse.DeviceError, "cuda:1", (elsewhere, None)),
        (alphasparse.DeviceError, "CuPy and PyTorch", ([1.0], None)),
        (alphasparse.ShapeError, "shape", (GpuArray(x[1:]), None)),
        (alphasparse.DtypeError, "float32.*convert", (GpuArray(x.astype(np.float32)), None)),
        (alphasparse.DtypeError, "complex64.*convert", (GpuArray(x.astype(np.complex64)), None)),
        (alphasparse.DtypeError, "out is complex128", (GpuArray(x), GpuArray(y * 1j))),
        (alphasparse.DtypeError, "out is float64", (GpuArray(x * 1j), GpuArray(y))),
        (alphasparse.LayoutError, "copy it", (GpuArray(x[::-1]), None)),
        (alphasparse.LayoutError, "copy it", (InterfaceArray(np.broadcast_to(x[:1], 200)), None)),
        (alphasparse.LayoutError, "contiguous", (GpuArray(x), GpuArray(np.zeros(600)[::2]))),
        (alphasparse.LayoutError, "written", (GpuArray(x), InterfaceArray(y, read_only=True))),
        (alphasparse.LayoutError, "give out", (InterfaceArray(x), None)),
        (alphasparse.ShapeError, "shape", (GpuArray(np.zeros((200, 2))), None)),
    ]
    for kind, words, (one, out) in cases:
        with pytest.raises(kind, match=words) as told:
            kernel.matvec(one, out=out)
        assert "\n" not in str(told.value)
    with pytest.raises(alphasparse.LayoutError, match="overlap"):
        kernel.matvec(GpuArray(y[:200]), out=GpuArray(y))
    room = np.zeros(900)  # x has gaps, and out lies in them
    with pytest.raises(alphasparse.LayoutError, match="overlap"):
        kernel.matvec(GpuArray(room[::4][:200]), out=GpuArray(room[400:700]))
    with pytest.raises(alphasparse.ShapeError, match=r"\(200, k\)"):
        kernel.matmat(GpuArray(np.zeros((201, 2))))
    with pytest.raises(alphasparse.DeviceError, match="host"):
        kernel.aslinearoperator()


def test_a_kernel_of_another_format_is_refused(program, matrix, tmp_path):
    folder = str(tmp_path)
    path = emit(program, folder, matrix, "o", "--device", "emulated", "--design", "coo")
    text = (tmp_path / "o.kernel.cu").read_text()
    emit(program, folder, matrix, "o", "--device", "emulated", "--design", "csr-scalar")
    (tmp_path / "o.kernel.cu").write_text(text)
    with pytest.raises(alphasparse.FileError, match="kernel and format differ"):
        alphasparse.load(path)
    with pytest.raises(alphasparse.DeviceError, match="cuda:N"):
        alphasparse.load(path, device="cpu")


def test_a_missing_driver_is_told(kernel, monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so")
    with pytest.raises(alphasparse.DeviceError, match="no CUDA driver: .*/nowhere/libcuda.so"):
        alphasparse.load(kernel.path)


def test_a_kernel_that_does_not_compile_is_told(kernel, tmp_path):
    path = kernel.save(tmp_path)
    with open(tmp_path / "m.kernel.cu", "a") as file:
        file.write("\nno C++\n")
    with pytest.raises(alphasparse.CompileError, match="NVRTC 99.0 for sm_90: line [0-9]+: "):
        alphasparse.load(path)


def test_products_on_two_streams_have_memory_of_their_own(kernel, matrix, doubles):
    context, streams = ctypes.c_void_p(), [ctypes.c_void_p() for _ in range(2)]
    assert doubles.cuDevicePrimaryCtxRetain(ctypes.byref(context), first_device(doubles)) == 0
    assert doubles.cuCtxSetCurrent(context) == 0
    xs, outs = [GpuArray(integers(200, seed=seed)) for seed in (1, 2)], [GpuArray(np.zeros(300)) for _ in streams]
    for stream, x, out in zip(streams, xs, outs):
        assert doubles.cuStreamCreate(ctypes.byref(stream), 1) == 0
        kernel.matvec(x, out=out, stream=stream.value)
    assert not any(out.host.any() for out in outs)
    for stream, x, out in reversed([*zip(streams, xs, outs)]):
        assert doubles.cuStreamSynchronize(stream) == 0
        assert np.array_equal(out.host, matrix @ x.host)
        assert doubles.cuStreamDestroy_v2(stream) == 0


@pytest.mark.parametrize("fault, kind, words", [
    ("out_of_memory", alphasparse.HostError, r"cuda:0: a faked error \(cuMemAlloc "),
    ("illegal_address", alphasparse.MissingDeviceError, "cuda:0: .*this process has lost its CUDA context"),
])  # fmt: skip
def test_faults_of_the_gpu_are_told(kernel, fault, kind, words):
    """In a process of its own, for the context is lost."""
    names = "alphasparse, numpy as np, sys; sys.path.insert(0, sys.argv[1]); from test_cuda import GpuArray"
    script = f"""
import {names}
try:
    kernel, x = alphasparse.load(sys.argv[2]), GpuArray(np.ones(200))
    for _ in range(3):
        y = kernel @ x
        kernel.update(np.ones(kernel.nnz))
except alphasparse.{kind.__name__} as error:
    print(error)
"""
    told = run(script, kernel.path, FAKE_GPU_FAULTS=f"{fault}:m.kernel")
    assert re.match(words, told), told


def test_forks_and_the_end_of_the_interpreter_break_no_rule_of_the_driver(kernel, tmp_path):
    script = """
import alphasparse, ctypes, numpy as np, os, sys; sys.path.insert(0, sys.argv[1]); from test_cuda import GpuArray
kernel, other = alphasparse.load(sys.argv[2]), alphasparse.load(sys.argv[2])
wait, x = ctypes.CDLL(os.environ["ALPHASPARSE_LIBCUDA"]).cuStreamSynchronize, GpuArray(np.ones(200))
y = kernel @ x
wait(None)
child = os.fork()
if child == 0:
    sys.exit(0)  # its interpreter ends as well
assert os.waitpid(child, 0)[1] == 0
again = other @ x
wait(None)
print(np.array_equal(y.host, again.host) and y.host.any())
"""
    assert run(script, kernel.path, FAKE_GPU_BROKEN=str(tmp_path / "broken")) == "True\n"
    assert not (tmp_path / "broken").exists()


@pytest.mark.parametrize("name", MATRICES)
def test_vectors_are_moved_to_an_own_order_on_their_streams(program, tmp_path, wait, name):
    matrix = MATRICES[name]
    kernel = own_kernel(program, tmp_path, matrix, "emulated")
    x, y = integers(matrix.shape[1], matrix.dtype), integers(matrix.shape[0], matrix.dtype)
    rows, columns = kernel.order
    kernel.prepare(0x40)
    turn = np.array(2 - 1j, x.dtype.char.upper())
    for vector in (x, x * turn, np.stack([x, 2 * x], axis=1), np.repeat(x, 2)[::2]):
        own_x = kernel.to_own(GpuArray(vector))
        own_y = kernel.own @ own_x
        outcomes = [kernel @ GpuArray(vector), kernel.from_own(own_y)]
        assert np.isnan(own_x.host).any()  # nobody has waited
        wait()
        assert np.array_equal(own_x.host, vector[columns])
        for outcome in outcomes:
            assert outcome.host.dtype == vector.dtype and np.array_equal(outcome.host, matrix @ vector)
    out, own_out, own_x, nans = map(GpuArray, (y.copy(), y[rows], x[columns], np.full_like(x, np.nan)))
    kernel.matvec(GpuArray(x), out=out, alpha=2, beta=3, stream=0x40)
    kernel.own.matvec(own_x, out=own_out, alpha=2, beta=3)
    zero = kernel.matvec(nans, alpha=0)
    wait()
    assert np.array_equal(out.host, 2 * (matrix @ x) + 3 * y) and np.array_equal(own_out.host, out.host[rows])
    assert not zero.host.any()
    other = matrix.copy()
    other.data = integers(matrix.nnz, matrix.dtype, seed=11)
    kernel.update(other.data)
    z = kernel @ GpuArray(x)
    wait()
    assert np.array_equal(z.host, other @ x)
    with pytest.raises(alphasparse.ShapeError, match="y has shape"):
        kernel.from_own(GpuArray(np.ones(matrix.shape[0] + 1, matrix.dtype)))


def test_vectors_of_the_given_order_are_copied(program, tmp_path, wait):
    kernel = own_kernel(program, tmp_path, MATRICES["square"], "emulated", order="given")
    x = GpuArray(integers(60))
    own = kernel.to_own(x)
    wait()
    assert kernel.order is None and own is not x and np.array_equal(own.host, x.host)


@pytest.mark.parametrize("matrix", [sp.csr_matrix((60, 60)), MATRICES["square"]], ids=["empty", "square"])
def test_a_kernel_that_goes_waits_for_its_products(program, tmp_path, matrix):
    """The code and the arrays of a product stay until it has run."""
    path = emit(program, str(tmp_path), matrix, "m", "--device", "emulated", "--design", "csr-scalar")
    script = """
import alphasparse, numpy as np, sys; sys.path.insert(0, sys.argv[1]); from test_cuda import GpuArray
kernel, x = alphasparse.load(sys.argv[2]), GpuArray(np.ones(60))
y = kernel @ x
del kernel
print(y.host.sum())
"""
    assert run(script, path, FAKE_GPU_BROKEN=str(tmp_path / "broken")) == f"{(matrix @ np.ones(60)).sum()}\n"
    assert not (tmp_path / "broken").exists()


def run(script, path, **variables):
    """The output of a script in another process, which has no words of errors."""
    words = [sys.executable, "-c", script, os.path.dirname(__file__), path]
    done = subprocess.run(words, env={**os.environ, **variables}, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout
