"""Shapes and their parts: what needs no operator of its own."""

import math

import eagre


def broadcast_shapes(*shapes):
    """broadcast_shapes(*shapes) -> Size

    The shape that tensors of these shapes have together.

    >>> eagre.broadcast_shapes((2, 1), (3,))
    eagre.Size([2, 3])
    """
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


def unravel_index(indices, shape):
    """unravel_index(indices, shape) -> tuple of Tensors

    The coordinates of places in a row-major tensor of this shape.

    >>> eagre.unravel_index(eagre.tensor([0, 4]), (2, 3))
    (tensor([0, 1]), tensor([0, 1]))
    """
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(size < 0 for size in sizes) or 0 in sizes and indices.numel() != 0:
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


def chain_matmul(*matrices):
    """chain_matmul(*matrices) -> Tensor

    The product of matrices, from left to right.

    >>> eagre.chain_matmul(eagre.ones(1, 2), eagre.ones(2, 2), eagre.ones(2, 1))
    tensor([[4.]])
    """
    if len(matrices) == 1 and isinstance(matrices[0], (list, tuple)):
        matrices = matrices[0]
    result, *rest = matrices
    for matrix in rest:
        result = result @ matrix
    return result


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
