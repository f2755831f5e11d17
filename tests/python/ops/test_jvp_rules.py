"""Forward mode of every differentiable operator: its tangents against reverse mode and against
differences, its in-place forms, and forward mode over its gradient."""

import numpy as np
import pytest
from differentiable import CASES, Scalarised, arrays_of, is_small_float64
from records import cases

import eagre
from eagre.func import jvp

STEP = 1e-6


def numbers(shape, seed, like):
    generator = np.random.default_rng(seed)
    values = generator.uniform(-1, 1, shape)
    if np.iscomplexobj(like):
        values = values + 1j * generator.uniform(-1, 1, shape)
    return np.asarray(values)


def is_small_complex(case):
    record, sample = case.values
    arrays = [a for _, a in arrays_of(sample)]
    results = sample.expected if isinstance(sample.expected, tuple) else (sample.expected,)
    return (
        record["differentiable"]
        and record["op"] != "scatter"  # which writes to some places twice
        and not callable(sample.expected)
        and all(np.isfinite(r).all() for r in results)
        and any(a.dtype == np.complex128 for a in arrays)
        and all(a.dtype == np.complex128 or a.dtype.kind in "biu" for a in arrays)
        and sum(a.size for a in arrays) <= 60
        and all(np.isfinite(a).all() for a in arrays)
    )


COMPLEX = [case for case in cases(is_small_float64) if is_small_complex(case)]


class Directed(Scalarised):
    """A sample with a direction for each of its tensors."""

    def __init__(self, record, sample, function=None):
        super().__init__(record, sample)
        if function is not None:
            self.function = function
        found = [(place, a) for place, a in arrays_of(sample) if a.dtype.kind in "fc"]
        self.places = [place for place, _ in found]
        self.arrays = [np.array(a) for _, a in found]
        self.directions = [
            numbers(array.shape, 31 + i, array) for i, array in enumerate(self.arrays)
        ]

    def results(self, tensors, function=None):
        """Those that can have a derivative."""
        result = super().all_results(tensors, function)
        return [
            one.detach() if "requires_grad" in self.sample.kwargs else one
            for one in result
            if one.dtype.is_floating_point or one.dtype.is_complex
        ]

    def choices(self):
        """Which tensors have a direction: each alone, and all."""
        count = len(self.arrays)
        alone = [[i == k for i in range(count)] for k in range(count)]
        return alone if count == 1 else [*alone, [True] * count]

    def chosen(self, has_direction):
        """A function of the chosen tensors, these, and their directions."""
        chosen = [i for i, has in enumerate(has_direction) if has]
        tensors = [eagre.tensor(array) for array in self.arrays]

        def function(*own):
            given = list(tensors)
            for i, tensor in zip(chosen, own, strict=True):
                given[i] = tensor
            return tuple(self.results(given))

        primals = tuple(tensors[i] for i in chosen)
        return function, primals, tuple(eagre.tensor(self.directions[i]) for i in chosen)


def check(record, sample, function=None):
    directed = Directed(record, sample, function)
    for has_direction in directed.choices():
        called, primals, directions = directed.chosen(has_direction)
        if not called(*primals):
            return
        outputs, tangents = jvp(called, primals, directions)
        against_differences(called, primals, directions, tangents)
        against_reverse_mode(called, primals, directions, outputs, tangents)


def against_differences(called, primals, directions, tangents):
    moved = [
        called(*(x + sign * STEP * v for x, v in zip(primals, directions, strict=True)))
        for sign in (1, -1)
    ]
    for up, down, tangent in zip(*moved, tangents, strict=True):
        assert (tangent.shape, tangent.dtype) == (up.shape, up.dtype)
        expected = (up - down).numpy() / (2 * STEP)
        np.testing.assert_allclose(tangent.numpy(), expected, rtol=2e-5, atol=2e-6)


def against_reverse_mode(called, primals, directions, outputs, tangents):
    """<w, J v> is <J^T w, v>."""
    own = [x.clone().requires_grad_() for x in primals]
    for index, (output, tangent) in enumerate(zip(called(*own), tangents, strict=True)):
        np.testing.assert_allclose(
            output.detach().numpy(), outputs[index].detach().numpy(), rtol=1e-12, atol=1e-12
        )
        w = numbers(tuple(output.shape), 5 + index, output.detach().numpy())
        by_tangent = np.vdot(w, tangent.numpy()).real
        by_gradient = 0.0
        if output.requires_grad:
            found = eagre.autograd.grad(
                output, own, eagre.tensor(w), retain_graph=True, allow_unused=True
            )
            by_gradient = sum(
                np.vdot(g.numpy(), v.numpy()).real
                for g, v in zip(found, directions, strict=True)
                if g is not None
            )
        np.testing.assert_allclose(by_tangent, by_gradient, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_real(record, sample):
    check(record, sample)


@pytest.mark.parametrize(("record", "sample"), COMPLEX)
def test_complex(record, sample):
    check(record, sample)


def is_written(case):
    record, sample = case.values
    return "inplace" in record["forms"] and isinstance(sample.args[0], np.ndarray)


@pytest.mark.parametrize(("record", "sample"), [c for c in [*CASES, *COMPLEX] if is_written(c)])
def test_in_place(record, sample):
    def function(x, *rest, **named):
        return getattr(x.clone(), f"{record['name']}_")(*rest, **named)

    results = sample.expected if isinstance(sample.expected, tuple) else (sample.expected,)
    if record["kind"] != "view" and np.shape(results[0]) != sample.args[0].shape:
        pytest.skip("the result does not fit")
    if np.asarray(results[0]).dtype != sample.args[0].dtype:
        pytest.skip("the result does not fit")
    check(record, sample, function)


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_over_reverse(record, sample):
    """A Hessian times a vector, by forward mode and by a second backward call."""
    directed = Directed(record, sample)
    directed.results = super(Directed, directed).results  # the real ones
    tensors = tuple(directed.tensors(directed.arrays))
    directions = tuple(map(eagre.tensor, directed.directions))

    def gradients(*own):
        value = directed.first(own)
        if not value.requires_grad:
            return tuple(map(eagre.zeros_like, own))
        found = eagre.autograd.grad(value, own, create_graph=True, allow_unused=True)
        return tuple(
            eagre.zeros_like(x) if g is None else g for g, x in zip(found, own, strict=True)
        )

    _, forward = jvp(gradients, tensors, directions)
    pairs = zip(gradients(*tensors), directions, strict=True)
    product = sum((g * v).sum() for g, v in pairs) + 0 * sum(x.sum() for x in tensors)
    backward = eagre.autograd.grad(product, tensors)
    for got, expected in zip(forward, backward, strict=True):
        np.testing.assert_allclose(
            got.detach().numpy(), expected.detach().numpy(), rtol=1e-9, atol=1e-9
        )
