"""gpu_arrays: arrays on a GPU and fixtures of tests, on fakes of NVIDIA's driver and compiler: FAKE_CUDA
and FAKE_NVRTC."""

import ctypes
import gc
import os

import numpy as np
import pytest
from conftest import emit

import alphasparse


class GpuArray:
    """A vector in the fake's memory that speaks DLPack, as those of CuPy and PyTorch do."""

    device = (2, 0)  # kDLCUDA, the first

    def __init__(self, host):
        self.host = host
        self.streams = []  # on which it was asked for

    dtype = property(lambda self: self.host.dtype)
    shape = property(lambda self: self.host.shape)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        capsule = self.host.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        place = pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)
        (ctypes.c_int32 * 2).from_address(place)[:] = self.device
        return capsule

    def __array_namespace__(self):
        return Namespace

    def conj(self):
        """As libraries do it: behind all that is queued on the stream."""
        ctypes.CDLL(os.environ["FAKE_CUDA"]).cuStreamSynchronize(None)
        return GpuArray(self.host.conj())


class Namespace:
    @staticmethod
    def empty(shape, dtype):
        return GpuArray(np.full(shape, np.nan, dtype))


class InterfaceArray:
    """A vector that has __cuda_array_interface__ alone."""

    def __init__(self, host, stream=None, read_only=False):
        self.host = host
        self.__cuda_array_interface__ = {
            "shape": host.shape,
            "typestr": host.dtype.str,
            "data": (host.ctypes.data, read_only),
            "strides": None if host.flags.c_contiguous else host.strides,
            "stream": stream,
            "version": 3,
        }


@pytest.fixture(scope="module", autouse=True)
def doubles():
    """The fake of the driver; nothing that was queued has run before wait() is called."""
    cuda, nvrtc = os.environ.get("FAKE_CUDA"), os.environ.get("FAKE_NVRTC")
    if not cuda or not nvrtc:
        pytest.skip("FAKE_CUDA and FAKE_NVRTC name no doubles of NVIDIA's libraries")
    os.environ["ALPHASPARSE_LIBCUDA"], os.environ["ALPHASPARSE_LIBNVRTC"] = cuda, nvrtc
    yield ctypes.CDLL(cuda)
    del os.environ["ALPHASPARSE_LIBCUDA"], os.environ["ALPHASPARSE_LIBNVRTC"]


@pytest.fixture(autouse=True)
def no_collection():
    """A kernel that goes frees memory, which waits for all that is queued: none goes amid a test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="module")
def wait(doubles):
    return lambda: doubles.cuStreamSynchronize(None)


@pytest.fixture(scope="module")
def kernel(program, matrix, tmp_path_factory):
    """merge-csr has a workspace and several launches."""
    folder = str(tmp_path_factory.mktemp("cuda"))
    return alphasparse.load(
        emit(program, folder, matrix, "m", "--device", "emulated", "--design", "merge-csr")
    )
