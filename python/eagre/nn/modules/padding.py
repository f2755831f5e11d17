"""Layers that put elements around others."""

from eagre.nn import functional as F
from eagre.nn.modules.module import Module
from eagre.nn.modules.utils import _ntuple

__all__ = [
    f"{kind}Pad{rank}d"
    for kind in ("Circular", "Constant", "Reflection", "Replication", "Zero")
    for rank in (1, 2, 3)
]


class _PadNd(Module):
    """`padding`: how many elements before and after, of the last dimension first."""

    __constants__ = ["padding"]
    _mode = "constant"

    def __init__(self, padding) -> None:
        super().__init__()
        self.padding = _ntuple(2 * self._rank)(padding)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _CircularPadNd(_PadNd):
    _mode = "circular"

    def _check_input_dim(self, input):
        if input.dim() not in (self._rank + 1, self._rank + 2):
            raise ValueError(
                f"expected {self._rank + 1}D or {self._rank + 2}D input (got {input.dim()}D input)"
            )

    def forward(self, input):
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class CircularPad1d(_CircularPadNd):
    """Elements of the other end."""

    _rank = 1


class CircularPad2d(_CircularPadNd):
    """Elements of the other end."""

    _rank = 2


class CircularPad3d(_CircularPadNd):
    """Elements of the other end."""

    _rank = 3


class _ConstantPadNd(_PadNd):
    __constants__ = ["padding", "value"]

    def __init__(self, padding, value) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPadNd):
    """One value."""

    _rank = 1


class ConstantPad2d(_ConstantPadNd):
    """One value."""

    _rank = 2


class ConstantPad3d(_ConstantPadNd):
    """One value."""

    _rank = 3


class _ReflectionPadNd(_PadNd):
    _mode = "reflect"


class ReflectionPad1d(_ReflectionPadNd):
    """The elements next to the end, in reverse."""

    _rank = 1


class ReflectionPad2d(_ReflectionPadNd):
    """The elements next to the end, in reverse."""

    _rank = 2


class ReflectionPad3d(_ReflectionPadNd):
    """The elements next to the end, in reverse."""

    _rank = 3


class _ReplicationPadNd(_PadNd):
    _mode = "replicate"


class ReplicationPad1d(_ReplicationPadNd):
    """The element at the end."""

    _rank = 1


class ReplicationPad2d(_ReplicationPadNd):
    """The element at the end."""

    _rank = 2


class ReplicationPad3d(_ReplicationPadNd):
    """The element at the end."""

    _rank = 3


class _ZeroPad:
    def __init__(self, padding) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """Zeros."""


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """Zeros."""


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """Zeros."""
