"""The samples of all records on the pretend device: the CPU's values with fallback, and without it
exactly the operators of the checked-in list are missing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import eagre

SIM = Path(eagre.__file__).parents[2] / "tests" / "plugins" / "sim.so"
HERE = Path(__file__).parent
ALLOWED_GAPS = HERE.parent / "sim" / "allowed_gaps.txt"


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


def test_gaps_are_the_allowed_ones(found):
    """To change the list: see sim_samples.py."""
    lines = ALLOWED_GAPS.read_text().splitlines()
    allowed = [line for line in lines if not line.startswith("#")]
    assert found["gaps"] == allowed
    # What the device has kernels for, and what needs none.
    assert not {"add", "fill", "repeat", "cat", "transpose", "zeros"} & set(allowed)
