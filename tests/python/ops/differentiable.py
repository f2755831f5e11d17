"""The samples that can be differentiated, each as a function from its floating-point arguments."""

import numpy as np
from records import cases, function_of, to_tensor

import eagre

MAX_ELEMENTS = 60


def is_small_float64(record):
    return record["differentiable"] or record["kind"] == "composite"


def weights(shape, seed):
    return eagre.tensor(np.random.default_rng(seed).uniform(0.5, 1.5, tuple(shape)))


def arrays_of(sample):
    """Every array among the arguments, also in lists, with the way to it."""
    for i, value in enumerate(sample.args):
        if isinstance(value, np.ndarray):
            yield (i,), value
        elif isinstance(value, list):
            yield from (((i, k), v) for k, v in enumerate(value) if isinstance(v, np.ndarray))


def differentiable(sample):
    arrays = [a for _, a in arrays_of(sample)]
    floats = [a for a in arrays if a.dtype == np.float64]
    results = sample.expected if isinstance(sample.expected, tuple) else (sample.expected,)
    return (
        not callable(sample.expected)
        and bool(floats)
        and all(a.dtype == np.float64 or a.dtype.kind in "biu" for a in arrays)
        and all(np.isfinite(a).all() for a in arrays)
        and all(np.isfinite(r).all() for r in results)
        and sum(a.size for a in arrays) <= MAX_ELEMENTS
        and sample.kwargs.get("dtype") in (None, eagre.float64)
        and not any(isinstance(a, eagre.dtype) and a is not eagre.float64 for a in sample.args)
    )


CASES = [c for c in cases(is_small_float64) if differentiable(c.values[1])]


class Scalarised:
    """The operator with weights on its results: a function from arrays to one number."""

    def __init__(self, record, sample):
        self.function = function_of(record)
        self.sample = sample
        found = [(place, a) for place, a in arrays_of(sample) if a.dtype == np.float64]
        self.places = [place for place, _ in found]
        self.arrays = [np.array(a) for _, a in found]

    def tensors(self, arrays):
        return [to_tensor(a).clone().requires_grad_() for a in arrays]

    def results(self, tensors, function=None):
        """Those of the operator (or of another form of it) that can have a gradient."""
        return [one for one in self.all_results(tensors, function) if one.dtype.is_floating_point]

    def all_results(self, tensors, function=None):
        args = [to_tensor(a) for a in self.sample.args]
        for place, tensor in zip(self.places, tensors, strict=True):
            if len(place) == 1:
                args[place[0]] = tensor
            else:
                args[place[0]][place[1]] = tensor
        result = (function or self.function)(*args, **self.sample.kwargs)
        return result if isinstance(result, tuple) else (result,)

    def first(self, tensors):
        total = eagre.zeros((), dtype=eagre.float64)
        for i, one in enumerate(self.results(tensors)):
            total = total + (one * weights(one.shape, 7 + 100 * i)).sum()
        return total

    def second(self, tensors):
        """A weighted sum of the first gradients, itself differentiable."""
        first = self.first(tensors)
        if not first.requires_grad:
            return first * 0
        grads = eagre.autograd.grad(first, tensors, create_graph=True, allow_unused=True)
        total = eagre.zeros((), dtype=eagre.float64)
        for i, grad in enumerate(grads):
            if grad is None:  # it does not depend on this one
                continue
            total = total + (grad * weights(grad.shape, 11 + i)).sum()
        return total
