"""Functions of single elements, made of other operators."""

import builtins
import math

import eagre
from eagre.in_place_form import in_place
from eagre.out_argument import with_out


def _floating(input):
    """Integers as the default floating type, as operators with real results take them."""
    if input.is_floating_point() or input.is_complex():
        return input
    return input.to(eagre.get_default_dtype())


def _pair(input, other):
    """Both in the floating type that they promote to; numbers as 0-dim tensors."""
    dtype = eagre.result_type(input, other)
    if not (dtype.is_floating_point or dtype.is_complex):
        dtype = eagre.get_default_dtype()
    return [eagre.as_tensor(x).to(dtype) for x in (input, other)]


def _check_tensors(function, **arguments):
    for name, value in arguments.items():
        if not isinstance(value, eagre.Tensor):
            raise TypeError(
                f"{function}(): argument '{name}' must be a Tensor, but got {type(value).__name__}"
            )


# --- exponents and logarithms ---


@with_out
def exp2(input):
    """2 to the power of each element."""
    return 2 ** _floating(input)


@with_out
def float_power(input, exponent):
    """Powers in double precision."""
    is_complex = any(
        x.is_complex() if isinstance(x, eagre.Tensor) else isinstance(x, builtins.complex)
        for x in (input, exponent)
    )
    dtype = eagre.complex128 if is_complex else eagre.float64
    base, power = (eagre.as_tensor(x).to(dtype) for x in (input, exponent))
    return base**power


@with_out
def logaddexp(input, other):
    """The logarithm of the sum of exponentials, without overflow."""
    _check_tensors("logaddexp", input=input, other=other)
    input, other = _pair(input, other)
    top = eagre.maximum(input, other)
    # Infinities of one sign have no distance.
    distance = eagre.where(input == other, 0.0, (input - other).abs())
    return top + (-distance).exp().log1p()


@with_out
def logaddexp2(input, other):
    """The same to the base 2."""
    scale = math.log(2.0)
    return logaddexp(input * scale, other * scale) / scale


@with_out
def xlogy(input, other):
    """input * log(other), and zero where input is."""
    input, other = _pair(input, other)
    zero = (input == 0) & ~other.isnan()
    return eagre.where(zero, 0.0, input * eagre.where(zero, 1.0, other).log())


@with_out
def logit(input, eps=None):
    """log(x / (1 - x)); with `eps`, of numbers kept that far from 0 and 1."""
    x = _floating(input)
    if eps is not None:
        x = eagre.where(x < eps, eps, eagre.where(x > 1 - eps, 1 - eps, x))
    return (x / (1 - x)).log()


@with_out
def ldexp(input, other):
    """input * 2 ** other."""
    return input * eagre.pow(2.0, other)


# --- angles and hyperbolic functions ---


@with_out
def hypot(input, other):
    """The length of the hypotenuse, without overflow."""
    _check_tensors("hypot", input=input, other=other)
    a, b = (x.abs() for x in _pair(input, other))
    top = eagre.maximum(a, b)
    safe = eagre.where((top == 0) | top.isinf(), 1.0, top).to(top.dtype)
    return ((a / safe).square() + (b / safe).square()).sqrt() * safe


@with_out
def asinh(input):
    """The inverse of sinh."""
    x = _floating(input)
    if x.is_complex():
        return (x + (x * x + 1).sqrt()).log()
    size = x.abs()
    return (
        eagre.where(x < 0, -1.0, 1.0)
        * (size + size * size / (1 + (size * size + 1).sqrt())).log1p()
    )


@with_out
def acosh(input):
    """The inverse of cosh."""
    x = _floating(input)
    return (x + (x - 1).sqrt() * (x + 1).sqrt()).log()


@with_out
def atanh(input):
    """The inverse of tanh."""
    x = _floating(input)
    return (x.log1p() - (-x).log1p()) / 2


@with_out
def deg2rad(input):
    """Degrees as radians."""
    return _floating(input) * (math.pi / 180)


@with_out
def rad2deg(input):
    """Radians as degrees."""
    return _floating(input) * (180 / math.pi)


@with_out
def sinc(input):
    """sin(pi x) / (pi x), and 1 at zero."""
    x = _floating(input) * math.pi
    zero = x == 0
    safe = eagre.where(zero, 1.0, x)
    return eagre.where(zero, 1.0, safe.sin() / safe)


@with_out
def angle(input):
    """The angle of complex numbers; of real ones 0 or pi."""
    if input.is_complex():
        return eagre.atan2(input.imag, input.real)
    x = _floating(input)
    return eagre.where(x.isnan(), x, eagre.where(x < 0, math.pi, 0.0).to(x.dtype))


# --- signs and parts ---


@with_out
def signbit(input):
    """Where the sign is set, also that of a negative zero."""
    if not input.is_floating_point():
        return input < 0
    # 1 / -0 is negative infinity.
    return (input < 0) | ((input == 0) & (1 / input < 0))


@with_out
def copysign(input, other):
    """The size of `input` with the sign of `other`."""
    size, other = _pair(input, other)
    size = size.abs()
    return eagre.where(signbit(other), -size, size)


@with_out
def frac(input):
    """What stands after the point."""
    return input - input.trunc()


def positive(input):
    """The tensor itself."""
    return +input


@with_out
def heaviside(input, values):
    """0 below zero, 1 above, and `values` at zero."""
    _check_tensors("heaviside", input=input, values=values)
    if input.dtype != values.dtype:
        raise RuntimeError("heaviside(): is not yet implemented for tensors with different dtypes.")
    step = eagre.where(input == 0, values, (input > 0).to(input.dtype))
    return eagre.where(input.isnan(), input, step) if input.is_floating_point() else step


@with_out
def fmax(input, other):
    """The larger of both; of a NaN and a number, the number."""
    return _without_nan(input, other, eagre.maximum)


@with_out
def fmin(input, other):
    """The smaller of both; of a NaN and a number, the number."""
    return _without_nan(input, other, eagre.minimum)


def _without_nan(input, other, choose):
    chosen = choose(input, other)
    if not chosen.is_floating_point():
        return chosen
    chosen = eagre.where(input.isnan(), other, chosen)
    return eagre.where(other.isnan(), input, chosen).to(chosen.dtype)


@with_out
def erfc(input):
    """1 - erf(x)."""
    return 1 - eagre.erf(_floating(input))


# --- complex numbers ---


@with_out
def complex(real, imag):
    """Complex numbers of these parts."""
    _check_tensors("complex", real=real, imag=imag)
    if real.dtype != imag.dtype:
        raise RuntimeError(
            f"complex(): expected parts of one dtype, but got {real.dtype} and {imag.dtype}"
        )
    real, imag = eagre.broadcast_tensors(real, imag)
    return eagre.view_as_complex(eagre.stack([real, imag], -1))


@with_out
def polar(abs, angle):
    """Complex numbers of these sizes and angles."""
    _check_tensors("polar", abs=abs, angle=angle)
    return complex(abs * angle.cos(), abs * angle.sin())


# --- in place ---

for _function in (
    acosh, asinh, atanh, copysign, deg2rad, erfc, exp2, float_power, frac, heaviside, hypot, ldexp,
    logit, rad2deg, sinc, xlogy,
):  # fmt: skip
    globals()[_function.__name__ + "_"] = in_place(_function)
