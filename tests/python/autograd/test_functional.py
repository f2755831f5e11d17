"""eagre.autograd.functional: the structure of arguments and results, options, errors."""

import pytest

import eagre
from eagre.autograd import functional

X, Y = eagre.tensor([1.0, 2.0]), eagre.tensor([3.0, 4.0])


def two(a, b):
    return a * b, a.sum() * 2


def energy(a, b):
    return (a**2 * b).sum()


def listed(tree):
    return tuple(map(listed, tree)) if isinstance(tree, tuple) else tree.tolist()


# Row: PyTorch N1
def test_vjp():
    outputs, product = functional.vjp(two, (X, Y), (Y, eagre.tensor(1.0)))
    assert listed(outputs) == ([3.0, 8.0], 6.0)
    assert listed(product) == ([11.0, 18.0], [3.0, 8.0])
    output, product = functional.vjp(lambda a: a.sum(), X)
    assert output.item() == 3.0 and product.tolist() == [1.0, 1.0]


# Row: PyTorch N1
def test_jvp():
    outputs, product = functional.jvp(two, (X, Y), (Y, X))
    assert listed(outputs) == ([3.0, 8.0], 6.0)
    assert listed(product) == ([10.0, 20.0], 14.0)


# Row: PyTorch N1
@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (RuntimeError, "The vector v can only be None", lambda: functional.vjp(lambda a: a, X)),
        (RuntimeError, "The vector v can only be None", lambda: functional.jvp(lambda a: a, X)),
        (RuntimeError, "invalid length: should be 2", lambda: functional.vjp(two, (X, Y), Y)),
        (
            RuntimeError,
            "v has invalid size: should be",
            lambda: functional.vjp(lambda a: a, X, eagre.ones(3)),
        ),
        (TypeError, "inputs given to jvp must be", lambda: functional.jvp(lambda a: a, 3)),
        (TypeError, "v given to vjp must be", lambda: functional.vjp(lambda a: a, X, (X, 3))),
        (
            TypeError,
            "outputs of the user-provided function given to vjp must be",
            lambda: functional.vjp(lambda a: 3, X),
        ),
    ],
)
def test_errors_of_products(error, message, call):
    with pytest.raises(error, match=message):
        call()


# Row: PyTorch N1
@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "Output 0 of the user-provided function does not require gradients",
            lambda: functional.vjp(lambda a: a.detach(), X, Y, strict=True),
        ),
        (
            "output of the user-provided function is independent of input 1",
            lambda: functional.vjp(lambda a, b: a.exp(), (X, Y), Y, strict=True),
        ),
        (
            "jacobian of the user-provided function is independent of input 0",
            lambda: functional.vjp(lambda a: a * 2, X, Y, strict=True, create_graph=True),
        ),
        (
            "Output 0 of the user-provided function is independent of input 1",
            lambda: functional.jacobian(lambda a, b: a**2, (X, Y), strict=True),
        ),
        (
            "jacobian of the user-provided function with respect to input 0 is independent",
            lambda: functional.vhp(lambda a: a.sum(), X, Y, strict=True),
        ),
        (
            "jacobian of the user-provided function with respect to input 0 is independent",
            lambda: functional.hvp(lambda a: a.sum(), X, Y, strict=True),
        ),
        (
            "output of the user-provided function is independent of input 1",
            lambda: functional.hvp(lambda a, b: a.exp().sum(), (X, Y), (X, Y), strict=True),
        ),
        (
            "jacobian of the user-provided function with respect to input 0 is independent",
            lambda: functional.hessian(lambda a: a.sum(), X, strict=True),
        ),
        (
            "output of the user-provided function is independent of input 0",
            lambda: functional.jvp(
                lambda a: eagre.ones(2, requires_grad=True) * 1, X, X, strict=True
            ),
        ),
    ],
)
def test_strict(message, call):
    with pytest.raises(RuntimeError, match=message):
        call()


# Row: PyTorch N2
@pytest.mark.parametrize(
    "options", [{}, {"vectorize": True}, {"vectorize": True, "strategy": "forward-mode"}]
)
def test_jacobian(options):
    diagonal = [[2.0, 0.0], [0.0, 4.0]]
    assert functional.jacobian(lambda a: a**2, X, **options).tolist() == diagonal
    assert listed(functional.jacobian(lambda a: (a**2,), X, **options)) == (diagonal,)
    assert listed(functional.jacobian(lambda a: a**2, (X,), **options)) == (diagonal,)
    rows = functional.jacobian(two, (X, Y), **options)
    assert listed(rows) == (
        ([[3.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 2.0]]),
        ([2.0, 2.0], [0.0, 0.0]),
    )


# Row: PyTorch N2
def test_jacobian_errors():
    with pytest.raises(AssertionError, match="Expected strategy to be either"):
        functional.jacobian(two, (X, Y), strategy="wrong")
    with pytest.raises(NotImplementedError, match="only implemented for `vectorize=True`"):
        functional.jacobian(two, (X, Y), strategy="forward-mode")
    with pytest.raises(RuntimeError, match="not supported together"):
        functional.jacobian(two, (X, Y), strict=True, vectorize=True)


# Row: PyTorch N2
def test_create_graph():
    x = X.clone().requires_grad_()
    functional.jacobian(lambda a: a**3, x, create_graph=True).sum().backward()
    assert x.grad.tolist() == [6.0, 12.0]
    assert not functional.jacobian(lambda a: a**3, x).requires_grad


# Row: PyTorch N3
@pytest.mark.parametrize(
    "options",
    [{}, {"vectorize": True}, {"vectorize": True, "outer_jacobian_strategy": "forward-mode"}],
)
def test_hessian(options):
    assert functional.hessian(lambda a: (a**3).sum(), X, **options).tolist() == [
        [6.0, 0.0],
        [0.0, 12.0],
    ]
    rows = functional.hessian(energy, (X, Y), **options)
    assert listed(rows) == (
        ([[6.0, 0.0], [0.0, 8.0]], [[2.0, 0.0], [0.0, 4.0]]),
        ([[2.0, 0.0], [0.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]),
    )


# Row: PyTorch N3
@pytest.mark.parametrize("product", [functional.vhp, functional.hvp])
def test_products_with_hessians(product):
    output, result = product(energy, (X, Y), (Y, X))
    assert output.item() == 19.0 and listed(result) == ([20.0, 40.0], [6.0, 16.0])
    with pytest.raises(RuntimeError, match="should contain a single element"):
        product(lambda a: a, X, Y)


def test_errors_of_the_function_pass_unchanged():
    with pytest.raises(ZeroDivisionError):
        functional.jacobian(lambda a: 1 / 0, X)
