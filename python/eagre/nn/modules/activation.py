"""Functions between layers, element by element or along a dimension; attention is in
_attention.py."""

from eagre import _C
from eagre.nn import functional as F
from eagre.nn import init
from eagre.nn.modules._attention import MultiheadAttention
from eagre.nn.modules.module import Module
from eagre.nn.parameter import Parameter

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "MultiheadAttention",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


def _inplace(module):
    return "inplace=True" if module.inplace else ""


class Threshold(Module):
    """`value` in place of what is not above `threshold`."""

    __constants__ = ["threshold", "value", "inplace"]

    def __init__(self, threshold, value, inplace=False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        end = ", inplace=True" if self.inplace else ""
        return f"threshold={self.threshold}, value={self.value}{end}"


class ReLU(Module):
    """max(x, 0).

    >>> eagre.nn.ReLU()(eagre.tensor([-1., 2.]))
    tensor([0., 2.])
    """

    __constants__ = ["inplace"]

    def __init__(self, inplace=False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return F.relu(input, self.inplace)

    extra_repr = _inplace


class RReLU(Module):
    """x, times a slope that is drawn for each negative element (their mean in evaluation)."""

    __constants__ = ["lower", "upper", "inplace"]

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        end = ", inplace=True" if self.inplace else ""
        return f"lower={self.lower}, upper={self.upper}{end}"


class Hardtanh(Module):
    """x, cut off at two values."""

    __constants__ = ["min_val", "max_val", "inplace"]

    def __init__(
        self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None
    ) -> None:
        super().__init__()
        for old, value in (("min_val", min_value), ("max_val", max_value)):
            if value is not None:
                import warnings

                warnings.warn(
                    f"keyword argument `{old}ue` is deprecated and rename to `{old}`",
                    FutureWarning,
                    stacklevel=2,
                )
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if not self.max_val > self.min_val:
            raise AssertionError(
                f"max_val must be larger than min_val, got min_val={self.min_val} and "
                f"max_val={self.max_val}"
            )

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        end = ", inplace=True" if self.inplace else ""
        return f"min_val={self.min_val}, max_val={self.max_val}{end}"


class ReLU6(Hardtanh):
    """x, cut off at 0 and 6."""

    def __init__(self, inplace=False) -> None:
        super().__init__(0.0, 6.0, inplace)

    extra_repr = _inplace


class _OnlyInplace(Module):
    """An element-wise function without numbers to choose."""

    __constants__ = ["inplace"]

    def __init__(self, inplace=False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input):
        return self._function(input, self.inplace)

    extra_repr = _inplace


class Hardsigmoid(_OnlyInplace):
    """A sigmoid of three straight lines."""

    _function = staticmethod(F.hardsigmoid)
    extra_repr = Module.extra_repr


class SiLU(_OnlyInplace):
    """x sigmoid(x)."""

    _function = staticmethod(F.silu)


class Mish(_OnlyInplace):
    """x tanh(softplus(x))."""

    _function = staticmethod(F.mish)


class Hardswish(_OnlyInplace):
    """x hardsigmoid(x)."""

    _function = staticmethod(F.hardswish)
    extra_repr = Module.extra_repr


class SELU(_OnlyInplace):
    """ELU, scaled so that mean and variance stay."""

    _function = staticmethod(F.selu)


class _Alpha(Module):
    __constants__ = ["alpha", "inplace"]

    def __init__(self, alpha=1.0, inplace=False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input):
        return self._function(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        return f"alpha={self.alpha}{', inplace=True' if self.inplace else ''}"


class ELU(_Alpha):
    """x, and alpha (exp(x) - 1) below zero."""

    _function = staticmethod(F.elu)


class CELU(_Alpha):
    """x, and alpha (exp(x / alpha) - 1) below zero."""

    _function = staticmethod(F.celu)


class _OfOne(Module):
    """A function without anything to choose."""

    def forward(self, input):
        return self._function(input)


class Sigmoid(_OfOne):
    """1 / (1 + exp(-x))."""

    _function = staticmethod(_C.sigmoid)


class Tanh(_OfOne):
    """tanh(x)."""

    _function = staticmethod(_C.tanh)


class LogSigmoid(_OfOne):
    """log(sigmoid(x))."""

    _function = staticmethod(F.logsigmoid)


class Softsign(_OfOne):
    """x / (1 + |x|)."""

    _function = staticmethod(F.softsign)


class Tanhshrink(_OfOne):
    """x - tanh(x)."""

    _function = staticmethod(F.tanhshrink)


class GLU(Module):
    """The first half along `dim`, times the sigmoid of the second."""

    __constants__ = ["dim"]

    def __init__(self, dim=-1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class GELU(Module):
    """x times the normal distribution function of x, or with "tanh" an approximation of that."""

    __constants__ = ["approximate"]

    def __init__(self, approximate="none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class _Lambda(Module):
    __constants__ = ["lambd"]

    def __init__(self, lambd=0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return self._function(input, self.lambd)

    def extra_repr(self) -> str:
        return f"{self.lambd}"


class Hardshrink(_Lambda):
    """x, and zero between -lambd and lambd."""

    _function = staticmethod(F.hardshrink)


class Softshrink(_Lambda):
    """x, moved by lambd towards zero."""

    _function = staticmethod(F.softshrink)


class LeakyReLU(Module):
    """x, times `negative_slope` below zero."""

    __constants__ = ["inplace", "negative_slope"]

    def __init__(self, negative_slope=0.01, inplace=False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return f"negative_slope={self.negative_slope}{', inplace=True' if self.inplace else ''}"


class Softplus(Module):
    """log(1 + exp(beta x)) / beta; x where beta x is above `threshold`."""

    __constants__ = ["beta", "threshold"]

    def __init__(self, beta=1.0, threshold=20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class PReLU(Module):
    """x, times a slope that is learned below zero: one for all, or one of each channel."""

    __constants__ = ["num_parameters"]

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(_C.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Slopes are `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class _AlongDim(Module):
    __constants__ = ["dim"]

    def __init__(self, dim=None) -> None:
        super().__init__()
        self.dim = dim

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("dim", None)

    def forward(self, input):
        return self._function(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmin(_AlongDim):
    """softmax(-x)."""

    _function = staticmethod(F.softmin)


class Softmax(_AlongDim):
    """exp(x), divided by its sum along `dim`."""

    _function = staticmethod(F.softmax)


class LogSoftmax(_AlongDim):
    """log(softmax(x))."""

    _function = staticmethod(F.log_softmax)


class Softmax2d(Module):
    """Softmax of the channels at each place of an image."""

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(
                f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead"
            )
        return F.softmax(input, -3)
