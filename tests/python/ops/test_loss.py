"""What samples cannot say of losses: infinities beside what is ignored, warnings."""

import warnings

import pytest

import eagre
import eagre.nn.functional as F


def test_ignored_elements_do_not_spread_infinities():
    logs = eagre.tensor([[-float("inf"), 0.0], [0.0, -1.0]])
    assert eagre.nll_loss(logs, eagre.tensor([-100, 1])).item() == 1.0


def test_sizes_that_broadcast_are_warned_of():
    x, y = eagre.ones(3), eagre.ones(3, 1)
    with pytest.warns(
        UserWarning, match=r"target size \(\[3, 1\]\) that is different to the input"
    ):
        assert F.mse_loss(x, y).item() == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        F.mse_loss(x, x)
