"""Functions from functions: gradients, products with Jacobians, Jacobians, maps over batches.

They compose: vmap(grad(f)) has the gradient of every sample, jacfwd(jacrev(f)) is the Hessian.
"""

import functools
import threading

from eagre import _C, autograd, tree
from eagre.batching import Mapped, vmap

__all__ = [
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "vmap",
]

_thread = threading.local()


# --- what all of them need ---


class _Recording:
    """Operators record gradients in its scope."""

    __slots__ = ("before",)

    def __enter__(self):
        self.before = _C._switch_grad(True)

    def __exit__(self, *exception):
        _C._switch_grad(self.before)


class _Differentiated(_Recording):
    """While the function runs: a derivative of it is wanted."""

    __slots__ = ()

    def __enter__(self):
        _thread.depth = _depth() + 1
        super().__enter__()

    def __exit__(self, *exception):
        super().__exit__()
        _thread.depth -= 1


class _Inputs:
    """The arguments to differentiate by, as the function sees them.

    Derivatives are recorded in turn if somebody outside may want theirs: another of these functions
    around this one, or whoever asked for gradients of the arguments, or of what the function uses
    besides them."""

    def __init__(self, name, tensors):
        for tensor in tensors:
            if not isinstance(tensor, _C.Tensor):
                raise ValueError(
                    f"{name}: Thing passed to transform API must be Tensor, got {type(tensor)}"
                )
        self.is_wanted = _C.is_grad_enabled()
        self.records = self.is_wanted and (_depth() > 0 or any(map(_C._is_recorded, tensors)))
        with _Recording():
            self.own = [self._own(tensor) for tensor in tensors]

    def _own(self, tensor):
        if self.records and tensor.requires_grad:
            return tensor.view_as(tensor)
        return _C._without_history(tensor).requires_grad_()

    def look_at(self, outputs):
        """What the function made, also of others than its arguments."""
        used = [output for output in outputs if output.requires_grad]
        if self.is_wanted and not self.records:
            self.records = _C._depend_on_others(used, self.own)

    def shown(self, value):
        """A result of the function as the caller sees it."""
        is_ours = isinstance(value, _C.Tensor) and not self.records
        return _C._without_history(value) if is_ours else value

    def gradients(self, outputs, weights, is_batched=False):
        """Of those outputs that depend on something; zeros where nothing does."""
        count = weights[0].shape[:1] if is_batched else ()

        def zeros(like):
            return _C.zeros_like(like, requires_grad=False).expand((*count, *like.shape))

        records = self.records or _C.is_grad_enabled() and any(map(_C._is_recorded, weights))
        used = [(o, w) for o, w in zip(outputs, weights, strict=True) if o.requires_grad]
        if not used:
            return [zeros(x) for x in self.own]
        with _Recording():
            found = autograd.grad(
                [output for output, _ in used],
                self.own,
                [weight for _, weight in used],
                retain_graph=True,
                create_graph=records,
                allow_unused=True,
                is_grads_batched=is_batched,
            )
        given = [g if records or g is None else self.shown(g) for g in found]
        return [zeros(x) if g is None else g for x, g in zip(self.own, given, strict=True)]


def _depth():
    return getattr(_thread, "depth", 0)


def _checked_argnums(argnums, count):
    """As numbers from 0 on."""
    if argnums.__class__ is int and 0 <= argnums < count:
        return argnums
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = argnums if isinstance(argnums, tuple) else (argnums,)
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    if len(set(numbers)) != len(numbers):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    wrapped = tuple(number % count for number in numbers)
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


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that returns the gradient of `func`, and its value (with `has_aux`: a pair)."""

    @functools.wraps(func, updated=())
    def wrapper(*args, **kwargs):
        name = "grad_and_value(f)(*args)"
        numbers = _checked_argnums(argnums, len(args))
        chosen = _chosen(args, numbers)
        inputs = _Inputs("grad_and_value", tree.leaves(chosen))
        with _Differentiated():
            own = tree.rebuilt(chosen, inputs.own)
            result = func(*_replaced(args, numbers, own), **kwargs)
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
            one = _C.ones_like(output.detach())
        inputs.look_at([output])
        gradients = tree.rebuilt(chosen, inputs.gradients([output], [one]))
        value = inputs.shown(output)
        return gradients, (value, tree.mapped(inputs.shown, aux)) if has_aux else value

    return wrapper


def grad(func, argnums=0, has_aux=False):
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


def vjp(func, *primals, has_aux=False):
    """The result of `func`, and a function from gradients of it to a tuple of gradients by
    `primals`, or to a single one."""
    output, pull_back, aux = _vjp(func, primals, has_aux)
    return (output, pull_back, aux) if has_aux else (output, pull_back)


def _vjp(func, primals, has_aux):
    outputs, result, inputs, aux = _recorded("vjp(f, *primals)", func, primals, primals, has_aux)

    def pull_back(*gradients):
        gradients = gradients[0] if len(gradients) == 1 else gradients
        wanted, got = tree.structure(result), tree.structure(gradients)
        if wanted != got:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {got}, primal output: {wanted}"
            )
        found = tree.rebuilt(primals, inputs.gradients(outputs, tree.leaves(gradients)))
        return found[0] if len(primals) == 1 else found

    return tree.mapped(inputs.shown, result), pull_back, tree.mapped(inputs.shown, aux)


def _recorded(name, func, args, chosen, has_aux, numbers=None):
    """Runs the function on its own inputs: outputs, and the same in their structure."""
    inputs = _Inputs(name.partition("(")[0], tree.leaves(chosen))
    with _Differentiated():
        own = tree.rebuilt(chosen, inputs.own)
        result = func(*(own if numbers is None else _replaced(args, numbers, own)))
    result, aux = _split_aux(name, result, has_aux)
    outputs = tree.leaves(result)
    _check_tensors(name, outputs)
    for output in outputs:
        if not (output.is_floating_point() or output.is_complex()):
            raise RuntimeError(
                f"{name}: All outputs of f must be floating-point or complex Tensors, got Tensor "
                f"with dtype {output.dtype}"
            )
    inputs.look_at(outputs)
    return outputs, result, inputs, aux


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None):
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
        outputs, result, inputs, aux = _recorded(
            "jacrev(f)(*args)", func, args, chosen, has_aux, numbers
        )
        _refuse_complex("jacrev", outputs, "outputs")
        blocks = [tree.rebuilt(chosen, _rows(output, inputs, chunk_size)) for output in outputs]
        jacobian = tree.rebuilt(result, blocks)
        return (jacobian, tree.mapped(inputs.shown, aux)) if has_aux else jacobian

    return wrapper


def _unit(x):
    """As many tensors like x as it has elements, each with a 1 in another place."""
    count = x.numel()
    return _C.eye(count, dtype=x.dtype, device=x.device).view((count, *x.shape))


def _rows(output, inputs, chunk_size):
    count = output.numel()
    if count == 1:  # needs no batch
        found = inputs.gradients([output], [_C.ones_like(output.detach())])
        return [
            g.reshape((*output.shape, *x.shape)) for g, x in zip(found, inputs.own, strict=True)
        ]
    unit = _unit(output)
    step = chunk_size or max(count, 1)
    parts = [
        inputs.gradients([output], [unit[first : first + step]], is_batched=True)
        for first in range(0, max(count, 1), step)
    ]
    rows = [part[0] if len(part) == 1 else _C.cat(part) for part in zip(*parts, strict=True)]
    return [r.reshape((*output.shape, *x.shape)) for r, x in zip(rows, inputs.own, strict=True)]


# --- forward ---


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
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
    return _directional(name, func, primals, tangents, strict, has_aux)


def _directional(name, func, primals, tangents, strict=False, has_aux=False):
    """_jvp() of arguments that were looked at."""
    level = _C._open_dual_level()
    try:
        pairs = zip(tree.leaves(primals), tree.leaves(tangents), strict=True)
        duals = [autograd.forward_ad.make_dual(x, t, level=level) for x, t in pairs]
        result, aux = _split_aux(name, func(*tree.rebuilt(primals, duals)), has_aux)
        outputs = tree.leaves(result)
        _check_tensors(name, outputs)
        unpacked = [_C._unpack_dual(output, level) for output in outputs]
        aux = tree.mapped(
            lambda v: _C._unpack_dual(v, level)[0] if isinstance(v, _C.Tensor) else v, aux
        )
    finally:
        _C._close_level(level)
    if strict and any(tangent is None for _, tangent in unpacked):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
            "This is not allowed with strict=True."
        )
    values = tree.rebuilt(result, [value for value, _ in unpacked])
    derivatives = [_C.zeros_like(value) if t is None else t for value, t in unpacked]
    return values, tree.rebuilt(result, derivatives), aux


def linearize(func, *primals):
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
        return push_forward(tangents[0] if len(primals) == 1 else tangents)

    return output, derivative


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    """A function that returns the Jacobian of `func`, all columns by one pass of forward mode."""

    @functools.wraps(func, updated=())
    def wrapper(*args):
        _refuse_complex("jacfwd", tree.leaves(args), "inputs")
        numbers = _checked_argnums(argnums, len(args))
        chosen = _chosen(args, numbers)
        inputs = tree.leaves(chosen)
        seen = []

        def column(*direction):
            def of_chosen(*own):
                return func(*_replaced(args, numbers, tree.rebuilt(chosen, own)))

            _, derivative, aux = _directional(
                "jacfwd(f)(*args)", of_chosen, tuple(inputs), direction, has_aux=has_aux
            )
            _refuse_complex("jacfwd", tree.leaves(derivative), "outputs")
            seen.append(aux)
            return derivative

        columns = Mapped(column, 0, 0, randomness, None).call(_unit_directions(inputs), {})
        blocks = [tree.rebuilt(chosen, _blocks(column, inputs)) for column in tree.leaves(columns)]
        jacobian = tree.rebuilt(columns, blocks)
        return (jacobian, seen[0]) if has_aux else jacobian

    return wrapper


def _unit_directions(inputs):
    """For each input a tensor whose first dimension counts the elements of all inputs."""
    if len(inputs) == 1:
        return (_unit(inputs[0]),)
    counts = [x.numel() for x in inputs]
    total, first = sum(counts), 0
    directions = []
    for x, count in zip(inputs, counts, strict=True):
        unit = _C.eye(total, dtype=x.dtype, device=x.device)[:, first : first + count]
        directions.append(unit.reshape((total, *x.shape)))
        first += count
    return tuple(directions)


def _blocks(columns, inputs):
    """One block per input; what counts columns comes last."""
    last = columns.movedim(0, -1)
    parts = (last,) if len(inputs) == 1 else last.split([x.numel() for x in inputs], -1)
    return [p.reshape((*p.shape[:-1], *x.shape)) for p, x in zip(parts, inputs, strict=True)]


def hessian(func, argnums=0):
    """A function that returns the second derivatives of `func`: forward mode over backward."""
    return jacfwd(jacrev(func, argnums), argnums)


def _refuse_complex(name, values, what):
    for index, value in enumerate(values):
        if isinstance(value, _C.Tensor) and value.dtype.is_complex:
            raise RuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor at flattened "
                f"input idx: {index}"
            )
