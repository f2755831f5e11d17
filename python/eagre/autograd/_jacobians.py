"""Jacobians as matrices of numbers: two helpers of old that programs import from gradcheck.

For every input a matrix with a row for each of its elements and a column for each of the output's.
"""

import warnings

from eagre import _C
from eagre.autograd.grad_mode import no_grad


def numerical(fn, inputs, target=None, eps=1e-3, grad_out=1.0):
    """By differences of values. fn(inputs) takes a tuple; of several results, the first counts."""
    _warn_of("get_numerical_jacobian", grad_out)
    chosen = inputs if target is None else target
    chosen = (chosen,) if isinstance(chosen, _C.Tensor) else chosen
    matrices = []
    for x in (x for x in chosen if isinstance(x, _C.Tensor) and x.requires_grad):
        memory = x.data
        rows = []
        for place in _places(x.shape):
            before = memory[place].item()
            values = []
            for moved in (before + eps, before - eps):
                memory[place] = moved
                values.append(_first(fn(inputs)).detach().reshape(-1).clone())
            memory[place] = before
            rows.append((values[0] - values[1]) / (2 * eps))
        matrices.append(_C.stack(rows))
    return tuple(matrices)


def analytical(inputs, output, nondet_tol=0.0, grad_out=1.0):
    """By backward: a tuple of matrices, and whether gradients repeat, have the right sizes and the
    right dtypes."""
    from eagre.autograd import grad

    _warn_of("get_analytical_jacobian", grad_out)
    inputs = [x for x in inputs if isinstance(x, _C.Tensor) and x.requires_grad]

    def matrices():
        columns = [[] for _ in inputs]
        for place in _places(output.shape):
            unit = _C.zeros_like(output)
            unit[place] = 1
            found = grad(output, inputs, unit, retain_graph=True, allow_unused=True)
            for column, x, gradient in zip(columns, inputs, found, strict=True):
                column.append(_C.zeros_like(x) if gradient is None else gradient)
        return columns

    def joined(columns):
        return [_C.stack([g.reshape(-1) for g in column], 1) for column in columns]

    first, again = matrices(), matrices()
    fits = [(x, g) for x, column in zip(inputs, first, strict=True) for g in column]
    with no_grad():
        pairs = zip(joined(first), joined(again), strict=True)
        repeats = all(a.numel() == 0 or (a - b).abs().max().item() <= nondet_tol for a, b in pairs)
        result = tuple(joined(first))
    return (
        result,
        repeats,
        all(g.shape == x.shape for x, g in fits),
        all(g.dtype == x.dtype for x, g in fits),
    )


def _warn_of(name, grad_out):
    warnings.warn(
        f"`{name}` was part of PyTorch's private API and not meant to be exposed. Hint: "
        "functional.jacobian() gives Jacobians, gradcheck() compares them",
        FutureWarning,
        stacklevel=3,
    )
    if grad_out != 1.0:
        raise ValueError(f"Expected grad_out to be 1.0, but got {grad_out}")


def _places(shape):
    import itertools

    return itertools.product(*map(range, shape))


def _first(result):
    return result if isinstance(result, _C.Tensor) else result[0]
