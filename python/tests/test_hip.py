"""Kernels on a GPU of AMD, with fakes of its driver and compiler: FAKE_HIP and FAKE_HIPRTC."""

import ctypes
import os

import numpy as np
import pytest
from conftest import emit, integers
from gpu_arrays import GpuArray, no_collection  # noqa: F401

import alphasparse


class RocmArray(GpuArray):
    device = (10, 0)  # kDLROCM, the first

    def __array_namespace__(self):
        return RocmNamespace


class RocmNamespace:
    @staticmethod
    def empty(shape, dtype):
        return RocmArray(np.full(shape, np.nan, dtype))


@pytest.fixture(scope="module", autouse=True)
def hip():
    """The fake of the driver; nothing that was queued has run before it is waited for."""
    names = {"ALPHASPARSE_LIBAMDHIP64": "FAKE_HIP", "ALPHASPARSE_LIBHIPRTC": "FAKE_HIPRTC"}
    if not all(os.environ.get(fake) for fake in names.values()):
        pytest.skip("FAKE_HIP and FAKE_HIPRTC name no doubles of AMD's libraries")
    os.environ.update({name: os.environ[fake] for name, fake in names.items()})
    yield ctypes.CDLL(os.environ["FAKE_HIP"])
    for name in names:
        del os.environ[name]


def emitted(program, folder, matrix, *words):
    return emit(program, str(folder), matrix, "m", "--device", "emulated:mi250x", *words)


def test_products_are_queued_on_the_stream_of_their_arrays(program, matrix, tmp_path, hip):
    kernel = alphasparse.load(emitted(program, tmp_path, matrix, "--design", "merge-csr"))
    assert kernel.device == "hip:0"
    x = RocmArray(integers(200))
    y = kernel @ x
    assert np.isnan(y.host).all()  # nobody has waited
    hip.hipStreamSynchronize(None)
    assert np.array_equal(y.host, matrix @ x.host)
    assert x.streams == [0]  # the default one, by DLPack's number for ROCm
    out = RocmArray(integers(300))
    expected = 2 * (matrix @ x.host) + 3 * out.host
    assert kernel.matvec(x, out=out, alpha=2, beta=3, stream=0x40) is out
    hip.hipStreamSynchronize(None)
    assert np.array_equal(out.host, expected) and out.streams == [0x40]
    columns = RocmArray(integers(600).reshape(200, 3))
    product = kernel.matmat(columns)
    hip.hipStreamSynchronize(None)
    assert np.array_equal(product.host, matrix @ columns.host)
    kernel.update(matrix * 2)
    y = kernel @ x
    hip.hipStreamSynchronize(None)
    assert np.array_equal(y.host, 2 * (matrix @ x.host))


def test_tune_measures_there(matrix, tmp_path, hip):
    kernel = alphasparse.tune(matrix, device="hip", time="2s", folder=str(tmp_path), progress=False)
    assert kernel.device == "hip:0" and os.path.exists(kernel.path.replace(".safetensors", ".kernel.hip"))
    x = RocmArray(integers(200))
    y = kernel @ x
    hip.hipStreamSynchronize(None)
    assert np.array_equal(y.host, matrix @ x.host)


def test_arrays_and_kernels_of_other_makers_are_refused(program, matrix, tmp_path):
    path = emitted(program, tmp_path, matrix, "--design", "csr-scalar")
    with pytest.raises(alphasparse.DeviceError, match="cuda:0: the kernel is for GPUs; it takes hip or hip:N"):
        alphasparse.load(path, device="cuda:0")
    with pytest.raises(alphasparse.DeviceError, match="x does not lie on a GPU, where the kernel is"):
        alphasparse.load(path) @ GpuArray(integers(200))
