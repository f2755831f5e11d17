"""nn.init: distributions, and what is refused."""

import math

import pytest

import eagre
from eagre.nn import init


def drawn(function, *args, shape=(200, 100), **options):
    eagre.manual_seed(0)
    tensor = eagre.empty(shape, requires_grad=True)
    result = getattr(init, function)(tensor, *args, **options)
    assert result is tensor and tensor.is_leaf and tensor.grad_fn is None
    return tensor.detach()


def test_uniform_and_normal():
    values = drawn("uniform_", -2, 3)
    assert -2 <= float(values.min()) < -1.9 and 2.9 < float(values.max()) <= 3
    values = drawn("normal_", 1.0, 2.0)
    assert abs(float(values.mean()) - 1) < 0.05 and abs(float(values.std()) - 2) < 0.05
    values = drawn("trunc_normal_", 0.0, 1.0, -1.0, 0.5)
    assert -1 <= float(values.min()) < -0.95 and 0.45 < float(values.max()) <= 0.5
    # The mean of a normal distribution between these ends.
    assert abs(float(values.mean()) + 0.206) < 0.02
    with pytest.warns(UserWarning, match="mean is more than 2 std from"):
        drawn("trunc_normal_", 9.0)
    generator = eagre.Generator().manual_seed(3)
    first = init.normal_(eagre.empty(3), generator=generator)
    assert eagre.equal(first, init.normal_(eagre.empty(3), generator=generator.manual_seed(3)))


def test_fixed_values():
    assert float(drawn("constant_", 4).min()) == 4
    assert float(drawn("ones_").sum()) == 20000 and float(drawn("zeros_").abs().sum()) == 0
    assert eagre.equal(drawn("eye_", shape=(2, 3)), eagre.eye(2, 3))
    kernels = drawn("dirac_", shape=(4, 2, 3, 3), groups=2)
    images = eagre.randn(1, 4, 5, 5)
    assert eagre.equal(eagre.conv2d(images, kernels, padding=1, groups=2), images)


@pytest.mark.parametrize(
    ("function", "options", "deviation"),
    [
        ("xavier_uniform_", {"gain": 2.0}, 2 * math.sqrt(2 / 300)),
        ("xavier_normal_", {}, math.sqrt(2 / 300)),
        ("kaiming_uniform_", {"a": math.sqrt(5)}, math.sqrt(1 / 3 / 100)),
        ("kaiming_normal_", {"mode": "fan_out", "nonlinearity": "relu"}, math.sqrt(2 / 200)),
    ],
)
def test_variances(function, options, deviation):
    values = drawn(function, **options)
    assert abs(float(values.std()) / deviation - 1) < 0.03
    if "uniform" in function:
        assert float(values.abs().max()) <= deviation * math.sqrt(3)


def test_orthogonal_and_sparse():
    wide = drawn("orthogonal_", gain=2.0, shape=(3, 2, 4))
    flat = wide.reshape(3, 8)
    eagre.testing.assert_close(flat @ flat.T, 4 * eagre.eye(3))
    tall = drawn("orthogonal_", shape=(5, 2))
    eagre.testing.assert_close(tall.T @ tall, eagre.eye(2))
    values = drawn("sparse_", 0.25, shape=(8, 5))
    assert (values == 0).sum(0).tolist() == [2] * 5


def test_gains():
    gains = {"linear": 1, "tanh": 5 / 3, "relu": math.sqrt(2), "selu": 0.75}
    for name, gain in gains.items():
        assert init.calculate_gain(name) == gain
    assert init.calculate_gain("leaky_relu", 1) == 1
    with pytest.raises(ValueError, match="Unsupported nonlinearity sine"):
        init.calculate_gain("sine")
    with pytest.raises(ValueError, match="negative_slope True not a valid number"):
        init.calculate_gain("leaky_relu", True)


def test_refusals():
    vector = eagre.empty(3)
    for function, words in (
        ("eye_", "Only tensors with 2 dimensions"),
        ("dirac_", "Only tensors with 3, 4, or 5 dimensions"),
        ("xavier_normal_", "fewer than 2 dimensions"),
        ("orthogonal_", "2 or more dimensions"),
    ):
        with pytest.raises(ValueError, match=words):
            getattr(init, function)(vector)
    with pytest.raises(ValueError, match="Mode fan_up not supported"):
        init.kaiming_normal_(eagre.empty(2, 2), mode="fan_up")
    with pytest.raises(ValueError, match="dim 0 must be divisible by groups"):
        init.dirac_(eagre.empty(3, 2, 1), groups=2)
    with pytest.warns(UserWarning, match="zero-element tensors is a no-op"):
        init.kaiming_uniform_(eagre.empty(0, 2))
    with pytest.warns(FutureWarning, match="deprecated in favor of `nn.init.uniform_`"):
        init.uniform(vector)
