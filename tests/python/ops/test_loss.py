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


def test_numbers_in_tensors_count_as_much_as_others():
    """As in PyTorch: shapes are made equal before dtypes are compared."""
    x, y = eagre.tensor(0.5, dtype=eagre.float64), eagre.ones(2, dtype=eagre.float16)
    for one, other in ((x, y), (y, x)):
        with pytest.warns(UserWarning, match="different to the input"):
            loss = F.mse_loss(one, other)
        assert loss.dtype == eagre.float64 and loss == 0.25


@pytest.mark.parametrize(
    ("old", "reduction"),
    [
        ({"size_average": False}, "sum"),
        ({"size_average": True}, "mean"),
        ({"reduce": False}, "none"),
        ({"reduce": True, "size_average": False}, "sum"),
        ({"size_average": False, "reduce": False}, "none"),
        ({"reduction": "none", "size_average": False}, "sum"),
        ({"size_average": False, "reduction": "none"}, "sum"),
        ({"size_average": None, "reduce": True}, "mean"),
    ],
)
def test_reductions_as_old_programs_name_them(old, reduction):
    x, y = eagre.tensor([1.0, 2.0]), eagre.tensor([3.0, 5.0])
    with pytest.warns(UserWarning, match=f"please use reduction='{reduction}' instead"):
        found = F.mse_loss(x, y, **old)
    assert eagre.equal(found, F.mse_loss(x, y, reduction=reduction))
    logs, classes = eagre.zeros(2, 3).log_softmax(1), eagre.tensor([0, 1])
    with pytest.warns(UserWarning, match=reduction):
        found = F.nll_loss(logs, classes, **old)
    assert eagre.equal(found, F.nll_loss(logs, classes, reduction=reduction))


def test_old_names_of_reductions_are_for_losses():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert F.mse_loss(eagre.ones(2), eagre.ones(2), size_average=None, reduce=None) == 0
    with pytest.raises(TypeError, match="no argument 'reduce'"):
        eagre.sum(eagre.ones(2), reduce=False)


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize(("rank", "dim"), [(0, 0), (1, 0), (2, 1), (3, 0), (4, 1)])
def test_softmax_of_old_programs_chooses_a_dimension(name, rank, dim):
    x = eagre.arange(2.0**rank).reshape((2,) * rank)
    function = getattr(F, name)
    for arguments in ({}, {"dim": None}):
        with pytest.warns(UserWarning, match=f"Implicit dimension choice for {name}"):
            assert eagre.equal(function(x, **arguments), function(x, dim))


def test_triplets_with_a_distance_of_ones_own():
    a, b, c = (eagre.randn(4, 3) for _ in range(3))
    for swap in (False, True):
        expected = F.triplet_margin_loss(a, b, c, swap=swap)
        assert eagre.equal(F.triplet_margin_with_distance_loss(a, b, c, swap=swap), expected)

    def by_sums(x, y):
        return (x - y).abs().sum(-1)

    found = F.triplet_margin_with_distance_loss(
        a, b, c, distance_function=by_sums, margin=0.5, reduction="none"
    )
    expected = eagre.clamp_min(by_sums(a, b) - by_sums(a, c) + 0.5, 0)
    assert eagre.allclose(found, expected)


def test_mistakes_in_triplets():
    x = eagre.ones(2, 3)
    with pytest.raises(ValueError, match=r"'margin' must be a positive number, but got -1\.0"):
        F.triplet_margin_with_distance_loss(x, x, x, margin=-1.0)
    with pytest.raises(ValueError, match=r"number of dimensions, .* have \[2, 2, 1\]"):
        F.triplet_margin_with_distance_loss(x, x, x[0])
    with pytest.raises(ValueError, match="'reduction'"):
        F.triplet_margin_with_distance_loss(x, x, x, reduction="max")
