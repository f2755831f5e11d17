"""Files of the safetensors format, which hold named tensors, texts about them, and no code."""

from __future__ import annotations

import io

import eagre
from eagre import _C
from eagre._files import sources
from eagre._files.atomic import replacing, write_all
from eagre._files.safetensors_table import NAMES, SafetensorError, made_table, read_table

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    import os
    from typing import Any

    from eagre.types import Device

    Path = str | os.PathLike[str]

__all__ = ["SafetensorError", "load", "load_file", "safe_open", "save", "save_file"]


def save_file(
    tensors: dict[str, _C.Tensor], filename: Path, metadata: dict[str, str] | None = None
) -> None:
    """Writes a dict of tensors to a file. `metadata`: texts by name. The file is only changed when
    all is written."""
    head, parts = _parts(tensors, metadata)
    with replacing(filename) as file:
        file.write(head)
        for part in parts:
            write_all(file, part)


def save(tensors: dict[str, _C.Tensor], metadata: dict[str, str] | None = None) -> bytes:
    """The bytes of such a file."""
    head, parts = _parts(tensors, metadata)
    return b"".join([head, *parts])


def load_file(filename: Path, device: Device = "cpu") -> dict[str, _C.Tensor]:
    """All tensors of a file by name. They lie over the file, which is read when they are; what is
    written to them does not change it."""
    source, _ = sources.opened(filename, mapped=True)
    return _all(source, device)


def load(data: bytes) -> dict[str, _C.Tensor]:
    """All tensors of the bytes of a file."""
    return _all(sources.FileSource(io.BytesIO(data)), "cpu")


class safe_open:  # noqa: N801  the name in the package safetensors
    """with safe_open(filename) as file: file.get_tensor(name) reads one tensor, when it is used: it
    lies over the file, and what is written to it does not change that."""

    def __init__(self, filename: Path, framework: str = "pt", device: Device = "cpu") -> None:
        if framework not in ("pt", "torch", "pytorch", "eagre"):
            raise SafetensorError(f"safe_open(): there are tensors for 'pt', not for {framework!r}")
        self._device = eagre.device(device)
        self._source, _ = sources.opened(filename, mapped=True)
        self._entries, self._metadata = read_table(self._source)

    def __enter__(self) -> safe_open:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def keys(self) -> list[str]:
        """The names of all tensors, sorted."""
        return sorted(self._entries)

    def offset_keys(self) -> list[str]:
        """The names of all tensors, in the order of their bytes."""
        return list(self._entries)

    def metadata(self) -> dict[str, str] | None:
        """The texts of the file by name, or None."""
        return None if self._metadata is None else dict(self._metadata)

    def get_tensor(self, name: str) -> _C.Tensor:
        """The tensor of this name."""
        return _read(self._source, self._entry(name), self._device)

    def get_slice(self, name: str) -> Any:
        """What `file.get_slice(name)[2:5]` reads a part of."""
        return _Slice(self, name, self._entry(name))

    def _entry(self, name):
        if name not in self._entries:
            raise SafetensorError(f"the file has no tensor {name!r}")
        return self._entries[name]


class _Slice:
    """A tensor of a file that is indexed before it is read."""

    def __init__(self, file, name, entry):
        self._file = file
        self._name = name
        self._entry = entry

    def get_shape(self):
        """Its sizes as a list."""
        return list(self._entry.shape)

    def get_dtype(self):
        """Its dtype as the format calls it."""
        return self._entry.dtype_name

    def __getitem__(self, index):
        return self._file.get_tensor(self._name)[index].clone()


def _all(source, device):
    entries, _ = read_table(source)
    return {name: _read(source, entry, device) for name, entry in entries.items()}


def _read(source, entry, device):
    storage = source.storage(entry.begin, entry.size, entry.dtype.itemsize)
    stride = eagre.empty(entry.shape, device="meta").stride()
    made = _C._tensor_on_storage(storage, entry.dtype, 0, tuple(entry.shape), stride)
    return made.to(device)


def _parts(tensors, metadata):
    """The table, and the bytes of each tensor."""
    if not isinstance(tensors, dict):
        raise ValueError(
            f"save(): expected a dict of tensors by name, but got {type(tensors).__name__}"
        )
    owners: dict = {}
    for name, tensor in tensors.items():
        _check(name, tensor)
        if tensor.numel():
            memory = tensor.untyped_storage().data_ptr(), str(tensor.device)
            owners.setdefault(memory, []).append(name)
    shared = next((names for names in owners.values() if len(names) > 1), None)
    if shared:
        raise RuntimeError(
            f"save(): Some tensors share memory: {shared}. The file would have it twice, and "
            "tensors loaded from it would not share it. Hint: tensor.clone() of all but one"
        )
    head, names = made_table(tensors, metadata)
    return head, (_content(tensors[name]) for name in names)


def _check(name, tensor):
    if not isinstance(name, str) or name == "__metadata__":
        raise ValueError(f"save(): {name!r} is not a name for a tensor")
    if not isinstance(tensor, eagre.Tensor) or tensor.device.type == "meta":
        raise ValueError(f"save(): '{name}' must be a tensor with memory, but got {tensor!r:.60}")
    if tensor.dtype not in NAMES:
        raise SafetensorError(f"save(): the format has no {tensor.dtype}, the dtype of '{name}'")
    if not tensor.is_contiguous():
        raise ValueError(
            f"save(): You are trying to save a non contiguous tensor: `{name}` which is not "
            "allowed. Hint: tensor.contiguous()"
        )


def _content(tensor):
    if tensor.numel() == 0:
        return b""
    tensor = tensor.detach().cpu()
    size = tensor.numel() * tensor.dtype.itemsize
    begin = tensor.storage_offset() * tensor.dtype.itemsize
    return memoryview(_C._storage_bytes(tensor))[begin : begin + size]
