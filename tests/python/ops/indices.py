"""Tensors and lists that other tensors are indexed with."""

import numpy as np
from samples import make

import eagre


def whole(shape, size, seed=0, dtype=np.int64):
    """Indices of both signs, with repetitions."""
    generator = np.random.default_rng([seed, size, *shape])
    return generator.integers(-size, size, shape).astype(dtype)


def nonnegative(shape, size, dtype=np.int64):
    """Indices from 0 on, with repetitions."""
    return whole(shape, size, dtype=dtype) % size


def i64(*numbers):
    return eagre.tensor(numbers, dtype=eagre.int64)


def index_array(array):
    return eagre.tensor(array)


def places():
    """Shapes, and lists of indices into them, with None for a whole dimension."""
    yield (3, 4), [whole((2,), 3)]
    yield (3, 4), [None, whole((2, 2), 4)]
    yield (3, 4), [whole((2,), 3), whole((2,), 4)]
    yield (3, 4), [whole((2, 1), 3), whole((3,), 4)]
    yield (3, 4, 2), [None, whole((3,), 4), None]
    yield (3, 4, 2), [whole((3,), 3), None, whole((3,), 2)]  # separated: in front
    yield (2, 3, 4, 2), [None, whole((2, 1), 3), whole((2,), 4)]
    yield (2, 3, 4, 2), [None, whole((2,), 3), None, whole((2,), 2)]
    yield (2, 3, 4), [whole((), 2), None, whole((), 4)]
    yield (3, 4), [make((3,), np.bool_)]
    yield (3, 4), [make((3, 4), np.bool_)]
    yield (3, 4), [None, make((4,), np.bool_)]
    yield (3, 4, 2), [make((3, 4), np.bool_), np.asarray(1)]
    yield (3, 4), [np.zeros((3,), np.bool_)]
    yield (3, 4), [np.zeros((0,), np.int64)]
    yield (0, 4), [np.zeros((0,), np.int64), np.zeros((0,), np.int64)]
    yield (3, 0), [whole((2,), 3)]
    yield (3, 4), [np.asarray(True)]
    yield (3,), [np.asarray(False)]
    yield (3, 4), [whole((2,), 3, dtype=np.int32)]


def for_numpy(indices):
    return tuple(slice(None) if i is None else i for i in indices)


def for_us(indices):
    return [None if i is None else index_array(i) for i in indices]
