"""What samples cannot say of sums, products and truth: complex numbers, bytes, bools."""

import numpy as np
import pytest

import eagre


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", ["sum", "mean", "prod"])
def test_complex_numbers(name, dtype):
    generator = np.random.default_rng(1)
    a = (generator.standard_normal((3, 4)) + 1j * generator.standard_normal((3, 4))).astype(dtype)
    tolerance = 1e-5 if dtype is np.complex64 else 1e-12
    for given, axis in (((), None), ((0,), 0), ((-1,), 1), (((0, 1),), (0, 1))):
        result = getattr(eagre.tensor(a), name)(*given)
        np.testing.assert_allclose(result.numpy(), getattr(a, name)(axis), rtol=tolerance)
    turned = eagre.tensor(a).transpose(0, 1)
    np.testing.assert_allclose(getattr(turned, name)(0).numpy(), getattr(a, name)(1), tolerance)


@pytest.mark.parametrize("name", ["all", "any"])
def test_truth_over_no_dimension_and_of_bytes(name):
    x = eagre.tensor([[0, 1], [1, 1]], dtype=eagre.int32)
    same = getattr(x, name)(dim=[])
    assert same.dtype is eagre.bool and same.tolist() == [[False, True], [True, True]]
    assert getattr(x.to("meta"), name)(dim=[]).shape == (2, 2)
    assert getattr(x, name)(dim=[0, 1]).shape == ()
    octets = x.to(eagre.uint8)
    whole = getattr(octets, name)()
    assert whole.dtype is eagre.uint8 and whole.item() == (name == "any")
    assert getattr(octets, name)(1).dtype is eagre.uint8
    assert getattr(octets.to("meta"), name)(1).dtype is eagre.uint8
    out = eagre.empty(0, dtype=eagre.bool)
    assert getattr(eagre, name)(octets, dim=0, out=out) is out
    assert out.tolist() == ([False, True] if name == "all" else [True, True])


def test_sums_and_products_as_bool():
    x = eagre.arange(4.0)
    assert x.sum(dtype=eagre.bool).item() is True
    assert x.prod(dtype=eagre.bool).item() is False
    assert eagre.tensor([[0.5, 0], [0, 0]]).sum(1, dtype=eagre.bool).tolist() == [True, False]
    assert eagre.zeros(0).prod(dtype=eagre.bool).item() is True
    assert eagre.ones(3, dtype=eagre.bool).sum().item() == 3
