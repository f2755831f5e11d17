"""The mask of dropout: in its gradient, and after a seed."""

import pytest

import eagre
import eagre.nn.functional as F


def test_gradient_of_dropout_has_the_same_mask():
    x = eagre.ones(1000, requires_grad=True)
    result = eagre.dropout(x, 0.5)
    result.sum().backward()
    assert x.grad.tolist() == result.tolist()
    assert set(x.grad.tolist()) == {0.0, 2.0}


def test_a_seed_repeats_the_mask_of_dropout():
    x = eagre.ones(100)
    eagre.manual_seed(5)
    first = eagre.dropout(x).tolist()
    second = eagre.dropout(x).tolist()
    eagre.manual_seed(5)
    assert eagre.dropout(x).tolist() == first != second


def test_unusual_numbers_of_dimensions_are_warned_of():
    with pytest.warns(UserWarning, match=r"dropout2d\(\): an input of 3 dimensions is taken as"):
        F.dropout2d(eagre.ones(2, 3, 4))
    with pytest.warns(UserWarning, match=r"dropout2d\(\): an input of 2 dimensions is deprecated"):
        F.dropout2d(eagre.ones(2, 3))
    with pytest.warns(UserWarning, match=r"dropout3d\(\): an input of 3 dimensions is deprecated"):
        F.dropout3d(eagre.ones(2, 3, 4))


def test_complex_numbers_are_dropped_as_a_whole():
    x = eagre.ones(200, 2, 3) + 1j
    for function in (F.dropout, F.dropout1d, F.alpha_dropout):
        result = function(x, 0.5, True)
        assert result.dtype is eagre.complex64
    kept = eagre.dropout(x, 0.5) != 0
    assert 0.4 < kept.float().mean().item() < 0.6
