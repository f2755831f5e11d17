"""The number of threads changes no bit of a result, and large tensors give what NumPy gives."""

import numpy as np
import pytest

import eagre

CALLS = {
    "sum": lambda x: x.sum(),
    "sum_first": lambda x: x.sum(0),
    "sum_last": lambda x: x.sum(1),
    "mean": lambda x: x.mean(),
    "var_last": lambda x: x.var(1),
    "argmax": lambda x: x.argmax(1),
    "softmax": lambda x: x.softmax(1),
    "softmax_first": lambda x: x.softmax(0),
    "cumsum": lambda x: x.cumsum(0),
    "layer_norm": lambda x: eagre.layer_norm(x, (700,)),
    "cross_entropy": lambda x: eagre.cross_entropy(x, eagre.zeros(500, dtype=eagre.int64)),
    "sort": lambda x: x.sort(1).indices,
}
COUNTS = (1, 2, 3, 16)
LENGTHS = (1000, 70_001, 200_003)
SHAPES = [(4096, 40), (100_000, 7), (70, 5000), (65, 2049), (130, 4097), (200_003,)]
FOLDS = {
    "sum": (eagre.sum, np.sum),
    "prod": (eagre.prod, np.prod),
    "amax": (eagre.amax, np.max),
    "var": (eagre.var, lambda x, d: x.var(d, ddof=1)),
    "argmax": (eagre.argmax, np.argmax),
    "cumsum": (eagre.cumsum, np.cumsum),
}


@pytest.fixture
def threads():
    before = eagre.get_num_threads()
    yield eagre.set_num_threads
    eagre.set_num_threads(before)


@pytest.mark.parametrize("name", CALLS)
def test_threads_change_no_bit(name, threads):
    x = eagre.tensor(np.random.default_rng(3).standard_normal((500, 700)).astype(np.float32))
    threads(1)
    alone = CALLS[name](x).numpy().tobytes()
    threads(3)
    assert CALLS[name](x).numpy().tobytes() == alone


def same_for_all(threads, call):
    """The tensors that call() returns, with the same bits whatever the number of threads."""
    results = []
    for count in COUNTS:
        threads(count)
        result = call()
        results.append(result if isinstance(result, tuple) else (result,))
    bits = [[part.numpy().tobytes() for part in result] for result in results]
    assert all(other == bits[0] for other in bits)
    return [part.numpy() for part in results[0]]


def row(kind, length):
    generator = np.random.default_rng(length)
    return {
        "float": lambda: generator.standard_normal(length).astype(np.float32),
        "double": lambda: generator.standard_normal(length),
        "few": lambda: generator.integers(-5, 5, length).astype(np.int8),
        "many": lambda: generator.integers(0, length // 10, length),
    }[kind]()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", FOLDS)
def test_reductions(name, shape, threads):
    values = np.random.default_rng(5).standard_normal(shape)
    if name == "prod":
        values = np.exp(values / values.size)
    x = eagre.tensor(values.astype(np.float32))
    ours, numpys = FOLDS[name]
    for dim in range(x.dim()):
        (result,) = same_for_all(threads, lambda dim=dim: ours(x, dim))
        expected = numpys(x.numpy().astype(np.float64), dim)
        np.testing.assert_allclose(result, expected, rtol=2e-5, atol=2e-3)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("kind", ["float", "double", "few", "many"])
@pytest.mark.parametrize("descending", [False, True])
def test_orders(kind, length, descending, threads):
    values = row(kind, length)
    x = eagre.tensor(values)
    ordered, places = same_for_all(threads, lambda: tuple(x.sort(descending=descending)))
    expected = np.sort(values)[::-1] if descending else np.sort(values)
    assert (ordered == expected).all()
    assert (values[places] == expected).all()
    equal = ordered[1:] == ordered[:-1]
    assert (np.diff(places)[equal] > 0).all(), "equal elements stay in their order"
    best, places = same_for_all(threads, lambda: tuple(x.topk(50, largest=descending)))
    assert (best == expected[:50]).all()
    assert (values[places] == best).all()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("kind", ["float", "few", "many"])
def test_searches(kind, length, threads):
    values = row(kind, length)
    x = eagre.tensor(values)
    results = same_for_all(
        threads, lambda: eagre.unique(x, return_inverse=True, return_counts=True)
    )
    expected = np.unique(values, return_inverse=True, return_counts=True)
    for result, wanted in zip(results, expected, strict=True):
        assert (result == wanted).all()
    (found,) = same_for_all(threads, lambda: (x > 1).nonzero())
    assert (found == np.argwhere(values > 1)).all()


@pytest.mark.parametrize("length", LENGTHS)
def test_places(length, threads):
    generator = np.random.default_rng(7)
    values, other = row("float", length), row("float", length)[::-1].copy()
    x, y = eagre.tensor(values), eagre.tensor(other)
    places = generator.integers(0, length, length)
    index = eagre.tensor(places)
    (taken,) = same_for_all(threads, lambda: x[index])
    assert (taken == values[places]).all()
    (taken,) = same_for_all(threads, lambda: x.gather(0, index))
    assert (taken == values[places]).all()
    (placed,) = same_for_all(threads, lambda: x.scatter(0, index, y))
    expected = values.copy()
    expected[places] = other
    assert (placed == expected).all(), "the last of several wins"
    (added,) = same_for_all(threads, lambda: x.scatter_add(0, index % 100, y))
    expected = values.astype(np.float64)
    np.add.at(expected, places % 100, other)
    np.testing.assert_allclose(added, expected, rtol=1e-4, atol=1e-3)
    (joined,) = same_for_all(threads, lambda: eagre.cat([x, y[:5], y[:0], x]))
    assert (joined == np.concatenate([values, other[:5], values])).all()


def test_rows_that_meet_in_columns(threads):
    generator = np.random.default_rng(8)
    places = np.broadcast_to(generator.integers(0, 50, (5000, 1)), (5000, 40))
    values = generator.standard_normal((5000, 40)).astype(np.float32)
    index, source = eagre.tensor(places), eagre.tensor(values)
    start = eagre.zeros(50, 40)
    (added,) = same_for_all(threads, lambda: start.scatter_add(0, index, source))
    expected = np.zeros((50, 40))
    np.add.at(expected, (places, np.arange(40)), values)
    np.testing.assert_allclose(added, expected, rtol=1e-4, atol=1e-3)


KEYS = {
    "broadcast": lambda i: (i(30, 5, 1), i(40, 6)),
    "middle": lambda i: (slice(None), i(40, 7)),
    "apart": lambda i: (i(30, 3, 4), slice(None), i(50, 4)),
    "last": lambda i: (slice(None), slice(None), i(50, 700)),
    "rows": lambda i: (i(30, 999),),
    "none": lambda i: (i(30, 0), i(40, 0)),
}


@pytest.mark.parametrize("name", KEYS)
def test_indices_of_many_kinds(name, threads):
    generator = np.random.default_rng(9)
    values = generator.standard_normal((30, 40, 50)).astype(np.float32)
    key = KEYS[name](lambda size, *shape: generator.integers(-size, size, shape))
    ours = tuple(k if isinstance(k, slice) else eagre.tensor(k) for k in key)
    (taken,) = same_for_all(threads, lambda: eagre.tensor(values)[ours])
    assert (taken == values[key]).all()


@pytest.mark.parametrize(
    "size", [(257, 300, 1000), (2100, 64, 385), (13, 2100, 769), (5000, 40, 40)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex64", "int64"])
def test_products(size, dtype, threads):
    generator = np.random.default_rng(10)
    rows, columns, depth = size
    a = (3 * generator.standard_normal((rows, depth))).astype(dtype)
    b = (3 * generator.standard_normal((depth, columns))).astype(dtype)
    wide = np.complex128 if dtype == "complex64" else np.float64
    expected = a.astype(wide) @ b.astype(wide)
    scale = np.abs(expected).max()
    x, y = eagre.tensor(a), eagre.tensor(b)
    turned_x, turned_y = x.t().contiguous().t(), y.t().contiguous().t()
    for left, right in ((x, y), (turned_x, y), (x, turned_y)):
        (product,) = same_for_all(threads, lambda left=left, right=right: left @ right)
        error = np.abs(product.astype(wide) - expected).max() / scale
        assert error < (2e-3 if dtype == "float16" else 1e-5)
