"""Samples of the comparisons, and of what copies."""

import numpy as np
from samples import Sample, binary, make, strided

import eagre


def tensor(size):
    return eagre.tensor(make((size,), np.float32))


def comparison(function):
    def generate():
        yield from binary(lambda a, b: np.asarray(function(a, b)), numbers=False)
        whole = make((3,), np.int64)
        yield Sample((whole, 2), function(whole, 2))
        yield Sample((whole, 0.5), function(whole, 0.5))
        special = np.asarray([np.nan, np.inf, -np.inf, 0.0, -0.0])
        yield Sample((special, special[::-1].copy()), function(special, special[::-1]))
        large = np.asarray([2**63, 2**64 - 1, 1], np.uint64)
        yield Sample((large, large[::-1].copy()), function(large, large[::-1]))

    generate.__module__ = __name__
    return generate


eq = comparison(np.equal)
ne = comparison(np.not_equal)
lt = comparison(np.less)
le = comparison(np.less_equal)
gt = comparison(np.greater)
ge = comparison(np.greater_equal)


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


BAD = {
    (op, "shapes_do_not_broadcast"): (
        lambda op=op: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "[4]", "[3]"],
    )
    for op in ("eq", "ne", "lt", "le", "gt", "ge")
}
BAD["copy", "shapes_do_not_broadcast"] = (
    lambda: tensor(4).copy_(tensor(3)),
    eagre.InvalidArgumentError,
    ["copy_()", "'src'", "[4]", "[3]"],
)

BAD["copy_number", "does_not_fit"] = (
    lambda: tensor(4).to(eagre.int8).copy_(300),
    eagre.InvalidArgumentError,
    ["fill()", "'value'", "int8", "300"],
)
