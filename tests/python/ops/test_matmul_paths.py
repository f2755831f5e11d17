"""Products of every way of computing them: direct, by panels, in batches, by many threads."""

import numpy as np
import pytest

import eagre

THREADS = (1, 2, 3, 16)
# Rows, what is added up, columns: around tiles, panels, and what a core has in its caches.
SIZES = [
    (4, 4, 4),
    (12, 64, 32),
    (13, 65, 33),
    (33, 192, 70),
    (128, 128, 128),
    (97, 193, 95),
    (160, 160, 160),
    (256, 256, 256),
    (100, 500, 300),
    (480, 385, 513),
]


@pytest.fixture(autouse=True)
def as_many_threads_as_before():
    before = eagre.get_num_threads()
    yield
    eagre.set_num_threads(before)


def whole_numbers(generator, *shape, dtype="float32"):
    """Products and sums of these are exact, in any order."""
    return generator.integers(-8, 8, shape).astype(dtype)


def turned(x: eagre.Tensor) -> eagre.Tensor:
    return x.mT.contiguous().mT


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_any_layout_and_number_of_threads(size, dtype):
    rows, depth, columns = size
    generator = np.random.default_rng(sum(size))
    a = whole_numbers(generator, rows, depth, dtype=dtype)
    b = whole_numbers(generator, depth, columns, dtype=dtype)
    expected = a @ b
    x, y = eagre.tensor(a), eagre.tensor(b)
    for threads in THREADS:
        eagre.set_num_threads(threads)
        for left in (x, turned(x)):
            for right in (y, turned(y)):
                np.testing.assert_array_equal((left @ right).numpy(), expected)


@pytest.mark.parametrize("size", SIZES[:7], ids=str)
def test_batches(size):
    rows, depth, columns = size
    generator = np.random.default_rng(sum(size))
    a = whole_numbers(generator, 7, rows, depth)
    b = whole_numbers(generator, 7, depth, columns)
    x, y = eagre.tensor(a), eagre.tensor(b)
    one = y[:1].expand(7, depth, columns)
    spaced = eagre.tensor(np.repeat(a, 2, axis=0))[::2]
    for threads in THREADS:
        eagre.set_num_threads(threads)
        for left in (x, turned(x), spaced):
            np.testing.assert_array_equal((left @ y).numpy(), a @ b)
            np.testing.assert_array_equal((left @ turned(y)).numpy(), a @ b)
            np.testing.assert_array_equal((left @ one).numpy(), a @ b[:1])


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_same_bits_for_any_number_of_threads_and_in_a_batch(size):
    rows, depth, columns = size
    x, y = eagre.randn(rows, depth), eagre.randn(depth, columns)
    results = set()
    for threads in THREADS:
        eagre.set_num_threads(threads)
        results.add((x @ y).numpy().tobytes())
        results.add((eagre.stack([x, x]) @ y)[1].numpy().tobytes())
        results.add(eagre.bmm(eagre.stack([x, x]), eagre.stack([y, y]))[0].numpy().tobytes())
    assert len(results) == 1
