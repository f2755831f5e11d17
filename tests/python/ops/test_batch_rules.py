"""Every operator in vmap(): the same as a loop over the samples, for values, in-place forms and
gradients, whichever of the arguments are batches."""

import itertools
import warnings

import numpy as np
import pytest
from differentiable import CASES as DIFFERENTIABLE
from differentiable import weights
from records import cases, function_of, load_records, to_tensor

import eagre
from eagre.func import grad, jvp, vmap

SAMPLES = 3
# With a rule, but not for everything: tables of class weights that differ from sample to sample,
# and windows that reach beyond the memory of their tensor.
LOOPS_AT_TIMES = {"rows_at", "sum_strided"}
LOOPED = set()  # operators that said they would


def has_tensors(record):
    return (
        record["batch"] != "random"
        and "internal" not in record["forms"]
        and not record["signature"].endswith("->bool")  # which asks for values
        and any("Tensor" in kind for _, kind, _ in record["parameters"])
    )


USUAL = {np.dtype(t) for t in ("float64", "complex128", "int64", "bool")}


def tensors_of(sample):
    """Every tensor among the arguments, also in lists, as an array with the way to it."""
    for i, value in enumerate(sample.args):
        nested = isinstance(value, (list, tuple))
        for k, one in enumerate(value if nested else [value]):
            if isinstance(one, (np.ndarray, eagre.Tensor)):
                yield (
                    (i, k) if nested else (i,),
                    one if isinstance(one, np.ndarray) else one.numpy(),
                )


def of_usual_dtypes(case):
    """Of 16 dtypes, a few: rules do not look at them."""
    arrays = [array for _, array in tensors_of(case.values[1])]
    return (
        bool(arrays) and {a.dtype for a in arrays} <= USUAL and max(a.size for a in arrays) < 5000
    )


CASES = [case for case in cases(has_tensors) if of_usual_dtypes(case)]


def variants(array):
    """The samples of a batch: the same numbers in other places, so that indices stay valid."""
    made = []
    for n in range(SAMPLES):
        moved = np.roll(array.reshape(-1), n).reshape(array.shape)
        with np.errstate(invalid="ignore"):
            scaled = moved * (1 - 0.125 * n) if array.dtype.kind in "fc" else moved
        made.append(np.asarray(scaled))
    return made


class Call:
    """An operator with a sample's arguments, as a function of its tensors."""

    def __init__(self, record, sample, function=None):
        self.record = record
        self.function = function or function_of(record)
        self.sample = sample
        found = list(tensors_of(sample))
        self.places = [place for place, _ in found]
        self.arrays = [array for _, array in found]

    def __call__(self, *tensors):
        args = [list(a) if isinstance(a, (list, tuple)) else a for a in self.sample.args]
        for place, tensor in zip(self.places, tensors, strict=True):
            if len(place) == 1:
                args[place[0]] = tensor
            else:
                args[place[0]][place[1]] = tensor
        return self.function(*args, **self.sample.kwargs)

    def choices(self):
        """Which tensors are batches: each alone, and all."""
        count = len(self.arrays)
        alone = [[i == k for i in range(count)] for k in range(count)]
        return alone if count == 1 else [*alone, [True] * count]


def outcome(function, *args):
    """What a call returns, as a tuple, or its exception."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*args)
        except eagre.Error as error:
            return error
    for warning in caught:
        if "has no batch rule" in str(warning.message):
            LOOPED.add(str(warning.message).partition("(")[0])
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


# The records of random operators, which vmap() refuses unless it is told what they shall do.
RANDOM = ("ops/random.yaml:", "ops/dropout.yaml:", "ops/activation_random.yaml:")


def is_refused(call, error, dim):
    """Is it right that vmap() does not do this?"""
    text = str(error)
    if "has no values of its own" in text or "shape of the result depends on" in text:
        masks = [a for a in call.arrays[1:] if a.dtype in (np.bool_, np.uint8)]
        by_mask = call.record["name"].startswith("index") and masks
        return call.record["dynamic_shape"] or bool(by_mask)
    if "called random operation" in text:
        return call.record["place"].startswith(RANDOM)
    if "the same for all samples cannot be written" in text:
        return not {"function", "method"} & set(call.record["forms"])
    # Where the samples are in the middle, one of them is not dense.
    return dim == 1 and "view" in call.record["name"] and "cannot be seen" in text


def compare(function, call, is_batched, dim=0):
    """vmap(function) and a loop."""
    columns = [
        variants(array) if batched else [array] * SAMPLES
        for array, batched in zip(call.arrays, is_batched, strict=True)
    ]
    rows = [outcome(function, *map(to_tensor, row)) for row in zip(*columns, strict=True)]
    dims = [
        (min(dim, array.ndim) if batched else None)
        for array, batched in zip(call.arrays, is_batched, strict=True)
    ]
    given = [
        to_tensor(array if d is None else np.stack(column, d))
        for array, column, d in zip(call.arrays, columns, dims, strict=True)
    ]
    got = outcome(vmap(function, in_dims=tuple(dims)), *given)
    if any(isinstance(row, Exception) for row in rows):
        assert isinstance(got, Exception)
        return
    if isinstance(got, Exception):
        if is_refused(call, got, dim):
            return
        raise got
    for index, result in enumerate(got):
        expected = eagre.stack([row[index] for row in rows])
        assert result.dtype is expected.dtype
        assert result.shape == expected.shape
        if "empty" not in call.record["name"]:  # which promises nothing of the elements
            np.testing.assert_allclose(
                result.detach().numpy(), expected.detach().numpy(), rtol=1e-9, atol=1e-9
            )


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_values(record, sample):
    call = Call(record, sample)
    places = (0,) if record["op"] == "as_strided" else (0, 1)  # it looks at the memory
    for is_batched, dim in itertools.product(call.choices(), places):
        compare(call, call, is_batched, dim)


@pytest.mark.parametrize(
    ("record", "sample"), [c for c in CASES if "inplace" in c.values[0]["forms"]]
)
def test_in_place(record, sample):
    if not isinstance(sample.args[0], np.ndarray):
        pytest.skip("a number cannot be written in place")
    if record["result"] == "real" and np.iscomplexobj(sample.args[0]):
        pytest.skip("a real result is not written into complex numbers")

    def function(x, *rest, **named):
        return getattr(x.clone(), f"{record['name']}_")(*rest, **named)

    call = Call(record, sample, function)
    for is_batched in call.choices():
        if is_batched[0]:
            compare(call, call, is_batched)


class Total(Call):
    """The sum of what the operator makes, with weights; of its floating-point tensors."""

    def __init__(self, record, sample):
        super().__init__(record, sample)
        self.floats = tuple(i for i, a in enumerate(self.arrays) if a.dtype == np.float64)

    def __call__(self, *tensors):
        result = super().__call__(*tensors)
        results = result if isinstance(result, (tuple, list)) else (result,)
        terms = [(r * weights(r.shape, 7)).sum() for r in results if r.dtype.is_floating_point]
        return sum(terms[1:], start=terms[0]) if terms else eagre.zeros(())

    def tangent(self, *tensors, through=lambda function: function):
        """In the direction of the values themselves, through another transform."""
        own = tuple(tensors[i] for i in self.floats)

        def function(*chosen):
            given = list(tensors)
            for i, tensor in zip(self.floats, chosen, strict=True):
                given[i] = tensor
            result = through(super(Total, self).__call__)(*given)
            return tuple(result) if isinstance(result, (tuple, list)) else (result,)

        return jvp(function, own, own)[1] if function(*own) else ()


@pytest.mark.parametrize(("record", "sample"), DIFFERENTIABLE)
def test_gradients(record, sample):
    total = Total(record, sample)
    for is_batched in total.choices():
        compare(grad(total, argnums=total.floats), total, is_batched)


@pytest.mark.parametrize(("record", "sample"), DIFFERENTIABLE)
def test_tangents(record, sample):
    total = Total(record, sample)
    for is_batched in total.choices()[-1:]:
        compare(total.tangent, total, is_batched)


def expect_stacked(total, got, alone):
    """The results of a batch are those of its samples, unless it is right that it has none."""
    if isinstance(got, Exception):
        assert is_refused(total, got, 0), got
        return
    for index, result in enumerate(got):
        expected = eagre.stack([row[index] for row in alone])
        np.testing.assert_allclose(result.numpy(), expected.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("record", "sample"), DIFFERENTIABLE)
def test_gradients_of_the_batch(record, sample):
    """What backward() outside of vmap() finds is what it finds for every sample alone."""
    total = Total(record, sample)
    rows = list(zip(*map(variants, total.arrays), strict=True))
    alone = [outcome(grad(total, argnums=total.floats), *map(to_tensor, row)) for row in rows]
    whole = [to_tensor(np.stack(column)) for column in zip(*rows, strict=True)]
    got = outcome(grad(lambda *x: vmap(total)(*x).sum(), argnums=total.floats), *whole)
    expect_stacked(total, got, alone)


@pytest.mark.parametrize(("record", "sample"), DIFFERENTIABLE)
def test_tangents_of_the_batch(record, sample):
    """The same for forward mode outside of vmap()."""
    total = Total(record, sample)
    rows = list(zip(*map(variants, total.arrays), strict=True))
    alone = [total.tangent(*map(to_tensor, row)) for row in rows]
    whole = [to_tensor(np.stack(column)) for column in zip(*rows, strict=True)]
    dims = tuple([0] * len(whole))
    got = outcome(lambda *x: total.tangent(*x, through=lambda f: vmap(f, in_dims=dims)), *whole)
    expect_stacked(total, got, alone)


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_nested(record, sample):
    call = Call(record, sample)
    for is_batched in call.choices()[-1:]:
        dims = tuple(0 if batched else None for batched in is_batched)
        compare(vmap(call, in_dims=dims), Doubled(call, is_batched), is_batched)


class Doubled:
    """The call with batches of two where there were samples."""

    def __init__(self, call, is_batched):
        self.record = call.record
        self.arrays = [
            np.stack([a, a]) if batched else a
            for a, batched in zip(call.arrays, is_batched, strict=True)
        ]


def test_which_operators_loop():
    """Runs after the others: those that their records say, and no more."""
    records = [r for r in load_records() if r["kind"] != "composite"]
    says_so = {r["name"] for r in records if r["batch"] == "loop"}
    assert says_so | LOOPS_AT_TIMES >= LOOPED
