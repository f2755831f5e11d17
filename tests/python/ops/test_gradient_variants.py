"""The gradient of every operator is the same however it is asked for.

The numbers themselves are checked by test_gradients.py; here the same call is differentiated in
other ways: other strides, fewer inputs or results, through hooks, in place, with a graph."""

import itertools

import numpy as np
import pytest
from differentiable import CASES, Scalarised, weights

import eagre

# What they do depends on the strides of their argument.
LAYOUT = {"view", "as_strided", "view_as_complex"}
ANY_STRIDES = [c for c in CASES if c.values[0]["op"] not in LAYOUT]
# Not Tensor.to(), which records nothing when nothing is to be done.
RECORDED = [
    c
    for c in CASES
    if c.values[0]["kind"] != "composite" and "internal" not in c.values[0]["forms"]
]
SEVERAL_RESULTS = [c for c in CASES if isinstance(c.values[1].expected, tuple)]


def can_be_written_over(record, sample):
    first = sample.args[0]
    return (
        {"inplace", "function"} <= {*record["forms"]}
        and isinstance(first, np.ndarray)
        and first.dtype == np.float64
        and np.shape(sample.expected) == first.shape
    )


INPLACE = [c for c in CASES if can_be_written_over(*c.values)]


def strided_like(values):
    """The same values with gaps between them and the dimensions in reversed order."""
    shape = tuple(values.shape)
    wide = eagre.zeros((*reversed(shape), 2), dtype=values.dtype).select(-1, 0)
    view = wide.permute(*reversed(range(len(shape)))) if shape else wide
    view.copy_(values)
    return view


def gradients(results, inputs, grad_outputs=None, **options):
    """Arrays, zero where nothing depends on the input."""
    if grad_outputs is None:
        grad_outputs = [weights(r.shape, 7 + i) for i, r in enumerate(results)]
    pairs = [(r, g) for r, g in zip(results, grad_outputs, strict=True) if r.requires_grad]
    wanted = [t for t in inputs if t.requires_grad]
    if not pairs or not wanted:
        return [np.zeros(tuple(t.shape)) for t in inputs]
    roots, seeds = zip(*pairs, strict=True)
    found = eagre.autograd.grad(roots, wanted, seeds, allow_unused=True, **options)
    by_input = dict(zip(map(id, wanted), found, strict=True))
    return [
        np.zeros(tuple(t.shape))
        if by_input.get(id(t)) is None
        else by_input[id(t)].detach().numpy()
        for t in inputs
    ]


def reference(call):
    tensors = call.tensors(call.arrays)
    return gradients(call.results(tensors), tensors)


def compare(got, expected):
    for one, want in zip(got, expected, strict=True):
        assert one.shape == want.shape
        np.testing.assert_allclose(one, want, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_recorded_gradients_equal_fused_ones(record, sample):
    call = Scalarised(record, sample)
    tensors = call.tensors(call.arrays)
    compare(gradients(call.results(tensors), tensors, create_graph=True), reference(call))


@pytest.mark.parametrize(("record", "sample"), ANY_STRIDES)
def test_strided_inputs(record, sample):
    call = Scalarised(record, sample)
    leaves = [strided_like(eagre.tensor(a)).requires_grad_() for a in call.arrays]
    compare(gradients(call.results(leaves), leaves), reference(call))


@pytest.mark.parametrize(("record", "sample"), CASES)
def test_strided_gradients(record, sample):
    call = Scalarised(record, sample)
    tensors = call.tensors(call.arrays)
    results = call.results(tensors)
    seeds = [strided_like(weights(r.shape, 7 + i)) for i, r in enumerate(results)]
    compare(gradients(results, tensors, seeds), reference(call))


# Row: PyTorch I14
@pytest.mark.parametrize(("record", "sample"), CASES)
def test_expanded_gradients(record, sample):
    call = Scalarised(record, sample)
    tensors = call.tensors(call.arrays)
    results = call.results(tensors)
    flat = [eagre.full((), 0.75, dtype=eagre.float64).expand(r.shape) for r in results]
    full = [f.clone() for f in flat]
    expected = gradients(results, tensors, full, retain_graph=True)
    compare(gradients(results, tensors, flat), expected)


# Row: PyTorch D3
@pytest.mark.parametrize(("record", "sample"), CASES)
def test_each_input_alone(record, sample):
    """Two ways to want less: other inputs need no gradient, or nobody asks for theirs."""
    call = Scalarised(record, sample)
    expected = reference(call)
    everything = call.tensors(call.arrays)
    results = call.results(everything)
    for i, array in enumerate(call.arrays):
        tensors = [t.detach() for t in call.tensors(call.arrays)]
        tensors[i] = eagre.tensor(array).requires_grad_()
        compare(gradients(call.results(tensors), [tensors[i]]), [expected[i]])
        compare(gradients(results, [everything[i]], retain_graph=True), [expected[i]])


# Row: PyTorch O6
@pytest.mark.parametrize(("record", "sample"), SEVERAL_RESULTS)
def test_every_subset_of_undefined_gradients(record, sample):
    call = Scalarised(record, sample)
    tensors = call.tensors(call.arrays)
    results = call.results(tensors)
    count = min(len(results), 4)
    for chosen in itertools.product((True, False), repeat=count):
        if not any(chosen):
            continue
        seeds = [weights(r.shape, 7 + i) for i, r in enumerate(results)]
        zeroed = [
            seed if i >= count or chosen[i] else eagre.zeros_like(seed)
            for i, seed in enumerate(seeds)
        ]
        kept = [i for i in range(len(results)) if i >= count or chosen[i]]
        expected = gradients(results, tensors, zeroed, retain_graph=True)
        got = gradients(
            [results[i] for i in kept], tensors, [seeds[i] for i in kept], retain_graph=True
        )
        compare(got, expected)


@pytest.mark.parametrize(("record", "sample"), CASES)
@pytest.mark.parametrize("pack", [lambda x: x, lambda x: x.clone()], ids=["identity", "clone"])
def test_saved_tensor_hooks(record, sample, pack):
    call = Scalarised(record, sample)
    expected = reference(call)
    tensors = call.tensors(call.arrays)
    with eagre.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        results = call.results(tensors)
    compare(gradients(results, tensors, retain_graph=True), expected)
    compare(gradients(results, tensors, create_graph=True), expected)


# Row: PyTorch H8
@pytest.mark.parametrize(("record", "sample"), INPLACE)
def test_in_place_equals_out_of_place(record, sample):
    call = Scalarised(record, sample)

    def inplace(first, *rest, **named):
        return getattr(first.clone(), f"{record['name']}_")(*rest, **named)

    tensors = call.tensors(call.arrays)
    compare(gradients(call.results(tensors, inplace), tensors), reference(call))


@pytest.mark.parametrize(("record", "sample"), RECORDED)
def test_a_recorded_result_is_a_tensor_of_its_own(record, sample):
    """Or giving it a history would change that of the argument."""
    call = Scalarised(record, sample)
    tensors = call.tensors(call.arrays)
    for result in call.results(tensors):
        assert not any(result is tensor for tensor in tensors)
