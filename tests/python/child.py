"""Runs a piece of Python in a process of its own, for what a process can do only once."""

import os
import subprocess
import sys
import textwrap


def run(code, **environment):
    """What it printed on standard output and on standard error; it must end well."""
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip(), result.stderr.strip()
