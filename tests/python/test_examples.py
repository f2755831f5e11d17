"""The short Python examples run and learn what they should; ./dev demo runs the long one."""

import os
import subprocess
import sys
from pathlib import Path

import eagre

ROOT = Path(__file__).resolve().parents[2]


def test_classify():
    place = Path(eagre.__file__).parents[1]
    result = subprocess.run(
        [sys.executable, ROOT / "examples/python/classify.py"],
        env={**os.environ, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "of 150 new points are right" in result.stdout
