"""eagre.tensor() from everything it takes; borders of full() and fill_(), large grids."""

import math

import numpy as np
import pytest

import eagre


def is_tensor(value):
    return isinstance(value, eagre.Tensor)


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (3, eagre.int64, ()),
        (3.0, eagre.float32, ()),
        (True, eagre.bool, ()),
        ([], eagre.float32, (0,)),
        ([[], []], eagre.float32, (2, 0)),
        ([1, 2], eagre.int64, (2,)),
        ((1, 2.0), eagre.float32, (2,)),
        ([True, 2], eagre.int64, (2,)),
        ([[True], [False]], eagre.bool, (2, 1)),
        (range(3), eagre.int64, (3,)),
        ([np.float64(1), np.float32(2)], eagre.float64, (2,)),
        ([np.int8(1), 2], eagre.int64, (2,)),
        ([np.float16(1), 2], eagre.float16, (2,)),
        ([eagre.tensor(1.0, dtype=eagre.float64), 2], eagre.float64, (2,)),
        ([eagre.tensor(1), eagre.tensor([2])], eagre.int64, (2,)),
        ([np.arange(3), np.arange(3)], eagre.int64, (2, 3)),
        (np.float64(2), eagre.float64, ()),  # a NumPy scalar keeps its dtype
        (np.ones((2, 3), np.float32), eagre.float32, (2, 3)),
        (np.ones((2, 3))[:, ::-1], eagre.float64, (2, 3)),
    ],
)
def test_dtype_and_shape(data, dtype, shape):
    values = [1, 2] if isinstance(data, list) and len(data) == 2 and is_tensor(data[0]) else data
    result = eagre.tensor(data)
    assert result.dtype is dtype
    assert result.shape == shape
    np.testing.assert_array_equal(result.numpy(), np.asarray(values))


def test_large_integers_are_exact():
    assert eagre.tensor([2**60 + 1]).tolist() == [2**60 + 1]
    assert eagre.tensor([2**60 + 1, 0.5]).dtype is eagre.float32
    assert eagre.tensor([2**60 + 1], dtype=eagre.float64).tolist() == [float(2**60)]


def test_options():
    x = eagre.tensor([1, 2], dtype=eagre.float64, device="cpu", requires_grad=True)
    assert x.dtype is eagre.float64 and x.requires_grad and x.is_leaf
    assert eagre.tensor([1.7, -1.7], dtype=eagre.int64).tolist() == [1, -1]
    assert eagre.tensor([1, 2], dtype=float).dtype is eagre.float64
    assert eagre.tensor([0, 2], dtype=bool).tolist() == [False, True]


def test_a_tensor_is_copied_without_history():
    x = eagre.tensor([1.0], requires_grad=True) * 2
    y = eagre.tensor(x)
    assert not y.requires_grad and y.data_ptr() != x.data_ptr()


def test_a_list_that_contains_itself():
    loop = []
    loop.append(loop)
    with pytest.raises(eagre.InvalidArgumentError, match="nested at most 64 deep"):
        eagre.tensor(loop)


def test_a_list_that_shrinks_while_it_is_read():
    class Shrinking:
        def __index__(self):
            data.clear()
            return 1

    data = [Shrinking(), Shrinking(), Shrinking()]
    with pytest.raises(eagre.InvalidArgumentError, match="shrank"):
        eagre.tensor(data)


def test_errors_of_elements_pass_through():
    class Broken:
        def __index__(self):
            raise ZeroDivisionError("from the element")

    with pytest.raises(ZeroDivisionError, match="from the element"):
        eagre.tensor([Broken()])


def test_zeros_and_ones():
    assert eagre.zeros(2).dtype is eagre.float32
    assert eagre.ones((2,), dtype=eagre.int64).tolist() == [1, 1]
    assert eagre.zeros(()).item() == 0
    assert eagre.ones(2, requires_grad=True).requires_grad


def test_tensors_are_not_made_of_numbers_that_do_not_fit():
    for number, dtype in ((300, eagre.uint8), (1e30, eagre.int64), (1j, eagre.float32)):
        with pytest.raises(eagre.InvalidArgumentError, match=r"tensor\(\).*can hold"):
            eagre.tensor([0, number], dtype=dtype)
    assert eagre.tensor([-1], dtype=eagre.uint8).item() == 255
    assert eagre.tensor([1e300], dtype=eagre.float32).item() == math.inf


def test_tensors_of_one_element_in_lists():
    assert eagre.tensor([eagre.tensor(1.0), eagre.tensor(2)]).tolist() == [1, 2]
    assert eagre.tensor([[eagre.tensor([1])], [eagre.tensor([2])]]).shape == (2, 1)


def test_numbers_at_the_border_of_a_dtype():
    assert eagre.full((1,), 255, dtype=eagre.uint8).tolist() == [255]
    assert eagre.full((1,), -1, dtype=eagre.uint8).tolist() == [255]
    assert eagre.full((1,), float("inf"), dtype=eagre.float32).tolist() == [float("inf")]
    assert eagre.full((1,), 2 + 0j, dtype=eagre.float32).tolist() == [2]
    assert eagre.full((1,), 2**63 - 1, dtype=eagre.int64).tolist() == [2**63 - 1]
    for value, dtype in [
        (1e40, eagre.float32), (1e5, eagre.float16), (float("inf"), eagre.int32),
        (2**31, eagre.int32), (-(2**31) - 1, eagre.int32), (1e30, eagre.int64),
        (128.5, eagre.int8), (2**15, eagre.int16),
    ]:  # fmt: skip
        with pytest.raises(eagre.InvalidArgumentError, match=r"full\(\).*'fill_value'"):
            eagre.full((1,), value, dtype=dtype)
        with pytest.raises(eagre.InvalidArgumentError, match=r"fill\(\).*'value'"):
            eagre.zeros(1, dtype=dtype).fill_(value)


@pytest.mark.parametrize("indexing", ["ij", "xy"])
def test_meshgrid(indexing):
    vectors = [np.random.default_rng(n).normal(size=n) for n in (2, 3, 4)]
    grids = eagre.meshgrid(*map(eagre.tensor, vectors), indexing=indexing)
    for grid, array in zip(grids, np.meshgrid(*vectors, indexing=indexing), strict=True):
        assert grid.tolist() == array.tolist()


def test_indices_of_triangles_of_huge_matrices():
    assert eagre.tril_indices(3, 2**63 - 1, -1).tolist() == [[1, 2, 2], [0, 0, 1]]
    assert eagre.triu_indices(1 << 62, 3).tolist() == [[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]]
    assert eagre.tril_indices(1 << 62, 1, -(1 << 62)).shape == (2, 0)
    with pytest.raises(MemoryError, match="too many"):
        eagre.tril_indices(1 << 62, 1, 64)


def test_integers_beyond_64_bits_become_floats_where_those_are_asked_for():
    assert eagre.tensor(2**64, dtype=eagre.float64).item() == 2.0**64
    assert eagre.tensor([2**70, 1], dtype=eagre.float32).tolist() == [2.0**70, 1.0]
    with pytest.raises(RuntimeError, match="64 bits"):
        eagre.tensor(2**64)


def test_a_sequence_without_a_first_element():
    class Broken:
        def __len__(self):
            return 3

        def __getitem__(self, place):
            raise TypeError

    with pytest.raises(ValueError, match="could not determine the shape of object type 'Broken'"):
        eagre.tensor(Broken())


def test_complex_numbers_become_real_where_nothing_is_lost():
    assert float(eagre.tensor(1.5 + 0j)) == 1.5 and int(eagre.tensor(2 + 0j)) == 2
    for convert in (int, float):
        with pytest.raises(RuntimeError, match="value cannot be converted to type double"):
            convert(eagre.tensor(1.5j))


def test_asarray_keeps_history_unless_told_otherwise():
    x = eagre.ones(2, requires_grad=True).clone()
    assert eagre.asarray(x).grad_fn is not None
    assert eagre.asarray(x, copy=True).grad_fn is not None
    assert not eagre.asarray(x, requires_grad=False).requires_grad


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: eagre.asarray(eagre.ones(2), dtype=eagre.float64, copy=False),
            ValueError,
            "with dtype '.*float32' into dtype '.*float64'",
        ),
        (lambda: eagre.asarray([1, 2], copy=False), ValueError, "can't alias arbitrary sequence"),
        (lambda: eagre.asarray(np.float64(1), copy=False), RuntimeError, "can't alias NumPy scal"),
        (lambda: eagre.frombuffer([1], dtype=eagre.int8), ValueError, "buffer protocol"),
        (lambda: eagre.Tensor(eagre.ones(1), device="cpu"), RuntimeError, "device="),
        (lambda: eagre.ones(1).new(eagre.ones(1), device="cpu"), RuntimeError, "device="),
    ],
    ids=["dtype", "list", "numpy_number", "buffer", "Tensor", "new"],
)
def test_memory_that_cannot_be_shared(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_asarray_of_a_dlpack_capsule_shares_its_memory():
    x = eagre.arange(3.0)
    assert eagre.asarray(eagre.to_dlpack(x)).data_ptr() == x.data_ptr()


def test_range_includes_its_end():
    with pytest.warns(UserWarning, match="deprecated"):
        assert eagre.range(0, 3).tolist() == [0.0, 1.0, 2.0, 3.0]
    with pytest.warns(UserWarning):
        assert eagre.range(5, 1, -2, dtype=eagre.int64).tolist() == [5, 3, 1]
    x = eagre.zeros(2, 3)
    with pytest.warns(UserWarning):
        eagre.range(0, 3, out=x.narrow(1, 1, 2))
    assert x.tolist() == [[0.0, 0.0, 1.0], [0.0, 2.0, 3.0]]
    with pytest.warns(UserWarning), pytest.raises(RuntimeError, match="step must be nonzero"):
        eagre.range(0, 3, 0)
