"""Manipulation functions: reshaping, joining, and moving elements."""

import eagre
from eagre.array_api._dtypes import check, result_type

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "take",
    "take_along_axis",
    "tile",
    "unstack",
]


def broadcast_arrays(*arrays):
    return tuple(eagre.broadcast_tensors(*arrays))


def broadcast_shapes(*shapes):
    try:
        return tuple(eagre.broadcast_shapes(*shapes))
    except RuntimeError as error:
        raise ValueError(str(error)) from None


def broadcast_to(x, /, shape):
    return x.expand(tuple(shape))


def _alike(arrays):
    dtype = result_type(*arrays)
    return [array.to(dtype) for array in arrays]


def concat(arrays, /, *, axis=0):
    arrays = _alike(arrays)
    if axis is None:
        return eagre.cat([array.reshape(-1) for array in arrays])
    return eagre.cat(arrays, axis)


def stack(arrays, /, *, axis=0):
    return eagre.stack(_alike(arrays), axis)


def unstack(x, /, *, axis=0):
    return tuple(x.unbind(axis))


def _axes(axis, rank):
    """Checked, from 0 on, and each only once."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    for each in axes:
        if not -rank <= each < rank:
            raise IndexError(f"array_api: there is no axis {each} in an array of {rank} dimensions")
    wrapped = [each % rank for each in axes]
    if len(set(wrapped)) != len(wrapped):
        raise ValueError(f"array_api: an axis is named twice in {axis}")
    return wrapped


def expand_dims(x, /, axis=0):
    for place in sorted(_axes(axis, x.ndim + (len(axis) if isinstance(axis, tuple) else 1))):
        x = x.unsqueeze(place)
    return x


def squeeze(x, /, axis):
    axes = _axes(axis, x.ndim)
    for place in axes:
        if x.shape[place] != 1:
            raise ValueError(f"array_api.squeeze(): axis {place} has size {x.shape[place]}, not 1")
    for place in sorted(axes, reverse=True):
        x = x.squeeze(place)
    return x


def flip(x, /, *, axis=None):
    return eagre.flip(x, list(range(x.ndim)) if axis is None else _axes(axis, x.ndim))


def moveaxis(x, source, destination, /):
    return eagre.movedim(x, source, destination)


def permute_dims(x, /, axes):
    return x.permute(tuple(axes))


def repeat(x, repeats, /, *, axis=None):
    if isinstance(repeats, eagre.Tensor):
        check("repeat", "integral", repeats)
        repeats = repeats.to(eagre.int64)
    return eagre.repeat_interleave(x, repeats, dim=axis)


def reshape(x, /, shape, *, copy=None):
    if copy is False:
        return x.view(tuple(shape))
    result = x.reshape(tuple(shape))
    return result.clone() if copy else result


def roll(x, /, shift, *, axis=None):
    return eagre.roll(x, shift, axis)


def tile(x, repetitions, /):
    return eagre.tile(x, tuple(repetitions))


def take(x, indices, /, *, axis=None):
    check("take", "integral", indices)
    if axis is None:
        if x.ndim != 1:
            raise ValueError("array_api.take(): 'axis' must be given unless the array has one axis")
        axis = 0
    (place,) = _axes(axis, x.ndim)
    chosen = x.index_select(place, indices.reshape(-1).to(eagre.int64))
    return chosen.reshape((*x.shape[:place], *indices.shape, *x.shape[place + 1 :]))


def take_along_axis(x, indices, /, *, axis=-1):
    check("take_along_axis", "integral", indices)
    return eagre.take_along_dim(x, indices.to(eagre.int64), axis)
