"""Convolutions, and their transposes."""

import math

from eagre import _C
from eagre.autograd.grad_mode import no_grad
from eagre.nn import functional as F
from eagre.nn import init
from eagre.nn.modules.lazy import LazyModuleMixin
from eagre.nn.modules.module import Module
from eagre.nn.modules.utils import _ntuple, _reverse_repeat_tuple
from eagre.nn.parameter import Parameter, UninitializedParameter

__all__ = [
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose1d",
    "ConvTranspose2d",
    "ConvTranspose3d",
    "LazyConv1d",
    "LazyConv2d",
    "LazyConv3d",
    "LazyConvTranspose1d",
    "LazyConvTranspose2d",
    "LazyConvTranspose3d",
]

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """What all convolutions have."""

    __constants__ = [
        "stride",
        "padding",
        "dilation",
        "groups",
        "padding_mode",
        "output_padding",
        "in_channels",
        "out_channels",
        "kernel_size",
    ]

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(
                    f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}"
                )
            if padding == "same" and any(step != 1 for step in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {set(_PADDING_MODES)}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = _padding_of_ends(padding, kernel_size, dilation)
        channels = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        shape = (channels[0], channels[1] // groups, *kernel_size)
        self.weight = Parameter(_C.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(_C.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform numbers up to 1 / sqrt(terms of a result)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            terms, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if terms != 0:
                bound = 1 / math.sqrt(terms)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        rank = len(self.kernel_size)
        for name, usual in (
            ("padding", (0,) * rank),
            ("dilation", (1,) * rank),
            ("output_padding", (0,) * rank),
            ("groups", 1),
        ):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input, weight, bias):
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * len(self.kernel_size)
        return self._function(input, weight, bias, self.stride, padding, self.dilation, self.groups)


def _padding_of_ends(padding, kernel_size, dilation):
    """What pad() takes, the last dimension first."""
    if not isinstance(padding, str):
        return _reverse_repeat_tuple(padding, 2)
    ends = [0, 0] * len(kernel_size)
    if padding == "same":
        for i, (step, size) in enumerate(zip(dilation, kernel_size, strict=True)):
            total = step * (size - 1)
            place = 2 * (len(kernel_size) - 1 - i)
            ends[place], ends[place + 1] = total // 2, total - total // 2
    return ends


class _Conv(_ConvNd):
    """A convolution; classes say of how many dimensions."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ) -> None:
        each = _ntuple(self._rank)
        super().__init__(
            in_channels,
            out_channels,
            each(kernel_size),
            each(stride),
            padding if isinstance(padding, str) else each(padding),
            each(dilation),
            False,
            each(0),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )


class Conv1d(_Conv):
    """Convolution of sequences (N, C, L).

    >>> eagre.nn.Conv1d(16, 33, 3, stride=2)(eagre.zeros(20, 16, 50)).shape
    eagre.Size([20, 33, 24])
    """

    _rank = 1
    _function = staticmethod(F.conv1d)


class Conv2d(_Conv):
    """Convolution of images (N, C, H, W).

    >>> eagre.nn.Conv2d(3, 8, 3, padding=1)(eagre.zeros(1, 3, 28, 28)).shape
    eagre.Size([1, 8, 28, 28])
    """

    _rank = 2
    _function = staticmethod(F.conv2d)


class Conv3d(_Conv):
    """Convolution of volumes (N, C, D, H, W)."""

    _rank = 3
    _function = staticmethod(F.conv3d)


class _ConvTransposeNd(_ConvNd):
    """A transposed convolution; classes say of how many dimensions."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        each = _ntuple(self._rank)
        super().__init__(
            in_channels,
            out_channels,
            each(kernel_size),
            each(stride),
            each(padding),
            each(dilation),
            True,
            each(output_padding),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input, output_size=None):
        if self.padding_mode != "zeros":
            raise ValueError(f"Only `zeros` padding mode is supported for {type(self).__name__}")
        padding = self._output_padding(
            input,
            output_size,
            self.stride,
            self.padding,
            self.kernel_size,
            len(self.kernel_size),
            self.dilation,
        )
        return self._function(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            padding,
            self.groups,
            self.dilation,
        )

    def _output_padding(
        self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None
    ):
        """How much longer each dimension must be than the shortest that has this input."""
        if output_size is None:
            return self.output_padding
        rank = num_spatial_dims
        others = input.dim() - rank
        if len(output_size) == rank + others:
            output_size = output_size[others:]
        if len(output_size) != rank:
            raise ValueError(
                f"ConvTranspose{rank}D: for {input.dim()}D input, output_size must have {rank} or "
                f"{rank + others} elements (got {len(output_size)})"
            )
        lowest, highest = [], []
        for i in range(rank):
            step = dilation[i] if dilation is not None else 1
            size = (input.size(i + others) - 1) * stride[i] - 2 * padding[i]
            lowest.append(size + step * (kernel_size[i] - 1) + 1)
            highest.append(lowest[i] + stride[i] - 1)
        for size, low, high in zip(output_size, lowest, highest, strict=True):
            if not low <= size <= high:
                raise ValueError(
                    f"requested an output size of {output_size}, but valid sizes range "
                    f"from {lowest} to {highest} (for an input of {input.shape[2:]})"
                )
        return [size - low for size, low in zip(output_size, lowest, strict=True)]


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of Conv1d: what its gradient does to its input."""

    _rank = 1
    _function = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of Conv2d: what its gradient does to its input."""

    _rank = 2
    _function = staticmethod(F.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of Conv3d: what its gradient does to its input."""

    _rank = 3
    _function = staticmethod(F.conv_transpose3d)


class _LazyConvXdMixin(LazyModuleMixin):
    """A convolution whose in_channels are those of its first input."""

    def __init__(self, out_channels, kernel_size, *args, **kwargs) -> None:
        device, dtype = kwargs.get("device"), kwargs.get("dtype")
        given = dict(zip(self._after_kernel_size, args, strict=False)) | kwargs
        bias = given.pop("bias", True)
        super().__init__(0, 0, kernel_size, bias=False, **given)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """As the convolution does, once shapes are known."""
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        """Gives the parameters their shapes."""
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._get_in_channels(input)
        for name, channels in (("in", self.in_channels), ("out", self.out_channels)):
            if channels % self.groups != 0:
                raise ValueError(f"{name}_channels must be divisible by groups")
        channels = (self.out_channels, self.in_channels)
        if self.transposed:
            channels = (self.in_channels, self.out_channels)
        with no_grad():
            self.weight.materialize((channels[0], channels[1] // self.groups, *self.kernel_size))
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _get_in_channels(self, input):
        rank = self._get_num_spatial_dims()
        if input.dim() not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        return input.shape[-rank - 1]

    def _get_num_spatial_dims(self):
        return self._rank


class _LazyConv(_LazyConvXdMixin):
    _after_kernel_size = [
        "stride",
        "padding",
        "dilation",
        "groups",
        "bias",
        "padding_mode",
        "device",
        "dtype",
    ]


class _LazyConvTranspose(_LazyConvXdMixin):
    _after_kernel_size = [
        "stride",
        "padding",
        "output_padding",
        "groups",
        "bias",
        "dilation",
        "padding_mode",
        "device",
        "dtype",
    ]


class LazyConv1d(_LazyConv, Conv1d):
    """Conv1d whose in_channels are those of its first input."""

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """Conv2d whose in_channels are those of its first input."""

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """Conv3d whose in_channels are those of its first input."""

    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """ConvTranspose1d whose in_channels are those of its first input."""

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """ConvTranspose2d whose in_channels are those of its first input."""

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """ConvTranspose3d whose in_channels are those of its first input."""

    cls_to_become = ConvTranspose3d
