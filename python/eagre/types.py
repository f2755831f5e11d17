"""Names of types for annotations, as PyTorch has them."""

import builtins
import os
from collections.abc import Sequence
from typing import IO, TypeAlias

from eagre._C import Size, Tensor, device, dtype, layout
from eagre.storage import TypedStorage, UntypedStorage

__all__ = ["Device", "FileLike", "Number", "Storage"]

Number: TypeAlias = int | float | bool
Device: TypeAlias = device | str | int | None
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
Storage: TypeAlias = TypedStorage | UntypedStorage

_int = builtins.int
_float = builtins.float
_bool = builtins.bool
_complex = builtins.complex
_dtype = dtype
_device = device
_layout = layout
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
