"""fractional_max_pool2d() and 3d: sizes from ratios, and random numbers for the windows."""

import eagre._C as _C
from eagre._torch_function import overridable as _overridable


def _size(op, input, size, ratio, spatial):
    if size is not None:
        return size
    if ratio is None:
        raise _C.InvalidArgumentError(
            f"{op}(): requires specifying either an output_size or an output_ratio: argument "
            "'output_size' must be given"
        )
    ratios = ratio if isinstance(ratio, (list, tuple)) else [ratio] * spatial
    if len(ratios) != spatial or not all(0 < one < 1 for one in ratios):
        raise _C.InvalidArgumentError(
            f"{op}(): argument 'output_ratio' must be one number between 0 and 1, or {spatial} of "
            f"them, but got {ratio}"
        )
    return [int(n * one) for n, one in zip(input.shape[-spatial:], ratios, strict=True)]


def _pooled(pool, op, input, kernel_size, size, ratio, samples, spatial):
    size = _size(op, input, size, ratio, spatial)
    if samples is None:
        if input.dim() not in (spatial + 1, spatial + 2):
            samples = input  # the operator says what is wrong
        else:
            images = 1 if input.dim() == spatial + 1 else input.shape[0]
            shape = (images, input.shape[-spatial - 1], spatial)
            samples = _C.rand(shape, dtype=input.dtype, device=input.device)
    return pool(input, kernel_size, size, samples)


@_overridable
def fractional_max_pool2d_with_indices(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
) -> tuple[_C.Tensor, _C.Tensor]:
    """The largest elements of windows at random places of images, of which there are `output_size`,
    or that share of their sizes, and where they were."""
    return _pooled(
        _C._fractional_max_pool2d,
        "fractional_max_pool2d",
        input,
        kernel_size,
        output_size,
        output_ratio,
        _random_samples,
        2,
    )


@_overridable
def fractional_max_pool2d(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
) -> _C.Tensor | tuple[_C.Tensor, _C.Tensor]:
    """The largest elements of windows at random places of images; with `return_indices` also where
    they were."""
    both = fractional_max_pool2d_with_indices(
        input, kernel_size, output_size, output_ratio, True, _random_samples
    )
    return both if return_indices else both[0]


@_overridable
def fractional_max_pool3d_with_indices(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
) -> tuple[_C.Tensor, _C.Tensor]:
    """fractional_max_pool2d_with_indices() of images with three dimensions."""
    return _pooled(
        _C._fractional_max_pool3d,
        "fractional_max_pool3d",
        input,
        kernel_size,
        output_size,
        output_ratio,
        _random_samples,
        3,
    )


@_overridable
def fractional_max_pool3d(
    input,
    kernel_size,
    output_size=None,
    output_ratio=None,
    return_indices=False,
    _random_samples=None,
) -> _C.Tensor | tuple[_C.Tensor, _C.Tensor]:
    """fractional_max_pool2d() of images with three dimensions."""
    both = fractional_max_pool3d_with_indices(
        input, kernel_size, output_size, output_ratio, True, _random_samples
    )
    return both if return_indices else both[0]
