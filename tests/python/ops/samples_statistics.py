"""Samples of ops/statistics.yaml."""

import numpy as np
from mistakes import complex_numbers, dim_out_of_range, integers, mistake, refuses_integers, tensor
from samples import COMPLEX, FLOATS, NAN, WITH_NAN, Sample, make, strided
from samples_reduction import DIMS, axes

import eagre


def bincount():
    for dtype in (np.int64, np.uint8, np.int32):
        a = np.asarray([1, 3, 1, 0], dtype)
        yield Sample((a,), np.bincount(a))
        yield Sample((a, None, 6), np.bincount(a, minlength=6))
    a, weights = np.asarray([1, 3, 1, 0]), make((4,))
    yield Sample((a, weights), np.bincount(a, weights))
    narrow = weights.astype(np.float32)
    yield Sample((a, narrow), np.bincount(a, narrow).astype(np.float32))
    yield Sample((a, a), np.bincount(a, a))
    yield Sample((np.zeros(0, np.int64), None, 2), np.zeros(2, np.int64))


def _spread(compute):
    for dtype in FLOATS:
        yield Sample((make((3, 4), dtype),), np.asarray(compute(make((3, 4), dtype), ddof=1)))
    for dtype in COMPLEX:
        z = make((3, 4), dtype)
        yield Sample((z,), np.asarray(compute(z, ddof=1)))
        yield Sample((z.T, 0), compute(z.T, axis=0, ddof=1))
    half = make((3, 4), np.float16)
    yield Sample((half,), np.asarray(compute(half.astype(np.float64), ddof=1)).astype(np.float16))
    a = make((2, 3, 2))
    for dim in DIMS:
        yield Sample((a, dim), compute(a, axis=axes(dim), ddof=1))
        expected = compute(a, axis=axes(dim), keepdims=True)
        yield Sample((a, dim), expected, {"correction": 0, "keepdim": True})
    yield Sample((a, None), np.asarray(compute(a, ddof=0.5)), {"correction": 0.5})
    yield Sample((strided((3, 2)), 1), compute(strided((3, 2)), axis=1, ddof=1))
    yield Sample((make((1,)),), np.asarray(np.nan))
    yield Sample((make((0, 2)), 0), np.full(2, np.nan))


def var():
    yield from _spread(np.var)


def std():
    yield from _spread(np.std)


def _unbiased(compute):
    a = make((2, 3))
    yield Sample((a, True), np.asarray(compute(a, ddof=1)))
    yield Sample((a,), np.asarray(compute(a)), {"unbiased": False})


def var_unbiased():
    yield from _unbiased(np.var)


def std_unbiased():
    yield from _unbiased(np.std)


def _dim_unbiased(compute):
    a = make((2, 3))
    yield Sample((a, 0, True), compute(a, axis=0, ddof=1))
    yield Sample((a, (1,), False, True), compute(a, axis=1, keepdims=True))


def var_dim_unbiased():
    yield from _dim_unbiased(np.var)


def std_dim_unbiased():
    yield from _dim_unbiased(np.std)


def _moments(spread, unbiased):
    for dtype in FLOATS:
        a = make((2, 3), dtype)
        if unbiased == "all":
            yield Sample((a, True), (spread(a, ddof=1), np.asarray(a.mean())))
            yield Sample((a,), (spread(a, ddof=0), np.asarray(a.mean())), {"unbiased": False})
        elif unbiased == "dim":
            yield Sample((a, 1, False), (spread(a, 1, ddof=0), a.mean(1)))
            yield Sample((a, (0, 1), True, True),
                         (spread(a, ddof=1, keepdims=True), a.mean(keepdims=True)))  # fmt: skip
        else:
            yield Sample((a,), (spread(a, ddof=1), np.asarray(a.mean())))
            yield Sample((a, 0), (spread(a, 0, ddof=0), a.mean(0)), {"correction": 0})
            yield Sample((a, [1]), (spread(a, 1, ddof=1, keepdims=True), a.mean(1, keepdims=True)),
                         {"keepdim": True})  # fmt: skip


def _var(a, *axis, **named):
    return np.asarray(np.var(a, *axis, **named))


def _std(a, *axis, **named):
    return np.asarray(np.std(a, *axis, **named))


def var_mean():
    yield from _moments(_var, "")


def var_mean_unbiased():
    yield from _moments(_var, "all")


def var_mean_dim_unbiased():
    yield from _moments(_var, "dim")


def std_mean():
    yield from _moments(_std, "")


def std_mean_unbiased():
    yield from _moments(_std, "all")


def std_mean_dim_unbiased():
    yield from _moments(_std, "dim")


def _middle(a, axis):
    size = a.shape[axis]
    order = a.argsort(axis, kind="stable")
    place = np.take(order, [(size - 1) // 2], axis)
    return np.take_along_axis(a, place, axis), place


def median():
    for dtype in (*FLOATS, np.int64):
        for shape, axis in (((5,), 0), ((2, 4), 1), ((3, 2), 0)):
            a = make(shape, dtype)
            values, places = _middle(a, axis)
            yield Sample((a, axis), (values.squeeze(axis), places.squeeze(axis)))
            yield Sample((a, axis, True), (values, places))
    yield Sample((WITH_NAN, 1), (np.asarray([NAN, NAN, 1.0]), np.asarray([1, 0, 0])))
    yield Sample((make(()), 0), (make(()), np.asarray(0)))


def median_all():
    for dtype in (*FLOATS, np.int64):
        for shape in ((5,), (2, 4), (), (1, 1)):
            a = make(shape, dtype)
            yield Sample((a,), np.sort(a, None)[(a.size - 1) // 2])
    yield Sample((WITH_NAN,), np.asarray(NAN))
    yield Sample((make((0,)),), np.asarray(NAN))


def nanmedian():
    a = make((2, 4))
    values, places = _middle(a, 1)
    yield Sample((a, 1, True), (values, places))
    yield Sample((WITH_NAN, 1), (np.asarray([-1.0, NAN, 1.0]), np.asarray([2, 0, 0])))


def nanmedian_all():
    yield Sample((WITH_NAN,), np.asarray(1.0))
    yield Sample((WITH_NAN[1],), np.asarray(NAN))
    yield Sample((make((2, 3)),), np.sort(make((2, 3)), None)[2])
    yield Sample((make((4,), np.int64),), np.sort(make((4,), np.int64))[1])


def quantile():
    for dtype in FLOATS:
        a, q = make((3, 4), dtype), np.asarray([0.1, 0.3, 0.9], dtype)
        yield Sample((a, q), np.quantile(a, q).astype(dtype))
        for way in ("linear", "lower", "higher", "midpoint", "nearest"):
            expected = np.quantile(a, q, 1, method=way).astype(dtype)
            yield Sample((a, q, 1), expected, {"interpolation": way})
    a, q = make((2, 3)), np.asarray(0.25)
    yield Sample((a, q, 0, True), np.quantile(a, q, 0, keepdims=True))
    yield Sample((a, q, None, True), np.quantile(a, q, keepdims=True))
    yield Sample((WITH_NAN, np.asarray([0.5]), 1), np.asarray([[NAN, NAN, 1.0]]))


def quantile_number():
    a = make((2, 3))
    yield Sample((a, 0.25), np.asarray(np.quantile(a, 0.25)))
    yield Sample((a, 1, -1), np.quantile(a, 1.0, -1))


def cov():
    for dtype in (*FLOATS, np.complex128):
        a = make((2, 4), dtype)
        yield Sample((a,), np.cov(a, dtype=dtype).astype(dtype))
        yield Sample((a,), np.cov(a, ddof=0).astype(dtype), {"correction": 0})
    yield Sample((make((4,)),), np.cov(make((4,))))
    a, often, much = make((2, 3)), np.asarray([1, 2, 3]), np.asarray([0.5, 1.0, 2.0])
    yield Sample((a,), np.cov(a, fweights=often), {"fweights": eagre.tensor(often)})
    yield Sample((a,), np.cov(a, aweights=much), {"aweights": eagre.tensor(much)})
    yield Sample((a,), np.cov(a, fweights=often, aweights=much),
                 {"fweights": eagre.tensor(often), "aweights": eagre.tensor(much)})  # fmt: skip


def corrcoef():
    for dtype in (*FLOATS, np.complex128):
        a = make((3, 4), dtype)
        yield Sample((a,), np.corrcoef(a).astype(dtype), tolerance=1e-5)
    yield Sample((make((4,)),), np.asarray(1.0))


BAD = {
    ("bincount", "floats"): (
        lambda: tensor(2).bincount(),
        eagre.UnimplementedError,
        ["bincount()", "'input'", "float32"],
    ),
    ("bincount", "matrix"): mistake(
        lambda: integers(2, 2).bincount(), ["bincount()", "'input'", "[2, 2]"]
    ),
    ("bincount", "negative"): mistake(
        lambda: eagre.tensor([1, -1]).bincount(), ["bincount()", "'input'", "negative"]
    ),
    ("bincount", "negative_length"): mistake(
        lambda: eagre.tensor([1]).bincount(minlength=-1), ["bincount()", "'minlength'", "-1"]
    ),
    ("bincount", "lengths_differ"): mistake(
        lambda: eagre.tensor([1]).bincount(tensor(2)), ["bincount()", "'weights'", "[1]", "[2]"]
    ),
    ("var", "integers"): refuses_integers("var"),
    ("std", "integers"): refuses_integers("std"),
    ("var_unbiased", "integers"): refuses_integers("var", True),
    ("std_unbiased", "integers"): refuses_integers("std", True),
    **{
        (f"{n}_dim_unbiased", "dim_out_of_range"): (
            lambda n=n: getattr(eagre, n)(tensor(2, 3), 2, True),
            eagre.IndexOutOfRangeError,
            [f"{n}()", "'dim'", "range of [-2, 1]"],
        )
        for n in ("var", "std")
    },
    **{(n, "dim_out_of_range"): dim_out_of_range(n) for n in ("var", "std")},
    **{
        (f"{op}_mean_unbiased", "integers"): (
            lambda op=op: getattr(eagre, f"{op}_mean")(integers(2), True),
            eagre.UnimplementedError,
            [f"{op}_mean()", "int64"],
        )
        for op in ("std", "var")
    },
    **{
        (f"{op}_mean_dim_unbiased", "dim_out_of_range"): (
            lambda op=op: getattr(eagre, f"{op}_mean")(tensor(2), 1, True),
            eagre.IndexOutOfRangeError,
            [f"{op}_mean()", "'dim'", "got 1"],
        )
        for op in ("std", "var")
    },
    **{
        (f"{op}_mean", "integers"): (
            lambda op=op: getattr(eagre, f"{op}_mean")(integers(2)),
            eagre.UnimplementedError,
            [f"{op}_mean()", "int64"],
        )
        for op in ("std", "var")
    },
    **{
        (f"{op}_mean", "dim_out_of_range"): (
            lambda op=op: getattr(eagre, f"{op}_mean")(tensor(2), 1),
            eagre.IndexOutOfRangeError,
            [f"{op}_mean()", "'dim'", "got 1"],
        )
        for op in ("std", "var")
    },
    **{
        (f"{op}_all", "complex_numbers"): (
            lambda op=op: getattr(complex_numbers(2), op)(),
            eagre.UnimplementedError,
            [f"{op}()", "complex64"],
        )
        for op in ("median", "nanmedian")
    },
    **{
        (op, "complex_numbers"): (
            lambda op=op: getattr(complex_numbers(2), op)(0),
            eagre.UnimplementedError,
            [f"{op}()", "complex64"],
        )
        for op in ("median", "nanmedian")
    },
    **{
        (op, "dim_out_of_range"): (
            lambda op=op: getattr(tensor(2), op)(1),
            eagre.IndexOutOfRangeError,
            [f"{op}()", "'dim'", "got 1"],
        )
        for op in ("median", "nanmedian")
    },
    **{
        (op, "nothing"): (
            lambda op=op: getattr(tensor(2, 0), op)(1),
            eagre.IndexOutOfRangeError,
            [f"{op}()", "non-zero size", "[2, 0]"],
        )
        for op in ("median", "nanmedian")
    },
    ("quantile", "integers"): (
        lambda: integers(2).quantile(tensor()),
        eagre.InvalidArgumentError,
        ["quantile()", "'input'", "int64"],
    ),
    ("quantile", "another_dtype"): (
        lambda: tensor(2).quantile(tensor(dtype=np.float64)),
        eagre.InvalidArgumentError,
        ["quantile()", "'q'", "float32", "float64"],
    ),
    ("quantile", "too_many_dimensions"): (
        lambda: tensor(2).quantile(tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["quantile()", "'q'", "[2, 2]"],
    ),
    ("quantile", "out_of_range"): (
        lambda: tensor(2).quantile(eagre.tensor([0.5, 1.5])),
        eagre.InvalidArgumentError,
        ["quantile()", "'q'", "[0, 1]"],
    ),
    ("quantile", "unknown_interpolation"): (
        lambda: tensor(2).quantile(eagre.tensor(0.5), interpolation="best"),
        eagre.InvalidArgumentError,
        ["quantile()", "'interpolation'", "'best'"],
    ),
    ("quantile", "nothing"): (
        lambda: tensor(0).quantile(eagre.tensor(0.5)),
        eagre.InvalidArgumentError,
        ["quantile()", "'input'", "[0]"],
    ),
    ("quantile", "dim_out_of_range"): (
        lambda: tensor(2).quantile(eagre.tensor(0.5), 1),
        eagre.IndexOutOfRangeError,
        ["quantile()", "'dim'", "got 1"],
    ),
    ("quantile_number", "out_of_range"): (
        lambda: tensor(2).quantile(-0.5),
        eagre.InvalidArgumentError,
        ["quantile()", "'q'", "[0, 1]"],
    ),
    ("cov", "too_many_dimensions"): (
        lambda: eagre.cov(tensor(2, 2, 2)),
        eagre.InvalidArgumentError,
        ["cov()", "'input'", "[2, 2, 2]"],
    ),
    ("cov", "weights_of_a_matrix"): (
        lambda: eagre.cov(tensor(4), aweights=tensor(2, 2)),
        eagre.InvalidArgumentError,
        ["cov()", "'aweights'", "[2, 2]"],
    ),
    ("cov", "float_counts"): (
        lambda: eagre.cov(tensor(2), fweights=tensor(2)),
        eagre.InvalidArgumentError,
        ["cov()", "'fweights'", "float32"],
    ),
    ("cov", "integer_weights"): (
        lambda: eagre.cov(tensor(2), aweights=integers(2)),
        eagre.InvalidArgumentError,
        ["cov()", "'aweights'", "int64"],
    ),
    ("cov", "lengths_differ"): (
        lambda: eagre.cov(tensor(2), fweights=integers(3)),
        eagre.InvalidArgumentError,
        ["cov()", "'fweights'", "2 observations", "3 weights"],
    ),
    ("cov", "negative_weights"): (
        lambda: eagre.cov(tensor(2), fweights=eagre.tensor([1, -1])),
        eagre.InvalidArgumentError,
        ["cov()", "'fweights'", "negative"],
    ),
    ("corrcoef", "too_many_dimensions"): (
        lambda: eagre.corrcoef(tensor(2, 2, 2)),
        eagre.InvalidArgumentError,
        ["corrcoef()", "'input'", "[2, 2, 2]"],
    ),
}


def nanquantile():
    for dtype in (np.float64, np.float32):
        a = make((3, 4), dtype)
        for shares in ([0.0, 0.3, 1.0], 0.5):
            q = np.asarray(shares, dtype)
            yield Sample((a, eagre.tensor(q)), np.nanquantile(a, q).astype(dtype))
            yield Sample((a, eagre.tensor(q), 1), np.nanquantile(a, q, 1).astype(dtype))
            yield Sample(
                (a, eagre.tensor(q), 0, True), np.nanquantile(a, q, 0, keepdims=True).astype(dtype)
            )
    holes = np.asarray([[1, np.nan, 3, 4], [np.nan, 5, np.nan, 2]], np.float32)
    for how in ("linear", "lower", "higher", "midpoint", "nearest"):
        expected = np.nanquantile(holes, 0.6, 1, method=how).astype(np.float32)
        yield Sample((holes, eagre.tensor(0.6), 1), expected, {"interpolation": how})


def nanquantile_number():
    a = make((3, 4))
    yield Sample((a, 0.25), np.nanquantile(a, 0.25))
    yield Sample((a, 0.25, 1), np.nanquantile(a, 0.25, 1))


def mode():
    def expected(a, dim):
        """The most frequent of each row by counting, the smallest first, and where it was last."""
        rows = np.moveaxis(a, dim, -1)
        values, places = np.empty(rows.shape[:-1], a.dtype), np.empty(rows.shape[:-1], np.int64)
        for row in np.ndindex(rows.shape[:-1]):
            found, counts = np.unique(rows[row], return_counts=True)
            values[row] = found[counts.argmax()]
            places[row] = np.flatnonzero(rows[row] == values[row])[-1]
        return values, places

    for dtype in (np.float64, np.float32, np.int64, np.uint8, np.bool_):
        a = make((4, 5), dtype)
        yield Sample((a,), expected(a, -1))
        yield Sample((a, 0), expected(a, 0))
    a = np.asarray([[3, 1, 3, 1, 1], [2, 2, 4, 4, 5]], np.int64)
    yield Sample((a, 1), expected(a, 1))
    yield Sample((a, 1, True), tuple(x[:, None] for x in expected(a, 1)))
    yield Sample((make(()),), (make(()), np.asarray(0)))


def histc():
    for dtype in (np.float64, np.float32):
        a = make((3, 7), dtype)
        counts = np.histogram(a.astype(np.float64), 100)[0].astype(dtype)
        yield Sample((a,), counts)
        for bins, low, high in ((3, -1, 1), (4, 0, 0.5), (5, -7, 9)):
            expected = np.histogram(a.astype(np.float64), bins, (low, high))[0].astype(dtype)
            yield Sample((a, bins, low, high), expected)
    whole = np.asarray([1, np.nan, 2, 4, 0.5, 9], np.float32)
    yield Sample((whole, 4, 0, 4), np.asarray([1, 1, 1, 1], np.float32))
    yield Sample((np.zeros((0,)), 3), np.zeros(3))
    yield Sample((np.full(4, 2.0, np.float32), 2), np.asarray([0.0, 4.0], np.float32))


BAD |= {
    ("nanquantile", "integers"): (
        lambda: eagre.nanquantile(tensor(3, dtype=np.int64), 0.5),
        eagre.InvalidArgumentError,
        ["nanquantile()", "int64"],
    ),
    ("nanquantile", "out_of_range"): (
        lambda: eagre.nanquantile(tensor(3), eagre.tensor([0.5, 2.0])),
        eagre.InvalidArgumentError,
        ["nanquantile()", "[0, 1]"],
    ),
    ("nanquantile_number", "out_of_range"): (
        lambda: eagre.nanquantile(tensor(3), -0.5),
        eagre.InvalidArgumentError,
        ["nanquantile()", "-0.5"],
    ),
    ("mode", "dim_out_of_range"): (
        lambda: eagre.mode(tensor(3), 1),
        eagre.IndexOutOfRangeError,
        ["mode()", "'dim'"],
    ),
    ("mode", "nothing"): (
        lambda: eagre.mode(tensor(3, 0), 1),
        eagre.IndexOutOfRangeError,
        ["mode()", "[3, 0]"],
    ),
    ("mode", "complex_numbers"): (
        lambda: eagre.mode(tensor(3, dtype=np.complex64)),
        eagre.UnimplementedError,
        ["mode()", "complex64"],
    ),
    ("histc", "no_bins"): (
        lambda: eagre.histc(tensor(3), 0),
        eagre.InvalidArgumentError,
        ["histc()", "'bins'", "got 0"],
    ),
    ("histc", "bounds_swapped"): (
        lambda: eagre.histc(tensor(3), 2, 3, 1),
        eagre.InvalidArgumentError,
        ["histc()", "'max'"],
    ),
    ("histc", "not_finite"): (
        lambda: eagre.histc(eagre.tensor([1.0, float("nan")]), 2),
        eagre.InvalidArgumentError,
        ["histc()", "not finite"],
    ),
    ("histc", "integers"): (
        lambda: eagre.histc(tensor(3, dtype=np.int64), 2),
        eagre.UnimplementedError,
        ["histc()", "int64"],
    ),
}


def _parts(result, hist, edges):
    np.testing.assert_allclose(result.hist.numpy(), hist, rtol=1e-6)
    for ours, theirs in zip(result.bin_edges, edges, strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=1e-6)


def _same_parts(hist, edges):
    return lambda result: _parts(result, hist, edges)


def histogram():
    for dtype in (np.float64, np.float32):
        a = make((3, 7), dtype)
        edges = np.asarray([-2, -0.5, 0, 1], dtype)
        named = {"bins": eagre.tensor(edges)}
        counts = np.histogram(a, edges)[0]
        yield Sample((a,), (counts.astype(dtype), edges), named)
        shares = np.histogram(a, edges, density=True)[0].astype(dtype)
        yield Sample((a,), (shares, edges), named | {"density": True})
        weight = np.abs(make((3, 7), dtype, seed=1))
        sums = np.histogram(a, edges, weights=weight)[0].astype(dtype)
        yield Sample((a,), (sums, edges), named | {"weight": eagre.tensor(weight)})
    a = make((30,), np.float32)
    wide = a.astype(np.float64)
    counts, edges = (x.astype(np.float32) for x in np.histogram(wide, 4, (-1, 2)))
    yield Sample((a,), (counts, edges), {"bins": 4, "range": (-1, 2)})
    counts, edges = (x.astype(np.float32) for x in np.histogram(wide, 5))
    yield Sample((a,), (counts, edges), {"bins": 5})


def histogramdd():
    points = make((30, 2), np.float32)
    counts, edges = np.histogramdd(points.astype(np.float64), [3, 2], [(-1, 1), (0, 2)])
    named = {"bins": [3, 2], "range": [-1, 1, 0, 2]}
    yield Sample((points,), _same_parts(counts, edges), named)
    counts, edges = np.histogramdd(points.astype(np.float64), 3)
    yield Sample((points,), _same_parts(counts, edges), {"bins": 3})
    edges = [np.asarray(e, np.float32) for e in ([-2, 0, 1], [-1, 0.5, 1, 2])]
    weight = np.abs(make((30,), np.float32, seed=1))
    counts = np.histogramdd(points, edges, density=True, weights=weight)[0]
    given = {"bins": [eagre.tensor(e) for e in edges], "weight": eagre.tensor(weight)}
    yield Sample((points,), _same_parts(counts, edges), given | {"density": True})


BAD |= {
    ("histogram", name): (lambda args=args: eagre.histogram(*args[:2], **args[2]), error, words)
    for name, args, error, words in (
        (
            "no_edges",
            (tensor(3), eagre.ones(1), {}),
            eagre.InvalidArgumentError,
            ["histogram()", "'bins'", "[1]"],
        ),
        (
            "another_dtype",
            (tensor(3), tensor(3, dtype=np.float64), {}),
            eagre.InvalidArgumentError,
            ["histogram()", "'bins'", "float64"],
        ),
        (
            "weights_of_another_shape",
            (tensor(3), tensor(3), {"weight": tensor(2)}),
            eagre.InvalidArgumentError,
            ["histogram()", "'weight'", "[2]"],
        ),
        (
            "integers",
            (integers(3), tensor(3), {}),
            eagre.UnimplementedError,
            ["histogram()", "'input'", "int64"],
        ),
    )
} | {
    ("histogramdd", "one_dimension"): (
        lambda: eagre.histogramdd(tensor(3), [2]),
        eagre.InvalidArgumentError,
        ["histogramdd()", "'input'", "got 1"],
    ),
    ("histogramdd", "coordinates_differ"): (
        lambda: eagre.histogramdd(tensor(3, 2), [2]),
        eagre.InvalidArgumentError,
        ["histogramdd()", "'bins'", "got 1"],
    ),
}
