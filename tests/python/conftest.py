"""What the tests of the package share: the records and samples of ops/, and a heap in which
gc.collect() is quick."""

import gc
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "ops"))


@pytest.fixture(scope="module", autouse=True)
def freeze_what_exists():
    """Takes a hundred thousand tests and their reports out of what a collection of a test walks."""
    gc.freeze()
