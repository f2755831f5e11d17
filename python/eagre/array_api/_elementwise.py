"""Functions of each element. Every name is positional-only, as the standard has it."""

import eagre
from eagre.array_api._dtypes import UNSIGNED, check, promoted


def _unary(name, accepted, function=None):
    function = function or getattr(eagre, name)

    def wrapper(x, /):
        check(name, accepted, x)
        return function(x)

    return _named(wrapper, name)


def _binary(name, accepted, function=None):
    function = function or getattr(eagre, name)

    def wrapper(x1, x2, /):
        return function(*promoted(name, accepted, x1, x2))

    return _named(wrapper, name)


def _named(wrapper, name):
    wrapper.__name__ = wrapper.__qualname__ = name
    wrapper.__doc__ = f"`{name}` of the array API standard."
    return wrapper


def _unless_integral(function):
    """Integers are whole already."""
    return lambda x: function(x) if x.is_floating_point() else x.clone()


def _sign(x):
    if x.is_floating_point():
        return eagre.where(x != x, x, eagre.sign(x))
    if not x.is_complex():
        return eagre.minimum(x, eagre.ones_like(x)) if x.dtype in UNSIGNED else eagre.sign(x)
    size = x.abs()
    return eagre.where(size == 0, eagre.zeros_like(x), x / size)


def _floor_divide(x1, x2):
    """Infinities are divided as the standard has it, not as in PyTorch."""
    result = eagre.floor_divide(x1, x2)
    if not x1.is_floating_point():
        return result
    return eagre.where(eagre.isinf(x1) | eagre.isinf(x2), eagre.floor(x1 / x2), result)


def _remainder(x1, x2):
    """A remainder of 0 has the sign of the divisor."""
    result = eagre.remainder(x1, x2)
    if not x1.is_floating_point():
        return result
    return eagre.where(result == 0, eagre.copysign(result, x2), result)


def _round(x):
    if x.is_complex():
        return eagre.complex(eagre.round(x.real), eagre.round(x.imag))
    return _unless_integral(eagre.round)(x)


_FLOATING = """acos acosh asin asinh atan atanh cos cosh exp expm1 log log10 log1p log2 reciprocal
    sin sinh sqrt tan tanh"""
for _name in _FLOATING.split():
    globals()[_name] = _unary(_name, "floating")
for _name in ("ceil", "floor", "trunc"):
    globals()[_name] = _unary(_name, "real", _unless_integral(getattr(eagre, _name)))
for _name in ("atan2", "copysign", "hypot", "logaddexp", "nextafter"):
    globals()[_name] = _binary(_name, "real floating")
for _name, _function in {
    "add": eagre.add,
    "subtract": eagre.sub,
    "multiply": eagre.mul,
    "pow": eagre.pow,
}.items():
    globals()[_name] = _binary(_name, "numeric", _function)
for _name, _function in {
    "less": eagre.lt,
    "less_equal": eagre.le,
    "greater": eagre.gt,
    "greater_equal": eagre.ge,
    "maximum": eagre.maximum,
    "minimum": eagre.minimum,
    "floor_divide": _floor_divide,
    "remainder": _remainder,
}.items():
    globals()[_name] = _binary(_name, "real", _function)
for _name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    globals()[_name] = _binary(_name, "integral or bool")
for _name in ("bitwise_left_shift", "bitwise_right_shift"):
    globals()[_name] = _binary(_name, "integral")
for _name in ("logical_and", "logical_or", "logical_xor"):
    globals()[_name] = _binary(_name, "bool")

bitwise_invert = _unary("bitwise_invert", "integral or bool", eagre.bitwise_not)
divide = _binary("divide", "floating", eagre.div)
equal = _binary("equal", "all", eagre.eq)
not_equal = _binary("not_equal", "all", eagre.ne)
logical_not = _unary("logical_not", "bool")
abs = _unary("abs", "numeric")
negative = _unary("negative", "numeric", eagre.neg)
positive = _unary("positive", "numeric", eagre.clone)
square = _unary("square", "numeric")
sign = _unary("sign", "numeric", _sign)
round = _unary("round", "numeric", _round)
signbit = _unary("signbit", "real floating")
conj = _unary("conj", "numeric", lambda x: x.conj())
real = _unary("real", "numeric", lambda x: x.real if x.is_complex() else x.clone())
imag = _unary("imag", "numeric", lambda x: x.imag if x.is_complex() else eagre.zeros_like(x))
isnan = _unary("isnan", "numeric", lambda x: x != x)
isfinite = _unary("isfinite", "numeric", lambda x: eagre.isfinite(x))
isinf = _unary("isinf", "numeric", lambda x: eagre.isinf(x))


def clip(x, /, min=None, max=None):
    """`clip` of the array API standard: bounds are numbers or arrays that broadcast."""
    check("clip", "real", x)
    bounds = [promoted("clip", "real", x, b)[1] if b is not None else None for b in (min, max)]
    for bound, choose in zip(bounds, (eagre.maximum, eagre.minimum), strict=True):
        x = x if bound is None else choose(x, bound.to(x.dtype))
    return x.clone() if min is None and max is None else x


__all__ = [name for name in dir() if not name.startswith("_")]
for _name in ("UNSIGNED", "check", "eagre", "promoted"):
    __all__.remove(_name)
