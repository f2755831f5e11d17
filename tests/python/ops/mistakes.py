"""Mistakes that many operators refuse alike. A bad sample is the call, the class of the error, and
words of its message; BAD in samples_<family>.py has it under the operator and its name, unless it
is one of COMMON."""

import numpy as np
from samples import make

import eagre


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def not_a_tensor(op):
    return (
        lambda: getattr(eagre, op)(1.0),
        eagre.DTypeError,
        [f"{op}()", "'input'", "a Tensor", "float"],
    )


def integer_out(op):
    return (
        lambda: getattr(eagre, op)(tensor(2), out=tensor(2, dtype=np.int64)),
        eagre.DTypeError,
        [f"{op}()", "float32", "int64", "'out'"],
    )


def complex_input(op):
    return (
        lambda: getattr(eagre, op)(tensor(2, dtype=np.complex64)),
        eagre.UnimplementedError,
        [f"{op}()", "complex64"],
    )


# Mistakes that records may name without more: the call follows from the name of the operator.
COMMON = {
    "not_a_tensor": not_a_tensor,
    "integer_out": integer_out,
    "complex_input": complex_input,
}


def integers(*shape):
    return tensor(*shape, dtype=np.int64)


def mistake(call, words, kind=None):
    return call, kind or eagre.InvalidArgumentError, words


def refused_write(write):
    """The call fails, and the target keeps its values."""

    def call():
        x = tensor(3, 4)
        before = x.tolist()
        try:
            write(x)
        finally:
            assert x.tolist() == before and x._version == 0

    return call


def refused_call(op, *args, kind=eagre.InvalidArgumentError, words=(), **kwargs):
    return lambda: getattr(eagre, op)(*args, **kwargs), kind, [f"{op}()", *words]


def refused(op, dtype, *more, kind=eagre.UnimplementedError):
    given = tensor(3, dtype=dtype)
    return refused_call(op, given, *more, kind=kind, words=[np.dtype(dtype).name])


def dim_out_of_range(name):
    return (
        lambda: getattr(eagre, name)(tensor(2, 3), 2),
        eagre.IndexOutOfRangeError,
        [f"{name}()", "'dim'", "range of [-2, 1]"],
    )


def refuses_integers(name, *more):
    return (
        lambda: getattr(eagre, name)(tensor(2, 3, dtype=np.int64), *more),
        eagre.UnimplementedError,
        [f"{name}()", "int64"],
    )


def does_not_broadcast(op):
    return (
        lambda: getattr(eagre, op)(tensor(4), tensor(3)),
        eagre.InvalidArgumentError,
        [f"{op}()", "[4]", "[3]"],
    )


def complex_numbers(*shape):
    return tensor(*shape, dtype=np.complex64)


def mask_of(*shape):
    return tensor(*shape, dtype=np.bool_)
