"""Functions of elements and along dimensions that are made of other operators, against NumPy."""

import numpy as np
import pytest

import eagre

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(4, 5))
Y = RANDOM.normal(size=(4, 5))
SHARES = RANDOM.uniform(0.1, 0.9, size=(4, 5))

UNARY = {
    "asinh": (np.arcsinh, X),
    "acosh": (np.arccosh, np.abs(X) + 1.1),
    "atanh": (np.arctanh, SHARES),
    "exp2": (np.exp2, X),
    "deg2rad": (np.deg2rad, X),
    "rad2deg": (np.rad2deg, X),
    "sinc": (np.sinc, X),
    "frac": (lambda x: x - np.trunc(x), X),
    "logit": (lambda x: np.log(x / (1 - x)), SHARES),
    "signbit": (np.signbit, np.asarray([0.0, -0.0, 1.0, -1.0])),
    "angle": (np.angle, X + 1j * Y),
    "positive": (np.positive, X),
}
BINARY = {
    "hypot": (np.hypot, X, Y),
    "logaddexp": (np.logaddexp, X, Y),
    "logaddexp2": (np.logaddexp2, X, Y),
    "copysign": (np.copysign, X, Y),
    "heaviside": (np.heaviside, np.asarray([-1.0, 0.0, 2.0]), np.asarray([0.5, 0.5, 0.5])),
    "fmax": (np.fmax, np.asarray([1.0, np.nan, 3.0]), np.asarray([2.0, 1.0, np.nan])),
    "fmin": (np.fmin, np.asarray([1.0, np.nan, 3.0]), np.asarray([2.0, 1.0, np.nan])),
    "float_power": (np.float_power, np.abs(X), Y),
    "xlogy": (lambda x, y: x * np.log(y), X, SHARES),
    "ldexp": (lambda x, y: x * 2**y, X, Y),
    "cross": (lambda x, y: np.cross(x, y), X[:, :3], Y[:, :3]),
}


def check(result, expected):
    np.testing.assert_allclose(result.detach().numpy(), expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    function, x = UNARY[name]
    check(getattr(eagre, name)(eagre.tensor(x)), function(x))
    check(getattr(eagre.tensor(x), name)(), function(x))


@pytest.mark.parametrize("name", BINARY)
def test_binary(name):
    function, x, y = BINARY[name]
    check(getattr(eagre, name)(eagre.tensor(x), eagre.tensor(y)), function(x, y))


def test_edges():
    inf = float("inf")
    far = eagre.tensor([3e300, 4e300], dtype=eagre.float64)
    assert eagre.hypot(far[0], far[1]).item() == 5e300
    assert eagre.hypot(eagre.tensor([0.0]), eagre.tensor([0.0])).item() == 0
    assert eagre.hypot(eagre.tensor([inf]), eagre.tensor([1.0])).item() == inf
    assert eagre.logaddexp(eagre.tensor([-inf]), eagre.tensor([-inf])).item() == -inf
    assert eagre.xlogy(eagre.tensor([0.0]), eagre.tensor([0.0])).item() == 0
    assert eagre.sinc(eagre.tensor([0.0])).item() == 1
    assert eagre.exp2(eagre.tensor([3])).dtype is eagre.float32


@pytest.mark.parametrize("name", ["exp2", "sinc", "asinh", "logit"])
def test_in_place_with_gradients(name):
    slopes = []
    for form in (name, name + "_"):
        x = eagre.tensor(SHARES, requires_grad=True)
        y = getattr(x * 1, form)()
        y.square().sum().backward()
        slopes.append(x.grad)
    check(slopes[1], slopes[0].numpy())


def test_in_place_refuses():
    with pytest.raises(RuntimeError, match=r"exp2_\(\).*float32.*cannot be stored"):
        eagre.tensor([1, 2]).exp2_()
    with pytest.raises(RuntimeError, match=r"hypot_\(\).*shape \[2, 2\]"):
        eagre.ones(2).hypot_(eagre.ones(2, 2))
    with pytest.raises(TypeError, match=r"hypot\(\).*'other'.*int"):
        eagre.hypot(eagre.ones(2), 3)


def test_complex_numbers_from_parts():
    made = eagre.complex(eagre.tensor([1.0, 2.0]), eagre.tensor([3.0]))
    assert made.tolist() == [1 + 3j, 2 + 3j]
    check(eagre.polar(eagre.tensor([2.0]), eagre.tensor([np.pi / 2])).imag, [2.0])
    with pytest.raises(RuntimeError, match="dtype"):
        eagre.complex(eagre.ones(2), eagre.ones(2).double())


def test_answers_need_values():
    x = eagre.ones(2, 3)
    for ask in (eagre.equal, eagre.allclose):
        assert ask(x, x) is True and ask(x, x + 1) is False
        with pytest.raises(RuntimeError, match="vmap"):
            eagre.func.vmap(ask)(x, x)
        with pytest.raises(RuntimeError, match="meta"):
            ask(x.to("meta"), x.to("meta"))
    assert eagre.is_same_size(x.to("meta"), x)
    assert eagre.ones(2, requires_grad=True).equal(eagre.ones(2))


def test_mixtures_that_are_refused():
    with pytest.raises(TypeError, match=r"fmax\(\).*'other'.*complex64"):
        eagre.fmax(eagre.ones(2), eagre.ones(2) + 0j)
    with pytest.raises(NotImplementedError, match=r"copysign\(\).*complex64"):
        eagre.copysign(eagre.ones(2), 2j)
    with pytest.raises(NotImplementedError, match=r"hypot\(\).*complex64"):
        eagre.hypot(eagre.ones(2), eagre.ones(2) + 0j)
    with pytest.raises(TypeError, match=r"complex\(\).*'real'.*float"):
        eagre.complex(1.0, eagre.ones(2))
    with pytest.raises(RuntimeError, match=r"float_power_\(\).*complex128.*float64"):
        eagre.ones(2, dtype=eagre.float64).float_power_(2j)
    with pytest.raises(TypeError, match=r"xlogy\(\)"):
        eagre.xlogy(2, 3)


def test_nextafter_steps_in_the_dtype_itself():
    for dtype in (eagre.float16, eagre.bfloat16, eagre.float32, eagre.float64):
        one, two = eagre.ones(1, dtype=dtype), eagre.full((1,), 2.0, dtype=dtype)
        step = (eagre.nextafter(one, two) - one).item()
        assert step == eagre.finfo(dtype).eps
        assert eagre.nextafter(one * 0, two).item() > 0


def test_squares_of_bools_are_integers():
    truths = eagre.tensor([True, False])
    assert truths.square().dtype is eagre.int64 and truths.square().tolist() == [1, 0]
    assert eagre.square(truths, out=eagre.zeros(2)).tolist() == [1, 0]
    with pytest.raises(RuntimeError, match=r"square_\(\).*int64.*bool"):
        truths.square_()
    assert eagre.func.vmap(eagre.square)(truths).dtype is eagre.int64


def test_a_weight_without_dimensions_may_be_of_any_dtype():
    a, b = eagre.zeros(2), eagre.ones(2)
    assert eagre.lerp(a, b, eagre.tensor(0.5, dtype=eagre.float64)).dtype is eagre.float32
    assert eagre.lerp(a, b, eagre.tensor(1)).tolist() == [1, 1]


def test_gradients_at_edges():
    def slopes(function, *numbers):
        tensors = [eagre.tensor(n, dtype=eagre.float64, requires_grad=True) for n in numbers]
        grads = eagre.autograd.grad(function(*tensors).sum(), tensors)
        return [g.tolist() for g in grads]

    nan = float("nan")
    assert slopes(eagre.fmax, [1.0, 1.0, nan], [1.0, nan, 1.0]) == [[0.5, 1, 0], [0.5, 0, 1]]
    assert slopes(eagre.nextafter, [1.0, 1.0], [1.0, 2.0]) == [[0, 1], [0, 0]]
    assert slopes(eagre.xlogy, [0.0, 0.0], [0.0, 1.0])[0] == [0, 0]
    assert slopes(lambda x: eagre.xlogy(x, 0), [0.0]) == [[0]]
    assert slopes(eagre.copysign, [0.0, 2.0], [-1.0, -1.0]) == [[0, -1], [0, 0]]
    assert np.isnan(slopes(eagre.logit, [-1.0, 2.0])[0]).all()
    assert slopes(lambda x: eagre.logit(x, 0.25), [0.1, 0.9]) == [[0, 0]]
    assert slopes(eagre.nan_to_num, [nan, 1.0]) == [[0, 1]]
    assert slopes(eagre.angle, [-1.0, 1.0, float("inf")]) == [[0, 0, 0]]
    assert slopes(eagre.sinc, [0.0]) == [[0]]
    assert slopes(eagre.heaviside, [0.0, 1.0], [0.5, 0.5]) == [[0, 0], [1, 0]]


# --- along dimensions ---


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_along_a_dimension(dim):
    x = eagre.tensor(X)
    spread, mean = eagre.var_mean(x, dim)
    check(spread, X.var(dim, ddof=1))
    check(mean, X.mean(dim))
    check(eagre.std_mean(x, dim, correction=0)[0], X.std(dim))
    low, high = x.aminmax(dim=dim)
    check(low, X.min(dim))
    check(high, X.max(dim))
    check(x.cumprod(dim), X.cumprod(dim))
    check(x.diff(dim=dim), np.diff(X, axis=dim))
    check(x.diff(2, dim), np.diff(X, 2, axis=dim))
    check(x.logcumsumexp(dim), np.logaddexp.accumulate(X, dim))
    check(eagre.trapezoid(x, dim=dim), np.trapezoid(X, axis=dim))
    for q in (0.3, [0.0, 0.25, 1.0]):
        check(eagre.quantile(x, eagre.tensor(q, dtype=eagre.float64), dim), np.quantile(X, q, dim))
    holes = np.where(X > 1, np.nan, X)
    check(eagre.tensor(holes).nansum(dim), np.nansum(holes, dim))
    check(eagre.tensor(holes).nanmean(dim), np.nanmean(holes, dim))


def test_order_statistics():
    x = eagre.tensor([[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]])
    values, indices = x.median(1)
    assert values.tolist() == [2.0, 8.0] and indices.tolist() == [2, 1]
    assert x.median().item() == 3 and eagre.median(eagre.tensor([1.0, 2.0])).item() == 1
    holes = eagre.tensor([1.0, float("nan"), 3.0])
    assert holes.median().isnan() and holes.nanmedian().item() == 1
    assert (
        repr(x.median(1))
        == "eagre.return_types.median(\nvalues=tensor([2., 8.]),\nindices=tensor([2, 1]))"
    )
    assert repr(x.max(1)).startswith("eagre.return_types.max(\nvalues=tensor([3., 9.]),\n")
    assert x.kthvalue(2).values.tolist() == [2.0, 8.0]
    assert x.kthvalue(1, 0, keepdim=True).indices.tolist() == [[0, 0, 0]]
    assert eagre.msort(x.t()).tolist() == [[1.0, 7.0], [2.0, 8.0], [3.0, 9.0]]
    with pytest.raises(RuntimeError, match="out of range"):
        x.kthvalue(4)
    with pytest.raises(RuntimeError, match="range"):
        x.quantile(1.5)


def test_rows():
    x, y = eagre.tensor(X), eagre.tensor(Y)
    check(x.cov(), np.cov(X))
    check(x[0].cov(), np.cov(X[0]))
    check(x.corrcoef(), np.corrcoef(X))
    distances = np.sqrt(((X[:, None] - Y[None]) ** 2).sum(-1))
    check(eagre.cdist(x, y), distances)


def test_shapes():
    x = eagre.tensor(X)
    for k in range(-1, 4):
        check(x.rot90(k), np.rot90(X, k))
    check(eagre.vander(x[0], 3), np.vander(X[0], 3))
    check(eagre.chain_matmul(x, x.t(), x), X @ X.T @ X)
    assert [part.shape for part in x.vsplit(2)] == [(2, 5), (2, 5)]
    assert [part.shape for part in eagre.hsplit(x, (1, 3))] == [(4, 1), (4, 2), (4, 2)]
    with pytest.raises(RuntimeError, match="not divisible"):
        x.hsplit(2)
    places = eagre.unravel_index(eagre.tensor([0, 7, 19]), (4, 5))
    assert [p.tolist() for p in places] == [list(p) for p in np.unravel_index([0, 7, 19], (4, 5))]
