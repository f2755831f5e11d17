"""Functions from functions: gradients, products with Jacobians, Jacobians, maps over batches.

They compose: vmap(grad(f)) has the gradient of every sample, jacfwd(jacrev(f)) is the Hessian.
Derivatives are computed in C++ (eagre/api/func.h), of lists of tensors; what is said about
structures, `argnums` and `aux` is here.
"""

from __future__ import annotations

import functools

from eagre import _C, _unsupported
from eagre import _tree as tree
from eagre._vmap import vmap
from eagre.autograd.forward_ad import _check_dual

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "stack_module_state",
    "vjp",
    "vmap",
]

globals()["__getattr__"] = _unsupported.explained(__name__)  # unseen by type checkers


# --- what all of them need ---


class _Call:
    """A call of `function` with a list of tensors, ready for backward.

    Derivatives are recorded in turn if somebody outside may want theirs (`goes_on`)."""

    __slots__ = ("goes_on", "outputs", "own")

    def __init__(self, name, function, tensors):
        for tensor in tensors:
            if not isinstance(tensor, _C.Tensor):
                raise ValueError(
                    f"{name}: Thing passed to transform API must be Tensor, got {type(tensor)}"
                )

        def run(*own):
            self.outputs = tuple(function(own))
            return self.outputs

        self.own, self.goes_on = _C._record_call(name, run, tensors)

    def outside_value(self, value):
        """A result of the function as the caller sees it."""
        is_ours = isinstance(value, _C.Tensor) and not self.goes_on
        return _C._forget_history(value) if is_ours else value

    def gradients(self, weights):
        """Of the outputs by all inputs; zeros where nothing depends on an input."""
        return _C._gradients_of_call(self.own, self.goes_on, self.outputs, weights)

    def rows(self, output, chunk_size):
        """The Jacobian of an output by all inputs."""
        return _C._rows_of_call(self.own, self.goes_on, output, chunk_size)


def _checked_argnums(argnums, count):
    """As numbers from 0 on."""
    if argnums.__class__ is int and 0 <= argnums < count:
        return argnums
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    wrapped = tuple(number % count for number in numbers)
    if len(set(wrapped)) != len(wrapped):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return wrapped if isinstance(argnums, tuple) else wrapped[0]


def _chosen(args, argnums):
    if isinstance(argnums, tuple):
        return tuple(args[number] for number in argnums)
    return args[argnums]


def _replaced(args, argnums, values):
    args = list(args)
    for number, value in zip(
        *((argnums, values) if isinstance(argnums, tuple) else ((argnums,), (values,))),
        strict=True,
    ):
        args[number] = value
    return args


def _split_aux(name, result, has_aux):
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(
            f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return result


def _check_tensors(name, outputs):
    if not outputs:
        raise RuntimeError(
            f"{name}: Expected f to be a function that has non-empty output (got output = ())"
        )
    for output in outputs:
        if not isinstance(output, _C.Tensor):
            raise RuntimeError(
                f"{name}: expected f(*primals) to return only tensors, got unsupported type "
                f"{type(output)}"
            )


# --- backward ---


def grad_and_value(func, argnums=0, has_aux=False) -> Callable[..., Any]:
    """A function that returns the gradient of `func`, and its value (with `has_aux`: a pair)."""

    @functools.wraps(func, updated=())
    def wrapper(*args, **kwargs):
        name = "grad_and_value(f)(*args)"
        numbers = _checked_argnums(argnums, len(args))
        chosen = _chosen(args, numbers)
        aux = None

        def run(own):
            nonlocal aux
            result = func(*_replaced(args, numbers, tree.rebuilt(chosen, own)), **kwargs)
            output, aux = _split_aux(name, result, has_aux)
            if not isinstance(output, _C.Tensor):
                raise RuntimeError(
                    f"{name}: Expected f(*args) to return a Tensor, got {type(output)}"
                )
            if output.dim() != 0:
                raise RuntimeError(
                    f"{name}: Expected f(*args) to return a scalar Tensor, got tensor with "
                    f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            return (output,)

        call = _Call("grad_and_value", run, tree.leaves(chosen))
        (output,) = call.outputs
        found = call.gradients((_C.ones_like(output.detach()),))
        gradients, value = tree.rebuilt(chosen, found), call.outside_value(output)
        return gradients, (value, tree.mapped(call.outside_value, aux)) if has_aux else value

    return wrapper


def grad(func, argnums=0, has_aux=False) -> Callable[..., Any]:
    """A function that returns the gradient of `func`, whose result is a number.

    `argnums` says by which arguments: a number, or a tuple for a tuple of gradients. With `has_aux`
    `func` returns a pair, whose second half comes back beside the gradient.
    """

    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func, updated=())
    def wrapper(*args, **kwargs):
        gradients, value = both(*args, **kwargs)
        return (gradients, value[1]) if has_aux else gradients

    return wrapper


def vjp(func, *primals, has_aux=False) -> tuple[Any, ...]:
    """The result of `func`, and a function from gradients of it to a tuple of gradients by
    `primals`."""
    output, pull_back, aux = _vjp(func, primals, has_aux)
    return (output, pull_back, aux) if has_aux else (output, pull_back)


def _vjp(func, primals, has_aux):
    call, result, aux = _recorded("vjp(f, *primals)", func, primals, primals, has_aux)

    def pull_back(*gradients):
        gradients = gradients[0] if len(gradients) == 1 else gradients
        wanted, got = tree.structure(result), tree.structure(gradients)
        if wanted != got:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {got}, primal output: {wanted}"
            )
        return tree.rebuilt(primals, call.gradients(tree.leaves(gradients)))

    pull_back.goes_on = call.goes_on
    return tree.mapped(call.outside_value, result), pull_back, tree.mapped(call.outside_value, aux)


def _recorded(name, func, args, chosen, has_aux, numbers=None):
    """Runs the function on its own inputs: the call, and what it returned."""
    seen = []

    def run(own):
        own = tree.rebuilt(chosen, own)
        result = func(*(own if numbers is None else _replaced(args, numbers, own)))
        result, aux = _split_aux(name, result, has_aux)
        outputs = tree.leaves(result)
        _check_tensors(name, outputs)
        for output in outputs:
            if not (output.is_floating_point() or output.is_complex()):
                raise RuntimeError(
                    f"{name}: All outputs of f must be floating-point or complex Tensors, got "
                    f"Tensor with dtype {output.dtype}"
                )
        seen[:] = result, aux
        return outputs

    call = _Call(name.partition("(")[0], run, tree.leaves(chosen))
    return call, *seen


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None) -> Callable[..., Any]:
    """A function that returns the Jacobian of `func`, all rows by one backward call.

    With `chunk_size` so many rows at a time. The result has the structure of that of `func`, and
    in it that of `argnums`.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func, updated=())
    def wrapper(*args):
        _refuse_complex("jacrev", tree.leaves(args), "inputs")
        numbers = _checked_argnums(argnums, len(args))
        chosen = _chosen(args, numbers)
        call, result, aux = _recorded("jacrev(f)(*args)", func, args, chosen, has_aux, numbers)
        _refuse_complex("jacrev", call.outputs, "outputs")
        blocks = [tree.rebuilt(chosen, call.rows(output, chunk_size)) for output in call.outputs]
        jacobian = tree.rebuilt(result, blocks)
        return (jacobian, tree.mapped(call.outside_value, aux)) if has_aux else jacobian

    return wrapper


# --- forward ---


def jvp(func, primals, tangents, *, strict=False, has_aux=False) -> tuple[Any, ...]:
    """The result of `func` at `primals`, and its derivative in the direction of `tangents`."""
    output, derivative, aux = _jvp(func, primals, tangents, strict, has_aux)
    return (output, derivative, aux) if has_aux else (output, derivative)


def _jvp(func, primals, tangents, strict=False, has_aux=False):
    name = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{name}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    wanted, got = tree.structure(primals), tree.structure(tangents)
    if wanted != got:
        raise RuntimeError(
            f"{name}: Expected primals and tangents to have the same python structure. For "
            "example, if primals is a tuple of 3 tensors, tangents also must be. Got primals with "
            f"structure {wanted} and tangents with structure {got}"
        )
    for what, given in (("primals", primals), ("tangents", tangents)):
        for value in tree.leaves(given):
            if not isinstance(value, _C.Tensor):
                raise RuntimeError(
                    f"{name}: Expected {what} to only contain Tensors, got {type(value)}"
                )
    flat, directions = tree.leaves(primals), tree.leaves(tangents)
    # Of the same structure, so as many; `strict` would take longer than the checks.
    for x, t in zip(flat, directions):  # noqa: B905
        _check_dual(x, t)
    run = _Unpacked(name, lambda own: func(*tree.rebuilt(primals, own)), has_aux)
    values, derivatives = _C._directional(run, flat, directions)
    if strict and any(derivative is None for derivative in derivatives):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
            "This is not allowed with strict=True."
        )
    pairs = zip(values, derivatives)  # noqa: B905  from one call
    filled = [_C.zeros_like(value) if t is None else t for value, t in pairs]
    return tree.rebuilt(run.result, values), tree.rebuilt(run.result, filled), run.aux


def _primal(value):
    return _C._primal_of(value) if isinstance(value, _C.Tensor) else value


class _Unpacked:
    """A function of a list of dual tensors, whose results it returns as a tuple."""

    def __init__(self, name, function, has_aux, is_real=False):
        self.name = name
        self.function = function
        self.has_aux = has_aux
        self.is_real = is_real

    def __call__(self, *own):
        self.result, self.aux = _split_aux(self.name, self.function(own), self.has_aux)
        if self.has_aux:
            self.aux = tree.mapped(_primal, self.aux)
        outputs = tree.leaves(self.result)
        _check_tensors(self.name, outputs)
        if self.is_real:
            _refuse_complex(self.name.partition("(")[0], outputs, "outputs")
        return tuple(outputs)


def linearize(func, *primals) -> tuple[Any, Callable[..., Any]]:
    """The result of `func` at `primals`, and a function from directions to the derivatives there.

    `func` runs once. The derivative is the gradient of its gradient, which is linear in what comes
    in: transposed twice, it goes forward.
    """
    name = "linearize(f, *primals)"
    output, pull_back, _ = _vjp(func, primals, False)
    cotangents = tree.mapped(_C.zeros_like, output)
    _, push_forward, _ = _vjp(pull_back, (cotangents,), False)

    def derivative(*tangents):
        wanted, got = tree.structure(primals), tree.structure(tangents)
        if wanted != got:
            raise RuntimeError(
                f"{name}: Expected the tangents to have the same python structure as the primals. "
                f"Got primals with structure {wanted} and tangents with structure {got}"
            )
        pairs = zip(tree.leaves(primals), tree.leaves(tangents), strict=True)
        for i, (x, t) in enumerate(pairs):
            if x.shape != t.shape or x.dtype != t.dtype:
                raise RuntimeError(
                    f"{name}: Expected tangent {i} to have shape {list(x.shape)} and dtype "
                    f"{x.dtype}, got shape {list(t.shape)} and dtype {t.dtype}"
                )
        (derivatives,) = push_forward(tangents)
        if pull_back.goes_on or any(t.requires_grad for t in tree.leaves(tangents)):
            return derivatives
        return tree.mapped(_C._forget_history, derivatives)

    return output, derivative


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error") -> Callable[..., Any]:
    """A function that returns the Jacobian of `func`, all columns by one pass of forward mode."""

    @functools.wraps(func, updated=())
    def wrapper(*args):
        _refuse_complex("jacfwd", tree.leaves(args), "inputs")
        numbers = _checked_argnums(argnums, len(args))
        chosen = _chosen(args, numbers)
        inputs = tree.leaves(chosen)
        for x in inputs:
            _check_dual(x, x)

        def function(own):
            return func(*_replaced(args, numbers, tree.rebuilt(chosen, own)))

        run = _Unpacked("jacfwd(f)(*args)", function, has_aux, is_real=True)
        matrix = _C._columns(run, inputs, randomness)
        jacobian = tree.rebuilt(run.result, [tree.rebuilt(chosen, blocks) for blocks in matrix])
        return (jacobian, run.aux) if has_aux else jacobian

    return wrapper


def hessian(func, argnums=0) -> Callable[..., Any]:
    """A function that returns the second derivatives of `func`: forward mode over backward."""
    return jacfwd(jacrev(func, argnums), argnums)


def _refuse_complex(name, values, what):
    for index, value in enumerate(values):
        if isinstance(value, _C.Tensor) and value.dtype.is_complex:
            raise RuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor at flattened "
                f"input idx: {index}"
            )


def __dir__():
    return __all__


# --- modules ---


def functional_call(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """Calls a module with these tensors, by name, in place of its own parameters and buffers; with
    `strict` all must be given. Tensors that the module has under several names are given once, or
    under all with `tie_weights=False`.

    >>> layer = eagre.nn.Linear(1, 1)
    >>> weights = {"weight": eagre.full((1, 1), 2.0), "bias": eagre.ones(1)}
    >>> eagre.func.functional_call(layer, weights, (eagre.tensor([[3.0]]),))
    tensor([[7.]])
    """
    from eagre.nn.utils.stateless import _functional_call

    given = parameter_and_buffer_dicts
    if isinstance(given, (list, tuple)):
        if not all(isinstance(one, dict) for one in given):
            raise ValueError(
                "Expected all elements of parameter_and_buffer_dicts to be dictionaries"
            )
        names = [name for one in given for name in one]
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise ValueError(
                f"{repeated} appears in multiple dictionaries; behavior of functional call is "
                "ambiguous"
            )
        given = {name: value for one in given for name, value in one.items()}
    elif not isinstance(given, dict):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, "
            f"but got {type(given)}"
        )
    return _functional_call(module, given, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models):
    """Parameters and buffers of models of one class, each stacked: for vmap(functional_call)."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not all(model.training == models[0].training for model in models):
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if not all(type(model) is type(models[0]) for model in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(all_named):
        names = dict(all_named[0])
        return {
            name: _stack_leaf([dict(named)[name] for named in all_named], name) for name in names
        }

    return (
        stacked([list(model.named_parameters()) for model in models]),
        stacked([list(model.named_buffers()) for model in models]),
    )


def _stack_leaf(tensors, name):
    wanted = {tensor.requires_grad for tensor in tensors}
    if len(wanted) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    return _C.stack(tensors).detach().requires_grad_(wanted.pop())
