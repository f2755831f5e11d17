"""What samples cannot say of sort and topk: None as argument, 0-dim tensors, long rows."""

import numpy as np
import pytest

import eagre


def test_topk_of_nothing_from_a_number():
    values, indices = eagre.topk(eagre.tensor(5.0), 0)
    assert values.item() == 5.0 and indices.item() == 0


@pytest.mark.parametrize("stable", [None, False, True])
def test_stable_may_be_none(stable):
    x = eagre.tensor([2, 1, 2, 1])
    assert eagre.sort(x, stable=stable).indices.tolist() == [1, 3, 0, 2]
    assert x.sort(stable=stable).values.tolist() == [1, 1, 2, 2]


def long_row(dtype, rng):
    """Numbers with what is hard to order: ties, both zeros, infinities, NaN of either sign."""
    if np.issubdtype(dtype, np.integer):
        return rng.integers(-50, 50, 300_000).astype(dtype)
    row = rng.standard_normal(300_000).astype(dtype)
    hard = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 3.5, 1e-40], dtype)
    row[rng.integers(0, row.size, 400)] = rng.choice(hard, 400)
    row[-5:] = [np.nan, -np.nan, -np.inf, np.inf, 4.5]  # after the limit is known
    return row


@pytest.mark.parametrize(
    "dtype", [np.float32, np.float64, np.float16, np.int32, np.int64, np.uint8]
)
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("k", [1, 100, 3000])
def test_topk_of_long_rows_is_what_sort_puts_first(dtype, largest, k):
    x = eagre.from_numpy(long_row(dtype, np.random.default_rng(k)))
    ordered, places = x.sort(descending=largest, stable=True)
    values, indices = eagre.topk(x, k, largest=largest)
    assert eagre.equal(values.nan_to_num(7), ordered[:k].nan_to_num(7))
    assert eagre.equal(values.isnan(), ordered[:k].isnan())
    assert eagre.equal(indices, places[:k])
    # Rows that do not lie one after the other are looked at one by one.
    strided = eagre.stack([x, x.flip(0)], 1)
    assert eagre.equal(eagre.topk(strided, k, 0, largest=largest).indices[:, 0], indices)
