"""Every kind of index and their mixtures, read and written, against NumPy."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eagre

SIZES = (3, 4, 2)


def count(shape=SIZES):
    return np.arange(float(np.prod(shape))).reshape(shape)


@st.composite
def keys(draw):
    """An index for an array of SIZES: as NumPy takes it, and with other spellings of its parts."""
    plain, spelled = [], []
    length = draw(st.integers(2, 3))
    dim, ellipsis = 0, False
    while dim < len(SIZES) and draw(st.booleans() | st.just(True)):
        size = SIZES[dim]
        kind = draw(st.sampled_from(["int", "slice", "none", "dots", "array", "mask"]))
        if kind == "none":
            plain.append(None)
            spelled.append(None)
            continue
        if kind == "dots":
            if not ellipsis:
                plain.append(Ellipsis)
                spelled.append(Ellipsis)
            ellipsis = True
            break
        if kind == "int":
            value = draw(st.integers(-size, size - 1))
            plain.append(value)
            spelled.append(draw(st.sampled_from([value, np.int64(value)])))
        elif kind == "slice":
            bound = st.none() | st.integers(-size - 1, size + 1)
            value = slice(draw(bound), draw(bound), draw(st.none() | st.integers(1, 3)))
            plain.append(value)
            spelled.append(value)
        elif kind == "array":
            value = np.asarray(
                draw(st.lists(st.integers(-size, size - 1), min_size=length, max_size=length))
            )
            plain.append(value)
            spelled.append(_spell(draw, value))
        else:
            # So many are true that it goes with the other arrays.
            value = np.zeros(size, bool)
            value[draw(st.permutations(range(size)))[: min(length, size)]] = True
            if value.sum() != length:
                continue
            plain.append(value)
            spelled.append(_spell(draw, value))
        dim += 1
    return tuple(plain), tuple(spelled)


def _spell(draw, value):
    return draw(
        st.sampled_from([value, value.tolist(), tuple(value.tolist()), eagre.tensor(value)])
    )


def steps(key):
    """PyTorch's order: numbers and slices first, then the arrays. (To NumPy a number beside an
    array is one too, and moves what they choose to the front.)"""
    is_array = [isinstance(part, np.ndarray) for part in key]
    first = tuple(slice(None) if array else part for part, array in zip(key, is_array, strict=True))
    then = [
        part if array or part is Ellipsis else slice(None)
        for part, array in zip(key, is_array, strict=True)
        if not isinstance(part, int)
    ]
    return first, tuple(then)


@settings(max_examples=300, deadline=None)
@given(keys())
def test_mixtures(pair):
    plain, spelled = pair
    array = count()
    tensor = eagre.tensor(array)
    first, then = steps(plain)
    np.testing.assert_array_equal(tensor[spelled].numpy(), array[first][then])
    # A number is no view to NumPy.
    view = array[(*first, Ellipsis)] if Ellipsis not in first else array[first]
    tensor[spelled] = -1
    view[then] = -1
    np.testing.assert_array_equal(tensor.numpy(), array)
    values = np.random.default_rng(0).normal(size=view[then].shape)
    tensor[spelled] = eagre.tensor(values)
    view[then] = values
    np.testing.assert_array_equal(tensor.numpy(), array)


def test_other_sequences_choose_elements():
    x = eagre.tensor(count())
    assert x[range(2)].shape == (2, 4, 2) and x[[]].shape == (0, 4, 2)
    assert x[:, [True, False, True, False]].shape == (3, 2, 2)
    assert x[eagre.tensor(1)].shape == (4, 2) and x[np.asarray(1)].shape == (4, 2)
    assert x[eagre.tensor([0, 1], dtype=eagre.int32)].shape == (2, 4, 2)


def test_a_list_of_indices_is_a_tuple_for_now():
    x = eagre.tensor(count())
    for key in (
        [0, slice(2)],
        [[0, 1], [1, 0]],
        [eagre.tensor([0, 1]), eagre.tensor([1, 0])],
        [None, 1],
    ):
        with pytest.warns(UserWarning, match="tuple"):
            found = x[key]
        assert found.tolist() == x[tuple(key)].tolist()
    with pytest.warns(UserWarning, match="tuple"):
        x[[0, slice(None), 0]] = 7
    assert x[0, :, 0].tolist() == [7.0] * 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert x[[0, 1]].shape == (2, 4, 2)


def test_masks_of_bytes_count_as_masks():
    x = eagre.tensor(count())
    mask = eagre.tensor(count()[:, :, 0] > 5)
    with pytest.warns(UserWarning, match="uint8 is now deprecated"):
        assert x[mask.to(eagre.uint8)].tolist() == x[mask].tolist()
    with pytest.warns(UserWarning, match="uint8 is now deprecated"):
        assert x[mask.to(eagre.uint8), None].shape == x[mask, None].shape
    assert x[eagre.tensor(1, dtype=eagre.uint8)].shape == (1, 3, 4, 2)
    with pytest.raises(IndexError, match="mask"):
        x[eagre.tensor([[True], [False], [True]]), None] = 1


def test_mistakes():
    x = eagre.tensor(count())
    for key, message in [
        ((0, 0, 0, 0), "too many indices"),
        ((eagre.tensor([0, 1]), eagre.tensor([0, 1, 2])), "could not be broadcast"),
        (([0, 1], [0, 1, 2]), "could not be broadcast"),
        ((Ellipsis, Ellipsis), "single ellipsis"),
        (5, "out of bounds"),
        (eagre.tensor([5]), "index 5 is out of bounds for dimension 0"),
        (eagre.tensor([1.0]), "indices"),
    ]:
        with pytest.raises(IndexError, match=message):
            x[key]
        with pytest.raises(IndexError, match=message):
            x[key] = 0
    with pytest.raises(ValueError, match="step"):
        x[::-1]
    with pytest.raises(IndexError, match="float"):
        x[1.5]
    for key in ("a", slice("a", None)):
        with pytest.raises(TypeError):
            x[key]


def test_a_range_is_an_index():
    x = eagre.arange(12).reshape(3, 4)
    assert x[range(1, 3)].tolist() == x[1:3].tolist()
    assert x[:, range(2)].tolist() == x[:, :2].tolist()
    assert x[range(2), range(1, 3)].tolist() == [1, 6]
    assert x[range(0)].shape == (0, 4)
    x[range(2)] = 0
    assert x.sum().item() == 8 + 9 + 10 + 11


def test_what_bools_choose_is_a_copy():
    x = eagre.ones(2, 2)
    for key in [True, (slice(None), True), (True, 0), (None, True, ...)]:
        x[key].mul_(5)
    assert x.tolist() == [[1, 1], [1, 1]] and x[False].shape == (0, 2, 2)
    x[True] = 3
    assert x.tolist() == [[3, 3], [3, 3]]


def test_bools_beside_other_indices_broadcast_with_them():
    x = eagre.arange(6).reshape(2, 3)
    assert x[True, [0, 1]].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x[[0, 1], True].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tuple(x[True, True].shape) == (1, 2, 3)
    assert tuple(x[True].shape) == (1, 2, 3)
    assert tuple(x[False].shape) == (0, 2, 3)
    assert tuple(x[True, False].shape) == (0, 2, 3)
    x[True, [0, 1]] = 7
    assert x.tolist() == [[7, 7, 7], [7, 7, 7]]
