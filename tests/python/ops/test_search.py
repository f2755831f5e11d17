"""unique and isin of much data."""

import numpy as np

import eagre


def test_unique_rows_are_found_by_one_sort():
    x = np.random.default_rng(0).integers(0, 2, (3000, 12))
    rows, inverse = eagre.unique(eagre.tensor(x), return_inverse=True, dim=0)
    assert rows.tolist() == np.unique(x, axis=0).tolist()
    assert (rows[inverse] == eagre.tensor(x)).all()


def test_isin_of_much():
    """In memory of the order of the inputs, not of their product."""
    x = eagre.arange(200_000)
    assert eagre.isin(x, x * 2).sum().item() == 100_000
    nan = float("nan")
    assert eagre.isin(eagre.tensor([nan, 1.0]), eagre.tensor([nan, 1.0])).tolist() == [False, True]
