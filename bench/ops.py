"""Operators on large tensors: `ops.py eagre|torch <row> <iterations>`, a round per line of input.

Every round prints nanoseconds per call. One thread; every call makes a fresh result. Read ROWS
first: a row makes its inputs and returns the call that is timed.
"""

import importlib
import sys

from rounds import serve

lib = importlib.import_module(sys.argv[1])
functional = importlib.import_module(f"{sys.argv[1]}.nn.functional")
lib.set_num_threads(1)

SMALL, LARGE, EDGE = 100_000, 10_000_000, 4096


def unary(function, size):
    x = lib.randn(size)
    return lambda: function(x)


def binary(function, size):
    x, y = lib.randn(size), lib.randn(size)
    return lambda: function(x, y)


def square(function):
    x = lib.randn(EDGE, EDGE)
    return lambda: function(x)


def matmul(edge):
    x, y = lib.randn(edge, edge), lib.randn(edge, edge)
    return lambda: x @ y


def layer_norm():
    x, weight, bias = lib.randn(EDGE, EDGE), lib.randn(EDGE), lib.randn(EDGE)
    return lambda: functional.layer_norm(x, (EDGE,), weight, bias)


def cross_entropy():
    x, target = lib.randn(EDGE, EDGE), lib.arange(EDGE)
    return lambda: functional.cross_entropy(x, target)


def transposed_add():
    x, y = lib.randn(EDGE, EDGE), lib.randn(EDGE, EDGE).t()
    return lambda: x + y


def broadcast_add():
    x, y = lib.randn(1000, 1000), lib.randn(1000)
    return lambda: x + y


def strided_add():
    x, y = lib.randn(2_000_000)[::2], lib.randn(2_000_000)[::2]
    return lambda: x + y


def gather():
    x, index = lib.randn(1_000_000), lib.randint(0, 1_000_000, (1_000_000,))
    return lambda: lib.gather(x, 0, index)


def scatter_add():
    x, index = lib.zeros(1_000_000), lib.randint(0, 1_000_000, (1_000_000,))
    values = lib.randn(1_000_000)
    return lambda: lib.scatter_add(x, 0, index, values)


POINTWISE = {
    "add": lambda n: binary(lib.add, n),
    "mul": lambda n: binary(lib.mul, n),
    "exp": lambda n: unary(lib.exp, n),
    "tanh": lambda n: unary(lib.tanh, n),
    "gelu": lambda n: unary(functional.gelu, n),
}
ROWS = {
    **{f"{name}_1e5": lambda make=make: make(SMALL) for name, make in POINTWISE.items()},
    **{f"{name}_1e7": lambda make=make: make(LARGE) for name, make in POINTWISE.items()},
    "sum_all": lambda: square(lambda x: x.sum()),
    "sum_last": lambda: square(lambda x: x.sum(1)),
    "sum_first": lambda: square(lambda x: x.sum(0)),
    "softmax": lambda: square(lambda x: lib.softmax(x, 1)),
    "layer_norm": layer_norm,
    "cross_entropy": cross_entropy,
    "mm_8": lambda: matmul(8),
    "mm_64": lambda: matmul(64),
    "mm_256": lambda: matmul(256),
    "mm_1024": lambda: matmul(1024),
    "transposed_copy": lambda: square(lambda x: x.t().contiguous()),
    "transposed_add": transposed_add,
    "sort": lambda: unary(lambda x: lib.sort(x), 1_000_000),
    "broadcast_add": broadcast_add,
    "strided_add": strided_add,
    "gather": gather,
    "scatter_add": scatter_add,
    "randn_1e7": lambda: lambda: lib.randn(LARGE),
}


serve(ROWS)
