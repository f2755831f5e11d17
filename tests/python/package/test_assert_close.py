"""testing.assert_close and testing.make_tensor."""

import numpy as np
import pytest

import eagre
from eagre.testing import assert_close, make_tensor

NAN = float("nan")


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (eagre.ones(2), eagre.ones(2) + 1e-6),
        ([eagre.ones(2), 3], [eagre.ones(2), 3]),
        ({"a": 1.0, "b": (2, None)}, {"b": (2, None), "a": 1.0}),
        (np.ones(2), np.ones(2)),
        (1 + 2j, 1 + 2j),
        (eagre.tensor([True]), eagre.tensor([True])),
        (float("inf"), float("inf")),
        (eagre.ones(2, device="meta"), eagre.ones(2, device="meta")),
    ],
)
def test_close(actual, expected):
    assert_close(actual, expected)


CASES = [
    (
        eagre.ones(3, 4), eagre.ones(3, 4) + 1,
        "Tensor-likes are not close!\n\nMismatched elements: 12 / 12 (100.0%)\n"
        "Greatest absolute difference: 1.0 at index (0, 0) (up to 1e-05 allowed)\n"
        "Greatest relative difference: 0.5 at index (0, 0) (up to 1.3e-06 allowed)",
    ),
    (
        eagre.tensor([1, 2]), eagre.tensor([1, 3]),
        "Tensor-likes are not equal!\n\nMismatched elements: 1 / 2 (50.0%)\n"
        "Greatest absolute difference: 1 at index (1,)\n"
        "Greatest relative difference: 0.3333333432674408 at index (1,)",
    ),
    (
        1.0, 1.1,
        "Scalars are not close!\n\nExpected 1.1 but got 1.0.\n"
        "Absolute difference: 0.10000000000000009 (up to 1e-07 allowed)\n"
        "Relative difference: 0.09090909090909098 (up to 1e-07 allowed)",
    ),
    (
        eagre.tensor(1.0), eagre.tensor(2.0),
        "Scalars are not close!\n\nExpected 2.0 but got 1.0.\n"
        "Absolute difference: 1.0 (up to 1e-05 allowed)\n"
        "Relative difference: 0.5 (up to 1.3e-06 allowed)",
    ),
    ([1], [1, 2], "The length of the sequences mismatch: 1 != 2"),
    (
        {"a": 1}, {"b": 1},
        "The keys of the mappings do not match:\nMissing keys in the actual mapping: ['b']\n"
        "Additional keys in the actual mapping: ['a']",
    ),
    (
        eagre.ones(2), eagre.ones(2).double(),
        "The values for attribute 'dtype' do not match: eagre.float32 != eagre.float64.",
    ),
    (
        eagre.ones(3, 2), eagre.ones(2),
        "The values for attribute 'shape' do not match: eagre.Size([3, 2]) != eagre.Size([2]).",
    ),
    (
        eagre.ones(2), eagre.ones(2, device="meta"),
        "The values for attribute 'device' do not match: cpu != meta.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("actual", "expected", "message"), CASES, ids=range(len(CASES)))
def test_what_is_said(actual, expected, message):
    with pytest.raises(AssertionError) as caught:
        assert_close(actual, expected)
    assert str(caught.value) == message
    with pytest.raises(AssertionError) as caught:
        assert_close({"x": [actual]}, {"x": [expected]})
    assert str(caught.value) == message + "\n\nThe failure occurred for item ['x'][0]"


def test_tolerances_and_options():
    one, more = eagre.tensor([1.0]), eagre.tensor([1.01])
    assert_close(one, more, rtol=0, atol=0.1)
    assert_close(one, more.double(), rtol=0.1, atol=0, check_dtype=False)
    with pytest.raises(ValueError, match="no atol"):
        assert_close(one, one, rtol=1.0)
    assert_close(eagre.tensor([NAN]), eagre.tensor([NAN]), equal_nan=True)
    with pytest.raises(AssertionError, match="nan"):
        assert_close(eagre.tensor([NAN, 1.0]), eagre.tensor([NAN, 1.0]))
    with pytest.raises(AssertionError, match="^mine$"):
        assert_close(one, more, msg="mine")
    with pytest.raises(AssertionError, match="^mine: Tensor"):
        assert_close(one, more, msg=lambda text: "mine: " + text)
    with pytest.raises(AssertionError, match="stride"):
        assert_close(eagre.ones(2, 3), eagre.ones(3, 2).t(), check_stride=True)
    for a, b in [(one, 3), ("a", "b")]:
        with pytest.raises(TypeError, match="No comparison pair"):
            assert_close(a, b)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int8", "int64", "float16", "float32", "float64", "complex64"]
)
def test_make_tensor(dtype):
    dtype = getattr(eagre, dtype)
    x = make_tensor(3, 4, dtype=dtype)
    assert x.shape == (3, 4) and x.dtype is dtype
    assert make_tensor((2,), dtype=dtype).shape == (2,)
    assert not make_tensor((3, 4), dtype=dtype, noncontiguous=True).is_contiguous()
    assert make_tensor((100,), dtype=dtype, low=0, high=2, exclude_zero=True).ne(0).all()


def test_make_tensor_bounds():
    x = make_tensor((1000,), dtype=eagre.float32, low=2, high=3)
    assert x.min() >= 2 and x.max() <= 3
    assert make_tensor(2, dtype=eagre.float32, requires_grad=True).requires_grad
    with pytest.raises(ValueError, match="low"):
        make_tensor(2, dtype=eagre.float32, low=3, high=2)
