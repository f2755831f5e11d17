"""eagre.func and eagre.autograd.forward_ad: derivatives as functions."""

import collections

import numpy as np
import pytest

import eagre
from eagre.autograd import forward_ad
from eagre.func import (
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    vjp,
    vmap,
)

X = eagre.tensor([1.0, 2.0, 3.0])


def cubes(x):
    return (x * x * x).sum()


def test_grad():
    assert grad(cubes)(X).tolist() == [3, 12, 27]
    assert grad(grad(lambda x: x * x * x))(eagre.tensor(2.0)).item() == 12
    by_both = grad(lambda x, y: (x * y).sum(), argnums=(0, -1))(X, X + 1)
    assert [g.tolist() for g in by_both] == [[2, 3, 4], [1, 2, 3]]
    named = grad(lambda p, *, factor: (p["a"] * p["b"][0]).sum() * factor)
    got = named({"a": X, "b": [X + 1]}, factor=2)
    assert got["a"].tolist() == [4, 6, 8] and got["b"][0].tolist() == [2, 4, 6]
    gradient, (value, aux) = grad_and_value(lambda x: (cubes(x), x * 2), has_aux=True)(X)
    assert (gradient.tolist(), value.item(), aux.tolist()) == ([3, 12, 27], 36, [2, 4, 6])
    assert not (gradient.requires_grad or value.requires_grad or aux.requires_grad)
    assert grad(lambda x: (cubes(x), "text"), has_aux=True)(X)[1] == "text"
    assert grad(lambda x: eagre.ones(()))(X).tolist() == [0, 0, 0]


def test_jacobians_of_numbers():
    square = lambda x: x * x  # noqa: E731
    for transform in (jacrev, jacfwd):
        assert transform(square)(eagre.tensor(3.0)).tolist() == 6
        assert transform(square)(eagre.tensor([3.0])).tolist() == [[6]]
        assert transform(lambda x: x.sum().reshape(1, 1))(X).tolist() == [[[1, 1, 1]]]
    assert hessian(lambda x: x**3)(eagre.tensor(2.0)).item() == 12


def test_structures():
    Pair = collections.namedtuple("Pair", "a b")
    given = collections.defaultdict(list, a=X, b=[Pair(X, (X,))])
    found = grad(lambda p: (p["a"] * p["b"][0].a).sum() + p["b"][0].b[0].sum())(given)
    assert found.default_factory is list and list(found) == ["a", "b"]
    assert found["b"][0].a.tolist() == [1, 2, 3] and found["b"][0].b[0].tolist() == [1, 1, 1]
    endless = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        grad(lambda x: x)(endless)


def test_grad_is_a_part_of_the_graph_outside():
    w = X.clone().requires_grad_()
    (second,) = eagre.autograd.grad(grad(cubes)(w).sum(), w)
    assert second.tolist() == [6, 12, 18]
    (second,) = eagre.autograd.grad(vmap(grad(lambda x: x**3))(w).sum(), w)
    assert second.tolist() == [6, 12, 18]
    with eagre.no_grad():
        assert not grad(cubes)(w).requires_grad
    # A penalty on gradients: the parameter is no argument.
    penalty = (grad(lambda x: (w * x * x).sum())(X) ** 2).sum()
    assert eagre.autograd.grad(penalty, w)[0].tolist() == (8 * X**3).tolist()
    value, pull_back = vjp(lambda x: w * x, X)
    assert value.requires_grad and pull_back(X)[0].requires_grad
    rows = vmap(grad(lambda x: (w * x * x).sum()))(eagre.stack([X, X]))
    assert eagre.autograd.grad(rows.sum(), w)[0].tolist() == (4 * X).tolist()
    # What the outer function differentiates by is not an argument of the inner one.
    mixed = grad(lambda y: grad(lambda z: y * y * z)(eagre.tensor(2.0)))(eagre.tensor(3.0))
    assert mixed.item() == 6


def test_per_sample_gradients():
    w, xs = eagre.tensor([[1.0, -1.0]]), eagre.tensor([[1.0, 2.0], [3.0, 4.0]])
    loss = lambda w, x: ((x @ w.T) ** 2).sum()  # noqa: E731
    got = vmap(grad(loss), in_dims=(None, 0))(w, xs)
    assert got.tolist() == [grad(loss)(w, x).tolist() for x in xs]


def test_vjp_and_jvp():
    value, pull_back = vjp(lambda x, y: {"product": x * y}, X, X + 1)
    assert value["product"].tolist() == [2, 6, 12]
    for _ in range(2):
        by_x, by_y = pull_back({"product": eagre.ones(3)})
        assert (by_x.tolist(), by_y.tolist()) == ([2, 3, 4], [1, 2, 3])
    value, derivative, aux = jvp(lambda x: (x * x, x), (X,), (eagre.ones(3),), has_aux=True)
    assert (value.tolist(), derivative.tolist()) == ([1, 4, 9], [2, 4, 6])
    assert aux.tolist() == X.tolist()
    twice = jvp(lambda a: jvp(lambda b: b**3, (a,), (eagre.ones(3),))[1], (X,), (eagre.ones(3),))
    assert twice[1].tolist() == [6, 12, 18]
    assert jvp(lambda x: eagre.ones(2), (X,), (X,))[1].tolist() == [0, 0]
    # Tangents of the outer function do not mix with those of the inner one.
    inner = lambda x: jvp(lambda y: x * y, (eagre.ones(3),), (eagre.ones(3),))[1]  # noqa: E731
    assert jvp(inner, (X,), (eagre.ones(3),))[1].tolist() == [1, 1, 1]


@pytest.mark.parametrize("jacobian", [jacrev, jacfwd])
def test_jacobians(jacobian):
    def f(x, y):
        return {"a": eagre.outer(x, y), "b": x.sum()}

    got = jacobian(f, argnums=(0, 1))(X, X[:2])
    eye = np.eye(3)
    assert got["a"][0].shape == (3, 2, 3) and got["a"][1].shape == (3, 2, 2)
    np.testing.assert_array_equal(got["a"][0].numpy(), np.einsum("ik,j->ijk", eye, [1, 2]))
    assert got["b"][0].tolist() == [1, 1, 1] and got["b"][1].tolist() == [0, 0]
    matrix, aux = jacobian(lambda x: (x * x, x), has_aux=True)(X)
    assert matrix.tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 6]] and aux.tolist() == X.tolist()
    assert not (matrix.requires_grad or aux.requires_grad)


def test_jacrev_in_chunks_and_hessian():
    x = eagre.arange(4.0).reshape(2, 2)
    whole = jacrev(lambda x: x @ x)(x)
    assert jacrev(lambda x: x @ x, chunk_size=3)(x).tolist() == whole.tolist()
    assert whole.tolist() == jacfwd(lambda x: x @ x)(x).tolist()
    second = hessian(lambda p: (p["u"] ** 2 * p["v"]).sum())({"u": X, "v": X})
    assert second["u"]["u"].tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 6]]
    assert second["u"]["v"].diagonal().tolist() == [2, 4, 6]
    for outer in (jacfwd, jacrev):
        for inner in (jacfwd, jacrev):
            assert outer(inner(cubes))(X).diagonal().tolist() == [6, 12, 18]


def test_dual_levels():
    with forward_ad.dual_level() as level:
        dual = forward_ad.make_dual(X, eagre.ones(3), level=level)
        primal, tangent = forward_ad.unpack_dual(dual * dual)
        assert (primal.tolist(), tangent.tolist()) == ([1, 4, 9], [2, 4, 6])
        assert forward_ad.unpack_dual(X).tangent is None
        with forward_ad._set_fwd_grad_enabled(False):
            assert forward_ad.unpack_dual(dual * 2).tangent is None
        with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported"):
            forward_ad.enter_dual_level()
        with pytest.raises(RuntimeError, match="not the last one that was created"):
            forward_ad.exit_dual_level(level=level + 1)
        assert jvp(lambda x: x * dual, (X,), (X,))[1].tolist() == [1, 4, 9]
    assert forward_ad.unpack_dual(dual) == (dual, None)
    with pytest.raises(RuntimeError, match="no level exists"):
        forward_ad.make_dual(X, X)
    with pytest.raises(RuntimeError, match="no level exists"):
        forward_ad.exit_dual_level()

    @forward_ad.dual_level()
    def derivative(x):
        return forward_ad.unpack_dual(forward_ad.make_dual(x, eagre.ones(3)).exp()).tangent

    for _ in range(2):
        assert derivative(X).tolist() == X.exp().tolist()


WHOLE = eagre.tensor([1, 2])
REFUSED = [
    (lambda: grad(lambda x: x)(X), "return a scalar Tensor, got tensor with 1 dims"),
    (lambda: grad(lambda x: 3)(X), "Expected f.* to return a Tensor, got"),
    (lambda: grad(cubes, argnums=1)(X), "Got argnum=1, but only 1 positional inputs"),
    (lambda: grad(cubes, argnums=())(X), "argnums must be non-empty"),
    (lambda: grad(cubes, argnums=(0, 0))(X), "argnums elements must be unique"),
    (lambda: grad(cubes, argnums=(0, -1))(X), "argnums elements must be unique"),
    (lambda: grad(cubes, argnums="0")(X), "argnums must be int or Tuple"),
    (lambda: grad(cubes, argnums=("0",))(X), "argnum must be int, got"),
    (lambda: grad(cubes, has_aux=True)(X), r"should be a tuple: \(output, aux\)"),
    (lambda: grad(cubes)(3), "Thing passed to transform API must be Tensor"),
    (lambda: vjp(lambda x: WHOLE, X), "must be floating-point or complex Tensors"),
    (lambda: vjp(lambda x: (), X), "non-empty output"),
    (lambda: vjp(lambda x: 3, X), "return only tensors, got unsupported type"),
    (lambda: vjp(cubes, X)[1]((X, X)), "structure of cotangents"),
    (lambda: jvp(cubes, X, X), "Expected primals to be a tuple"),
    (lambda: jvp(cubes, (X,), (X, X)), "the same python structure"),
    (lambda: jvp(cubes, (3,), (X,)), "Expected primals to only contain Tensors"),
    (lambda: jvp(lambda x: eagre.ones(1), (X,), (X,), strict=True), "independent of the inputs"),
    (lambda: jvp(cubes, (WHOLE,), (WHOLE,)), "Expected primal to be floating point or complex"),
    (lambda: jvp(cubes, (X,), (X[:2],)), "different size than that of the primal"),
    (lambda: jacrev(cubes, chunk_size=0), "`chunk_size` should be greater than 0"),
    (lambda: jacrev(cubes)(X + 1j), "all inputs to be real"),
    (lambda: jacfwd(lambda x: x * 1j)(X), "all outputs to be real"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_refusals(call, words):
    with pytest.raises((RuntimeError, ValueError), match=words):
        call()


def test_what_vjp_pulls_back_is_differentiable_by_what_it_is_given():
    x, weight = eagre.tensor([0.5, 1.0]), eagre.ones(2, requires_grad=True)
    _, pull_back = eagre.func.vjp(lambda x: x**2, x)
    pull_back(weight)[0].sum().backward()
    assert weight.grad.tolist() == [1.0, 2.0]


def test_linearize_runs_the_function_once():
    calls = []

    def f(x):
        calls.append(1)
        return x.sin() * x

    x = eagre.tensor([0.5, 1.0, 2.0])
    output, derivative = linearize(f, x)
    assert output.allclose(f(x)) and len(calls) == 2
    for direction in (eagre.ones(3), eagre.tensor([1.0, -2.0, 0.5])):
        expected = jvp(f, (x,), (direction,))[1]
        calls.clear()
        assert derivative(direction).allclose(expected) and not calls


def test_linearize_with_trees_and_several_arguments():
    def f(a, b):
        return {"product": a["x"] * b, "square": b**2}

    a, b = {"x": eagre.tensor([1.0, 2.0])}, eagre.tensor([3.0, 4.0])
    output, derivative = linearize(f, a, b)
    moved = derivative({"x": eagre.ones(2)}, eagre.zeros(2))
    assert output["square"].tolist() == [9.0, 16.0]
    assert moved["product"].tolist() == [3.0, 4.0] and moved["square"].tolist() == [0.0, 0.0]
    directions = {"x": eagre.eye(2)}, eagre.zeros(2, 2)
    assert vmap(derivative)(*directions)["product"].tolist() == [[3.0, 0.0], [0.0, 4.0]]


def test_directions_of_linearize_look_like_its_arguments():
    _, derivative = linearize(lambda x: x * 2, eagre.ones(3))
    with pytest.raises(RuntimeError, match="same python structure"):
        derivative(eagre.ones(3), eagre.ones(3))
    with pytest.raises(RuntimeError, match=r"shape \[3\] and dtype eagre.float32"):
        derivative(eagre.ones(2))


def test_vjp_gives_a_tuple_for_one_primal_too():
    _, pull_back = eagre.func.vjp(lambda x: x * 2, eagre.ones(2))
    (found,) = pull_back(eagre.ones(2))
    assert found.tolist() == [2.0, 2.0]


def test_what_linearize_computes_has_no_history():
    x = eagre.tensor([1.0, 2.0])
    value, derivative = eagre.func.linearize(lambda x: x**2, x)
    found = derivative(eagre.ones(2))
    assert found.tolist() == [2.0, 4.0] and not found.requires_grad and not value.requires_grad
    direction = eagre.ones(2, requires_grad=True)
    derivative(direction).sum().backward()
    assert direction.grad.tolist() == [2.0, 4.0]
