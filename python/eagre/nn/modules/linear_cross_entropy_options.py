"""How a linear layer and its cross entropy may be computed in pieces."""

from __future__ import annotations

from dataclasses import dataclass

from eagre import _C

__all__ = ["LinearCrossEntropyOptions"]


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """Options of PyTorch's, which are checked. Values are the same for all of them; how much memory
    is used is up to the operator."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: _C.dtype | None = None

    def __post_init__(self):
        size = self.batch_chunk_size
        if size is not None and (not isinstance(size, int) or size <= 0):
            raise ValueError(f"batch_chunk_size must be a positive int or None, got {size!r}")
        method, colon, factor = (self.chunking_method or "auto").partition(":")
        known = method == "aspect_ratio" if colon else method in ("auto", "aspect_ratio")
        if not known or (colon and not (factor.isdecimal() and int(factor) > 0)):
            raise ValueError(
                'chunking_method must be "auto", "aspect_ratio", "aspect_ratio:N" with a positive '
                f"N or None, got {self.chunking_method!r}"
            )
        if self.acc_policy not in ("accurate", "compact", "auto"):
            raise ValueError(
                f'acc_policy must be "accurate", "compact" or "auto", got {self.acc_policy!r}'
            )
        floats = (_C.float16, _C.bfloat16, _C.float32, _C.float64)
        if self.acc_dtype is not None and self.acc_dtype not in floats:
            raise ValueError(f"acc_dtype must be one of {floats} or None, got {self.acc_dtype}")
