"""Steps of every optimizer with every option equal PyTorch's, with the states they leave."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
import trajectories

import eagre

STORED = json.loads((Path(__file__).parent / "stored.json").read_text())["optimizers"]

# Counters are float32; the polynomial of Muon is in bfloat16, the products of which round
# otherwise.
TOLERANCES = {"Muon": (2e-2, 5e-3), "LBFGS": (1e-5, 1e-6)}


def assert_close(actual, expected, name, path="parameters"):
    if isinstance(expected, dict):
        assert sorted(actual) == sorted(expected), path
        for key, each in expected.items():
            assert_close(actual[key], each, name, f"{path}.{key}")
    elif isinstance(expected, list) and any(isinstance(each, list | None) for each in expected):
        assert len(actual) == len(expected), path
        for index, each in enumerate(expected):
            assert_close(actual[index], each, name, f"{path}[{index}]")
    elif expected is None:
        assert actual is None, path
    else:
        rtol, atol = TOLERANCES.get(name, (2e-6, 1e-7))
        np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol, err_msg=path)


@pytest.mark.parametrize("case", trajectories.CASES)
def test_steps(case):
    name = case.split("-")[0]
    optimizer, last, early = trajectories.run(eagre, case)
    stored = STORED[case]
    assert_close(early, stored["early"], name, "after two steps")
    assert_close(last, stored["last"], name, "at the end")
    state = optimizer.state_dict()
    assert_close(trajectories.numbers(state["state"]), stored["state"], name, "state")
    assert [list(group) for group in state["param_groups"]] == stored["groups"]
    assert repr(optimizer) == stored["text"]


@pytest.mark.parametrize("case", trajectories.CASES)
def test_a_checkpoint_goes_on_as_if_there_were_none(case):
    name, options, is_complex = trajectories.CASES[case]
    first = trajectories.parameters(eagre, name, is_complex)
    optimizer = trajectories.make(eagre, name, options, first)
    for _ in range(3):
        trajectories.walk(eagre, optimizer, first)
    second = [each.detach().clone().requires_grad_() for each in first]
    other = trajectories.make(eagre, name, options, second)
    other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    for _ in range(3):
        trajectories.walk(eagre, optimizer, first)
        trajectories.walk(eagre, other, second)
    for one, same in zip(first, second, strict=True):
        assert eagre.equal(one, same)
