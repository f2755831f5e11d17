"""The strict namespace: names, places of arguments, kinds that do not mix, and values against
NumPy, whose own namespace follows the same standard."""

import inspect

import numpy as np
import pytest

import eagre
from eagre import array_api as xp

FLOATS = np.array([[1.5, -2.25, 0.0], [3.0, -0.5, 2.0]])
INTS = np.array([[3, -1, 4], [1, 5, -9]])
BOOLS = np.array([[True, False, True], [False, False, True]])


def ours(array):
    return xp.asarray(array)


def assert_same(found, wanted):
    if isinstance(wanted, (tuple, list)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other)
        return
    wanted = np.asarray(wanted)
    assert tuple(found.shape) == wanted.shape
    assert str(found.dtype) == f"eagre.{wanted.dtype}"
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-12)


UNARY = {
    "abs ceil floor negative positive round sign square trunc": (FLOATS, INTS),
    "acos asin atanh": (FLOATS / 4,),
    "acosh log log10 log2 sqrt": (np.abs(FLOATS) + 1,),
    "asinh cos cosh exp expm1 sin sinh tan tanh": (FLOATS, FLOATS + 1j),
    "atan log1p": (np.abs(FLOATS),),
    "reciprocal": (FLOATS + 0.1,),
    "signbit": (FLOATS,),
    "isnan isfinite isinf": (FLOATS, np.array([np.nan, np.inf, 1]), INTS),
    "conj real imag": (FLOATS + 2j,),
    "bitwise_invert": (INTS, BOOLS),
    "logical_not": (BOOLS,),
}
BINARY = {
    "add subtract multiply equal not_equal": ((FLOATS, FLOATS[0]), (INTS, INTS[:, :1])),
    "less less_equal greater greater_equal maximum minimum": ((FLOATS, FLOATS.T[0, 0]),),
    "divide": ((FLOATS, FLOATS + 0.1),),
    "floor_divide remainder": ((INTS, np.array(4)), (FLOATS, np.array(0.75))),
    "pow": ((np.abs(INTS), np.array(2)), (np.abs(FLOATS), FLOATS)),
    "atan2 copysign hypot logaddexp nextafter": ((FLOATS, FLOATS[1]),),
    "bitwise_and bitwise_or bitwise_xor": ((INTS, INTS[0]), (BOOLS, BOOLS[1])),
    "bitwise_left_shift bitwise_right_shift": ((INTS, np.array(2)),),
    "logical_and logical_or logical_xor": ((BOOLS, BOOLS[1]),),
}


def cases(table):
    return [
        (name, given)
        for names, inputs in table.items()
        for name in names.split()
        for given in inputs
    ]


@pytest.mark.parametrize(("name", "x"), cases(UNARY))
def test_unary(name, x):
    assert_same(getattr(xp, name)(ours(x)), getattr(np, name)(x))


@pytest.mark.parametrize(("name", "pair"), cases(BINARY))
def test_binary(name, pair):
    wanted = getattr(np, name)(*pair)
    assert_same(getattr(xp, name)(*map(ours, pair)), wanted)


CALLS = [
    ("sum", (INTS.astype(np.int8),), {"axis": 0}),
    ("sum", (INTS.astype(np.uint8),), {}),
    ("sum", (FLOATS,), {"axis": (0, 1), "keepdims": True}),
    ("prod", (INTS,), {"axis": (0, 1)}),
    ("mean", (FLOATS,), {"axis": 1}),
    ("var", (FLOATS,), {"axis": 0, "correction": 1}),
    ("std", (FLOATS,), {}),
    ("max", (INTS,), {"axis": (0, 1)}),
    ("min", (FLOATS,), {"axis": -1, "keepdims": True}),
    ("all", (INTS,), {"axis": (0, 1)}),
    ("any", (BOOLS,), {"axis": 0}),
    ("count_nonzero", (INTS,), {"axis": 0}),
    ("cumulative_sum", (INTS,), {"axis": 1, "include_initial": True}),
    ("cumulative_prod", (FLOATS,), {"axis": 0}),
    ("argmax", (FLOATS,), {}),
    ("argmin", (INTS,), {"axis": 1, "keepdims": True}),
    ("sort", (INTS,), {"axis": 0}),
    ("argsort", (INTS,), {}),
    ("nonzero", (INTS,), {}),
    ("where", (BOOLS, INTS, INTS.T.reshape(2, 3)), {}),
    ("searchsorted", (np.array([1.0, 2.0, 5.0]), np.array([2.0, 9.0])), {"side": "right"}),
    ("diff", (INTS,), {"axis": 0}),
    ("isin", (INTS, np.array([3, 5])), {}),
    ("unique_counts", (np.array([3, 1, 3, 2]),), {}),
    ("unique_inverse", (np.array([[3, 1], [3, 2]]),), {}),
    ("unique_all", (np.array([3, 1, 3, 2]),), {}),
    ("matmul", (FLOATS, FLOATS.T), {}),
    ("matrix_transpose", (FLOATS,), {}),
    ("tensordot", (FLOATS, FLOATS.T), {"axes": 1}),
    ("vecdot", (FLOATS + 1j, FLOATS + 2j), {}),
    ("broadcast_to", (FLOATS, (2, 2, 3)), {}),
    ("broadcast_arrays", (FLOATS, FLOATS[0]), {}),
    ("concat", ((INTS, INTS),), {"axis": 1}),
    ("concat", ((INTS, INTS),), {"axis": None}),
    ("stack", ((INTS, INTS),), {"axis": -1}),
    ("unstack", (INTS,), {"axis": 1}),
    ("expand_dims", (INTS,), {"axis": (0, 2)}),
    ("squeeze", (INTS[:, None],), {"axis": 1}),
    ("flip", (INTS,), {}),
    ("flip", (INTS,), {"axis": 1}),
    ("moveaxis", (np.zeros((2, 3, 4)), 0, -1), {}),
    ("permute_dims", (np.zeros((2, 3, 4)), (2, 0, 1)), {}),
    ("repeat", (INTS, 2), {"axis": 1}),
    ("repeat", (INTS, 2), {}),
    ("reshape", (INTS, (3, 2)), {}),
    ("roll", (INTS, 1), {"axis": 1}),
    ("tile", (INTS, (2, 1)), {}),
    ("take", (FLOATS, np.array([2, 0])), {"axis": 1}),
    ("take_along_axis", (INTS, np.array([[0], [2]])), {"axis": 1}),
    ("clip", (FLOATS, -1.0, 1.0), {}),
    ("tril", (FLOATS,), {"k": -1}),
    ("triu", (FLOATS,), {"k": 1}),
    ("arange", (5, 1, -2), {}),
    ("arange", (5,), {}),
    ("linspace", (0.0, 1.0, 4), {"endpoint": False, "dtype": "float64"}),
    ("eye", (3, 4), {"k": 1, "dtype": "float64"}),
    ("full", (3, 7), {}),
    ("zeros", ((2, 3),), {"dtype": "int32"}),
    ("ones_like", (INTS,), {}),
    ("meshgrid", (np.array([1, 2]), np.array([3, 4, 5])), {}),
]


@pytest.mark.parametrize(("name", "arguments", "options"), CALLS)
def test_call(name, arguments, options):
    def converted(value):
        if isinstance(value, np.ndarray):
            return ours(value)
        is_list = isinstance(value, tuple) and isinstance(value[0], np.ndarray)
        return [ours(v) for v in value] if is_list else value

    def with_dtype(module):
        chosen = options.get("dtype")
        return options | ({"dtype": getattr(module, chosen)} if chosen else {})

    wanted = getattr(np, name)(*arguments, **with_dtype(np))
    found = getattr(xp, name)(*map(converted, arguments), **with_dtype(xp))
    assert_same(found, tuple(wanted) if isinstance(wanted, tuple) else wanted)


def test_kinds_do_not_mix():
    one, whole, bools = xp.ones(2), xp.asarray([1, 2]), xp.asarray([True, False])
    for x1, x2 in ((one, whole), (whole, bools), (whole, 1.5), (bools, 1), (one, True), (1, 2)):
        with pytest.raises(TypeError):
            xp.add(x1, x2)
    for call in (
        lambda: xp.sin(whole),
        lambda: xp.divide(whole, whole),
        lambda: xp.logical_and(whole, whole),
        lambda: xp.bitwise_and(one, one),
        lambda: xp.mean(whole),
        lambda: xp.sum(bools),
        lambda: xp.sort(xp.asarray([1j])),
        lambda: xp.result_type(xp.uint64, xp.int8),
        lambda: xp.astype(xp.asarray([1j]), xp.float32),
    ):
        with pytest.raises(TypeError):
            call()
    assert xp.add(one, 2).dtype == xp.add(1.5, one).dtype == xp.float32
    assert xp.result_type(xp.uint8, xp.int8) == xp.int16
    assert xp.result_type(xp.uint16, xp.uint32) == xp.uint32
    assert xp.result_type(xp.float32, xp.complex64, 1.0) == xp.complex64
    assert xp.can_cast(xp.int8, xp.int32) and not xp.can_cast(xp.int32, xp.float64)


def test_places_of_arguments():
    x = xp.ones((2, 2))
    for call in (lambda: xp.sum(x, 0), lambda: xp.sin(x=x), lambda: xp.concat(arrays=[x])):
        with pytest.raises(TypeError):
            call()
    assert str(inspect.signature(xp.argsort)) == "(x, /, *, axis=-1, descending=False, stable=True)"


def test_tensors_know_their_namespace():
    x = eagre.ones(2)
    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version="2025.12") is xp
    with pytest.raises(ValueError, match="2019"):
        x.__array_namespace__(api_version="2019.12")
    assert x.to_device("cpu").tolist() == [1, 1]
    info = xp.__array_namespace_info__()
    assert info.default_dtypes()["real floating"] == xp.float32
    assert info.dtypes(kind="bool") == {"bool": xp.bool}
    assert set(info.dtypes(kind=("real floating", "bool"))) == {"float32", "float64", "bool"}
    assert info.devices() == (eagre.device("cpu"),)
    assert info.capabilities()["max dimensions"] == 64
    assert xp.isdtype(xp.int8, ("integral", "bool")) and not xp.isdtype(xp.int8, "real floating")


def test_unique_values_in_any_order():
    assert sorted(xp.unique_values(xp.asarray([3, 1, 3, 2])).tolist()) == [1, 2, 3]


def test_every_name_is_there():
    assert all(hasattr(xp, name) for name in xp.__all__)
    assert len(set(xp.__all__)) == len(xp.__all__)


def test_infinities_and_zeros_are_divided_as_the_standard_says():
    inf = float("inf")
    quotient = xp.floor_divide(ours([inf, -inf, 1.0, -1.0]), ours([2.0, 2.0, -inf, inf]))
    assert quotient.tolist() == [inf, -inf, 0.0, 0.0]
    assert xp.signbit(quotient).tolist() == [False, True, True, True]
    rest = xp.remainder(ours([-0.0, 0.0]), ours([2.0, -2.0]))
    assert rest.tolist() == [0.0, 0.0] and xp.signbit(rest).tolist() == [False, True]
    assert xp.isnan(xp.sign(ours(float("nan"))))


def test_limits_of_arrays_and_dtypes():
    assert xp.finfo(ours(1.0)).dtype is eagre.get_default_dtype()
    assert xp.finfo(xp.complex128).dtype is xp.float64
    assert xp.iinfo(ours(np.uint16(1))).max == 65535
    assert eagre.finfo(eagre.float32).dtype == "float32"  # as in PyTorch


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_large_unsigned_integers(dtype):
    values = np.array([[3, np.iinfo(dtype).max], [7, 2]], dtype)
    x = eagre.from_numpy(values)
    assert_same(xp.max(x), values.max())
    assert_same(xp.min(x, axis=0), values.min(axis=0))
    assert xp.argmax(x).item() == 1 and xp.argmin(x).item() == 3
    assert_same(xp.floor_divide(x, 2), values // np.array(2, dtype))
    assert_same(xp.matmul(x, x), values @ values)
    assert_same(xp.tensordot(x, x), np.tensordot(values, values).astype(dtype))


def test_complex_numbers_are_told_apart():
    found = xp.unique_all(ours(np.array([1 + 1j, 2 - 0j, 1 + 1j, 2 + 0j, 1 - 1j])))
    by_value = dict(zip(found.values.tolist(), found.counts.tolist(), strict=True))
    assert by_value == {1 + 1j: 2, 2 + 0j: 2, 1 - 1j: 1}
    assert found.values[found.inverse_indices].tolist()[0] == 1 + 1j


def test_shapes_of_results():
    assert isinstance(xp.broadcast_arrays(ours(1.0), ours([1.0, 2.0])), tuple)
    with pytest.raises(ValueError, match="Shape mismatch"):
        xp.broadcast_shapes((3,), (4,))
    assert xp.std(ours(FLOATS), axis=()).shape == FLOATS.shape
    assert xp.expand_dims(ours(INTS), 1).shape == (2, 1, 3)
    assert xp.repeat(ours([1, 2]), ours(np.array([1, 2], np.int8))).tolist() == [1, 2, 2]
    assert xp.arange(0, 3.0).dtype is eagre.get_default_dtype()
    with pytest.raises(ValueError, match="different sizes"):
        xp.vecdot(ours([1.0]), ours([1.0, 2.0]))
