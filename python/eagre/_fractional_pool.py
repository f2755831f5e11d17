"""fractional_max_pool2d() and 3d: sizes from ratios, and random numbers for the windows."""

import eagre._C as _C
from eagre import _given
from eagre._torch_function import overridable as _overridable


def _size(name, input, size, ratio, spatial):
    if size is not None:
        return size
    if ratio is None:
        raise _C.InvalidArgumentError(
            f"{name}(): requires specifying either an output_size or an output_ratio: argument "
            "'output_size' must be given"
        )
    ratios = ratio if isinstance(ratio, (list, tuple)) else [ratio] * spatial
    if not all(map(_given.is_number, ratios)):
        raise _given.wrong_type(name, "output_ratio", "a number, or a list of numbers", ratio)
    if len(ratios) != spatial or not all(0 < one < 1 for one in ratios):
        raise _C.InvalidArgumentError(
            f"{name}(): argument 'output_ratio' must be one number between 0 and 1, or {spatial} "
            f"of them, but got {ratio}"
        )
    # Of a tensor that has too few sizes the operator says so.
    return [int(n * float(one)) for n, one in zip(input.shape[-spatial:], ratios, strict=False)]


def _random_numbers(input, spatial):
    """One for each dimension of each plane, which say where its windows begin."""
    if input.dim() <= spatial:
        return input.new_empty(0)  # the operator refuses such an input
    images = 1 if input.dim() == spatial + 1 else input.shape[0]
    shape = (images, input.shape[-spatial - 1], spatial)
    return _C.rand(shape, dtype=input.dtype, device=input.device)


def _functions(pool, spatial):
    """The function with indices, and the one that gives them when asked."""
    name = f"fractional_max_pool{spatial}d"

    def with_indices(
        input,
        kernel_size,
        output_size=None,
        output_ratio=None,
        return_indices=False,
        _random_samples=None,
    ) -> tuple[_C.Tensor, _C.Tensor]:
        _given.need_tensors(name, input=input)
        size = _size(name, input, output_size, output_ratio, spatial)
        if _random_samples is None:
            _random_samples = _random_numbers(input, spatial)
        return pool(input, kernel_size, size, _random_samples)

    def function(
        input,
        kernel_size,
        output_size=None,
        output_ratio=None,
        return_indices=False,
        _random_samples=None,
    ) -> _C.Tensor | tuple[_C.Tensor, _C.Tensor]:
        both = with_indices(input, kernel_size, output_size, output_ratio, True, _random_samples)
        return both if return_indices else both[0]

    with_indices.__doc__ = (
        f"The largest elements of windows at random places of images of {spatial} dimensions, of "
        "which there are `output_size`, or that share of their sizes, and where they were."
    )
    function.__doc__ = (
        f"The largest elements of windows at random places of images of {spatial} dimensions, of "
        "which there are `output_size`, or `output_ratio` of their sizes; with `return_indices` "
        "also where they were."
    )
    with_indices.__name__ = with_indices.__qualname__ = f"{name}_with_indices"
    function.__name__ = function.__qualname__ = name
    return _overridable(with_indices), _overridable(function)


fractional_max_pool2d_with_indices, fractional_max_pool2d = _functions(_C._fractional_max_pool2d, 2)
fractional_max_pool3d_with_indices, fractional_max_pool3d = _functions(_C._fractional_max_pool3d, 3)
