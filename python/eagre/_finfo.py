"""finfo and iinfo: what the numbers of a dtype can be."""

import eagre

# Bits of the exponent and of the stored fraction.
_FLOATS = {
    eagre.float8_e4m3fn: (4, 3),
    eagre.float8_e5m2: (5, 2),
    eagre.float16: (5, 10),
    eagre.bfloat16: (8, 7),
    eagre.float32: (8, 23),
    eagre.float64: (11, 52),
}
_PARTS = {
    eagre.complex32: eagre.float16,
    eagre.complex64: eagre.float32,
    eagre.complex128: eagre.float64,
}
_INTEGERS = (
    eagre.uint8, eagre.int8, eagre.int16, eagre.int32, eagre.int64,
    eagre.uint16, eagre.uint32, eagre.uint64,
)  # fmt: skip


class finfo:  # noqa: N801  PyTorch's name
    """The limits of a floating-point dtype; of a complex one, those of its parts."""

    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, type=None) -> None:
        type = eagre.get_default_dtype() if type is None else _as_dtype(type, "finfo")
        part = _PARTS.get(type, type)
        if part not in _FLOATS:
            raise TypeError(
                "eagre.finfo() requires a floating point input type. Use eagre.iinfo to handle "
                f"'{type}'"
            )
        exponent, fraction = _FLOATS[part]
        top = 2 ** (exponent - 1) - 1
        self.bits = part.itemsize * 8
        self.dtype = str(part).removeprefix("eagre.")
        self.eps = 2.0**-fraction
        self.max = (2.0 - self.eps) * 2.0**top
        if part is eagre.float8_e4m3fn:  # numbers, not infinity, have the largest exponent, but one
            self.max = (2.0 - 2 * self.eps) * 2.0 ** (top + 1)
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** (1 - top)
        # The last decimal digit that is always right.
        self.resolution = 10.0 ** -int(fraction * 0.30102999566398120)

    def __repr__(self):
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, "
            f"dtype={self.dtype})"
        )

    def __eq__(self, other):
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


class iinfo:  # noqa: N801
    """The limits of an integer dtype."""

    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, type) -> None:
        type = _as_dtype(type, "iinfo")
        if type not in _INTEGERS:
            raise TypeError(
                f"eagre.iinfo() requires an integer input type. Use eagre.finfo to handle '{type}'"
            )
        self.bits = type.itemsize * 8
        self.dtype = str(type).removeprefix("eagre.")
        self.min = -(2 ** (self.bits - 1)) if type.is_signed else 0
        self.max = 2 ** (self.bits - type.is_signed) - 1

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

    def __eq__(self, other):
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self):
        return hash(self.dtype)


def _as_dtype(type, function):
    if not isinstance(type, eagre.dtype):
        raise TypeError(f"{function}(): argument 'type' must be an eagre.dtype, not {type!r}")
    return type
