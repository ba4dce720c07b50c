"""How a search and this process depend on each other, and where both have their files."""

import os
import signal
import subprocess
import sys
import time

import pytest
import scipy.sparse as sp
from conftest import integers, random_matrix

import alphasparse
from alphasparse import _native
from alphasparse.cache import cache_folder

SEARCH = """
import os, sys, threading, alphasparse, scipy.sparse as sp
if sys.argv[2] == "forks":  # a child that outlives us, and that has what we had open
    def fork():
        if os.fork() == 0:
            threading.Event().wait(30)
            os._exit(0)
    threading.Timer(1.5, fork).start()
A = (sp.random(2000, 2000, 0.01, format="csr", random_state=5) + sp.eye(2000)).tocsr()
alphasparse.tune(A, device="cpu:1", time="60s", folder=sys.argv[1] + "/out")
"""


def started_with(mark):
    """The live processes that were started with this text in their environment, but for children of
    the test that only wait."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                is_ours = mark.encode() in file.read()
            with open(f"/proc/{process}/stat") as file:
                state = file.read().rpartition(")")[2].split()[0]
            with open(f"/proc/{process}/comm") as file:
                name = file.read().strip()
        except OSError:
            continue
        if is_ours and state not in "ZX" and not name.startswith("python"):
            found.append(name)
    return found


def comes_true(what, seconds):
    limit = time.monotonic() + seconds
    while not what() and time.monotonic() < limit:
        time.sleep(0.02)
    return what()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, "forks"])
def test_a_search_ends_with_us(program, tmp_path, number):
    mark = str(tmp_path)
    mode = number if isinstance(number, str) else "alone"
    places = {"TMPDIR": mark, "ALPHASPARSE_CACHE": mark + "/cache", "ALPHASPARSE_DB": mark + "/t.db"}
    python = subprocess.Popen(
        [sys.executable, "-c", SEARCH, mark, mode],
        env={**os.environ, **places, "MARK": mark},
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert comes_true(lambda: "alphasparse" in started_with(mark), 30)
        time.sleep(2.5)  # the search is under way, at any of its steps
        assert "alphasparse" in started_with(mark) and python.poll() is None
        python.send_signal(signal.SIGKILL if mode == "forks" else number)
        python.wait()
        # It has a second; the rest is for a machine that has other work.
        assert comes_true(lambda: not started_with(mark), 5), started_with(mark)
    finally:
        try:
            os.killpg(python.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    # The next run of the program removes the files that a killed process left.
    subprocess.run([program, "doctor"], env={**os.environ, **places}, check=True, capture_output=True)
    assert not [name for name in os.listdir(mark) if name.startswith("alphasparse-")]


def test_the_compiler_may_be_several_words(program, tmp_path, monkeypatch):
    wrapper = tmp_path / "with blank"
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\nexec "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ALPHASPARSE_CXX", f"'{wrapper}' g++ -DWORD='a b' -O0")
    assert _native.compiler_command() == [str(wrapper), "g++", "-DWORD=a b", "-O0"]
    matrix = random_matrix(20, 20, 60)
    kernel = alphasparse.tune(matrix, device="cpu:1", time="0", folder=tmp_path / "out")
    x = integers(20)
    assert ((kernel @ x) == matrix @ x).all()
    asked = (tmp_path / "asked").read_text().splitlines()
    assert any(".cpu.cpp" in line for line in asked), "Python has compiled by it"
    assert all(line.startswith("g++ -DWORD=a b -O0 ") for line in asked)
    whole = tmp_path / "my g++"
    whole.symlink_to("/usr/bin/g++")
    for named, words in [(str(whole), [str(whole)]), ("'open", []), ("/nowhere/g++ -O1", []), (" ", [])]:
        monkeypatch.setenv("ALPHASPARSE_CXX", named)
        assert _native.compiler_command() == words


def test_both_have_their_files_in_the_same_folders(program, tmp_path, monkeypatch):
    """A tilde is HOME for both; without one both refuse it, and nothing is called ~."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home/tmp").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ALPHASPARSE_CACHE", "~/cache")
    monkeypatch.setenv("ALPHASPARSE_DB", "~/t.db")
    monkeypatch.setenv("TMPDIR", "~/tmp")
    alphasparse.tune(sp.eye(3), device="cpu:1", time="0")
    assert cache_folder() == str(tmp_path / "home/cache")
    told = subprocess.run([program, "doctor"], capture_output=True, text=True, check=True).stdout
    assert f"cache          {tmp_path}/home/cache: " in told
    assert {"cache", "t.db", "tmp"} <= set(os.listdir(tmp_path / "home"))
    assert os.listdir(tmp_path) == ["home"] and os.listdir(tmp_path / "home/tmp") == []
    for home in (None, "~", "relative"):
        monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
        with pytest.raises(alphasparse.FileError, match="HOME, which ~ stands for, is not set"):
            alphasparse.tune(sp.eye(3), device="cpu:1", time="0")
        with pytest.raises(alphasparse.FileError, match="HOME, which ~ stands for, is not set"):
            alphasparse.tune(sp.eye(3), device="cpu:1", time="0", folder="~/out")
    assert os.listdir(tmp_path) == ["home"]


def test_a_temporary_folder_is_that_of_the_program(tmp_path, monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/usr/bin/true")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(alphasparse.HostError, match="none .No such file.*set TMPDIR"):
        alphasparse.tune(sp.eye(3), folder=tmp_path / "out")
    assert not [name for name in os.listdir(tmp_path) if name.startswith("alphasparse")]
