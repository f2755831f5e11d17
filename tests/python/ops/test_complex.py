"""Complex numbers: values against NumPy, and gradients. The gradient of a real loss L at z = x + iy
is dL/dx + i dL/dy, as PyTorch has it."""

import math

import numpy as np
import pytest
from samples import COMPLEX, make

import eagre

UNARY = {
    "neg": np.negative,
    "reciprocal": np.reciprocal,
    "square": np.square,
    "sqrt": np.sqrt,
    "rsqrt": lambda z: 1 / np.sqrt(z),
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "silu": lambda z: z / (1 + np.exp(-z)),
    "abs": np.abs,
    "sgn": lambda z: z / np.abs(z),
    "conj": np.conj,
}
BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "rsub": lambda a, b: b - a,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
}


def a_tensor(shape=(2, 3), seed=0, dtype=np.complex128):
    return eagre.tensor(make(shape, dtype, seed))


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", COMPLEX)
def test_unary_values(name, dtype):
    z = make((3, 4), dtype)
    result = getattr(eagre, name)(eagre.tensor(z))
    expected = UNARY[name](z)
    assert result.numpy().dtype == expected.dtype
    tolerance = 1e-12 if dtype is np.complex128 else 1e-6
    np.testing.assert_allclose(result.numpy(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", COMPLEX)
def test_binary_values(name, dtype):
    a, b = make((3, 4), dtype, 1), make((4,), dtype, 2)
    result = getattr(eagre, name)(eagre.tensor(a), eagre.tensor(b)).numpy()
    assert result.dtype == dtype
    tolerance = 1e-12 if dtype is np.complex128 else 2e-6
    np.testing.assert_allclose(result, BINARY[name](a, b), rtol=tolerance, atol=tolerance)


def numeric_gradient(loss, z):
    step = 1e-6
    gradient = np.zeros_like(z)
    directions = (1, 1j) if np.iscomplexobj(z) else (1,)
    for index in np.ndindex(z.shape):
        for direction in directions:
            ahead, behind = z.copy(), z.copy()
            ahead[index] += step * direction
            behind[index] -= step * direction
            gradient[index] += direction * (loss(ahead) - loss(behind)) / (2 * step)
    return gradient


def check_gradients(function, *arrays):
    """Of first and second order, with the loss Re(conj(w) * f)."""

    def weighted(result, seed):
        array = result.detach().numpy()
        weights = make(array.shape, array.dtype.type, seed)
        return weights, float(np.sum(np.conj(weights) * array).real)

    def value(values):
        return weighted(function(*map(eagre.tensor, values)), 9)[1]

    def gradients(values, create_graph):
        inputs = [eagre.tensor(v, requires_grad=True) for v in values]
        result = function(*inputs)
        weights = eagre.tensor(weighted(result, 9)[0])
        return inputs, eagre.autograd.grad(result, inputs, weights, create_graph=create_graph)

    def second_value(values):
        _, grads = gradients(values, True)
        return sum(weighted(g, 20 + i)[1] for i, g in enumerate(grads))

    inputs, grads = gradients(arrays, True)
    needed = [g for g in grads if g.requires_grad]
    weights = [eagre.tensor(weighted(g, 20 + i)[0]) for i, g in enumerate(grads)]
    seconds = [None] * len(inputs)
    if needed:
        seeds = [w for g, w in zip(grads, weights, strict=True) if g.requires_grad]
        seconds = eagre.autograd.grad(needed, inputs, seeds, allow_unused=True)
    for k, array in enumerate(arrays):

        def moved(z, k=k):
            return [z if i == k else a for i, a in enumerate(arrays)]

        expected = numeric_gradient(lambda z: value(moved(z)), array)
        got = grads[k].detach().numpy()
        assert got.dtype == array.dtype
        np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6)
        expected = numeric_gradient(lambda z: second_value(moved(z)), array)
        got = np.zeros_like(array) if seconds[k] is None else seconds[k].numpy()
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


# Row: PyTorch O1
@pytest.mark.parametrize("name", UNARY)
def test_unary_gradient(name):
    check_gradients(getattr(eagre, name), make((2, 2), np.complex128, 3) + (1.5 + 0.5j))


# Row: PyTorch O1, Paddle B25
@pytest.mark.parametrize("name", BINARY)
def test_binary_gradient(name):
    function = getattr(eagre, name)
    a, b = make((2, 2), np.complex128, 1) + 3, make((2, 2), np.complex128, 2)
    check_gradients(function, a, b)
    check_gradients(function, np.abs(a), b)  # a real input gets the real part
    check_gradients(function, a, np.abs(b))
    check_gradients(lambda x: function(x, 2 - 1j), a)
    check_gradients(lambda x: function(x, 2 - 1j), np.abs(a))


def test_gradients_of_what_chooses_and_adds():
    a, b, c = (make((2, 2), np.complex128, seed) + 2 for seed in range(3))
    mask = eagre.tensor([True, False])
    check_gradients(lambda x, y: eagre.where(mask, x, y), a, b)
    check_gradients(lambda x, y: eagre.where(mask, x, y), a, b.real.copy())
    check_gradients(lambda x: x.masked_fill(mask, 1j), a)
    check_gradients(lambda x, y, z: eagre.addcmul(x, y, z, value=2 - 1j), a, b, c)
    check_gradients(lambda x, y, z: eagre.addcdiv(x, y, z, value=2 - 1j), a, b, c)
    check_gradients(lambda x, y: eagre.add(x, y, alpha=1 + 2j), a, b)
    check_gradients(eagre.lerp, a, b, c)
    check_gradients(lambda x, y: eagre.lerp(x, y, 0.3 - 1j), a, b)
    check_gradients(lambda x: eagre.logsumexp(x, 0), a)
    check_gradients(lambda x: eagre.logsumexp(x, (0, 1), True), a)


def test_small_numbers_keep_their_digits():
    z = eagre.tensor([1e-12 + 2e-12j, -3e-200 + 1e-250j], dtype=eagre.complex128)
    for function in (eagre.expm1, eagre.log1p):
        result = function(z).numpy()
        np.testing.assert_allclose(result.real, z.numpy().real, rtol=1e-11)
        np.testing.assert_allclose(result.imag, z.numpy().imag, rtol=1e-11)


def test_infinite_parts_and_branch_cuts_are_as_in_pytorch():
    inf, nan = np.inf, np.nan
    for name, z, expected in (
        ("rsqrt", [0, inf, -4], [complex(inf, nan), 0, -0.5j]),
        ("log2", [0, inf, -4], [-inf, inf, complex(2, np.pi / np.log(2))]),
        ("log10", [0, inf, complex(-100, -0.0)], [-inf, inf, complex(2, -np.pi / np.log(10))]),
        ("log1p", [-1, -inf, -2], [-inf, complex(inf, np.pi), 1j * np.pi]),
        ("expm1", [-inf, 0], [-1, 0]),
        ("asin", [2, complex(2, -0.0)], [np.pi / 2 + 1.3169578969j, np.pi / 2 - 1.3169578969j]),
        ("acos", [2, complex(2, -0.0)], [-1.3169578969j, 1.3169578969j]),
        ("atan", [2j, inf], [np.pi / 2 + 0.5493061443j, np.pi / 2]),
    ):
        result = getattr(eagre, name)(eagre.tensor(np.asarray(z, complex))).numpy()
        expected = np.asarray(expected, complex)
        np.testing.assert_allclose(result.real, expected.real, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(result.imag, expected.imag, atol=1e-9, err_msg=name)


PRODUCTS = {
    "matmul": [((2, 3), (3, 2)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 2, 3), (3, 2)), ((3,), (3,))],
    "mm": [((2, 3), (3, 2))],
    "bmm": [((2, 2, 3), (2, 3, 1))],
    "mv": [((2, 3), (3,))],
    "dot": [((3,), (3,))],
    "vdot": [((3,), (3,))],
    "outer": [((2,), (3,))],
    "linear": [((2, 3), (2, 3))],
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_gradients_of_products(name):
    for left, right in PRODUCTS[name]:
        a, b = make(left, np.complex128, 1), make(right, np.complex128, 2)
        check_gradients(getattr(eagre, name), a, b)


def test_gradient_of_addmm():
    c, a, b = (make((2, 2), np.complex128, seed) for seed in range(3))
    check_gradients(lambda x, y, z: eagre.addmm(x, y, z, beta=2j, alpha=1 - 1j), c, a, b)


def test_dot_does_not_conjugate_and_vdot_does():
    a, b = eagre.tensor([1j, 2]), eagre.tensor([1j, 3])  # as PyTorch has it
    assert eagre.dot(a, b).item() == 5 and eagre.vdot(a, b).item() == 7


# Row: PyTorch B1
def test_a_complex_loss_needs_a_gradient():
    z = eagre.tensor(1j, requires_grad=True)
    with pytest.raises(eagre.AutogradError, match="real scalar outputs.*complex64"):
        (z * z).backward()


def test_gradients_that_are_summed():
    a, b = make((2, 2), np.complex128, 1) + 3, make((2,), np.complex128, 2)
    check_gradients(eagre.var, a)
    check_gradients(lambda x: eagre.std(x, 1, correction=0), a)
    check_gradients(lambda x: x.sum(), a)
    check_gradients(lambda x: (x * x).sum(0), a)
    for name in BINARY:
        check_gradients(getattr(eagre, name), a, b)
        check_gradients(getattr(eagre, name), a, b.real.copy() + 3)


# Row: PyTorch O1
def test_a_real_loss_of_complex_numbers():
    z = eagre.tensor([3 + 4j, 1j], requires_grad=True)
    z.abs().sum().backward()
    np.testing.assert_allclose(z.grad.numpy(), [0.6 + 0.8j, 1j], rtol=1e-6)


def test_objects():
    z = eagre.tensor([1 + 2j, -3.5j])
    assert z.dtype is eagre.complex64
    assert z.tolist() == [1 + 2j, -3.5j]
    assert eagre.tensor(2j).item() == 2j
    assert eagre.tensor([1.0, 2j], dtype=eagre.complex128).tolist() == [1, 2j]
    array = np.asarray([[1 + 1j]], np.complex64)
    shared = eagre.from_numpy(array)
    assert shared.dtype is eagre.complex64
    array[0, 0] = 5j
    assert shared.numpy().tolist() == [[5j]]
    assert (z == z).tolist() == [True, True]


def test_powers_of_negative_numbers_with_complex_exponents():
    x = eagre.tensor([-0.5], dtype=eagre.float64, requires_grad=True)
    eagre.view_as_real(eagre.pow(x, 1j)).sum().backward()
    step = 1e-6
    values = [complex(-0.5 + d) ** 1j for d in (step, -step)]
    slope = (values[0] - values[1]) / (2 * step)
    assert x.grad.item() == pytest.approx(slope.real + slope.imag, rel=1e-6)
    exponent = eagre.tensor([1 + 0.5j], requires_grad=True)
    eagre.view_as_real(eagre.pow(eagre.tensor([-2]), exponent)).sum().backward()
    slope = complex(-2) ** (1 + 0.5j) * complex(math.log(2), math.pi)
    gradient = exponent.grad.item()
    assert gradient.real == pytest.approx(slope.real + slope.imag, rel=1e-4)
    assert gradient.imag == pytest.approx(slope.real - slope.imag, rel=1e-4)
