"""What samples cannot say of special functions: incomplete gamma functions in double."""

import math

import pytest

import eagre
from eagre.autograd import gradcheck, gradgradcheck


def f64(*values):
    return eagre.tensor(values, dtype=eagre.float64)


@pytest.mark.parametrize("function", [eagre.igamma, eagre.igammac])
def test_gradients_of_incomplete_gamma_functions(function):
    a, x = f64(0.5, 2, 7, 30), f64(0.3, 2.5, 6, 33).requires_grad_()
    assert gradcheck(lambda x: function(a, x), (x,))
    assert gradgradcheck(lambda x: function(a, x), (x,))
    with pytest.raises(NotImplementedError, match=f"{function.__name__}.*'input'"):
        function(f64(2).requires_grad_(), x).sum().backward()


def test_incomplete_gamma_functions_of_large_numbers():
    """Poisson's distribution function is the upper share: it is added up here."""
    for rate, most in ((150.5, 140), (150.5, 170), (5000.0, 4900), (20000.0, 20100)):
        terms = (k * math.log(rate) - rate - math.lgamma(k + 1) for k in range(most + 1))
        expected = math.fsum(map(math.exp, terms))
        assert eagre.igammac(f64(most + 1), f64(rate)).item() == pytest.approx(expected, rel=1e-7)
        lower = eagre.igamma(f64(most + 1), f64(rate)).item()
        assert lower == pytest.approx(1 - expected, rel=1e-7)


def test_where_the_way_of_computing_changes_nothing_jumps():
    for offset in (-2000.0, -10.0, 0.0, 500.0, 2500.0):
        before = eagre.igamma(f64(1e6), f64(1e6 + offset)).item()
        after = eagre.igamma(f64(1e6 + 1e-3), f64(1e6 + 1e-3 + offset)).item()
        assert after == pytest.approx(before, rel=1e-5, abs=1e-9)


def test_hostile_numbers_end():
    for a in (1e-300, 1e300, 1e15, 1e6):
        for x in (1e-300, 1e300, 1e15, 1e6):
            shares = [f(f64(a), f64(x)).item() for f in (eagre.igamma, eagre.igammac)]
            assert sum(shares) == pytest.approx(1)
    with pytest.raises(RuntimeError, match="mvlgamma"):
        eagre.mvlgamma(eagre.ones(2), 2**62)
