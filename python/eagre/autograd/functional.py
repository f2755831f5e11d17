"""Derivatives of functions: products with Jacobians and Hessians, and these matrices.

A function takes tensors and returns a tensor or a tuple of them. What comes back has the structure
of what was given: a tensor where a tensor was, a tuple where a tuple was. With `create_graph` the
results can be differentiated again; with `strict` a result that depends on no input is an error
instead of zeros.
"""

from __future__ import annotations

from eagre import _C

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def vjp(func, inputs, v=None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """func(*inputs), and v times the Jacobian: a pair."""
    call, outputs, product = _product("vjp", func, inputs, v, create_graph, strict)
    return outputs, call.like_inputs(product)


def jvp(func, inputs, v=None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """func(*inputs), and the Jacobian times v: a pair. eagre.func.jvp() is quicker."""
    call, outputs, product = _product("jvp", func, inputs, v, create_graph, strict)
    return outputs, call.output(product)


def vhp(func, inputs, v=None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """func(*inputs), which has one element, and v times the Hessian: a pair."""
    call, outputs, product = _product("vhp", func, inputs, v, create_graph, strict)
    return outputs, call.like_inputs(product)


def hvp(func, inputs, v=None, create_graph=False, strict=False) -> tuple[Any, Any]:
    """func(*inputs), which has one element, and the Hessian times v: a pair. vhp() costs less."""
    call, outputs, product = _product("hvp", func, inputs, v, create_graph, strict)
    return outputs, call.like_inputs(product)


def jacobian(
    func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"
) -> Any:
    """The Jacobian: of every output by every input, of the shape of the one and then the other.

    With `vectorize` all rows are computed at once; so are all columns with the strategy
    "forward-mode", which is quicker where there are more outputs than inputs.
    """
    call = _Call("jacobian", func, inputs)
    rows = _C._functional_jacobian(
        call, call.inputs, create_graph, strict, vectorize, _is_forward(strategy)
    )
    return call.output(tuple(map(call.like_inputs, rows)))


def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
) -> Any:
    """The Hessian of a function whose result has one element: by every pair of inputs."""
    call = _Call("hessian", func, inputs)
    rows = _C._functional_hessian(
        call, call.inputs, create_graph, strict, vectorize, _is_forward(outer_jacobian_strategy)
    )
    return call.like_inputs(tuple(map(call.like_inputs, rows)))


class _Call:
    """The function as the library calls it, with tuples, and the structure that was given."""

    def __init__(self, name, func, inputs):
        self.name = name
        self.func = func
        self.has_many_inputs = isinstance(inputs, tuple)
        self.has_many_outputs = False
        self.inputs = _tuple_of("inputs", name, inputs)

    def __call__(self, *inputs):
        result = self.func(*inputs)
        self.has_many_outputs = isinstance(result, tuple)
        return _tuple_of("outputs of the user-provided function", self.name, result)

    def output(self, values):
        return values if self.has_many_outputs else values[0]

    def like_inputs(self, values):
        return values if self.has_many_inputs else values[0]


def _product(name, func, inputs, v, create_graph, strict):
    """What all products share: the call, its outputs as the user sees them, and the product."""
    call = _Call(name, func, inputs)
    vector = None if v is None else _tuple_of("v", name, v)
    run = getattr(_C, f"_functional_{name}")
    outputs, product = run(call, call.inputs, vector, create_graph, strict)
    return call, call.output(outputs), product


def _tuple_of(what, name, given):
    values = given if isinstance(given, tuple) else (given,)
    for index, value in enumerate(values):
        if isinstance(value, _C.Tensor):
            continue
        got = (
            f"the value at index {index}" if isinstance(given, tuple) else f"the given {what}"
        ) + f" has type {type(value)}"
        raise TypeError(
            f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but {got}."
        )
    return values


def _construct_standard_basis_for(tensors, tensor_numels):
    """For every tensor a matrix: all of them, side by side, are the identity."""
    sizes = [int(size) for size in tensor_numels]
    if len(tensors) != len(sizes) or not sizes:
        raise AssertionError("expected as many sizes as tensors, and at least one")
    rows, first, parts = sum(sizes), 0, []
    for tensor, size in zip(tensors, sizes, strict=True):
        part = tensor.new_zeros(rows, size)
        part.diagonal(-first).fill_(1)
        parts.append(part)
        first += size
    return tuple(parts)


def _is_forward(strategy):
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(  # as PyTorch does
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your '
            'function has more outputs than inputs, "forward-mode" tends to be more performant. '
            'Otherwise, prefer to use "reverse-mode".'
        )
    return strategy == "forward-mode"


def __dir__():
    return __all__
