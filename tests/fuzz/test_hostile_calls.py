"""No input kills the process: a seeded stretch of hostile calls in a child."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 60 if os.environ.get("EAGRE_TEST_SIZE") == "all" else 15


@pytest.mark.parametrize("seed", range(2))
def test_hostile_calls(seed, tmp_path):
    journal = tmp_path / "journal"
    journal.write_text("none yet")
    child = Path(__file__).with_name("hostile_calls.py")
    try:
        result = subprocess.run(
            [sys.executable, str(child), str(seed), str(SECONDS / 2), str(journal)],
            capture_output=True,
            text=True,
            timeout=SECONDS + 60,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"hangs in {journal.read_text()}")
    told = f"{result.stdout}\n{result.stderr[-3000:]}\nlast call: {journal.read_text()}"
    assert result.returncode == 0, told
