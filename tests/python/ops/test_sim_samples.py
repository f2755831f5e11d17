"""The samples of all records on the pretend device: the CPU's values with fallback, and without it
nothing is missing but operators that lack a kernel."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from plugins import SIM

import eagre

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def found():
    if not SIM.exists():
        pytest.skip("the plug-in is built with the C++ tests")
    command = [sys.executable, HERE / "sim_samples.py", SIM]
    package = str(Path(eagre.__file__).absolute().parents[1])
    environment = os.environ | {"PYTHONPATH": package}
    result = subprocess.run(command, capture_output=True, text=True, cwd=HERE, env=environment)
    assert result.returncode == 0, result.stderr[-4000:]
    return json.loads(result.stdout)


def test_values_and_gradients_are_those_of_the_cpu(found):
    assert found["differing"] == []
    assert found["values"] > 10000
    assert found["gradients"] > 2000


def test_every_gap_lacks_a_kernel(found):
    without_reason = [op for op, lacks in found["gaps"].items() if not lacks]
    assert without_reason == []


def test_what_has_kernels_or_needs_none_is_no_gap(found):
    assert not {"add", "fill", "repeat", "cat", "transpose", "zeros"} & set(found["gaps"])
