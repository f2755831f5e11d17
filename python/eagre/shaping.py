"""Broadcasting, grids, stacks and diagonals, made of other operators."""

import math

import eagre
from eagre.out_argument import with_out


def _listed(tensors):
    """The tensors of f(a, b) or f([a, b])."""
    return tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors


# --- broadcasting ---


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes have together."""
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


def broadcast_to(input, size):
    """The tensor seen in a larger shape."""
    return input.expand(size)


def broadcast_tensors(*tensors):
    """All tensors seen in the shape that they have together."""
    tensors = _listed(tensors)
    shape = broadcast_shapes(*(tensor.shape for tensor in tensors))
    return tuple(tensor.expand(shape) for tensor in tensors)


# --- grids ---


def meshgrid(*tensors, indexing=None):
    """Coordinates of a grid, a tensor per dimension: `indexing` is "ij" or "xy"."""
    tensors = [tensor.reshape(1) if tensor.dim() == 0 else tensor for tensor in _listed(tensors)]
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f"meshgrid(): indexing must be 'ij' or 'xy', but got {indexing!r}")
    for tensor in tensors:
        if tensor.dim() != 1:
            raise RuntimeError(
                "meshgrid(): expected tensors of 0 or 1 dimension, but got shape "
                f"{list(tensor.shape)}"
            )
    swapped = indexing == "xy" and len(tensors) >= 2
    if swapped:
        tensors[0], tensors[1] = tensors[1], tensors[0]
    shape = [len(tensor) for tensor in tensors]
    grids = [
        tensor.reshape([-1 if i == k else 1 for i in range(len(shape))]).expand(shape)
        for k, tensor in enumerate(tensors)
    ]
    if swapped:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def cartesian_prod(*tensors):
    """Every choice of one element per tensor, as rows."""
    for tensor in tensors:
        if tensor.dim() != 1:
            raise RuntimeError(
                f"cartesian_prod(): expected vectors, but got shape {list(tensor.shape)}"
            )
    if len(tensors) == 1:
        return tensors[0]
    return eagre.stack([grid.flatten() for grid in meshgrid(*tensors, indexing="ij")], dim=1)


def combinations(input, r=2, with_replacement=False):
    """The ways to choose `r` elements of a vector, as rows."""
    import itertools

    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = [list(row) for row in choose(range(len(input)), r)]
    if r == 0:
        return input.new_empty(0)
    return input[eagre.tensor(rows, dtype=eagre.int64, device=input.device).reshape(-1, r)]


# --- stacks ---


def atleast_1d(*tensors):
    """The tensors with at least one dimension."""
    return _each(tensors, lambda x: x.reshape(1) if x.dim() == 0 else x)


def atleast_2d(*tensors):
    """The tensors with at least two dimensions."""
    return _each(tensors, lambda x: x.reshape(1, -1) if x.dim() < 2 else x)


def atleast_3d(*tensors):
    """The tensors with at least three dimensions."""

    def extend(x):
        if x.dim() >= 3:
            return x
        return x.reshape(1, -1, 1) if x.dim() < 2 else x.unsqueeze(-1)

    return _each(tensors, extend)


def _each(tensors, function):
    if len(tensors) == 1 and isinstance(tensors[0], eagre.Tensor):
        return function(tensors[0])
    return tuple(function(tensor) for tensor in _listed(tensors))


def hstack(tensors, *, out=None):
    """The tensors side by side."""
    if len(tensors) == 0:
        raise RuntimeError("hstack(): expects a non-empty TensorList")
    tensors = atleast_1d(tensors)
    return eagre.cat(tensors, 0 if tensors[0].dim() == 1 else 1, out=out)


def vstack(tensors, *, out=None):
    """The tensors on top of each other."""
    return eagre.cat(atleast_2d(tensors), 0, out=out)


def dstack(tensors, *, out=None):
    """The tensors behind each other."""
    return eagre.cat(atleast_3d(tensors), 2, out=out)


def column_stack(tensors, *, out=None):
    """Vectors as columns, matrices side by side."""
    return hstack([x.reshape(-1, 1) if x.dim() <= 1 else x for x in tensors], out=out)


def block_diag(*tensors):
    """A matrix with the given ones along its diagonal."""
    tensors = [atleast_2d(tensor) for tensor in _listed(tensors)]
    rows, width = [], sum(tensor.shape[1] for tensor in tensors)
    before = 0
    for tensor in tensors:
        height, own = tensor.shape
        left, right = (
            tensor.new_zeros(height, before),
            tensor.new_zeros(height, width - before - own),
        )
        rows.append(eagre.cat([left, tensor, right], 1))
        before += own
    return eagre.cat(rows, 0)


def tensor_split(input, indices_or_sections, dim=0):
    """Views of parts: as many as told, or cut before the given places."""
    size = input.shape[dim]
    if isinstance(indices_or_sections, eagre.Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        count = indices_or_sections
        if count <= 0:
            raise RuntimeError(
                f"tensor_split(): the number of sections must be positive, but got {count}"
            )
        small, larger = divmod(size, count)
        ends = [(i + 1) * small + min(i + 1, larger) for i in range(count)]
    else:
        ends = [*(place + size if place < 0 else place for place in indices_or_sections), size]
    parts, start = [], 0
    for end in ends:
        start, end = max(min(start, size), 0), max(min(end, size), 0)
        parts.append(input.narrow(dim, start, max(end - start, 0)))
        start = end
    return tuple(parts)


def hsplit(input, indices_or_sections):
    """Parts side by side."""
    return _split(input, indices_or_sections, 0 if input.dim() == 1 else 1, "hsplit", 1)


def vsplit(input, indices_or_sections):
    """Parts on top of each other."""
    return _split(input, indices_or_sections, 0, "vsplit", 2)


def dsplit(input, indices_or_sections):
    """Parts behind each other."""
    return _split(input, indices_or_sections, 2, "dsplit", 3)


def _split(input, sections, dim, name, least):
    if input.dim() < least:
        raise RuntimeError(
            f"{name}(): requires a tensor with at least {least} dimension, but got {input.dim()}"
        )
    if isinstance(sections, int) and (sections == 0 or input.shape[dim] % sections != 0):
        raise RuntimeError(
            f"{name}(): attempted to split along dimension {dim}, but its size {input.shape[dim]} "
            f"is not divisible by the split_size {sections}!"
        )
    return tensor_split(input, sections, dim)


def rot90(input, k=1, dims=(0, 1)):
    """Turned by 90 degrees, k times, in the plane of two dimensions."""
    if len(dims) != 2 or dims[0] % input.dim() == dims[1] % input.dim():
        raise RuntimeError(f"rot90(): expected two different dimensions, but got {list(dims)}")
    first, second = dims
    turned = {
        0: lambda x: x.clone(),
        1: lambda x: x.flip(second).transpose(first, second),
        2: lambda x: x.flip((first, second)),
        3: lambda x: x.flip(first).transpose(first, second),
    }
    return turned[k % 4](input)


def unravel_index(indices, shape):
    """The coordinates of places in a row-major tensor of this shape."""
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


def vander(x, N=None, increasing=False):  # noqa: N803  PyTorch's name
    """A matrix with powers of the elements as columns."""
    count = len(x) if N is None else N
    powers = eagre.arange(count, device=x.device)
    if not increasing:
        powers = powers.flip(0)
    return x.unsqueeze(-1) ** powers


def chain_matmul(*matrices):
    """The product of matrices."""
    result, *rest = _listed(matrices)
    for matrix in rest:
        result = result @ matrix
    return result


def ravel(input):
    """One dimension, a view of what lies in one piece."""
    return input.contiguous().view(-1)


def fliplr(input):
    """Columns in reverse order."""
    if input.dim() < 2:
        raise RuntimeError(f"fliplr(): Input must be >= 2-d, but has {input.dim()} dimensions")
    return input.flip(1)


def flipud(input):
    """Rows in reverse order."""
    if input.dim() < 1:
        raise RuntimeError("flipud(): Input must be >= 1-d, but has no dimension")
    return input.flip(0)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Every element as often as `repeats` says; of counts alone, their places so often."""
    if repeats is None:
        counts = input
        return eagre.arange(len(counts), device=input.device)[_places(counts)]
    if dim is None:
        input, dim = input.flatten(), 0
    if not isinstance(repeats, eagre.Tensor):
        repeats = eagre.tensor(repeats, device=input.device)
    size = input.shape[dim]
    if repeats.dim() > 1:
        raise RuntimeError(
            f"repeat_interleave(): repeats must be 0-dim or 1-dim, but got {repeats.dim()} dims"
        )
    if repeats.numel() != 1 and repeats.numel() != size:
        raise RuntimeError(
            "repeat_interleave(): repeats must have the same size as input along dim, but got "
            f"repeats.size(0) = {repeats.numel()} and input.size({dim}) = {size}"
        )
    counts = repeats.flatten().expand(size)
    return input.index_select(dim, _places(counts))


def _places(counts):
    if bool((counts < 0).any()):
        raise RuntimeError("repeat_interleave(): repeats can not be negative")
    total = int(counts.sum())
    starts = eagre.zeros(total + 1, dtype=eagre.int64, device=counts.device)
    ends = counts.cumsum(0)
    return starts.scatter_add(0, ends, eagre.ones_like(ends)).cumsum(0)[:total]


# --- diagonals ---


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with the vectors of the last dimension on a diagonal, and zeros elsewhere."""
    size = input.shape[-1] + abs(offset)
    result = input.new_zeros(*input.shape[:-1], size, size)
    result.diagonal(offset, -2, -1).copy_(input)
    return result.movedim((-2, -1), (dim1, dim2))


@with_out
def diag(input, diagonal=0):
    """The diagonal of a matrix, or a matrix with this diagonal."""
    if input.dim() == 1:
        return diag_embed(input, diagonal)
    if input.dim() != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")
    return input.diagonal(diagonal).clone()


def diagflat(input, offset=0):
    """A matrix with all elements on a diagonal."""
    return diag_embed(input.flatten(), offset)


def trace(input):
    """The sum of the diagonal of a matrix."""
    if input.dim() != 2:
        raise RuntimeError(
            f"trace(): expected a matrix, but got a tensor of {input.dim()} dimensions"
        )
    return input.diagonal().sum()


def tril_indices(row, col, offset=0, *, dtype=eagre.int64, device=None, layout=None):
    """Rows and columns of the elements on and below a diagonal."""
    return eagre.ones(row, col, device=device).tril(offset).nonzero().t().contiguous().to(dtype)


def triu_indices(row, col, offset=0, *, dtype=eagre.int64, device=None, layout=None):
    """Rows and columns of the elements on and above a diagonal."""
    return eagre.ones(row, col, device=device).triu(offset).nonzero().t().contiguous().to(dtype)


def argwhere(input):
    """The places of elements that are not zero, as rows."""
    return input.nonzero()


def reverse(self):
    """reversed(self): the elements of the first dimension from the last on."""
    return self if self.dim() == 0 else self.flip(0)


def adjoint(self):
    """The last two dimensions swapped, conjugated."""
    return self.mH


def split_with_sizes(self, split_sizes, dim=0):
    """Views of parts of these sizes."""
    return self.split(list(split_sizes), dim)
