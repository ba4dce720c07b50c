"""Errors: each is an alphasparse.Error of one line, of a kind that a caller can tell from others."""

import io
import json
import os
import resource
import sys
import types

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix

import alphasparse

PLAIN = ("--device", "cpu:1", "--design", "csr-scalar")


def raised(call, kind, words=""):
    """The exception that a call raises, which is of our kind and of one line."""
    with pytest.raises(kind, match=words) as told:
        call()
    assert isinstance(told.value, alphasparse.Error), type(told.value)
    assert str(told.value) and "\n" not in str(told.value)
    assert "alphasparse-" not in str(told.value) and ".tuning-" not in str(told.value)
    return told.value


@pytest.fixture(scope="module")
def kernel(program, matrix, tmp_path_factory):
    return alphasparse.load(emit(program, str(tmp_path_factory.mktemp("errors")), matrix, "m", *PLAIN))


def test_kinds_are_also_those_that_users_of_numpy_expect():
    for kind, others in {
        alphasparse.ShapeError: [alphasparse.InputError, ValueError],
        alphasparse.LayoutError: [alphasparse.InputError, ValueError],
        alphasparse.ValuesError: [alphasparse.InputError, ValueError],
        alphasparse.DeviceError: [alphasparse.InputError, ValueError],
        alphasparse.TransposeError: [alphasparse.InputError, ValueError],
        alphasparse.ArrayNameError: [alphasparse.InputError, KeyError],
        alphasparse.DtypeError: [TypeError],
        alphasparse.FileError: [OSError],
        alphasparse.CompileError: [alphasparse.ToolchainError, alphasparse.HostError, OSError],
        alphasparse.MissingDeviceError: [alphasparse.DeviceError, alphasparse.HostError],
        alphasparse.MissingProgramError: [alphasparse.ProgramError, alphasparse.ToolchainError],
        alphasparse.ProgramInputError: [alphasparse.ProgramError, alphasparse.InputError, ValueError],
        alphasparse.NothingVerifiedError: [alphasparse.ProgramError, RuntimeError],
        alphasparse.ProgramHostError: [alphasparse.ProgramError, alphasparse.HostError],
        alphasparse.DatabaseError: [alphasparse.ProgramError],
    }.items():
        assert issubclass(kind, alphasparse.Error) and all(issubclass(kind, one) for one in others)
        assert str(kind("some text")) == "some text"


ARGUMENTS = [
    ({"device": 5}, TypeError, "device"),
    ({"dtype": "f16"}, alphasparse.DtypeError, "dtype 'f16': kernels are of float32, float64, complex64 or complex128"),
    ({"device": "gpu"}, alphasparse.DeviceError, "cpu:THREADS"),
    ({"device": "cpu:0"}, alphasparse.DeviceError, "cpu:0"),
    ({"device": "emulated"}, alphasparse.DeviceError, "modelled"),
    ({"device": "emulated:h200"}, alphasparse.DeviceError, "modelled"),
    ({"time": object()}, TypeError, "time"),
    ({"time": True}, TypeError, "time"),
    ({"time": -1}, ValueError, "time is -1"),
    ({"time": float("nan")}, ValueError, "time is nan"),
    ({"time": 10**400}, ValueError, "8 hours"),
    ({"time": 28801}, ValueError, "8 hours"),
    ({"dtype": "f16"}, TypeError, "float32, float64, complex64 or complex128"),
    ({"dtype": object()}, TypeError, "dtype"),
    ({"name": 5}, TypeError, "name"),
    ({"name": "a/b"}, OSError, "a/b"),
    ({"name": "n" * 181}, OSError, "181 bytes"),
    ({"name": "\u00fc" * 91}, OSError, "182 bytes"),
    ({"folder": 5}, TypeError, "folder"),
    ({"folder": b"x"}, TypeError, "folder"),
    ({"folder": "a\0b"}, ValueError, "zero byte"),
    ({"database": 5}, TypeError, "database"),
    ({"options": "--trials 1"}, TypeError, "sequence"),
    ({"options": [5]}, TypeError, "options"),
    ({"options": 5}, TypeError, "options"),
    ({"values": "some"}, ValueError, "varying"),
    ({"A": None}, TypeError, "NoneType"),
    ({"A": 5}, TypeError, "int"),
    ({"A": b"m.mtx"}, TypeError, "bytes"),
    ({"A": "/nowhere/m.mtx"}, OSError, "/nowhere/m.mtx"),
    ({"A": [[1.0]]}, TypeError, "list"),
    ({"A": "."}, OSError, "is a folder"),
    ({"A": ""}, OSError, "is a folder"),
    ({"A": ".", "name": "m"}, OSError, "is a folder"),
]


@pytest.mark.parametrize("arguments, kind, words", ARGUMENTS)
def test_wrong_arguments_of_tune_are_told_before_anything_runs(
    tmp_path, monkeypatch, arguments, kind, words
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere")
    raised(lambda: alphasparse.tune(**{"A": sp.eye(3), "folder": "to", **arguments}), kind, words)
    assert os.listdir(tmp_path) == []


CALLS = {
    "load nothing": (lambda k: alphasparse.load(None), TypeError),
    "load a number": (lambda k: alphasparse.load(5), TypeError),
    "load no file": (lambda k: alphasparse.load("/nowhere/m"), OSError),
    "load for a number": (lambda k: alphasparse.load(k.path, 5), TypeError),
    "load for no device": (lambda k: alphasparse.load(k.path, "cpu:99999999999"), ValueError),
    "load for too many threads": (lambda k: alphasparse.load(k.path, "cpu:1025"), ValueError),
    "read a number": (lambda k: alphasparse.read_format(5), TypeError),
    "read a folder": (lambda k: alphasparse.read_format(os.path.dirname(k.path)), OSError),
    "no array": (lambda k: k.format()["nothing"], KeyError),
    "@ None": (lambda k: k @ None, TypeError),
    "@ a number": (lambda k: k @ 5, TypeError),
    "@ text": (lambda k: k @ "x", TypeError),
    "@ a list": (lambda k: k @ [1.0] * 200, TypeError),
    "@ a sparse matrix": (lambda k: k @ sp.eye(200), TypeError),
    "@ no dimension": (lambda k: k @ np.float64(2), ValueError),
    "@ three dimensions": (lambda k: k @ np.ones((200, 1, 1)), ValueError),
    "a number @": (lambda k: 5 @ k, TypeError),
    "matmat of a vector": (lambda k: k.matmat(np.ones(200)), ValueError),
    "no argument": (lambda k: k.matvec(), TypeError),
    "another argument": (lambda k: k.matvec(integers(200), foo=1), TypeError),
    "alpha is text": (lambda k: k.matvec(integers(200), alpha="a"), TypeError),
    "alpha is complex": (lambda k: k.matvec(integers(200), alpha=1j), TypeError),
    "alpha is NumPy's complex": (lambda k: k.matvec(integers(200), alpha=np.complex128(1j)), TypeError),
    "alpha is beyond doubles": (lambda k: k.matvec(integers(200), alpha=10**400), ValueError),
    "beta is beyond doubles": (lambda k: k.matvec(integers(200), out=np.ones(300), beta=-(10**400)), ValueError),
    "beta is an array": (lambda k: k.matvec(integers(200), beta=np.ones(2)), TypeError),
    "out is a list": (lambda k: k.matvec(integers(200), out=[0.0] * 300), TypeError),
    "no threads": (lambda k: setattr(k, "threads", 0), ValueError),
    "too many threads": (lambda k: setattr(k, "threads", 1025), ValueError),
    "a part of a thread": (lambda k: setattr(k, "threads", 1.5), ValueError),
    "threads by text": (lambda k: setattr(k, "threads", "2"), ValueError),
    "update by nothing": (lambda k: k.update(None), TypeError),
    "update by text": (lambda k: k.update("x"), TypeError),
    "update by too few": (lambda k: k.update(np.ones(3)), ValueError),
    "save to a number": (lambda k: k.save(5), TypeError),
    "save to a file": (lambda k: k.save(k.path), OSError),
    "report as text": (lambda k: k.report("x.txt"), alphasparse.InputError),
    "report to a number": (lambda k: k.report(5), TypeError),
    "no transpose": (lambda k: k.T, ValueError),
}


@pytest.mark.parametrize("call", CALLS)
def test_wrong_arguments_of_kernels_are_told(kernel, matrix, call):
    function, kind = CALLS[call]
    raised(lambda: function(kernel), kind)
    assert np.array_equal(kernel @ integers(200), matrix @ integers(200))


@pytest.mark.parametrize("damage", ["binary", "cut", "missing", "a folder"])
def test_a_damaged_kernel_is_told_by_its_file(kernel, tmp_path, damage):
    path = kernel.save(tmp_path)
    text = tmp_path / "m.cpu.cpp"
    whole = text.read_bytes()
    text.unlink()
    if damage == "a folder":
        text.mkdir()
    elif damage != "missing":
        text.write_bytes(b"\xff\xfe" if damage == "binary" else whole[:2000])
    raised(lambda: alphasparse.load(path), alphasparse.Error, "m.cpu.cpp")


def fake_program(tmp_path, monkeypatch, text):
    program = tmp_path / "program"
    program.write_text(text)
    program.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", str(program))


@pytest.mark.parametrize("code, kind", [
    (2, alphasparse.ProgramInputError),
    (3, alphasparse.NothingVerifiedError),
    (4, alphasparse.ProgramHostError),
    (5, alphasparse.DatabaseError),
    (9, alphasparse.ProgramError),
])  # fmt: skip
def test_exit_codes_are_kinds_and_their_line_is_told_once(tmp_path, monkeypatch, capfd, code, kind):
    """It names the user's folder, and a file as the user may have it, in the place of ours."""
    fake_program(tmp_path, monkeypatch, "#!/bin/sh\n"
                 "echo 'alphasparse: going on' >&2; printf 'alphasparse: ' >&2; sleep 0.1\n"
                 f'printf "error: $2 or $4 is bad\\n" >&2; exit {code}\n')  # fmt: skip
    told = raised(lambda: alphasparse.tune(sp.eye(3), folder=tmp_path / "to", name="m"), kind)
    assert type(told) is kind and told.exit_code == code
    assert str(told) == f"m.mtx or {tmp_path}/to is bad"
    shown = capfd.readouterr().err
    assert "going on" in shown and "is bad" not in shown


def test_errors_of_a_terminal_are_told_once_too(tmp_path, monkeypatch):
    class Terminal:
        text = ""

        def isatty(self):
            return True

        def write(self, text):
            self.text += text

        def flush(self):
            pass

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    fake_program(tmp_path, monkeypatch, "#!/bin/sh\nprintf '\\r1/5 s\\033[K' >&2; sleep 0.1\n"
                 "printf '\\r\\033[Kalphasparse: error: no\\n' >&2; exit 2\n")  # fmt: skip
    told = raised(lambda: alphasparse.tune(sp.eye(3), folder=tmp_path / "to"), alphasparse.Error)
    assert str(told) == "no" and "1/5 s" in terminal.text and "error" not in terminal.text


def test_a_notebook_shows_lines_that_change(tmp_path, monkeypatch):
    """Its sys.stderr is no terminal; the program's standard error is one all the same."""
    written = io.StringIO()
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setattr("sys.stderr", written)
    fake_program(tmp_path, monkeypatch, "#!/bin/sh\n[ -t 2 ] && printf '\\r1/5 s\\033[K' >&2\nexit 2\n")
    raised(lambda: alphasparse.tune(sp.eye(3), folder=tmp_path / "to"), alphasparse.Error)
    assert "\r1/5 s" in written.getvalue()


@pytest.mark.parametrize("text, words", [
    ("#!/bin/sh\nkill -9 $$\n", "signal 9"),
    ("#!/bin/sh\nexit 7\n", "program .*/program ended with exit code 7 and no message"),
    ("#!/bin/sh\necho hello\n", "JSON"),
    ("#!/bin/sh\necho '[1]'\n", "JSON"),
    ("no program", "cannot be run"),
    ("#!/nowhere/interpreter\n", "cannot be run"),
])  # fmt: skip
def test_a_program_that_is_none_is_told(tmp_path, monkeypatch, text, words):
    fake_program(tmp_path, monkeypatch, text)
    raised(lambda: alphasparse.tune(sp.eye(3), folder=tmp_path / "to"), alphasparse.ProgramError, words)


def test_a_program_of_another_version_is_refused_with_both(program, tmp_path, monkeypatch):
    ours = alphasparse._native.generator_version
    edit = f"s/\"generator\":\"{ours}\"/\"generator\":\"13\"/"
    fake_program(tmp_path, monkeypatch, f"#!/bin/sh\n'{program}' \"$@\" && sed -i '{edit}' \"$4\"/*.safetensors\n")
    raised(lambda: alphasparse.tune(sp.eye(3), "cpu:1", "0", folder=tmp_path / "to"), alphasparse.ProgramError,
           f"{tmp_path}/program has generator 13, the package {ours}: install both")  # fmt: skip
    assert os.listdir(tmp_path / "to") == []


def test_the_programs_own_errors_are_of_their_kinds(program, tmp_path, monkeypatch):
    options = {"device": "cpu:1", "time": "0", "folder": tmp_path / "to"}
    (tmp_path / "no.db").write_text("no database, but some text that is long enough to be one " * 99)
    raised(lambda: alphasparse.tune(sp.eye(3), database=tmp_path / "no.db", **options),
           alphasparse.DatabaseError, "no.db")  # fmt: skip
    raised(lambda: alphasparse.tune(sp.eye(3), **{**options, "time": "soon"}),
           alphasparse.ProgramInputError, "soon")  # fmt: skip
    monkeypatch.setenv("ALPHASPARSE_CXX", "/nowhere/g++")
    raised(lambda: alphasparse.tune(sp.eye(3), **options), alphasparse.ProgramHostError, "/nowhere/g")
    assert not [name for name in os.listdir(tmp_path / "to") if name.startswith(".")]


def test_progress_can_be_turned_off(program, tmp_path, capfd):
    words = {"device": "cpu:1", "time": "0", "folder": tmp_path, "options": ("--trials", "1")}
    quiet = alphasparse.tune(sp.eye(5), **words, progress=False)
    for kernel in (quiet, alphasparse.load(quiet.path)):
        kernel.explain()
        kernel.report(tmp_path / "r.html")
    assert capfd.readouterr().err == ""
    quiet.explain(progress=True)
    assert "alphasparse" in capfd.readouterr().err
    loud = alphasparse.tune(sp.eye(5), **words)
    for call in (lambda: None, loud.explain, lambda: loud.report(tmp_path / "r.html")):
        call()
        assert "alphasparse" in capfd.readouterr().err
    loud.explain(progress=False)
    loud.report(tmp_path / "r.html", progress=False)
    assert capfd.readouterr().err == ""


def test_a_compiler_that_does_not_run_is_told(kernel, tmp_path, monkeypatch):
    path = kernel.save(tmp_path / "to")
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cc").write_text("no program")
    (tmp_path / "cc").chmod(0o755)
    for name, words in (("/nowhere/cc", "missing"), (str(tmp_path / "cc"), "cannot be started")):
        monkeypatch.setenv("ALPHASPARSE_CXX", name)
        raised(lambda: alphasparse.load(path), alphasparse.ToolchainError, words)


def test_a_kernel_that_does_not_compile_here_is_told_by_the_users_folder(program, tmp_path, monkeypatch):
    """The compiler takes the texts of the search; the files of it are there to be used."""
    compiler = tmp_path / "cc"
    compiler.write_text(
        '#!/bin/sh\nfor file; do :; done\ncase $file in *.cpu.cpp) echo "$file:1:2: error: no" >&2; exit 1; esac\n'
        'exec g++ "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_CXX", str(compiler))
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    told = raised(lambda: alphasparse.tune(sp.eye(5), "cpu:1", "0", folder=tmp_path, name="m"),
                  alphasparse.CompileError, "does not compile")  # fmt: skip
    assert str(told) == f"{tmp_path}/m.cpu.cpp does not compile: m.cpu.cpp:1:2: error: no"
    assert (tmp_path / "m.cpu.safetensors").exists()


def test_a_lost_temporary_folder_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", "/nowhere")
    raised(lambda: alphasparse.tune(sp.eye(3), folder=tmp_path), alphasparse.HostError, "TMPDIR")


@pytest.mark.parametrize("what", ["tune", "explain"])
def test_a_temporary_folder_without_room_is_told(program, tmp_path, monkeypatch, what):
    """A limit of files' sizes takes no more than a full disk; the remedy is the limit."""
    matrix = sp.diags(np.arange(1.0, 5001.0)).tocsr()
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m (1)", *PLAIN))
    to = {"name": "m (1)", "folder": tmp_path / "to"}
    call = kernel.explain if what == "explain" else lambda: alphasparse.tune(matrix, **to)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        told = raised(call, alphasparse.HostError, r"File too large.*ulimit -f")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert f"into {tmp_path} (" in str(told)


def test_coded_values_name_the_remedy(program, tmp_path):
    design = "compress | thread_rows rows=1 | thread_total | global_store | compact | launch tasks=bytes"
    path = emit(program, str(tmp_path), sp.eye(64, format="csr"), "c", "--device", "cpu:1", "--design", design)
    told = raised(lambda: alphasparse.load(path).update(np.arange(64.0)), alphasparse.ValuesError)
    assert 'tune(A, values="varying")' in str(told)


def test_values_that_vary(program, tmp_path):
    matrix = random_matrix(30, 30, 100)
    matrix.data[:] = 2
    kernel = alphasparse.tune(matrix, "cpu:1", "0", folder=tmp_path, values="varying", progress=False)
    kernel.update(np.arange(matrix.nnz, dtype=float))
    matrix.data = np.arange(matrix.nnz, dtype=float)
    assert np.array_equal(kernel @ np.ones(30), matrix @ np.ones(30))
    assert "varying" in json.dumps(kernel.tuned["arguments"])
