"""Kinds of dtypes, and what may be combined with what: stricter than the rest of eagre."""

import eagre

SIGNED = (eagre.int8, eagre.int16, eagre.int32, eagre.int64)
UNSIGNED = (eagre.uint8, eagre.uint16, eagre.uint32, eagre.uint64)
REAL = (eagre.float32, eagre.float64)
COMPLEX = (eagre.complex64, eagre.complex128)
KINDS = {
    "bool": (eagre.bool,),
    "signed integer": SIGNED,
    "unsigned integer": UNSIGNED,
    "integral": SIGNED + UNSIGNED,
    "real floating": REAL,
    "complex floating": COMPLEX,
    "numeric": SIGNED + UNSIGNED + REAL + COMPLEX,
}
ALL = KINDS["bool"] + KINDS["numeric"]
# What functions accept, by the words of the standard.
ACCEPTED = KINDS | {
    "all": ALL,
    "floating": REAL + COMPLEX,
    "real": SIGNED + UNSIGNED + REAL,
    "integral or bool": KINDS["bool"] + SIGNED + UNSIGNED,
}


def family(dtype):
    for name in ("bool", "integral", "real floating", "complex floating"):
        if dtype in KINDS[name]:
            return name
    raise TypeError(f"array_api: {dtype} is no dtype of the standard")


def check(function, accepted, *arrays):
    """All are tensors of these dtypes."""
    for array in arrays:
        if not isinstance(array, eagre.Tensor):
            raise TypeError(
                f"array_api.{function}(): expected an array, got {type(array).__name__}"
            )
        if array.dtype not in ACCEPTED[accepted]:
            raise TypeError(
                f"array_api.{function}(): only {accepted} dtypes are allowed, got {array.dtype}"
            )


def promoted(function, accepted, x1, x2):
    """Two operands of one dtype: those of different kinds do not mix, and a Python number becomes
    one of the array's kind."""
    if not isinstance(x1, eagre.Tensor) and not isinstance(x2, eagre.Tensor):
        raise TypeError(f"array_api.{function}(): at least one argument must be an array")
    if not isinstance(x1, eagre.Tensor):
        x1 = of_number(function, x1, x2)
    if not isinstance(x2, eagre.Tensor):
        x2 = of_number(function, x2, x1)
    check(function, accepted, x1, x2)
    dtype = result_type(x1.dtype, x2.dtype)
    return x1.to(dtype), x2.to(dtype)


def of_number(function, number, array):
    allowed = {
        "bool": bool,
        "integral": int,
        "real floating": (int, float),
        "complex floating": (int, float, complex),
    }[family(array.dtype)]
    is_bool = isinstance(number, bool)
    if not isinstance(number, allowed) or is_bool != (array.dtype == eagre.bool):
        raise TypeError(
            f"array_api.{function}(): {number!r} cannot be combined with an array of {array.dtype}"
        )
    return eagre.tensor(number, dtype=array.dtype, device=array.device)


def result_type(*arrays_and_dtypes):
    """The dtype of a combination. Python numbers take part where there is an array or a dtype."""
    numbers = [a for a in arrays_and_dtypes if isinstance(a, complex | float | int)]
    others = [a for a in arrays_and_dtypes if not isinstance(a, complex | float | int)]
    dtypes = [a.dtype if isinstance(a, eagre.Tensor) else a for a in others]
    if not dtypes:
        raise ValueError("array_api.result_type(): at least one array or dtype is required")
    result = dtypes[0]
    for dtype in dtypes[1:]:
        result = _combined(result, dtype)
    for number in numbers:
        result = of_number("result_type", number, eagre.empty((), dtype=result)).dtype
    return result


def _combined(first, second):
    kinds = {family(first), family(second)}
    floating = {"real floating", "complex floating"}
    if len(kinds) > 1 and not kinds <= floating:
        raise TypeError(f"array_api: {first} and {second} are of kinds that do not mix")
    if first in UNSIGNED and second in SIGNED or first in SIGNED and second in UNSIGNED:
        unsigned, signed = (first, second) if first in UNSIGNED else (second, first)
        wider = next((s for s in SIGNED if s.itemsize > unsigned.itemsize), None)
        if wider is None:
            raise TypeError(f"array_api: no integer holds both {first} and {second}")
        return max(wider, signed, key=lambda dtype: dtype.itemsize)
    if first in UNSIGNED:
        return max(first, second, key=lambda dtype: dtype.itemsize)
    return eagre.promote_types(first, second)


def can_cast(from_, to, /):
    source = from_.dtype if isinstance(from_, eagre.Tensor) else from_
    try:
        return _combined(source, to) == to
    except TypeError:
        return False


def isdtype(dtype, kind):
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    if isinstance(kind, str):
        if kind not in KINDS:
            raise ValueError(f"array_api.isdtype(): there is no kind {kind!r}")
        return dtype in KINDS[kind]
    return dtype == kind


def astype(x, dtype, /, *, copy=True, device=None):
    check("astype", "all", x)
    if x.dtype in COMPLEX and dtype not in COMPLEX and dtype != eagre.bool:
        raise TypeError(
            f"array_api.astype(): {x.dtype} cannot become {dtype}: use real() or imag()"
        )
    return x.to(dtype=dtype, device=device or x.device, copy=copy)
