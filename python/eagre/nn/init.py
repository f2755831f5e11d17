"""Initial values of parameters. Functions with a trailing underscore write into their tensor,
without recording it, and return it."""

from __future__ import annotations

import math
import warnings

import eagre
from eagre import _C
from eagre.autograd.grad_mode import no_grad

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre import Tensor

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "dirac",
    "dirac_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "orthogonal",
    "orthogonal_",
    "sparse",
    "sparse_",
    "trunc_normal_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

_GAIN_OF_ONE = frozenset(
    [
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "sigmoid",
    ]
)


def calculate_gain(nonlinearity, param=None) -> float:
    """By what to multiply standard deviations in front of this function, so that values neither
    grow nor shrink from layer to layer. `param`: the slope of "leaky_relu".

    >>> eagre.nn.init.calculate_gain("tanh")
    1.6666666666666667
    """
    if nonlinearity in _GAIN_OF_ONE:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {slope} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor, a=0.0, b=1.0, generator=None) -> Tensor:
    """Numbers from `a` to `b`."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None) -> Tensor:
    """Numbers from a normal distribution."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None) -> Tensor:
    """Numbers from a normal distribution, of which those outside of `a` to `b` are drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
            stacklevel=2,
        )

    def below(x):
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    # The inverse of the distribution function, of numbers from its values at both ends.
    lowest, highest = below((a - mean) / std), below((b - mean) / std)
    with no_grad():
        tensor.uniform_(2 * lowest - 1, 2 * highest - 1, generator=generator)
        tensor.erfinv_().mul_(std * math.sqrt(2.0)).add_(mean)
        return tensor.clamp_(min=a, max=b)


def constant_(tensor, val) -> Tensor:
    """`val` everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor) -> Tensor:
    """Zeros."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor) -> Tensor:
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        return tensor.copy_(eagre.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def dirac_(tensor, groups=1) -> Tensor:
    """Kernels of a convolution that hands on as many channels as it can, in every group."""
    rank = tensor.ndimension()
    if rank not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    outputs, inputs = tensor.shape[:2]
    if outputs % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = outputs // groups
    middle = tuple(size // 2 for size in tensor.shape[2:])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(per_group, inputs)):
                tensor[(group * per_group + channel, channel, *middle)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    area = math.prod(tensor.shape[2:])
    return tensor.size(1) * area, tensor.size(0) * area


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    inside, outside = _calculate_fan_in_and_fan_out(tensor)
    return inside if mode == "fan_in" else outside


def xavier_uniform_(tensor, gain=1.0, generator=None) -> Tensor:
    """Uniform numbers whose variance is 2 gain² / (fan_in + fan_out)."""
    bound = math.sqrt(3.0) * _xavier_deviation(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None) -> Tensor:
    """Normal numbers whose variance is 2 gain² / (fan_in + fan_out)."""
    return normal_(tensor, 0.0, _xavier_deviation(tensor, gain), generator)


def _xavier_deviation(tensor, gain):
    inside, outside = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / (inside + outside))


def kaiming_uniform_(
    tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None
) -> Tensor:
    """Uniform numbers whose variance is gain² / fan."""
    if eagre.overrides.has_torch_function_variadic(tensor):
        return eagre.overrides.handle_torch_function(
            kaiming_uniform_,
            (tensor,),
            tensor=tensor,
            a=a,
            mode=mode,
            nonlinearity=nonlinearity,
            generator=generator,
        )
    if 0 in tensor.shape:
        return _nothing_to_do(tensor)
    bound = math.sqrt(3.0) * _kaiming_deviation(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None
) -> Tensor:
    """Normal numbers whose variance is gain² / fan."""
    if 0 in tensor.shape:
        return _nothing_to_do(tensor)
    deviation = _kaiming_deviation(tensor, a, mode, nonlinearity)
    return normal_(tensor, 0.0, deviation, generator)


def _nothing_to_do(tensor):
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return tensor


def _kaiming_deviation(tensor, a, mode, nonlinearity):
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def orthogonal_(tensor, gain=1, generator=None) -> Tensor:
    """A matrix whose rows or columns, whichever are fewer, are orthogonal and of length `gain`.
    Dimensions after the first are one."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    with no_grad():
        drawn = tensor.new_empty((max(rows, columns), min(rows, columns)))
        drawn.normal_(0, 1, generator=generator)
        q, r = eagre.linalg.qr(drawn)
        # Signs of the diagonal of r make q uniform among such matrices.
        q = q * r.diagonal().sign()
        if rows < columns:
            q = q.t()
        tensor.copy_(q.reshape(tensor.shape)).mul_(gain)
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None) -> Tensor:
    """Normal numbers, with zeros in a share of `sparsity` of every column of a matrix."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            chosen = _C.randperm(rows, generator=generator)[:zeros]
            tensor[chosen, column] = 0
    return tensor


def _old(function):
    new = function.__name__
    name = new[:-1]

    def call(*args, **kwargs):
        warnings.warn(
            f"`nn.init.{name}` is now deprecated in favor of `nn.init.{new}`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{new}(), as it was called."
    return call


uniform = _old(uniform_)
normal = _old(normal_)
constant = _old(constant_)
eye = _old(eye_)
dirac = _old(dirac_)
xavier_uniform = _old(xavier_uniform_)
xavier_normal = _old(xavier_normal_)
kaiming_uniform = _old(kaiming_uniform_)
kaiming_normal = _old(kaiming_normal_)
orthogonal = _old(orthogonal_)
sparse = _old(sparse_)
