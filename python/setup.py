"""setup: the extension of the package; all else stands in pyproject.toml.

It is compiled with sources of the program (native/all.cpp), so the package is built where it lies in
the project, with fmt."""

import re
import sysconfig
from glob import glob

from pybind11.setup_helpers import Pybind11Extension, build_ext
from setuptools import setup

if sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise SystemExit("alphasparse: free-threaded Pythons are not supported; take one with the usual lock")
with open("pyproject.toml", encoding="utf-8") as _file:
    _version = re.search('^version = "(.+)"', _file.read(), re.MULTILINE)[1]

setup(
    ext_modules=[
        Pybind11Extension(
            "alphasparse._native",
            ["native/all.cpp"],
            include_dirs=[".."],
            depends=sorted(glob("native/*")),
            define_macros=[("ALPHASPARSE_VERSION", f'"{_version}"')],
            libraries=["dl"],
            cxx_std=20,
        )
    ],
    cmdclass={"build_ext": build_ext},
)
