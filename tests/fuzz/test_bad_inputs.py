"""Every program with bad inputs, in a process of its own: none dies, hangs, answers wrongly or
takes memory that nobody asked for."""

import os
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import bad_inputs
import bad_inputs_files
import bad_inputs_linalg
import bad_inputs_modules
import bad_inputs_networks
import pytest

import eagre

PROGRAMS = (
    bad_inputs.PROGRAMS
    | bad_inputs_files.PROGRAMS
    | bad_inputs_linalg.PROGRAMS
    | bad_inputs_modules.PROGRAMS
    | bad_inputs_networks.PROGRAMS
)
TIME_LIMIT = 60
PRELUDE = '''
import resource

import eagre as torch


def refused(call, *words, kinds=torch.Error):
    """The call is an error whose message has these words, and that is no internal one."""
    try:
        result = call()
    except kinds as error:
        assert not isinstance(error, torch.InternalError), error
        for word in words:
            assert word in str(error), f"{word!r} is not in: {error}"
    else:
        raise AssertionError(f"not refused: {result}")


def rss():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


before = rss()
'''
POSTLUDE = """
extra = rss() - before
assert extra <= LIMIT, f"{extra} MiB more"
assert (torch.ones(2) + 1).tolist() == [2, 2]  # still usable
print("survived")
"""
# Hundreds of thousands of nodes take their room.
USUAL_LIMIT, LIMITS = 64, {"long_chain_dropped": 512, "long_chain_of_writes": 512}


def test_limits_are_those_of_programs():
    assert LIMITS.keys() <= PROGRAMS.keys()


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    limit = LIMITS.get(name, USUAL_LIMIT)
    program = PRELUDE + PROGRAMS[name] + POSTLUDE.replace("LIMIT", str(limit))
    environment = os.environ | {"PYTHONPATH": str(Path(eagre.__file__).parents[1])}
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert result.stdout.endswith("survived\n"), result.stdout + result.stderr
    assert not result.stderr, result.stderr


@pytest.mark.parametrize("name", bad_inputs.MISSING)
def test_what_does_not_exist_needs_no_program(name):
    """When it comes, it needs one."""
    with pytest.raises((AttributeError, NotImplementedError)):
        attrgetter(name)(eagre)
