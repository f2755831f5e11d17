"""Samples to batches: default_collate() and default_convert()."""

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import eagre

default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def default_convert(data: Any) -> Any:
    """NumPy's arrays and numbers in `data` as tensors; containers keep their class."""
    cls = type(data)
    if isinstance(data, eagre.Tensor):
        return data
    if _is_of_numpy(cls):
        if data.dtype.kind in "SaUO":
            return data
        return eagre.as_tensor(data) if _is_array(data) else eagre.tensor(data)
    if isinstance(data, Mapping):
        return _like_mapping(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return cls(*(default_convert(item) for item in data))
    if isinstance(data, tuple):
        return [default_convert(item) for item in data]
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _like_sequence(data, [default_convert(item) for item in data])
    return data


def default_collate(batch: Any) -> Any:
    """The samples of a batch as one: tensors are stacked, numbers and NumPy's arrays become
    tensors, and containers of them keep their class, with batches inside."""
    return collate(batch, collate_fn_map=default_collate_fn_map)


def collate(batch: Any, *, collate_fn_map: Any = None) -> Any:
    """As default_collate(), by the functions f(batch, collate_fn_map=…) of a table: of the class
    itself, else of the first class in it that the first sample is an instance of."""
    first = batch[0]
    cls = type(first)
    if collate_fn_map is not None:
        function = collate_fn_map.get(cls)
        if function is None:
            function = next(
                (f for known, f in collate_fn_map.items() if isinstance(first, known)), None
            )
        if function is not None:
            return function(batch, collate_fn_map=collate_fn_map)
        if _is_of_numpy(cls):
            return _collate_numpy(batch, first)
    if isinstance(first, Mapping):
        made = {
            key: collate([sample[key] for sample in batch], collate_fn_map=collate_fn_map)
            for key in first
        }
        return _like_mapping(first, made)
    if isinstance(first, Sequence):
        size = len(first)
        if any(len(sample) != size for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        made = [
            collate(column, collate_fn_map=collate_fn_map) for column in zip(*batch, strict=True)
        ]
        if isinstance(first, tuple):
            return cls(*made) if hasattr(first, "_fields") else made
        return _like_sequence(first, made)
    raise TypeError(default_collate_err_msg_format.format(cls))


def _like_mapping(data, made):
    """A mapping of the class of `data`, with these values; a dict if the class cannot be made."""
    try:
        if isinstance(data, MutableMapping):
            clone = copy.copy(data)  # with what else it knows, such as a default factory
            clone.update(made)
            return clone
        return type(data)(made)
    except TypeError:
        return made


def _like_sequence(data, made):
    """The same of a sequence."""
    try:
        if isinstance(data, MutableSequence):
            clone = copy.copy(data)
            for place, item in enumerate(made):
                clone[place] = item
            return clone
        return type(data)(made)
    except TypeError:
        return made


def _is_of_numpy(cls):
    # Classes that derive from NumPy's, too, without an import of it.
    return any(base.__module__ == "numpy" for base in cls.__mro__)


def _is_array(data):
    return any(base.__name__ == "ndarray" for base in type(data).__mro__)


def _collate_numpy(batch, first):
    if not hasattr(first, "__array__"):
        raise TypeError(default_collate_err_msg_format.format(type(first)))
    if first.dtype.kind in "SaUO":
        raise TypeError(default_collate_err_msg_format.format(first.dtype))
    if not _is_array(first):
        return eagre.tensor(batch)
    return eagre.stack([eagre.as_tensor(array) for array in batch])


def collate_tensor_fn(batch, *, collate_fn_map=None):
    """Stacked."""
    return eagre.stack(list(batch), 0)


def collate_float_fn(batch, *, collate_fn_map=None):
    """A tensor of float64."""
    return eagre.tensor(batch, dtype=eagre.float64)


def collate_int_fn(batch, *, collate_fn_map=None):
    """A tensor."""
    return eagre.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map=None):
    """As they are."""
    return batch


default_collate_fn_map = {
    eagre.Tensor: collate_tensor_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}
