"""Complex numbers on a GPU: complex vectors of real kernels, and kernels of complex numbers."""

import numpy as np
import pytest
from conftest import emit, integers, random_matrix
from gpu_arrays import GpuArray, InterfaceArray, doubles, kernel, no_collection, wait  # noqa: F401

import alphasparse


@pytest.mark.parametrize("array", [GpuArray, InterfaceArray])
def test_a_complex_x_is_computed_by_its_parts_on_the_device(kernel, matrix, wait, array):
    z = integers(200) + 1j * integers(200, seed=5)
    x, out = array(z.copy()), array(integers(300, seed=6) * (1 - 2j))
    expected = 2 * (matrix @ z) + 3 * out.host
    assert kernel.matvec(x, out=out, alpha=2, beta=3) is out
    assert not np.array_equal(out.host, expected)  # nobody has waited
    wait()
    assert np.array_equal(out.host, expected) and np.array_equal(x.host, z)


def test_complex_products_have_arrays_and_streams_of_their_library(kernel, matrix, wait):
    z = integers(200) + 1j * integers(200, seed=5)
    x = GpuArray(z)
    y = kernel @ x
    wait()
    assert type(y) is GpuArray and y.dtype == complex and np.array_equal(y.host, matrix @ z)
    out = GpuArray(np.zeros(300, complex))
    kernel.matvec(x, out=out, stream=0x40)
    wait()
    assert np.array_equal(out.host, matrix @ z) and x.streams[-1] == out.streams[-1] == 0x40


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_kernels_of_complex_numbers(program, tmp_path, wait, dtype):
    matrix = random_matrix(90, 60, 300, dtype)
    emit(program, str(tmp_path), matrix.T.tocsr(), "t", "--device", "emulated", "--design", "csr-vector")
    kernel = alphasparse.load(
        emit(program, str(tmp_path), matrix, "m", "--device", "emulated", "--design", "merge-csr")
    )
    x = GpuArray((integers(60) + 1j * integers(60, seed=5)).astype(dtype))
    out = GpuArray((integers(90) * (1 - 2j)).astype(dtype))
    expected = (2 - 1j) * (matrix @ x.host) + 3j * out.host
    assert kernel.matvec(x, out=out, alpha=2 - 1j, beta=3j) is out
    wait()
    assert kernel.dtype == dtype and np.array_equal(out.host, expected)
    turned, adjoint = kernel.T @ out, kernel.H.matvec(out, alpha=2 - 1j)
    wait()
    assert np.array_equal(turned.host, matrix.T @ out.host)
    assert np.array_equal(adjoint.host, (2 - 1j) * (matrix.conj().T @ out.host))
    with pytest.raises(alphasparse.DtypeError, match="leave out stream"):
        kernel.H.matvec(out, stream=0x40)
    with pytest.raises(alphasparse.LayoutError, match="beta wants an out"):
        kernel.H.matvec(out, beta=1j)
    with pytest.raises(alphasparse.DtypeError, match="has no conj"):
        kernel.H @ InterfaceArray(out.host)
    kernel.update(1j * matrix.data)
    again = kernel @ x
    wait()
    assert again.dtype == dtype and np.array_equal(again.host, 1j * (matrix @ x.host))
    odd = np.zeros(61 * x.dtype.itemsize, np.uint8)[x.dtype.itemsize // 2 :][: 60 * x.dtype.itemsize]
    with pytest.raises(alphasparse.LayoutError, match="x is not aligned to its numbers"):
        kernel @ InterfaceArray(odd.view(dtype))


def test_one_triangle_of_a_hermitian_matrix(program, tmp_path, wait):
    matrix = random_matrix(60, 60, 300, complex)
    matrix = (matrix + matrix.conj().T).tocsr()
    half = "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch threads=32"
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", "--device", "emulated", "--design", half))
    x = GpuArray(integers(60) + 1j * integers(60, seed=5))
    y = kernel @ x
    wait()
    assert np.array_equal(y.host, matrix @ x.host) and np.array_equal(kernel.values(), matrix.data)
    with pytest.raises(alphasparse.ValuesError, match="not Hermitian"):
        kernel.update(1j * matrix.data)
    kernel.update(2 * matrix.data)
    y = kernel @ x
    wait()
    assert np.array_equal(y.host, 2 * (matrix @ x.host))


def test_complex_float32(program, tmp_path, wait):
    matrix = random_matrix(50, 60, 300, np.float32)
    words = ("--device", "emulated", "--design", "csr-scalar")
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "c", *words))
    z = (integers(60) + 1j * integers(60, seed=5)).astype(np.complex64)
    y = kernel @ GpuArray(z)
    wait()
    assert y.dtype == np.complex64 and np.array_equal(y.host, matrix @ z)
    with pytest.raises(alphasparse.DtypeError, match="complex128.*convert"):
        kernel @ GpuArray(z.astype(complex))
