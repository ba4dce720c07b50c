"""block_gradients: the iterations that block conjugate gradients take in NumPy (O'Leary 1980).

Usage: block_gradients.py MATRIX.mtx COLUMNS   The right sides are those of examples/solver, and as
its krylov.h does, the last step is not counted.
"""
import sys

import numpy as np
import scipy.io

matrix = scipy.io.mmread(sys.argv[1]).tocsr()
row, column = np.arange(matrix.shape[0])[:, None], np.arange(int(sys.argv[2]))
known = 1 + 0.5 * np.sin(0.1 * (column + 1) * row + column)
inverse = 1 / matrix.diagonal()[:, None]
r = matrix @ known
limits = 1e-8 * np.linalg.norm(r, axis=0)
x = np.zeros_like(r)
p = inverse * r
gram = r.T @ p
iterations = 0
while True:
    q = matrix @ p
    alpha = np.linalg.solve(p.T @ q, gram)
    x += p @ alpha
    r -= q @ alpha
    if (np.linalg.norm(r, axis=0) <= limits).all():
        break
    z = inverse * r
    gram_old, gram = gram, r.T @ z
    p = z + p @ np.linalg.solve(gram_old, gram)
    iterations += 1
assert np.abs(x - known).max() < 1e-5, np.abs(x - known).max()
print(iterations)
