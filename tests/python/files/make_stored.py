"""Writes stored.pt, stored_old.pt and stored.safetensors with PyTorch 2.15 and the package
safetensors: run it with a Python that has both."""

from pathlib import Path

import objects
import torch
from safetensors.torch import save_file

FOLDER = Path(__file__).parent

torch.save(objects.large(torch), FOLDER / "stored.pt")
old = objects.small(torch)
torch.save(old, FOLDER / "stored_old.pt", _use_new_zipfile_serialization=False)
tensors = {
    "matrix": torch.arange(6.0).reshape(2, 3),
    "half": torch.ones(3, dtype=torch.bfloat16),
    "number": torch.tensor(7),
    "flags": torch.tensor([True, False]),
    "empty": torch.empty(0, 2),
}
save_file(tensors, FOLDER / "stored.safetensors", {"format": "pt"})
