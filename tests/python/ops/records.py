"""The generated records, and samples run through the forms of their operators.

The samples of a family are functions in samples_<family>[_topic].py, found by the name in the
record; its bad samples are in BAD there, or among the COMMON ones of mistakes.py."""

import dataclasses
import importlib
import json
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
import samples
from mistakes import COMMON

import eagre


def load_records():
    """From EAGRE_OPS_JSON, or from the build tree that holds the package under test."""
    given = os.environ.get("EAGRE_OPS_JSON")
    path = Path(given) if given else Path(eagre.__file__).parents[2] / "gen" / "ops.json"
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; set EAGRE_OPS_JSON to the generated file")
    return json.loads(path.read_text())


RECORDS = [record for record in load_records() if record["samples"] or record["numpy"]]
FAMILIES = {
    path.stem.removeprefix("samples_"): importlib.import_module(path.stem)
    for path in sorted(Path(__file__).parent.glob("samples_*.py"))
}
BAD = {
    (record["op"], bad): COMMON[bad](record["name"])
    for record in RECORDS
    for bad in record["bad"]
    if bad in COMMON
}
for _family in FAMILIES.values():
    BAD |= getattr(_family, "BAD", {})


def samples_of(record):
    if not record["samples"]:
        return samples.from_expression(record)
    family = Path(record["place"].partition(":")[0]).stem
    files = [f for name, f in FAMILIES.items() if f"{name}_".startswith(f"{family}_")]
    found = [vars(f)[record["samples"]] for f in files if record["samples"] in vars(f)]
    assert found, f"{record['place']}: no samples_{family}*.py has '{record['samples']}'"
    return found[0]()


def cases(wanted=lambda record: True):
    """(record, sample) of every sample, with ids that name both."""
    return [
        pytest.param(record, sample, id=f"{record['op']}({sample!r})")
        for record in RECORDS
        if wanted(record)
        for sample in samples_of(record)
    ]


def to_tensor(value):
    """Arrays, also in lists, become tensors with the same strides; everything else stays."""
    if isinstance(value, list) and any(isinstance(v, np.ndarray) for v in value):
        return [to_tensor(v) for v in value]
    if not isinstance(value, np.ndarray):
        return value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eagre.from_numpy(value.copy(order="C") if value.ndim == 0 else value)


def arguments(sample):
    return [to_tensor(value) for value in sample.args]


def function_of(record):
    name = record["name"]
    if record["call"]:
        return eval(record["call"], {"eagre": eagre})
    if "function" in record["forms"]:
        return getattr(eagre, name)
    if "method" in record["forms"]:
        return getattr(eagre.Tensor, name)
    return lambda x, *rest, **named: getattr(x.clone(), f"{name}_")(*rest, **named)


def callables(record):
    """Every way to call the operator out of place."""
    yield function_of(record)
    if "method" in record["forms"] and "function" in record["forms"]:
        yield lambda x, *rest, **named: getattr(x, record["name"])(*rest, **named)


def check(result, sample):
    """`expected` is an array, a tuple of arrays for several results, or a function that checks."""
    if callable(sample.expected):
        return sample.expected(result)
    if isinstance(sample.expected, tuple):
        assert isinstance(result, tuple)
        assert len(result) == len(sample.expected)
        for one, expected in zip(result, sample.expected, strict=True):
            check(one, dataclasses.replace(sample, expected=expected))
        return None
    expected = np.asarray(sample.expected)
    wanted = sample.dtype or (samples.DTYPES | samples.COMPLEX)[expected.dtype.type]
    assert result.dtype is wanted
    assert tuple(result.shape) == expected.shape
    usual = {eagre.float64: 1e-12, eagre.complex128: 1e-12, eagre.float16: 2e-3}.get(wanted, 2e-6)
    tolerance = sample.tolerance or usual
    np.testing.assert_allclose(result.detach().numpy(), expected, rtol=tolerance, atol=tolerance)
    return None
