"""setup: the extension of the package; all else stands in pyproject.toml.

It includes the project's own sources - the reader of format files, the struct of a kernel's C
interface, the choice of NVRTC - so the package is built where it lies in the project, with fmt."""

from glob import glob

from pybind11.setup_helpers import Pybind11Extension, build_ext
from setuptools import setup

setup(
    ext_modules=[
        Pybind11Extension(
            "alphasparse._native",
            ["native/all.cpp"],
            include_dirs=[".."],
            depends=sorted(glob("native/*")),
            libraries=["dl"],
            cxx_std=20,
        )
    ],
    cmdclass={"build_ext": build_ext},
)
