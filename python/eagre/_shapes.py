"""Shapes and their parts: what needs no operator of its own."""

import math

import eagre


def broadcast_shapes(*shapes) -> eagre.Size:
    """broadcast_shapes(*shapes) -> Size

    The shape that tensors of these shapes have together.

    >>> eagre.broadcast_shapes((2, 1), (3,))
    eagre.Size([2, 3])
    """
    for shape in shapes:
        if not isinstance(shape, int | tuple | list):
            raise RuntimeError(
                "broadcast_shapes(): Input shapes should be of type ints, a tuple of ints, or a "
                f"list of ints, got {shape}"
            )
    shapes = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    result = [1] * max((len(shape) for shape in shapes), default=0)
    for shape in shapes:
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] < 0:
                raise ValueError(
                    f"broadcast_shapes(): sizes must not be negative, but got {shape[i]}"
                )
            if shape[i] == 1 or shape[i] == result[i]:
                continue
            if result[i] != 1:
                raise RuntimeError(
                    "broadcast_shapes(): Shape mismatch: objects cannot be broadcast to a single "
                    f"shape: sizes {result[i]} and {shape[i]} differ at dimension {i}"
                )
            result[i] = shape[i]
    return eagre.Size(result)


def unravel_index(indices, shape) -> tuple[eagre.Tensor, ...]:
    """unravel_index(indices, shape) -> tuple of Tensors

    The coordinates of places in a row-major tensor of this shape.

    >>> eagre.unravel_index(eagre.tensor([0, 4]), (2, 3))
    (tensor([0, 1]), tensor([0, 1]))
    """
    if (
        not isinstance(indices, eagre.Tensor)
        or indices.dtype.is_floating_point
        or (indices.dtype.is_complex or indices.dtype is eagre.bool)
    ):
        kind = indices.dtype if isinstance(indices, eagre.Tensor) else type(indices)
        raise TypeError(f"unravel_index(): expected 'indices' to be integer dtype, but got {kind}")
    if not isinstance(shape, int | list | tuple):
        raise TypeError(
            "unravel_index(): expected 'shape' to be int or sequence of ints, but got "
            f"{type(shape)}"
        )
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(
                "unravel_index(): expected 'shape' sequence to only contain ints, but got "
                f"{type(size)}"
            )
    if any(size < 0 for size in sizes):
        raise ValueError(f"unravel_index(): 'shape' cannot have negative values, but got {sizes}")
    if 0 in sizes and indices.numel() != 0:
        raise ValueError(
            "unravel_index(): argument 'shape' must have positive sizes when there are indices, "
            f"but got {sizes}"
        )
    if math.prod(sizes) >= 2**63:
        raise ValueError(f"unravel_index(): no tensor has as many elements as shape {sizes} says")
    coordinates = []
    for size in reversed(sizes):
        coordinates.insert(0, indices % size)
        indices = indices // size
    return tuple(coordinates)


def empty_permuted(size, physical_layout, **options) -> eagre.Tensor:
    """empty_permuted(size, physical_layout, *, dtype=None, device=None, ...) -> Tensor

    A tensor of shape `size` without values whose dimensions lie in memory in the order of
    `physical_layout`, from the one with the largest steps on.

    >>> eagre.empty_permuted((2, 3, 4), (0, 2, 1)).stride()
    (12, 1, 3)
    """
    if sorted(physical_layout) != list(range(len(size))):
        raise RuntimeError(
            f"empty_permuted(): argument 'physical_layout' must name the {len(size)} dimensions of "
            f"'size' once each, but got {tuple(physical_layout)}"
        )
    strides, step = [0] * len(size), 1
    for dim in reversed(physical_layout):
        strides[dim] = step
        step *= max(size[dim], 1)
    return eagre.empty_strided(size, strides, **options)


def reverse(self):
    """reverse(self) -> Tensor

    reversed(self): the elements of the first dimension from the last on.

    >>> reversed(eagre.tensor([1, 2]))
    tensor([2, 1])
    """
    return self if self.dim() == 0 else self.flip(0)


def adjoint(self):
    """adjoint(self) -> Tensor

    The last two dimensions swapped, conjugated.

    >>> eagre.tensor([[1j, 2.]]).adjoint()
    tensor([[0.-1.j],
            [2.-0.j]])
    """
    return self.mH


def split_with_sizes(self, split_sizes, dim=0):
    """split_with_sizes(self, split_sizes, dim=0) -> tuple of Tensors

    Views of parts of these sizes.

    >>> eagre.arange(3).split_with_sizes([1, 2])
    (tensor([0]), tensor([1, 2]))
    """
    return self.split(list(split_sizes), dim)
