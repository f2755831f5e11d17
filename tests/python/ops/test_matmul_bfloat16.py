"""Products of bfloat16 at every level: pairs of them are multiplied by the best processors."""

import os
import subprocess
import sys

import numpy as np
import pytest

LEVELS = ["baseline", "avx2", "avx512", "avx512_bf16"]

# Prints the largest error, in units of what rounding of the result allows, and a hash of the bits.
PROGRAM = """
import hashlib
import sys

import numpy as np

import eagre

eagre.set_num_threads(int(sys.argv[1]))
random = np.random.default_rng(5)
worst, bits = 0.0, hashlib.sha256()

def layouts(values, rows, columns):
    '''The matrix as it comes, turned, in wider rows, and where no pair is aligned.'''
    flat = eagre.from_numpy(values).to(eagre.bfloat16)
    yield flat
    yield flat.T.contiguous().T
    room = eagre.zeros(rows, columns + 3, dtype=eagre.bfloat16)
    room[:, 1 : columns + 1] = flat
    yield room[:, 1 : columns + 1]
    room = eagre.zeros(2 * rows, 2 * columns, dtype=eagre.bfloat16)
    room[::2, ::2] = flat
    yield room[::2, ::2]

SIZES = [(1, 1, 1), (2, 3, 2), (5, 1, 7), (12, 32, 32), (13, 33, 35), (25, 7, 65), (40, 769, 33),
         (3, 2000, 2), (97, 100, 101), (200, 1537, 40)]
for m, k, n in SIZES:
    x = random.standard_normal((m, k)).astype(np.float32)
    y = random.standard_normal((k, n)).astype(np.float32)
    for a in layouts(x, m, k):
        for b in layouts(y, k, n):
            exact = a.double().numpy() @ b.double().numpy()
            size = np.abs(a.double().numpy()) @ np.abs(b.double().numpy())
            got = a @ b
            assert got.dtype == eagre.bfloat16 and got.shape == (m, n)
            error = np.abs(got.double().numpy() - exact)
            worst = max(worst, (error / (np.abs(exact) * 2.0**-8 + size * 2.0**-20)).max())
            bits.update(got.view(eagre.int16).numpy().tobytes())
print(worst, bits.hexdigest())
"""


def run(level, threads):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(threads)],
        env={**os.environ, "EAGRE_CPU_ISA": level},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    worst, bits = result.stdout.split()
    return float(worst), bits


@pytest.mark.parametrize("level", LEVELS)
def test_products_are_rounded_once(level):
    worst, bits = run(level, 1)
    assert worst <= 1.0
    assert run(level, 3)[1] == bits


def test_special_numbers():
    import eagre

    a = eagre.tensor([[np.inf, 1.0, 0.0], [np.nan, 1.0, 2.0]], dtype=eagre.bfloat16)
    b = eagre.tensor([[1.0, -1.0], [2.0, 3.0], [4.0, 1.0]], dtype=eagre.bfloat16)
    product = a @ b
    assert product[0].tolist() == [np.inf, -np.inf]
    assert product[1].isnan().all()
