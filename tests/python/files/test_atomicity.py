"""A file that is saved is the old one or the new one, whatever happens to who writes it."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import eagre
from eagre import safetensors

WRITER = """
import sys
import eagre
path = sys.argv[1]
number = int(eagre.load(path)[0])
print("ready", flush=True)
while True:
    number += 1
    eagre.save(eagre.full((300_000,), float(number)), path)
"""


@pytest.mark.parametrize("kills", [5])
def test_a_writer_that_is_killed(tmp_path, kills):
    if os.environ.get("EAGRE_TEST_SIZE") == "all":
        kills = 100
    path = tmp_path / "model.pt"
    eagre.save(eagre.zeros(300_000), path)
    generator = random.Random(1)
    last = 0
    for _ in range(kills):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            env=os.environ | {"PYTHONPATH": str(Path(eagre.__file__).parents[1])},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout.readline() == "ready\n"
        time.sleep(0.01 + 0.05 * generator.random())
        writer.kill()
        writer.wait()
        writer.stdout.close()
        found = eagre.load(path)
        assert found.shape == (300_000,) and bool((found == found[0]).all())
        assert found[0] >= last
        last = float(found[0])


class Unpicklable:
    def __reduce__(self):
        raise ValueError("not this one")


def full_disk(*_):
    raise OSError(28, "No space left on device")


def test_a_save_that_fails_leaves_what_was(tmp_path, monkeypatch):
    path = tmp_path / "model.pt"
    eagre.save(eagre.ones(2), path)
    with pytest.raises(ValueError, match="not this one"):
        eagre.save([eagre.zeros(2), Unpicklable()], path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full_disk)
        for save in (eagre.save, safetensors.save_file):
            with pytest.raises(OSError, match="No space left"):
                save({"x": eagre.zeros(2)}, path)
    assert os.listdir(tmp_path) == ["model.pt"]
    assert eagre.load(path).equal(eagre.ones(2))


def test_links_rights_and_other_files(tmp_path, monkeypatch):
    path, link = tmp_path / "model.pt", tmp_path / "link.pt"
    eagre.save(eagre.ones(2), path)
    path.chmod(0o640)
    link.symlink_to(path)
    eagre.save(eagre.zeros(2), link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    assert eagre.load(path).equal(eagre.zeros(2))
    eagre.save(eagre.ones(2), os.devnull)
    with pytest.raises(IsADirectoryError):
        eagre.save(eagre.ones(2), tmp_path)
    monkeypatch.chdir(tmp_path)
    eagre.save(3, "here.pt")
    assert eagre.load("here.pt") == 3
    assert sorted(os.listdir()) == ["here.pt", "link.pt", "model.pt"]
