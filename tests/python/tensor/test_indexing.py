"""tensor[…] shows and writes what NumPy's array[…] does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eagre

SIZES = (4, 3, 5)


def count(shape=SIZES):
    return np.arange(float(np.prod(shape))).reshape(shape)


BASIC = [
    np.s_[1], np.s_[-1], np.s_[1:3], np.s_[:, 1], np.s_[..., 2], np.s_[None], np.s_[:, None, 1],
    np.s_[1, 2, 3], np.s_[::2, 1:], np.s_[..., None], np.s_[1:1], np.s_[2:100], np.s_[-2:],
    np.s_[...], np.s_[()], np.s_[1, ..., 1:4:2], np.s_[:, :, -1], True, False,
]  # fmt: skip
ADVANCED = [
    [0, 2], np.asarray([[0, 1], [3, -1]]), (slice(None), [0, 2]), ([0, 1], [2, 0]),
    ([0, 1], slice(None), [2, 0]), (slice(None), [0, 1], [2, 0]), (None, [1, 2]),
    (Ellipsis, [0, 4]), ([[0], [1]], [0, 2]), (1, [0, 2]), ([0, 2], 1), np.zeros(0, np.int64),
    count() > 20, (count()[:, 0, 0] > 10,), (slice(None), np.asarray([True, False, True])),
    (count()[:, :, 0] > 10, slice(1, 3)), (np.asarray([True, False, True, True]), 1),
]  # fmt: skip


def key_of(index):
    """The same index with tensors for arrays."""
    if isinstance(index, tuple):
        return tuple(key_of(i) for i in index)
    return eagre.tensor(index) if isinstance(index, np.ndarray) else index


@pytest.mark.parametrize("index", [*BASIC, *ADVANCED], ids=repr)
def test_read(index):
    array = count()
    result = eagre.tensor(array)[key_of(index)]
    np.testing.assert_array_equal(result.numpy(), array[index])


@pytest.mark.parametrize("index", BASIC, ids=repr)
def test_basic_indices_are_views(index):
    tensor = eagre.zeros(SIZES)
    if isinstance(index, bool):
        pytest.skip("a mask, whose elements are copied")
    tensor[index].add_(1)
    expected = np.zeros(SIZES)
    expected[index] += 1
    np.testing.assert_array_equal(tensor.numpy(), expected)


@pytest.mark.parametrize("index", [*BASIC, *ADVANCED], ids=repr)
def test_write(index):
    array, tensor = count(), eagre.tensor(count())
    array[index] = -1
    tensor[key_of(index)] = -1
    np.testing.assert_array_equal(tensor.numpy(), array)
    values = np.random.default_rng(0).normal(size=array[index].shape)
    array[index] = values
    tensor[key_of(index)] = eagre.tensor(values)
    np.testing.assert_array_equal(tensor.numpy(), array)


def bound(size):
    return st.none() | st.integers(-size - 2, size + 2)


def entry(size):
    step = st.none() | st.integers(1, 3)
    numbers = st.lists(st.integers(-size, size - 1), min_size=2, max_size=2)
    return (
        st.integers(-size, size - 1)
        | st.builds(slice, bound(size), bound(size), step)
        | numbers.map(np.asarray)
    )


def without_numbers(array, index):
    """Numbers select first, as in PyTorch; to NumPy they are index arrays, which may move the
    dimensions of others. Gives the view that is left and the index into it."""
    numbers = tuple(i if isinstance(i, int) else slice(None) for i in index if i is not Ellipsis)
    return array[numbers], tuple(i for i in index if not isinstance(i, int))


@settings(max_examples=300, deadline=None)
@given(st.tuples(entry(4), entry(3), entry(5)), st.integers(0, 3), st.booleans())
def test_any_mixture(entries, used, ellipsis):
    index = entries[:used] + ((Ellipsis,) if ellipsis else ())
    array = count()
    result = eagre.tensor(array)[key_of(index)]
    view, rest = without_numbers(array, index)
    np.testing.assert_array_equal(result.numpy(), view[rest])
    if view.ndim == 0:
        return
    view[rest] = 7
    tensor = eagre.tensor(count())
    tensor[key_of(index)] = 7
    np.testing.assert_array_equal(tensor.numpy(), array)


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        (4, eagre.IndexOutOfRangeError, ["index 4", "dimension 0", "size 4"]),
        ((0, 0, 0, 0), eagre.IndexOutOfRangeError, ["too many indices", "dimension 3"]),
        ((..., ...), eagre.IndexOutOfRangeError, ["single ellipsis"]),
        ("a", eagre.IndexTypeError, ["valid indices", "str"]),
        (1.5, eagre.IndexTypeError, ["valid indices", "float"]),
        (slice(None, None, -1), eagre.InvalidArgumentError, ["step", "greater than zero"]),
        (slice("a"), eagre.IndexTypeError, ["slice indices", "str"]),
        ([0, 4], eagre.IndexOutOfRangeError, ["index"]),
        (np.ones((4, 2), bool), eagre.IndexOutOfRangeError, ["index"]),
        (np.asarray([0.5]), eagre.IndexOutOfRangeError, ["index"]),
    ],
    ids=repr,
)
def test_bad_index(index, kind, words):
    tensor = eagre.tensor(count())
    for act in (lambda: tensor[key_of(index)], lambda: tensor.__setitem__(key_of(index), 1)):
        with pytest.raises(kind) as caught:
            act()
        for word in words:
            assert word in str(caught.value)
    np.testing.assert_array_equal(tensor.numpy(), count())  # a refused write has changed nothing


def test_bad_values():
    tensor = eagre.zeros(3)
    with pytest.raises(eagre.InvalidArgumentError):
        tensor[:2] = eagre.ones(3)
    with pytest.raises(eagre.DTypeError):
        tensor[0] = "a"
    with pytest.raises(eagre.DTypeError):
        del tensor[0]
    assert tensor.tolist() == [0, 0, 0]


def test_iteration_and_unpacking():
    rows = list(eagre.tensor([[1, 2], [3, 4]]))
    assert [r.tolist() for r in rows] == [[1, 2], [3, 4]]
    a, b = eagre.tensor([5, 6])
    assert (a.item(), b.item()) == (5, 6)
    with pytest.raises(TypeError, match="0-d"):
        iter(eagre.tensor(1))
    assert list(eagre.zeros(0)) == []


# Row: PyTorch O5
def test_gradients_flow_through_an_index():
    x = eagre.tensor(count(), requires_grad=True)
    (x[1:3, :, 2].sum() + x[[0, 0], 1].sum()).backward()
    expected = np.zeros(SIZES)
    expected[1:3, :, 2] += 1
    expected[0, 1] += 2
    np.testing.assert_array_equal(x.grad.numpy(), expected)


def test_zero_dim_integer_tensors_are_numbers():
    x = eagre.tensor([10, 20, 30])
    assert x[eagre.tensor(1)].item() == 20
    assert x[eagre.tensor(1) :].tolist() == [20, 30]


# Row: PyTorch O5
@pytest.mark.parametrize(
    "index",
    [
        [0, 0],
        np.array([1, 1, 1]),
        (..., 1),
        (None, slice(1, None), [0, 0]),
        np.array([[True, False, True], [False, True, False]]),
        (1, [0, 1, 1]),
        (slice(None), None, slice(None, None, 2)),
        np.array([[0, 1], [1, 0]]),
        ([0, 1, 0], [2, 2, 2]),
        (np.array([True, False]), [1, 1]),
        (..., [2, 0, 2]),
    ],
    ids=repr,
)
def test_the_gradient_of_an_index_adds_up_where_it_repeats(index):
    def as_tensors(entry):
        return eagre.tensor(entry) if isinstance(entry, np.ndarray) else entry

    ours = tuple(map(as_tensors, index)) if isinstance(index, tuple) else as_tensors(index)
    x = eagre.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    picked = x[ours]
    weights = np.arange(1.0, picked.numel() + 1, dtype=np.float32).reshape(tuple(picked.shape))
    picked.backward(eagre.tensor(weights))
    expected = np.zeros((2, 3), np.float32)
    np.add.at(expected, index, weights)
    np.testing.assert_array_equal(x.grad.numpy(), expected)


@pytest.mark.parametrize(
    "make",
    [
        lambda s: s[...],
        lambda s: s[()],
        lambda s: s.movedim(0, 0),
        lambda s: eagre.moveaxis(s, (), ()),
    ],
)
def test_the_whole_of_a_number_is_a_view_of_its_own(make):
    s = eagre.tensor(3.0)
    y = make(s)
    assert y is not s and y._base is s
    y.unsqueeze_(0)
    y += 1
    assert s.shape == () and s == 4
    assert make(eagre.tensor(3.0, requires_grad=True)).grad_fn is not None
