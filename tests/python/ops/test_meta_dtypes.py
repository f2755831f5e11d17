"""`meta` tensors are taken and refused as those of the CPU are: every operator with every dtype."""

import itertools

import numpy as np
import pytest
from records import RECORDS, arguments, function_of, samples_of

import eagre

DTYPES = sorted({d for d in vars(eagre).values() if isinstance(d, eagre.dtype)}, key=str)
# Errors about the values of elements, which meta tensors do not have.
ABOUT_VALUES = (eagre.InvalidArgumentError, eagre.IndexOutOfRangeError)


def few_samples(record):
    """One sample of each way to call: which arguments are tensors, and which are named."""

    def way(sample):
        return [type(a).__name__ for a in sample.args], sorted(sample.kwargs)

    found = {}
    for sample in samples_of(record):
        # Without elements nothing is wrong with them; few dimensions leave most arguments right.
        found.setdefault(str(way(sample)), sample)
    return list(itertools.islice(found.values(), 6))


def with_dtype(values, dtype, old):
    """Tensors of the dtype that the first tensor has become ones of `dtype`."""
    if isinstance(values, list):
        return [with_dtype(v, dtype, old) for v in values]
    if isinstance(values, eagre.Tensor) and values.dtype is old:
        return values.to(dtype)
    return values


def on_meta(value):
    if isinstance(value, list):
        return [on_meta(v) for v in value]
    return value.to("meta") if isinstance(value, eagre.Tensor) else value


def outcome(call):
    try:
        return call()
    except eagre.Error as error:
        return error


def tensors_of(values):
    for value in values:
        if isinstance(value, list):
            yield from tensors_of(value)
        elif isinstance(value, eagre.Tensor):
            yield value


def described(result):
    results = result if isinstance(result, tuple) else (result,)
    return [(tuple(r.shape), r.dtype) for r in results if isinstance(r, eagre.Tensor)]


def compare(record, sample, dtype):
    args = arguments(sample)
    named = {k: v for k, v in sample.kwargs.items() if k != "generator"}
    first = next(tensors_of(args), None)
    chooses = first is None and "options" in str(record["parameters"]).lower()
    if chooses:
        here = outcome(lambda: function_of(record)(*args, **named | {"dtype": dtype}))
        there = named | {"dtype": dtype, "device": "meta"}
        meta = outcome(lambda: function_of(record)(*args, **there))
    else:
        if first is None:
            return
        args = [with_dtype(a, dtype, first.dtype) for a in args]
        named = {k: with_dtype(v, dtype, first.dtype) for k, v in named.items()}
        here = outcome(lambda: function_of(record)(*args, **named))
        args = [on_meta(a) for a in args]
        named = {k: on_meta(v) for k, v in named.items()}
        meta = outcome(lambda: function_of(record)(*args, **named))
    where = f"{record['place']}: {record['op']}({sample!r}) in {dtype}"
    if isinstance(here, eagre.Error) and isinstance(meta, eagre.Error):
        assert type(meta) is type(here), f"{where}: {meta!r}, but on the CPU {here!r}"
    elif isinstance(here, eagre.Error):
        assert isinstance(here, ABOUT_VALUES), f"{where}: {here!r} on the CPU only"
    else:
        assert not isinstance(meta, eagre.Error), f"{where}: {meta!r} on meta only"
        assert described(meta) == described(here), where


COMPARED = [
    r
    for r in RECORDS
    if not r["dynamic_shape"]
    and not r["signature"].endswith("->bool")
    and not ({"internal"} & set(r["forms"]))
    and r["name"] != "index"
]


@pytest.mark.parametrize("record", COMPARED, ids=lambda record: record["op"])
def test_meta_takes_what_the_cpu_takes(record):
    for sample in few_samples(record):
        for dtype in DTYPES:
            with np.errstate(all="ignore"):
                compare(record, sample, dtype)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize(
    "call",
    [
        lambda x: eagre.gelu(x.to(eagre.int8)),
        lambda x: x.bitwise_and(x),
        lambda x: eagre.nn.functional.layer_norm(x.to(eagre.int32), (3,)),
        lambda x: x.to(eagre.complex64).amax(),
        lambda x: x.to(eagre.int64).uniform_(),
        lambda x: x[:0].to(eagre.int64).uniform_(),
    ],
)
def test_a_dtype_without_kernel_is_refused(device, call):
    with pytest.raises(eagre.UnimplementedError, match=rf"not implemented for \w+ on {device}"):
        call(eagre.zeros(2, 3, device=device))
