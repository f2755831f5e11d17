"""Samples of ops/pad.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import ALL, FLOATS, Sample, make, strided, values

import eagre

MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def widths(rank, pad):
    """As np.pad has them; what is negative is cut away first."""
    pairs = [(0, 0)] * rank
    for i in range(0, len(pad), 2):
        pairs[rank - 1 - i // 2] = (pad[i], pad[i + 1])
    return pairs


def cropped(a, pairs):
    cuts = tuple(
        slice(max(-b, 0), n - max(-e, 0)) for n, (b, e) in zip(a.shape, pairs, strict=True)
    )
    return a[cuts], [(max(b, 0), max(e, 0)) for b, e in pairs]


def padded(a, pad, value=0):
    inside, more = cropped(a, widths(a.ndim, pad))
    return np.pad(inside, more, constant_values=value)


def edges(a, pad, mode):
    pairs = widths(a.ndim, pad)
    places = [np.pad(np.arange(n), [(max(b, 0), max(e, 0))], mode=MODES[mode])[
        max(-b, 0) : n + max(b, 0) + e
    ] for n, (b, e) in zip(a.shape, pairs, strict=True)]  # fmt: skip
    return a[np.ix_(*places)]


def channels_last(a):
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 1, -1)), -1, 1)


def constant_pad_nd():
    for dtype in ALL:
        a = values((2, 3), dtype)
        yield Sample((a, (1, 2)), padded(a, (1, 2)))
        yield Sample((a, (1, -1, -1, 2), 1), padded(a, (1, -1, -1, 2), 1))
    a = make((2, 1, 3, 2))
    for pad in ((), (0, 0), (-1, 0), (1, 1, 0, 0), (1, 0, 2, 1, 1, 1, 0, 1), (0, 0, 0, 0, 1, 2)):
        yield Sample((a, pad, -2.5), padded(a, pad, -2.5))
        b = channels_last(make((2, 3, 2, 2), np.float32))
        yield Sample((b, pad), padded(b, pad))
    yield Sample((make(()), ()), make(()))
    yield Sample((make((0, 2)), (1, 1, 2, 0)), np.zeros((2, 4)))
    yield Sample((make((2,)), (-1, -1)), np.zeros(0))
    yield Sample((strided((3, 2)), (1, 1)), padded(strided((3, 2)), (1, 1)))
    long = make((300, 400), np.float32)
    yield Sample((long, (3, 5, 1, 1)), padded(long, (3, 5, 1, 1)))


def pad():
    for dtype in FLOATS:
        a = make((2, 3, 4), dtype)
        yield Sample((a, (1, 2)), padded(a, (1, 2)))
        yield Sample((a, (1, 2, 0, 1), "constant", 1.5), padded(a, (1, 2, 0, 1), 1.5))
    for mode in MODES:
        for dtype in (np.float64, np.int64, np.complex64):
            a = values((2, 2, 4), dtype)
            for some in ((1, 2), (0, 3), (0, 0)):
                yield Sample((a, some, mode), edges(a, some, mode))
            yield Sample((a[0], (2, 1), mode), edges(a[0], (2, 1), mode))
        a = make((1, 2, 3, 4))
        for some in ((1, 2, 0, 2), (3, 0, 1, 1)):
            yield Sample((a, some, mode), edges(a, some, mode))
            yield Sample((a[0], some, mode), edges(a[0], some, mode))
            b = channels_last(make((2, 2, 3, 4), np.float32))
            yield Sample((b, some, mode), edges(b, some, mode))
        if mode != "circular":
            yield Sample((a, (-1, 2, 1, -1), mode), edges(a, (-1, 2, 1, -1), mode))
        a = make((1, 1, 2, 3, 2))
        yield Sample((a, (1, 0, 0, 2, 1, 1), mode), edges(a, (1, 0, 0, 2, 1, 1), mode))
        yield Sample((make((0, 2, 3)), (1, 1), mode), np.zeros((0, 2, 5)))
        wide = make((70, 20, 50), np.float32)
        yield Sample((wide, (3, 5), mode), edges(wide, (3, 5), mode))
    yield Sample((np.asarray([[1.0, 2.0, 3.0]]), (2, -1), "circular"), [[1.0, 2.0, 1.0, 2.0]])


_pad = eagre.nn.functional.pad
BAD = {
    ("constant_pad_nd", "not_a_tensor_to_pad"): (
        lambda: eagre.constant_pad_nd(1.0, (1, 1)),
        eagre.DTypeError,
        ["constant_pad_nd()", "'input'"],
    ),
    ("constant_pad_nd", "value_too_large"): mistake(
        lambda: eagre.constant_pad_nd(tensor(2, dtype=np.uint8), (1, 1), 300),
        ["constant_pad_nd()", "'value'", "uint8", "300"],
    ),
    ("pad", "odd_length"): mistake(
        lambda: _pad(tensor(2), (1,)), ["pad()", "'pad'", "divisible by 2", "1 numbers"]
    ),
    ("pad", "too_many"): mistake(
        lambda: _pad(tensor(2), (1, 1, 1, 1)), ["pad()", "'pad'", "4 numbers"]
    ),
    ("pad", "unknown_mode"): mistake(
        lambda: _pad(tensor(1, 1, 2), (1, 1), "mirror"),
        ["pad()", "'mode'", "mirror"],
        eagre.UnimplementedError,
    ),
    ("pad", "wrong_rank"): mistake(
        lambda: _pad(tensor(1, 1, 2, 2), (1, 1), "reflect"),
        ["pad()", "'pad'", "2 is not supported for 4D"],
        eagre.UnimplementedError,
    ),
    ("pad", "value_of_reflect"): mistake(
        lambda: _pad(tensor(1, 1, 2), (1, 1), "reflect", 1.0), ["pad()", "'value'", "1"]
    ),
    ("pad", "reflect_too_far"): mistake(
        lambda: _pad(tensor(1, 1, 2), (1, 2), "reflect"), ["pad()", "'pad'", "at most 1", "[1, 2]"]
    ),
    ("pad", "circular_too_far"): mistake(
        lambda: _pad(tensor(1, 1, 2), (1, 3), "circular"),
        ["pad()", "'pad'", "at most 2", "[1, 3]"],
    ),
    ("pad", "nothing_left"): mistake(
        lambda: _pad(tensor(1, 1, 2), (-1, -1), "replicate"), ["pad()", "'pad'", "[-1, -1]"]
    ),
    ("pad", "crops_too_much"): mistake(
        lambda: _pad(tensor(1, 1, 2), (-3, 9)), ["pad()", "'pad'", "[-3, 9]"]
    ),
    ("pad", "too_large"): mistake(
        lambda: _pad(tensor(1, 1, 2), (2**62, 2**62)), ["pad()", "'pad'", str(2**62)]
    ),
    ("pad", "no_elements"): mistake(
        lambda: _pad(tensor(1, 0, 2), (1, 1), "reflect"), ["pad()", "'input'", "[1, 0, 2]"]
    ),
}
