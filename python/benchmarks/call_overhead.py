"""call_overhead: the time of k.matvec(x, out=y) beside that of the C call itself, on a matrix of
1,000 rows.

    python3 call_overhead.py

Medians of one process, and their difference: the time that Python adds."""

import statistics
import tempfile
import time

import numpy as np
import scipy.sparse as sp

import alphasparse

ROUNDS, CALLS = 200, 1000


def main() -> None:
    matrix = sp.random(1000, 1000, 0.01, format="csr", random_state=1)
    with tempfile.TemporaryDirectory() as folder:
        kernel = alphasparse.tune(matrix, device="cpu:1", time="3s", folder=folder)
        x, y = np.ones(1000), np.empty(1000)
        matvec = kernel.matvec
        ours, native, scipys = [], [], []
        for _ in range(ROUNDS):
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                matvec(x, out=y)
            ours.append((time.perf_counter_ns() - start) / CALLS)
            native.append(kernel.call_ns(x, y, CALLS))
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                matrix @ x
            scipys.append((time.perf_counter_ns() - start) / CALLS)
    call, inner, other = map(statistics.median, (ours, native, scipys))
    print(f"matvec {call:.0f} ns, the C call {inner:.0f} ns, Python adds {call - inner:.0f} ns")
    print(f"SciPy's A @ x {other:.0f} ns, {other / call:.1f} times as long")


main()
