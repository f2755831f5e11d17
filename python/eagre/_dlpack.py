"""Tensors from and for other libraries by DLPack."""

import warnings

import eagre
from eagre import _C

_DLPACK_CPU = 1


def from_dlpack(ext_tensor, *, device=None, copy=None) -> eagre.Tensor:
    """A tensor on the memory of an array of another library: of an object with `__dlpack__`, or of
    its capsule. Read-only arrays are copied, unless `copy=False` refuses that."""
    if device is not None:
        device = eagre.device(device)
    capsule = _ask_for_capsule(ext_tensor) if hasattr(ext_tensor, "__dlpack__") else ext_tensor
    read_only = _C._dlpack_is_read_only(capsule)
    if read_only and copy is False:
        raise BufferError("from_dlpack(): the array is read-only, so copy=False cannot be met")
    result = _C._from_dlpack(capsule)
    if device is not None and device != result.device:
        if copy is False:
            raise ValueError(f"from_dlpack(): a copy is needed on {device}, but copy=False")
        return result.to(device)
    if read_only and not copy:
        warnings.warn(
            "from_dlpack(): the array is read-only, so its values were copied instead of shared",
            stacklevel=3,
        )
    return result.clone() if copy or read_only else result


def _ask_for_capsule(array):
    kind = array.__dlpack_device__()[0]
    if kind != _DLPACK_CPU:
        raise BufferError(
            f"from_dlpack(): the array is on a device of DLPack's type {int(kind)}; only the CPU "
            "(1) shares memory with tensors"
        )
    try:
        return array.__dlpack__(max_version=(1, 0))
    except TypeError:  # from before version 1
        return array.__dlpack__()


def to_dlpack(tensor) -> object:
    """A capsule of the old kind, for from_dlpack() of another library. It can be used once."""
    return tensor.__dlpack__()


def dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """A capsule with the memory of this tensor, of the kind that `max_version` allows."""
    if stream is not None and not isinstance(stream, int):
        raise TypeError("__dlpack__(): stream must be an int or None")
    if self.requires_grad:
        raise BufferError(
            "__dlpack__(): can't export tensors that require gradient. Hint: use tensor.detach()"
        )
    if not self.device.type == "cpu":
        raise BufferError(f"__dlpack__(): a tensor on {self.device} has no memory for others")
    if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
        raise BufferError(f"__dlpack__(): cannot copy to the DLPack device {tuple(dl_device)}")
    if stream not in (None, -1):
        raise BufferError("__dlpack__(): on the CPU there are no streams: stream must be None")
    versioned = max_version is not None and max_version[0] >= 1
    tensor = self.clone() if copy else self
    return _C._to_dlpack(tensor, versioned, bool(copy))


def dlpack_device(self):
    """The device in DLPack's numbers: (kind, index)."""
    if self.device.type != "cpu":
        raise BufferError(f"__dlpack_device__(): DLPack has no number for {self.device}")
    return (_DLPACK_CPU, 0)
