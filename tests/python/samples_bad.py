"""Mistakes that many operators refuse alike: what is no tensor, an `out=` that cannot hold the
result, a memory format that does not fit."""

import numpy as np
from samples import _t

import eagre

ANYTHING = ("isnan", "isinf", "isfinite", "logical_not", "conj", "real")
IN_FLOATS = (
    *("reciprocal", "sqrt", "rsqrt", "exp", "expm1", "log", "log2", "log10", "log1p"),
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "sigmoid"),
)
LIKE = ("empty_like", "zeros_like", "ones_like", "full_like")


def _number(op):
    return (
        lambda: getattr(eagre, op)(1.0),
        eagre.DTypeError,
        [f"{op}()", "'input'", "a Tensor", "float"],
    )


def _integer_out(op):
    return (
        lambda: getattr(eagre, op)(_t(2), out=_t(2, dtype=np.int64)),
        eagre.InvalidArgumentError,
        [f"{op}()", "float32", "int64", "'out'"],
    )


def _memory_format(op):
    more = (1,) if op == "full_like" else ()
    return (
        lambda: getattr(eagre, op)(_t(2), *more, memory_format=eagre.channels_last),
        eagre.InvalidArgumentError,
        [f"{op}()", "'memory_format'", "[2]"],
    )


def _other_shape(op, named):
    return (
        lambda: getattr(_t(2), op)(_t(3)),
        eagre.InvalidArgumentError,
        [f"{named}()", "[3]"],
    )


def _complex_input(op):
    return (
        lambda: getattr(eagre, op)(_t(2, dtype=np.complex64)),
        eagre.UnimplementedError,
        [f"{op}()", "complex64"],
    )


BAD = {
    **{(op, "not_a_tensor"): _number(op) for op in ANYTHING},
    **{(op, "integer_out"): _integer_out(op) for op in (*IN_FLOATS, "sgn", "square")},
    **{(op, "memory_format_does_not_fit"): _memory_format(op) for op in LIKE},
    **{(op, "complex_input"): _complex_input(op) for op in ("sign", "erf")},
    ("expand_as", "shape_does_not_fit"): _other_shape("expand_as", "expand"),
    ("view_as", "shape_does_not_fit"): _other_shape("view_as", "view"),
    ("reshape_as", "shape_does_not_fit"): _other_shape("reshape_as", "reshape"),
    ("full_like", "too_large"): (
        lambda: eagre.full_like(_t(2, dtype=np.uint8), 300),
        eagre.InvalidArgumentError,
        ["'value'", "uint8", "300"],
    ),
    ("true_divide", "shapes_do_not_broadcast"): (
        lambda: eagre.true_divide(_t(4), _t(3)),
        eagre.InvalidArgumentError,
        ["[4]", "[3]"],
    ),
    ("pow_number", "bools"): (
        lambda: eagre.pow(True, _t(2, dtype=np.bool_)),
        eagre.UnimplementedError,
        ["pow()", "bool"],
    ),
    ("clone", "not_a_tensor"): (
        lambda: eagre.clone(3),
        eagre.DTypeError,
        ["clone()", "int"],
    ),
    ("nonzero", "not_a_tensor"): (
        lambda: eagre.nonzero([1]),
        eagre.DTypeError,
        ["nonzero()", "list"],
    ),
    ("nonzero_tuple", "as_tuple"): (
        lambda: eagre.nonzero(_t(2), as_tuple=1),
        eagre.DTypeError,
        ["nonzero()", "as_tuple=int"],
    ),
    ("squeeze_all", "not_a_tensor"): (
        lambda: eagre.squeeze([1]),
        eagre.DTypeError,
        ["squeeze()", "list"],
    ),
    ("zero", "expanded"): (
        lambda: eagre.zeros(1).expand(3).zero_(),
        eagre.InvalidArgumentError,
        ["share one place in memory", "clone()"],
    ),
    ("where_method", "condition"): (
        lambda: _t(2).where(_t(2), 0),
        eagre.DTypeError,
        ["where()", "'condition'", "bool", "float32"],
    ),
}
