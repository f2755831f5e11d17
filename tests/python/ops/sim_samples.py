"""Every record's samples on the pretend device, beside the CPU. Runs in a process of its own.

    python sim_samples.py <sim.so>      prints what differs, and the gaps, as JSON

A gap is an operator none of whose samples runs without fallback: the device lacks its kernel, or
that of an operator it is made of, which the error names.
"""

import json
import re
import sys
import warnings
from functools import partial

import numpy as np
from records import RECORDS, arguments, function_of, samples_of

import eagre

MISSING = re.compile(
    r"(?P<op>\w+)\(\): not implemented for (?P<dtype>\w+) on (?P<device>[a-z]+).*"
    r"Kernels of this operator: (?P<kernels>.*)",
    re.S,
)


class Missing(str):
    """The kernel that a call without fallback lacks, and which there are."""


def moved(value, device):
    if isinstance(value, eagre.Tensor):
        return value.to(device)
    if isinstance(value, list | tuple):
        return type(value)(moved(v, device) for v in value)
    return value


def options(record, sample, device):
    """Operators without tensors are told where to work."""
    has_tensors = any(isinstance(v, np.ndarray) for v in sample.args)
    takes_device = any(kind == "Options" for _, kind, _ in record["parameters"])
    named = {name: moved(value, device) for name, value in sample.kwargs.items()}
    if takes_device and not has_tensors:
        named["device"] = device
    for name, kind, _ in record["parameters"]:
        if kind == "Generator?" and name in named:
            named[name] = eagre.Generator()
            named[name].manual_seed(7)
    return named


def outcome(call, device):
    """What the call gave, moved to the CPU; or the name of what went wrong."""
    eagre.manual_seed(7)
    try:
        result = call()
    except eagre.Error as error:
        return Missing(error) if MISSING.search(str(error)) else type(error).__name__
    for tensor in result if isinstance(result, list | tuple) else [result]:
        if isinstance(tensor, eagre.Tensor) and tensor.device != device:
            return f"a result on {tensor.device}"
    return moved(result, "cpu")


def same(a, b):
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if not isinstance(a, eagre.Tensor) or not isinstance(b, eagre.Tensor):
        return type(a) is type(b) and a == b
    if a.dtype is not b.dtype or a.shape != b.shape:
        return False
    wide = eagre.float32 if a.dtype is eagre.bfloat16 else a.dtype
    a, b = (t.detach().to(wide).numpy() for t in (a, b))
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def calls(record, sample, device):
    """The ways to call the operator with everything on the device."""
    operands, named = moved(arguments(sample), device), options(record, sample, device)
    yield lambda: function_of(record)(*operands, **named)
    if "inplace" in record["forms"] and isinstance(operands[0], eagre.Tensor):
        target, *rest = (v.clone() if isinstance(v, eagre.Tensor) else v for v in operands)
        yield lambda: getattr(target, record["name"] + "_")(*rest, **named)


def gradients(record, sample, device):
    """Of all inputs that can have one, for the sum of all results that can."""
    operands = moved(arguments(sample), device)
    leaves = []
    for value in operands:
        for tensor in value if isinstance(value, list) else [value]:
            if isinstance(tensor, eagre.Tensor) and (
                tensor.dtype.is_floating_point or tensor.dtype.is_complex
            ):
                leaves.append(tensor.requires_grad_())
    results = function_of(record)(*operands, **options(record, sample, device))
    results = results if isinstance(results, list | tuple) else [results]
    results = [r for r in results if isinstance(r, eagre.Tensor) and r.requires_grad]
    if not results or not leaves:
        return []
    seeds = [eagre.ones_like(r) for r in results]
    found = eagre.autograd.grad(results, leaves, seeds, allow_unused=True)
    return [g for g in found if g is not None]


def is_true(missing):
    """Whether the device has no such kernel, by the list that the error gives."""
    said = MISSING.search(missing)
    own = re.search(rf"{said['device']} \(([^)]*)\)", said["kernels"])
    return own is None or said["dtype"] not in own[1].split(", ")


def run(sim):
    differing, gaps, values, slopes = [], {}, 0, 0
    cpu = eagre.device("cpu")
    for record in RECORDS:
        if not record["on_devices"]:
            continue
        ran, lacks = False, set()
        for sample in samples_of(record):
            eagre.set_flags({"kernel_fallback": True})
            pairs = zip(calls(record, sample, cpu), calls(record, sample, sim), strict=True)
            for here, there in pairs:
                expected = outcome(here, cpu)
                got = outcome(there, sim)
                if not same(expected, got):
                    differing.append(f"{record['op']}({sample!r}): {expected!r} became {got!r}")
                values += not isinstance(expected, str)
            if record["differentiable"]:
                expected, got = (
                    outcome(partial(gradients, record, sample, d), d) for d in (cpu, sim)
                )
                if not same(expected, got):
                    differing.append(f"grad {record['op']}({sample!r}): {expected!r}, {got!r}")
                slopes += not isinstance(expected, str) and len(expected) > 0
            bare = next(calls(record, sample, sim))
            eagre.set_flags({"kernel_fallback": False})
            got = outcome(bare, sim)
            ran |= not isinstance(got, str)
            if isinstance(got, Missing):
                lacks.add(MISSING.search(got)["op"])
                if not is_true(got):
                    differing.append(f"{record['op']}({sample!r}): {got}")
        if not ran:
            gaps[record["op"]] = sorted(lacks)
    return {"values": values, "gradients": slopes, "differing": differing, "gaps": gaps}


def main():
    warnings.simplefilter("ignore")
    print(json.dumps(run(eagre.load_device_plugin(sys.argv[1]))))


if __name__ == "__main__":
    main()
