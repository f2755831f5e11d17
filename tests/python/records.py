"""The generated records, and samples run through the forms of their operators."""

import json
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
import samples
import samples_unary

import eagre


def load_records():
    """From EAGRE_OPS_JSON, or from the build tree that holds the package under test."""
    given = os.environ.get("EAGRE_OPS_JSON")
    path = Path(given) if given else Path(eagre.__file__).parents[2] / "gen" / "ops.json"
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; set EAGRE_OPS_JSON to the generated file")
    return json.loads(path.read_text())


RECORDS = [record for record in load_records() if record["samples"] or record["numpy"]]

# Operators without a public name of their own.
INTERNAL = {
    "cast": lambda x, dtype: x.to(dtype),
    "to_device": lambda x, device: x.to(device),
}


def samples_of(record):
    if record["samples"]:
        home = samples_unary if hasattr(samples_unary, record["samples"]) else samples
        return getattr(home, record["samples"])()
    return samples.from_expression(record)


def cases(wanted=lambda record: True):
    """(record, sample) of every sample, with ids that name both."""
    return [
        pytest.param(record, sample, id=f"{record['op']}({sample!r})")
        for record in RECORDS
        if wanted(record)
        for sample in samples_of(record)
    ]


def to_tensor(value):
    """Arrays become tensors with the same strides; everything else stays."""
    if not isinstance(value, np.ndarray):
        return value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eagre.from_numpy(value.copy(order="C") if value.ndim == 0 else value)


def arguments(sample):
    return [to_tensor(value) for value in sample.args]


def function_of(record):
    name = record["op"]
    if name in INTERNAL:
        return INTERNAL[name]
    if "function" in record["forms"]:
        return getattr(eagre, name)
    return getattr(eagre.Tensor, name)


def callables(record):
    """Every way to call the operator out of place."""
    yield function_of(record)
    if "method" in record["forms"] and "function" in record["forms"]:
        yield lambda x, *rest, **named: getattr(x, record["op"])(*rest, **named)


def check(result, sample):
    if callable(sample.expected):
        return sample.expected(result)
    expected = np.asarray(sample.expected)
    wanted = sample.dtype or samples.DTYPES[expected.dtype.type]
    assert result.dtype is wanted
    assert tuple(result.shape) == expected.shape
    usual = {eagre.float64: 1e-12, eagre.float16: 2e-3}.get(wanted, 2e-6)
    tolerance = sample.tolerance or usual
    np.testing.assert_allclose(result.detach().numpy(), expected, rtol=tolerance, atol=tolerance)
    return None
