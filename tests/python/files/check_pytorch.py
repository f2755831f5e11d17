"""Saves with this library and loads with PyTorch: run it with a Python that has PyTorch, with this
library on PYTHONPATH. It is not part of the tests, for which there need not be a PyTorch."""

import io
import warnings
from pathlib import Path

import objects
import torch

import eagre

warnings.simplefilter("ignore")


def loaded(buffer, **options):
    buffer.seek(0)
    return torch.load(buffer, weights_only=True, **options)


def check(values):
    """How many values PyTorch reads as they were."""
    count = 0
    for name, value in values.items():
        buffer = io.BytesIO()
        eagre.save(value, buffer)
        found, wanted = objects.shown(torch, loaded(buffer)), objects.shown(eagre, value)
        assert found == wanted, (name, found, wanted)
        count += 1
    return count


whole = io.BytesIO()
eagre.save(objects.large(eagre), whole)
assert objects.shown(torch, loaded(whole)) == objects.shown(eagre, objects.large(eagre))
print("values PyTorch reads with weights_only=True:", check(objects.large(eagre)))

MODELS = {
    "Linear": (2, 3), "Conv2d": (2, 3, 3), "BatchNorm2d": (3,), "LSTM": (2, 3, 2), "GRU": (2, 3),
    "Embedding": (4, 3), "LayerNorm": (3,), "GroupNorm": (1, 3), "MultiheadAttention": (4, 2),
    "TransformerEncoderLayer": (4, 2, 8), "PReLU": (), "Bilinear": (2, 3, 4),
    "ConvTranspose1d": (2, 3, 2),
}  # fmt: skip
for name, arguments in MODELS.items():
    model, theirs = getattr(eagre.nn, name)(*arguments), getattr(torch.nn, name)
    buffer = io.BytesIO()
    eagre.save(model.state_dict(), buffer)
    theirs(*arguments).load_state_dict(loaded(buffer))
    buffer = io.BytesIO()
    eagre.save(model, buffer)
    buffer.seek(0)
    if not isinstance(model, eagre.nn.RNNBase):  # whose other attributes are not PyTorch's
        assert type(torch.load(buffer, weights_only=False)) is theirs
    buffer = io.BytesIO()
    torch.save(theirs(*arguments), buffer)
    buffer.seek(0)
    assert type(eagre.load(buffer, weights_only=False)) is type(model)
print("modules whose state, and that as a whole, go both ways:", len(MODELS))

count = 0
for name in eagre.optim.__all__:
    ours = getattr(eagre.optim, name)
    if not isinstance(ours, type) or name in ("Optimizer", "LBFGS"):
        continue
    parameter = eagre.nn.Parameter(eagre.ones(2, 2))
    optimizer = ours([parameter], lr=0.1)
    parameter.grad = eagre.ones(2, 2)
    optimizer.step()
    buffer = io.BytesIO()
    eagre.save(optimizer.state_dict(), buffer)
    other = getattr(torch.optim, name)([torch.nn.Parameter(torch.ones(2, 2))], lr=0.1)
    other.load_state_dict(loaded(buffer))
    buffer = io.BytesIO()
    torch.save(other.state_dict(), buffer)
    buffer.seek(0)
    optimizer.load_state_dict(eagre.load(buffer))
    count += 1
print("optimizers whose states go both ways:", count)

path = Path("/tmp") / "check_pytorch.pt"
for protocol in (2, 3):
    eagre.save(objects.small(eagre), path, pickle_protocol=protocol)
    for mmap in (False, True):
        found = torch.load(path, weights_only=True, mmap=mmap)
        assert objects.shown(torch, found) == objects.shown(eagre, objects.small(eagre))
path.unlink()
print("and with mmap and protocol 3")
