"""default_collate() and default_convert(): what becomes a tensor, and which classes stay."""

from collections import UserDict, defaultdict, namedtuple

import numpy
import pytest

import eagre
from eagre.utils.data import default_collate, default_convert
from eagre.utils.data._utils.collate import collate, default_collate_fn_map

Pair = namedtuple("Pair", "first second")


class Bag(list):
    pass


@pytest.mark.parametrize(
    ("batch", "dtype", "values"),
    [
        ([1, 2], eagre.int64, [1, 2]),
        ([True, False], eagre.bool, [True, False]),
        ([1.0, 2], eagre.float64, [1.0, 2.0]),
        ([eagre.ones(2), eagre.zeros(2)], eagre.float32, [[1, 1], [0, 0]]),
        ([numpy.ones(2, "f4")] * 2, eagre.float32, [[1, 1], [1, 1]]),
        ([numpy.ones((), "i2")] * 2, eagre.int16, [1, 1]),
        ([numpy.float32(3)] * 2, eagre.float32, [3, 3]),
        ([numpy.int32(3)] * 2, eagre.int32, [3, 3]),
        ([numpy.bool_(True)], eagre.bool, [True]),
    ],
)
def test_tensors(batch, dtype, values):
    made = default_collate(batch)
    assert made.dtype is dtype and made.tolist() == values


def test_containers_keep_their_class():
    assert default_collate(["a", "b"]) == ["a", "b"] and default_collate([b"a"]) == [b"a"]
    made = default_collate([Pair(1, "a"), Pair(2, "b")])
    assert type(made) is Pair and made.first.tolist() == [1, 2] and made.second == ("a", "b")
    made = default_collate([(1, 2.0), (3, 4.0)])
    assert type(made) is list and made[1].tolist() == [2.0, 4.0]
    assert type(default_collate([Bag([1]), Bag([2])])) is Bag
    counts = defaultdict(int, a=1)
    made = default_collate([counts, counts])
    assert made["a"].tolist() == [1, 1] and made.default_factory is int
    assert type(counts["a"]) is int, "the sample stays as it is"
    assert type(default_collate([UserDict(a=1)])) is UserDict
    nested = default_collate([{"a": [1, (2.0, "x")]}] * 2)
    assert nested["a"][1][0].tolist() == [2.0, 2.0] and nested["a"][1][1] == ("x", "x")


@pytest.mark.parametrize(
    ("batch", "error", "text"),
    [
        ([object()], TypeError, "batch must contain tensors, numpy arrays.*found <class 'object'>"),
        ([None], TypeError, "NoneType"),
        ([numpy.array(["a"])], TypeError, "found <U1"),
        ([[1, 2], [3]], RuntimeError, "each element in list of batch should be of equal size"),
        ([eagre.ones(2), eagre.ones(3)], RuntimeError, r"shape \[3\] at position 1"),
    ],
)
def test_errors(batch, error, text):
    with pytest.raises(error, match=text):
        default_collate(batch)


def test_convert():
    assert default_convert(numpy.ones(2)).tolist() == [1, 1]
    assert default_convert(numpy.float32(2)).item() == 2.0
    assert default_convert(numpy.str_("a")) == "a" and default_convert(3) == 3
    text = numpy.array(["a"])
    assert default_convert(text) is text
    made = default_convert(Pair(numpy.zeros(1), {"a": (numpy.zeros(1), "x")}))
    assert type(made) is Pair and type(made.second["a"]) is list
    assert isinstance(made.first, eagre.Tensor) and made.second["a"][1] == "x"


def test_tables_of_functions():
    class Point:
        pass

    class Child(Point):
        pass

    def points(batch, *, collate_fn_map=None):
        return len(batch)

    table = {**default_collate_fn_map, Point: points}
    assert collate([(Child(), 1)] * 3, collate_fn_map=table)[0] == 3
