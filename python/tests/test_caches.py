"""Kernels without a folder lie in the cache, which has one limit."""

import json
import os
import subprocess
import time

import numpy as np
import pytest
import scipy.sparse as sp

import alphasparse
from alphasparse import _native
from alphasparse.folders import private_folder


@pytest.fixture
def own_cache(program, tmp_path, monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def tuned(size):
    return alphasparse.tune(sp.eye(size), device="cpu:1", time="0", progress=False)


def kernels(own_cache):
    return sorted(os.listdir(own_cache / "python"))


def test_what_was_used_longest_ago_goes(own_cache, monkeypatch):
    paths = [tuned(size).path for size in (3, 4, 5)]
    for age, path in enumerate(paths):
        os.utime(os.path.dirname(path), (time.time() - 100 * (3 - age),) * 2)
    alphasparse.load(paths[0], "cpu:1")  # now the last that was used
    for one in own_cache.glob("*.kernel"):
        os.utime(one, (1e9, 1e9))
    _native.trim_cache()
    assert len(kernels(own_cache)) == 3
    monkeypatch.setenv("ALPHASPARSE_CACHE_MAX", "1kB")
    _native.trim_cache()
    assert kernels(own_cache) == [os.path.basename(os.path.dirname(paths[0]))]


def test_a_search_has_the_limit_kept(own_cache, monkeypatch):
    first = tuned(3).path
    os.utime(os.path.dirname(first), (1e9, 1e9))
    monkeypatch.setenv("ALPHASPARSE_CACHE_MAX", "1kB")
    kernel = tuned(4)
    assert not os.path.exists(first) and os.path.exists(kernel.path)
    assert np.array_equal(kernel @ np.ones(4), np.ones(4))


def test_clear_empties_it_but_for_what_is_in_use(own_cache, program):
    idle, busy = (os.path.dirname(tuned(size).path) for size in (3, 4))
    (own_cache / "thesis.txt").write_text("mine")
    with private_folder(busy):
        told = subprocess.run(
            [program, "cache", "clear"], capture_output=True, text=True, check=True
        ).stdout
    assert not os.path.exists(idle) and os.path.exists(busy)
    assert "in use by other processes" in told
    subprocess.run([program, "cache", "clear"], check=True, capture_output=True)
    assert kernels(own_cache) == []
    assert (own_cache / "thesis.txt").read_text() == "mine"


def test_a_refused_call_leaves_no_folder(own_cache):
    for words in ({"name": "a/b"}, {"name": "n" * 300}, {"options": ("--no-such-option",)}):
        with pytest.raises(alphasparse.Error):
            alphasparse.tune(sp.eye(3), device="cpu:1", time="0", progress=False, **words)
        assert not (own_cache / "python").exists() or kernels(own_cache) == []


def test_a_search_makes_its_folder_again(own_cache):
    """Where the cache was emptied before the search held it."""
    folder = str(own_cache / "python" / ("0" * 16))
    for _ in range(3):
        with private_folder(folder) as place:
            assert os.path.isdir(place)
        os.rmdir(folder)


def test_sizes_are_told(own_cache, program):
    folder = os.path.dirname(tuned(3).path)
    told = json.loads(
        subprocess.run([program, "cache", "--json"], capture_output=True, check=True).stdout
    )
    size = sum(one.stat().st_size for one in os.scandir(folder))
    assert told["python"] == {"entries": 1, "bytes": size} and told["limit_bytes"] == 500_000_000
    assert told["all"]["bytes"] == sum(
        told[kind]["bytes"] for kind in ("compiled", "python", "emulator", "leftovers")
    )
    for words in (["cache", "all"], ["cache", "show", "more"]):
        assert subprocess.run([program, *words], capture_output=True, check=False).returncode == 2
    wrong = {**os.environ, "ALPHASPARSE_CACHE_MAX": "much"}
    done = subprocess.run(
        [program, "cache", "clear"], env=wrong, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and "ALPHASPARSE_CACHE_MAX is 'much'" in done.stderr
    assert os.path.isdir(folder)
