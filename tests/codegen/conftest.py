"""What the generator's tests share: the generator itself, and folders of records to break."""

import shutil
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


@pytest.fixture
def records(tmp_path):
    """A copy of ops/ and a function that adds a file of records to it."""
    folder = tmp_path / "ops"
    shutil.copytree(ROOT / "ops", folder)

    def add(text: str, name: str = "zz.yaml") -> Path:
        (folder / name).write_text(textwrap.dedent(text))
        return folder

    return add
