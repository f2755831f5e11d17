"""Samples of ops/reduction_extremes.yaml."""

import numpy as np
from mistakes import complex_numbers, dim_out_of_range, tensor
from samples import FLOATS, INTEGERS, NAN, SHAPES, WITH_NAN, Sample, make, strided
from samples_reduction import over_dims

import eagre

REAL = [np.bool_, *INTEGERS, np.float16, np.float32, np.float64]


def _extreme(compute):
    for dtype in REAL:
        for shape in SHAPES:
            a = make(shape, dtype)
            if a.size:
                yield Sample((a,), np.asarray(compute(a)))
        yield Sample((make((3, 4), dtype), 1), compute(make((3, 4), dtype), axis=1))
    yield from over_dims(compute)
    yield Sample((make((0, 3)), 1), np.zeros(0))
    for dtype in FLOATS:
        a = np.asarray([[1, np.nan, 2], [np.inf, -np.inf, 0]], dtype)
        yield Sample((a, 1), compute(a, axis=1))
    long = make((4099,), np.float32)
    yield Sample((long,), np.asarray(compute(long)))


def amax():
    yield from _extreme(np.max)


def amin():
    yield from _extreme(np.min)


def _all_elements(compute):
    for dtype in REAL:
        yield Sample((make((2, 3), dtype),), np.asarray(compute(make((2, 3), dtype))))
    yield Sample((make(()),), make(()))
    yield Sample((strided((3, 2)),), np.asarray(compute(strided((3, 2)))))
    yield Sample((np.asarray([np.nan, 1.0]),), np.asarray(np.nan))


def max_all():
    yield from _all_elements(np.max)


def min_all():
    yield from _all_elements(np.min)


def _two(compute):
    a, b = make((2, 3), seed=1), make((3,), seed=2)
    yield Sample((a, b), compute(a, b))
    yield Sample((a,), compute(a, 0.5), {"other": eagre.tensor(0.5, dtype=eagre.float64)})
    whole = make((3,), np.int64)
    yield Sample((whole, make((), np.int64)), compute(whole, make((), np.int64)))


def max_other():
    yield from _two(np.maximum)


def min_other():
    yield from _two(np.minimum)


def _with_places(compute, place):
    def sample(a, dim, keep=False):
        values = compute(a, axis=dim, keepdims=keep)
        places = place(a, axis=dim, keepdims=keep)
        return Sample((a, dim), (values, places), {"keepdim": True} if keep else {})

    for dtype in REAL:
        for dim in (0, 1, -1):
            yield sample(make((3, 4), dtype), dim)
    yield sample(make((2, 3, 2)), 1)
    yield sample(make((2, 3, 2)), -2, keep=True)
    yield sample(strided((3, 2)), 0)
    yield sample(np.asarray([[1.0, 1.0, 0.0], [np.nan, 2.0, np.nan]]), 1)
    yield sample(make((3, 0)), 0)
    yield Sample((make(()), 0), (make(()), np.asarray(0)))


def max_dim():
    yield from _with_places(np.max, np.argmax)


def min_dim():
    yield from _with_places(np.min, np.argmin)


def _places(place):
    for dtype in REAL[1:]:
        for dim in (0, -1):
            yield Sample((make((3, 4), dtype), dim), place(make((3, 4), dtype), axis=dim))
        yield Sample((make((2, 3), dtype),), np.asarray(place(make((2, 3), dtype))))
    a = make((2, 3, 2))
    yield Sample((a,), place(a, axis=1, keepdims=True), {"dim": 1, "keepdim": True})
    yield Sample((a,), np.asarray(place(a)).reshape(1, 1, 1), {"keepdim": True})
    yield Sample((strided((3, 2)),), np.asarray(place(strided((3, 2)))))
    yield Sample((strided((3, 2)), 0), place(strided((3, 2)), axis=0))
    yield Sample((np.asarray([1.0, np.nan, 3.0, np.nan]), 0), np.asarray(1))
    yield Sample((np.asarray([2, 1, 2, 1]),), np.asarray(place(np.asarray([2, 1, 2, 1]))))
    yield Sample((make((3, 0)), 0), np.zeros(0, np.int64))
    yield Sample((make(()),), np.asarray(0))


def argmax():
    yield from _places(np.argmax)


def argmin():
    yield from _places(np.argmin)


def _empty(name, kind=eagre.IndexOutOfRangeError):
    return (
        lambda: getattr(eagre, name)(tensor(0, 3)),
        kind,
        [f"{name}()", "'input'", "[0, 3]"],
    )


def _empty_dim(name):
    return (
        lambda: getattr(eagre, name)(tensor(0, 3), 0),
        eagre.IndexOutOfRangeError,
        [f"{name}()", "'dim'", "[0, 3]"],
    )


def aminmax():
    for dtype in (np.float64, np.float32, np.int64, np.uint8, np.bool_):
        a = make((2, 3), dtype)
        yield Sample((a,), (np.asarray(a.min()), np.asarray(a.max())))
        yield Sample((a,), (a.min(1), a.max(1)), {"dim": 1})
        yield Sample((a,), (a.min(0, keepdims=True), a.max(0, keepdims=True)),
                     {"dim": 0, "keepdim": True})  # fmt: skip
    yield Sample((make(()),), (make(()), make(())))
    yield Sample((WITH_NAN,), (np.asarray([NAN, NAN, 0.0]), np.asarray([NAN, NAN, 3.0])),
                 {"dim": 1})  # fmt: skip
    yield Sample((make((0, 2)),), (np.zeros(0), np.zeros(0)), {"dim": 1})


BAD = {
    ("max_all", "nothing_to_reduce"): _empty("max", eagre.InvalidArgumentError),
    ("min_all", "nothing_to_reduce"): _empty("min", eagre.InvalidArgumentError),
    ("max_dim", "dim_out_of_range"): dim_out_of_range("max"),
    ("min_dim", "dim_out_of_range"): dim_out_of_range("min"),
    ("max_dim", "dim_of_size_zero"): _empty_dim("max"),
    ("min_dim", "dim_of_size_zero"): _empty_dim("min"),
    **{(n, "nothing_to_reduce"): _empty(n) for n in ("amax", "amin", "argmax", "argmin")},
    **{(n, "dim_of_size_zero"): _empty_dim(n) for n in ("amax", "amin", "argmax", "argmin")},
    ("aminmax", "nothing"): (
        lambda: eagre.aminmax(tensor(2, 0)),
        eagre.InvalidArgumentError,
        ["aminmax()", "'input'", "[2, 0]"],
    ),
    ("aminmax", "dim_out_of_range"): (
        lambda: eagre.aminmax(tensor(2), dim=1),
        eagre.IndexOutOfRangeError,
        ["aminmax()", "got 1"],
    ),
    ("aminmax", "out_of_another_dtype"): (
        lambda: eagre.aminmax(tensor(2), out=(tensor(), tensor(dtype=np.float64))),
        eagre.InvalidArgumentError,
        ["aminmax()", "float32", "float64"],
    ),
    ("aminmax", "out_twice"): (
        lambda: (lambda out: eagre.aminmax(tensor(2), out=(out, out)))(tensor()),
        eagre.InvalidArgumentError,
        ["aminmax()", "'out'", "must not overlap"],
    ),
    ("aminmax", "complex_numbers"): (
        lambda: eagre.aminmax(complex_numbers(2)),
        eagre.UnimplementedError,
        ["aminmax()", "complex64"],
    ),
}

for _op in ("max", "min"):
    BAD[f"{_op}_other", "shapes_do_not_broadcast"] = (
        lambda op=_op: getattr(eagre, op)(tensor(3), tensor(2)),
        eagre.InvalidArgumentError,
        [f"{_op}imum()", "[3]", "[2]"],
    )
    BAD[f"a{_op}", "out_of_another_dtype"] = (
        lambda op=_op: getattr(eagre, f"a{op}")(tensor(3), 0, out=tensor(dtype=np.float64)),
        eagre.InvalidArgumentError,
        [f"a{_op}()", "'out'", "float32", "float64"],
    )
