"""Files that PyTorch 2.15 and the package safetensors wrote (make_stored.py) are read."""

from pathlib import Path

import objects
import pytest

import eagre
from eagre import safetensors

FOLDER = Path(__file__).parent
LARGE = objects.large(eagre)


@pytest.mark.parametrize("options", [{}, {"mmap": True}, {"weights_only": False}], ids=str)
def test_archive(options):
    found = eagre.load(FOLDER / "stored.pt", **options)
    assert found.keys() == LARGE.keys()
    for name in LARGE:
        assert objects.shown(eagre, found[name]) == objects.shown(eagre, LARGE[name]), name
    whole, part = found["views"][:2]
    whole[2] = 50
    assert part[0, 0] == 50
    model = objects.network(eagre)
    assert str(model.load_state_dict(found["model"])) == "<All keys matched successfully>"
    optimizer = objects.stepped(eagre, model)
    optimizer.load_state_dict(found["optimizer"])
    assert optimizer.state[model[0].weight]["momentum_buffer"].equal(eagre.ones(4, 3))


@pytest.mark.parametrize("weights_only", [True, False])
def test_file_from_before_archives(weights_only):
    found = eagre.load(FOLDER / "stored_old.pt", weights_only=weights_only)
    wanted = objects.small(eagre)
    assert objects.shown(eagre, found) == objects.shown(eagre, wanted)
    found["views"][0][2] = 50
    assert found["views"][1][0, 0] == 50
    with pytest.raises(RuntimeError, match="mmap can only be used with"):
        eagre.load(FOLDER / "stored_old.pt", mmap=True)
    with pytest.raises(NotImplementedError, match="before PyTorch 1.6"):
        eagre.save(1, FOLDER / "none", _use_new_zipfile_serialization=False)
    assert not (FOLDER / "none").exists()


def test_safetensors():
    path = FOLDER / "stored.safetensors"
    wanted = {
        "matrix": eagre.arange(6.0).reshape(2, 3),
        "half": eagre.ones(3, dtype=eagre.bfloat16),
        "number": eagre.tensor(7),
        "flags": eagre.tensor([True, False]),
        "empty": eagre.empty(0, 2),
    }
    found = safetensors.load_file(path)
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert objects.shown(eagre, found[name]) == objects.shown(eagre, wanted[name]), name
    with safetensors.safe_open(path) as file:
        assert file.metadata() == {"format": "pt"}
    assert safetensors.save(wanted, {"format": "pt"}) == path.read_bytes()
