"""interpolate() and its older names: sizes from factors, and the choices that fit no mode."""

import math
import warnings

import eagre._C as _C
from eagre import _given
from eagre._torch_function import overridable as _overridable

_WITH_CORNERS = ("linear", "bilinear", "bicubic", "trilinear", "lanczos")
_SMOOTH = ("bilinear", "bicubic", "lanczos")


def _listed(modes):
    return f"{', '.join(modes[:-1])} or {modes[-1]}"


def _wrong(message):
    return _C.InvalidArgumentError(f"interpolate(): {message}")


def _one_each(argument, given, count):
    """A number for every spatial dimension."""
    if not isinstance(given, (list, tuple)):
        return [given] * count
    if len(given) != count:
        raise _wrong(
            f"argument '{argument}' must be one number, or {count} of them, but got {list(given)}"
        )
    return given


def _sizes_of(input, factors):
    for factor in factors:
        if not (factor > 0 and math.isfinite(factor)):
            raise _wrong(f"argument 'scale_factor' must be greater than zero, but got {factor}")
    # Of an input without such dimensions the operator says so.
    sizes = input.shape[2:] or (1,)
    return [math.floor(float(n) * f) for n, f in zip(sizes, factors, strict=True)]


@_overridable
def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
) -> _C.Tensor:
    """`input` with `size` elements in its dimensions behind the channels, or `scale_factor` times
    as many, by the elements that are `nearest`, or `linear`, `bilinear`, `bicubic`, `lanczos`,
    `trilinear` or `area`."""
    _given.need_tensors("interpolate", input=input)
    if mode in _WITH_CORNERS:
        align_corners = bool(align_corners)
    elif align_corners is not None:
        raise _wrong(
            f"argument 'align_corners' must be left out unless 'mode' is {_listed(_WITH_CORNERS)}, "
            f"but got {align_corners}"
        )
    if antialias and not (mode in _SMOOTH and input.dim() == 4):
        raise _wrong(
            f"argument 'antialias' must be left out unless 'mode' is {_listed(_SMOOTH)} (it "
            f"requires a 4-D tensor as input), but got mode '{mode}' for {input.dim()} dimensions"
        )
    if size is not None and scale_factor is not None:
        raise _wrong("only one of size or scale_factor: argument 'scale_factor' must be left out")
    if size is not None and recompute_scale_factor:
        raise _wrong("argument 'recompute_scale_factor' must be left out where 'size' is given")
    count = max(input.dim() - 2, 1)
    if size is not None:
        sizes = _one_each("size", size, count)
        return _C._interpolate(input, sizes, mode, bool(align_corners), antialias)
    if scale_factor is None:
        raise _wrong("either size or scale_factor: argument 'size' must be given")
    given = _one_each("scale_factor", scale_factor, count)
    for factor in given:
        _given.need_numbers("interpolate", scale_factor=factor)
    factors = [float(factor) for factor in given]
    sizes = _sizes_of(input, factors)
    used = () if recompute_scale_factor or count > 3 else [0.0] * (3 - count) + factors
    return _C._interpolate(input, sizes, mode, bool(align_corners), antialias, *used)


@_overridable
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None) -> _C.Tensor:
    """interpolate(), by its older name."""
    _given.need_tensors("upsample", input=input)
    _warn("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


@_overridable
def upsample_nearest(input, size=None, scale_factor=None) -> _C.Tensor:
    """interpolate() with mode `nearest`, by its older name."""
    _given.need_tensors("upsample_nearest", input=input)
    _warn("upsample_nearest")
    return interpolate(input, size, scale_factor, mode="nearest")


@_overridable
def upsample_bilinear(input, size=None, scale_factor=None) -> _C.Tensor:
    """interpolate() with mode `bilinear` and aligned corners, by its older name."""
    _given.need_tensors("upsample_bilinear", input=input)
    _warn("upsample_bilinear")
    return interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)


def _warn(name):
    warnings.warn(
        f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.",
        stacklevel=4,
    )
