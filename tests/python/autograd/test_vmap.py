"""vmap() in Python: structures of arguments and results, random numbers, chunks, its refusals."""

import pytest

import eagre
from eagre.func import grad, vmap
from eagre.nn import functional

X = eagre.arange(6.0).reshape(2, 3)


def test_structures():
    def f(pair, named, number, *, factor):
        a, (b,) = pair
        return {"sum": (a + b + named["c"]) * number, "rest": [a, (b * factor,)]}

    got = vmap(f, in_dims=((0, None), {"c": 1}, None))((X, (X[0],)), {"c": X.T}, 2, factor=3)
    assert got["sum"].tolist() == ((X + X[0] + X) * 2).tolist()
    assert got["rest"][0].tolist() == X.tolist()
    assert got["rest"][1][0].tolist() == [(X[0] * 3).tolist()] * 2
    largest = vmap(lambda row: row.max(0))(X)
    assert largest.values.tolist() == [2, 5] and largest.indices.tolist() == [2, 2]


def test_where_samples_stand():
    x = eagre.arange(24.0).reshape(2, 3, 4)
    assert vmap(lambda s: s, 1, 2)(x).tolist() == x.movedim(1, 2).tolist()
    assert vmap(lambda s: s, -1, -1)(x).tolist() == x.tolist()
    first, second = vmap(lambda s: (s, s.sum()), 0, (1, 0))(X)
    assert first.shape == (3, 2) and second.shape == (2,)
    same, one = vmap(lambda s: (s, 3), out_dims=(0, None))(X)
    assert one == 3 and same.shape == X.shape
    assert vmap(lambda s: eagre.ones(2), out_dims=1)(X).shape == (2, 2)
    assert vmap(lambda s: s * 2)(eagre.ones(0, 3)).shape == (0, 3)


def test_vmap_is_a_decorator_and_eagre_has_it():
    @eagre.vmap
    def doubled(sample):
        """Twice."""
        return sample * 2

    assert doubled.__name__ == "doubled" and doubled.__doc__ == "Twice."
    assert doubled(X).tolist() == (X * 2).tolist()


def test_chunks():
    sizes = []

    def f(a, b):
        sizes.append(1)
        return a * b, a.sum()

    x = eagre.arange(10.0).reshape(5, 2)
    products, sums = vmap(f, in_dims=(0, None), out_dims=(1, 0), chunk_size=2)(x, x[0])
    assert len(sizes) == 3
    assert products.tolist() == (x * x[0]).T.tolist()
    assert sums.tolist() == x.sum(1).tolist()
    same = vmap(lambda a: eagre.rand(2), randomness="same", chunk_size=2)(x)
    assert all(row == same[0].tolist() for row in same.tolist())


def test_levels_are_closed_by_exceptions():
    def fails(sample):
        raise KeyError(sample.shape)

    with pytest.raises(KeyError):
        vmap(vmap(fails))(X)
    assert vmap(lambda s: s + 1)(X).tolist() == (X + 1).tolist()
    outer = eagre._C._open_dual_level()
    inner = eagre._C._open_dual_level()
    with pytest.raises(eagre.AutogradError, match="opened last"):
        eagre._C._close_level(outer)
    eagre._C._close_level(inner)
    eagre._C._close_level(outer)
    with pytest.raises(eagre.AutogradError, match="is not open"):
        eagre._C._close_level(outer)


RANDOM = {
    "rand": lambda a: eagre.rand(2),
    "randn": lambda a: eagre.randn(2),
    "randint": lambda a: eagre.randint(10**6, (2,)),
    "randperm": lambda a: eagre.randperm(20),
    "normal": lambda a: eagre.normal(0.0, 1.0, (2,)),
    "normal around": lambda a: eagre.normal(a, 1.0) - a,
    "normal with deviations": lambda a: eagre.normal(0.0, a) / a,
    "normal around what is no batch": lambda a: eagre.normal(X[1], 1.0),
    "rand_like": eagre.rand_like,
    "randn_like": eagre.randn_like,
    "randint_like": lambda a: eagre.randint_like(a, 10**6),
    "rand_like of what is no batch": lambda a: eagre.rand_like(X),
    "bernoulli of what is no batch": lambda a: eagre.bernoulli(eagre.full((50,), 0.5)),
    "bernoulli_": lambda a: a.repeat(20).bernoulli_(0.5),
    "uniform_": lambda a: a.clone().uniform_(),
    "normal_": lambda a: a.clone().normal_(),
    "dropout": lambda a: functional.dropout(a.repeat(20), 0.5) != 0,
}


@pytest.mark.filterwarnings("ignore:randperm")
@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers(name):
    x = X + 1
    with pytest.raises(eagre.AutogradError, match="called random operation"):
        vmap(RANDOM[name])(x)
    for randomness in ("same", "different"):
        a, b = vmap(RANDOM[name], randomness=randomness)(x)
        is_same = (a.double() - b.double()).abs().max().item() < 1e-5
        assert is_same is (randomness == "same")


def test_random_numbers_of_nested_maps():
    def numbers(inner, outer):
        inside = vmap(lambda a: eagre.rand(8), randomness=inner)
        return vmap(inside, randomness=outer)(eagre.ones(2, 2)).reshape(4, 8)

    for inner, outer, same in [
        ("same", "different", [(0, 1), (2, 3)]),
        ("different", "same", [(0, 2), (1, 3)]),
        ("same", "same", [(0, 1), (0, 2), (0, 3)]),
        ("different", "different", []),
    ]:
        rows = numbers(inner, outer).tolist()
        assert len({tuple(row) for row in rows}) == {0: 4, 2: 2, 3: 1}[len(same)]
        assert all(rows[a] == rows[b] for a, b in same)
    with pytest.raises(eagre.AutogradError, match="called random operation"):
        numbers("same", "error")


def test_indexing_in_a_map():
    index = eagre.tensor([2, 0])
    assert vmap(lambda row: row[0])(X).tolist() == [0, 3]
    assert vmap(lambda row: row[index])(X).tolist() == [[2, 0], [5, 3]]
    assert vmap(lambda row, i: row[i])(X, index).tolist() == [2, 3]
    assert vmap(lambda i: X[:, i])(index).tolist() == [[2, 5], [0, 3]]

    def write(row, i):
        row = row.clone()
        row[i] = 9
        row[1:] += 1
        return row

    assert vmap(write)(X, index).tolist() == [[0, 2, 10], [9, 5, 6]]
    per_sample = vmap(grad(lambda row, i: (row[i] ** 2).sum()))(X, index)
    assert per_sample.tolist() == [[0, 0, 4], [6, 0, 0]]


def test_repr():
    seen = []
    vmap(lambda row: seen.append(repr(row)) or row)(X)
    assert "BatchedTensor(lvl=" in seen[0] and "bdim=0" in seen[0] and "[0., 1., 2.]" in seen[0]


def named(x, *rest):
    return x


def fewer_each_time():
    counts = iter((2, 1, 0))
    return lambda x: (x,) * next(counts)


REFUSED = [
    (lambda: vmap(named)(), ValueError, r"vmap\(named\)\(<inputs>\): got no inputs"),
    (lambda: vmap(named, "x")(X), ValueError, "expected `in_dims` to be int or a"),
    (lambda: vmap(named, (0, 0))(X), ValueError, "in_dims is not compatible with the structure"),
    (lambda: vmap(named, (0.5,))(X), ValueError, "in_dim must be either an integer dimension"),
    (lambda: vmap(named)(1), ValueError, "cannot vmap over non-Tensor arguments"),
    (lambda: vmap(named, 2)(X), ValueError, "expected in_dim to satisfy -2 <= in_dim < 2"),
    (lambda: vmap(named, (None,))(X), ValueError, "at least one Tensor to vmap over"),
    (lambda: vmap(named)(X, X.T), ValueError, r"got sizes \[2, 3\] for the mapped dimension"),
    (lambda: vmap(named, out_dims="a")(X), ValueError, "`out_dims` must be an int, None"),
    (lambda: vmap(named, out_dims=(0, 0))(X), ValueError, "out_dims is not compatible"),
    (lambda: vmap(named, out_dims=None)(X), ValueError, "BatchedTensor when out_dim is None"),
    (lambda: vmap(lambda x: 3)(X), ValueError, "must only return Tensors, got type"),
    (lambda: vmap(named, chunk_size=0)(X), ValueError, "chunk_size should be None or greater"),
    (lambda: vmap(fewer_each_time(), chunk_size=1)(X), ValueError, "2 tensors for the first chunk"),
    (lambda: vmap(named, randomness="no")(X), RuntimeError, "Only allowed values for randomness"),
]


@pytest.mark.parametrize(("call", "kind", "words"), REFUSED)
def test_refusals(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


VALUES = {
    "item": lambda row: row[0].item(),
    "tolist": lambda row: row.tolist(),
    "bool": lambda row: row if row.sum() > 0 else -row,
    "float": lambda row: float(row[0]),
    "numpy": lambda row: row.numpy(),
    "data_ptr": lambda row: row.data_ptr(),
}
SHAPES_OF_VALUES = {
    "nonzero": lambda row: row.nonzero(),
    "a mask": lambda row: row[row > 0],
    "masked_select": lambda row: row.masked_select(row > 0),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_samples_cannot_be_read(name):
    with pytest.raises(RuntimeError, match="has no values of its own"):
        vmap(VALUES[name])(X)


@pytest.mark.parametrize("name", SHAPES_OF_VALUES)
def test_shapes_that_follow_from_values_are_refused(name):
    with pytest.raises(RuntimeError, match="would differ from sample to sample"):
        vmap(SHAPES_OF_VALUES[name])(X)


def test_what_is_no_batch_cannot_hold_one():
    with pytest.raises(RuntimeError, match="same for all samples cannot be written in place"):
        vmap(lambda row: eagre.zeros(3).add_(row))(X)
    with pytest.raises(RuntimeError, match="same randomness with a batched tensor"):
        vmap(eagre.bernoulli, randomness="same")(X / 5)


def test_copies_in_a_format_inside_of_a_gradient():
    weights = eagre.arange(6.0).view(3, 2)
    batch = eagre.randn(4, 2, 3)
    loss = lambda x: (x.t().contiguous() * weights).sum()  # noqa: E731
    assert vmap(grad(loss))(batch).tolist() == weights.t().expand(4, 2, 3).tolist()
    dual = lambda x: eagre.func.jvp(lambda y: y.t().contiguous(), (x,), (x * 2,))[1]  # noqa: E731
    found = vmap(dual)(batch)
    assert found.tolist() == (batch.mT * 2).tolist()
    images = eagre.randn(4, 1, 2, 3, 3)
    last = lambda x: (x.contiguous(memory_format=eagre.channels_last) ** 2).sum()  # noqa: E731
    assert vmap(grad(last))(images).tolist() == (2 * images).tolist()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x * x.conj()).sum().real,
        lambda x: x.exp().abs().sum(),
        lambda x: (x @ x.mH).abs().square().sum(),
        lambda x: (x.real * x.imag).sum(),
        lambda x: eagre.view_as_real(x).prod(-1).sum(),
        lambda x: (1 / (x**3 + 2)).imag.sum(),
        lambda x: (eagre.cat([x[0].conj(), x[1]]).sum(0) * x[0, 0]).real,
    ],
)
def test_complex_gradients_and_tangents(function):
    eagre.manual_seed(3)
    batch = eagre.randn(3, 2, 2, dtype=eagre.complex128)
    direction = eagre.randn(2, 2, dtype=eagre.complex128)

    def directional(x):
        return eagre.func.jvp(function, (x,), (direction,))[1]

    gradients = eagre.stack([grad(function)(x) for x in batch])
    for found in (vmap(grad(function))(batch), grad(lambda x: vmap(function)(x).sum())(batch)):
        assert (found - gradients).abs().amax() < 1e-9
    tangents = (gradients.conj() * direction).sum((1, 2)).real
    assert (vmap(directional)(batch) - tangents).abs().amax() < 1e-9
