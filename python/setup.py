"""setup: the extension of the package; all else stands in pyproject.toml.

It includes the project's own headers - the reader of format files, the struct of a kernel's C
interface, the prototypes of CUDA - so the package is built where it lies in the project."""

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
            cxx_std=17,
        )
    ],
    cmdclass={"build_ext": build_ext},
)
