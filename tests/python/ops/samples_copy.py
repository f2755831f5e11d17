"""Samples of ops/copy.yaml."""

import numpy as np
from mistakes import tensor
from samples import DTYPES, Sample, make, strided, unary

import eagre


def clone():
    yield from unary(lambda a: Sample((a,), a), DTYPES)


def cast():
    for source in DTYPES:
        for target, dtype in DTYPES.items():
            a = make((2, 3), source)
            yield Sample((a, dtype), a.astype(target), dtype=dtype)
    yield Sample((strided((3, 2)), eagre.float32), strided((3, 2)).astype(np.float32))
    yield Sample((make((0, 2)), eagre.int64), np.zeros((0, 2), np.int64))


def to_device():
    for shape in ((), (2, 3), (0,)):
        yield Sample((make(shape), "cpu"), make(shape))


def copy():
    for shape, source in (((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), ()), ((0, 2), (2,)), ((), ())):
        a, b = make(shape, seed=1), make(source, seed=2)
        yield Sample((a, b), np.broadcast_to(b, shape))
    a = make((3, 2), np.float32)
    yield Sample((a, make((3, 2), np.int64)), make((3, 2), np.int64).astype(np.float32))
    yield Sample((make((3, 2)), strided((3, 2), seed=2)), strided((3, 2), seed=2))


def copy_number():
    yield Sample((strided((3, 2)), 2.5), np.full((3, 2), 2.5))
    yield Sample((make((3,), np.int64), True), np.full(3, 1))


def has_strides(array, strides):
    def check(result):
        np.testing.assert_array_equal(result.detach().numpy(), array)
        assert result.stride() == strides

    return check


def contiguous():
    a, b = strided((3, 2)), make((2, 3, 4, 5))
    yield Sample((a,), has_strides(a, (2, 1)))
    yield Sample((b,), has_strides(b, (60, 20, 5, 1)))
    last = {"memory_format": eagre.channels_last}
    yield Sample((b,), has_strides(b, (60, 1, 15, 3)), last)
    yield Sample((a,), a)


def clone_format():
    a, b = make((2, 3, 4, 5)), make((3, 2)).T
    yield Sample((a,), has_strides(a, (60, 1, 15, 3)), {"memory_format": eagre.channels_last})
    yield Sample((b,), has_strides(b, (1, 2)), {"memory_format": eagre.preserve_format})
    yield Sample((b,), has_strides(b, (3, 1)), {"memory_format": eagre.contiguous_format})


BAD = {
    ("clone", "not_a_tensor"): (
        lambda: eagre.clone(3),
        eagre.DTypeError,
        ["clone()", "int"],
    ),
    ("contiguous", "preserve"): (
        lambda: tensor(2).contiguous(memory_format=eagre.preserve_format),
        eagre.InvalidArgumentError,
        ["contiguous()", "'memory_format'"],
    ),
    ("clone_format", "channels_last_without_channels"): (
        lambda: tensor(2).clone(memory_format=eagre.channels_last),
        eagre.InvalidArgumentError,
        ["clone()", "'memory_format'", "[2]"],
    ),
    ("copy", "shapes_do_not_broadcast"): (
        lambda: tensor(4).copy_(tensor(3)),
        eagre.InvalidArgumentError,
        ["copy_()", "'src'", "[4]", "[3]"],
    ),
    ("copy_number", "does_not_fit"): (
        lambda: tensor(4).to(eagre.int8).copy_(300),
        eagre.InvalidArgumentError,
        ["fill()", "'value'", "int8", "300"],
    ),
}
