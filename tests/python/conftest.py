"""What the tests of the package share: a heap in which gc.collect() is quick."""

import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def freeze_what_exists():
    """Takes a hundred thousand tests and their reports out of what a collection of a test walks."""
    gc.freeze()
