"""What samples cannot say of variances."""

import pytest

import eagre


def test_spread_without_a_correction_is_the_usual_one():
    x = eagre.tensor([0.0, 1, 2, 3], requires_grad=True)
    for name in ("var", "std"):
        plain, none = getattr(x, name)(), getattr(x, name)(correction=None)
        assert plain.item() == none.item() == getattr(x, name)(0, correction=None).item()
        (a,), (b,) = (eagre.autograd.grad(y, x) for y in (plain, none))
        assert a.tolist() == b.tolist()


@pytest.mark.parametrize("count", [1, 4, 7])
def test_histograms_of_samples(count):
    x = eagre.randn(3, 20)
    x[1] = 2.5  # no width
    found, edges = eagre.vmap(lambda row: eagre.histogram(row, count))(x)
    for row, own, places in zip(x, found, edges, strict=True):
        wanted = eagre.histogram(row, count)
        assert eagre.equal(own, wanted.hist)
        assert eagre.equal(places, wanted.bin_edges)
    points = x.reshape(3, 10, 2)
    grids = eagre.vmap(lambda rows: eagre.histogramdd(rows, [count, 2]).hist)(points)
    for rows, own in zip(points, grids, strict=True):
        assert eagre.equal(own, eagre.histogramdd(rows, [count, 2]).hist)


def test_histogram_of_a_hundred_parts():
    x = eagre.randn(30)
    assert eagre.equal(eagre.histogram(x).hist, eagre.histogram(x, 100).hist)
