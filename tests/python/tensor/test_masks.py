"""Masks of uint8, and which values are converted when they are put at indices."""

import warnings

import pytest

import eagre

BYTES = eagre.tensor([1, 0, 1], dtype=eagre.uint8)
BOOLS = BYTES.bool()


def warnings_of(call):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        call()
    return [str(each.message) for each in seen]


def test_masks_of_bytes_are_warned_about():
    x = eagre.zeros(3, 3)
    for call, count in [
        (lambda: x[BYTES], 1),
        (lambda: x[BYTES, BYTES], 2),
        (lambda: x.__setitem__(BYTES, eagre.ones(2, 3)), 1),
        (lambda: x.index_put_([BYTES], eagre.ones(2, 3)), 1),
        (lambda: x[BOOLS], 0),
        (lambda: x[eagre.tensor(1, dtype=eagre.uint8)], 0),
    ]:
        seen = warnings_of(call)
        assert len(seen) == count
        assert all("indexing with dtype uint8 is now deprecated" in text for text in seen)


def test_a_mask_that_one_value_fills_is_of_bool():
    x = eagre.zeros(3)
    for value in (9, eagre.tensor(9.0), eagre.tensor([9.0])):
        with pytest.raises(RuntimeError, match="only supports boolean masks"):
            x[BYTES] = value
    for call in (
        lambda: x.masked_fill(BYTES, 1),
        lambda: x.masked_scatter(BYTES, x),
        lambda: x.masked_select(BYTES),
    ):
        with pytest.raises(RuntimeError, match="only supports boolean masks"):
            call()
    assert x.tolist() == [0, 0, 0]


def test_values_at_indices_are_of_the_dtype_of_the_target():
    x = eagre.zeros(3, 3).double()
    for key in ([1], ([0, 2],), BOOLS, (slice(None), [1])):
        with pytest.raises(RuntimeError, match="requires the source and destination dtypes match"):
            x[key] = eagre.ones_like(x[key], dtype=eagre.int64)
    x = eagre.zeros(3).double()
    x[1:] = eagre.tensor([1, 2])  # a view is copied to, which converts
    x[0] = eagre.tensor(7, dtype=eagre.int8)
    assert x.tolist() == [7, 1, 2]
    x[[0, 1]] = 3
    assert x.tolist() == [3, 3, 2]


def test_one_value_for_a_mask_is_converted():
    x = eagre.zeros(3, dtype=eagre.int64)
    x[BOOLS] = eagre.tensor(1.5)
    assert x.tolist() == [1, 0, 1]
    x[BOOLS] = eagre.tensor([2.5])
    assert x.tolist() == [2, 0, 2]
    with pytest.raises(RuntimeError, match="complex"):
        x[BOOLS] = eagre.tensor(1j)


def test_shapes_are_looked_at_before_dtypes():
    x = eagre.arange(4)
    for values in (eagre.tensor([]), eagre.tensor([1, 2, 3])):
        with pytest.raises(RuntimeError, match="shape mismatch: value tensor of shape"):
            x[x > -1] = values
    with pytest.raises(IndexError, match="shape mismatch: indexing tensors could not be broadcast"):
        eagre.zeros(3, 3)[[0, 1], [0, 1, 2]]
    with pytest.raises(IndexError, match=r"mask \[2\] at index 0 does not match .* at index 1"):
        eagre.zeros(3, 4)[:, BOOLS[:2]]


def test_an_index_that_names_nothing_is_not_written_at():
    for accumulate in (False, True):
        with pytest.raises(RuntimeError, match="'indices'"):
            eagre.rand([]).index_put([], eagre.tensor([1.0]), accumulate)


@pytest.mark.parametrize("recorded", [False, True])
def test_a_mask_of_the_whole_tensor_reads_in_row_major_order(recorded):
    # Without a gradient to record, elements are taken by their places.
    for made in (
        eagre.arange(6.0).reshape(2, 3),
        eagre.arange(6.0).reshape(3, 2).t(),
        eagre.arange(12.0)[::2].reshape(2, 3),
        eagre.arange(3.0).expand(2, 3),
    ):
        x = made.clone(memory_format=eagre.preserve_format).requires_grad_(recorded)
        for mask in (x > 2, x > 99, x < 99, (x.t() > 1).t()):
            chosen = [
                v
                for v, take in zip(x.flatten().tolist(), mask.flatten().tolist(), strict=True)
                if take
            ]
            assert x[mask].tolist() == chosen
            assert x[mask].requires_grad == recorded
            assert x[(mask,)].tolist() == eagre.index(x, [mask]).tolist() == chosen
    assert eagre.tensor(3)[eagre.tensor(True)].tolist() == [3]
