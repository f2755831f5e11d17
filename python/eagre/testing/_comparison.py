"""assert_close: are values, and nested lists and dicts of them, close enough?"""

import math
from collections.abc import Mapping, Sequence

import eagre

# (rtol, atol) by the dtype of floating-point and complex numbers; others must be equal.
_TOLERANCES = {
    eagre.float16: (1e-3, 1e-5),
    eagre.bfloat16: (1.6e-2, 1e-5),
    eagre.float32: (1.3e-6, 1e-5),
    eagre.float64: (1e-7, 1e-7),
    eagre.complex32: (1e-3, 1e-5),
    eagre.complex64: (1.3e-6, 1e-5),
    eagre.complex128: (1e-7, 1e-7),
}
_NUMBERS = (bool, int, float, complex)


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses=True,
    rtol=None,
    atol=None,
    equal_nan=False,
    check_device=True,
    check_dtype=True,
    check_layout=True,
    check_stride=False,
    msg=None,
) -> None:
    """Raises an AssertionError that says how `actual` differs from `expected`, if it does by more
    than `atol + rtol * |expected|`. Without these two the dtype decides."""
    if (rtol is None) != (atol is None):
        raise ValueError(
            "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
            f"{'rtol' if rtol is None else 'atol'}."
        )
    checks = {"device": check_device, "dtype": check_dtype, "stride": check_stride}
    comparison = _Comparison(rtol, atol, equal_nan, checks, allow_subclasses)
    problem = comparison.compare(actual, expected, ())
    if problem is None:
        return
    if callable(msg):
        problem = msg(problem)
    raise AssertionError(problem if msg is None or callable(msg) else msg)


class _Comparison:
    """Each method returns what is wrong, or None."""

    def __init__(self, rtol, atol, equal_nan, checks, allow_subclasses):
        self._rtol, self._atol, self._equal_nan = rtol, atol, equal_nan
        self._checks, self._allow_subclasses = checks, allow_subclasses

    def compare(self, actual, expected, place):
        problem = self._difference(actual, expected, place)
        if problem is None or not place or isinstance(problem, _Placed):
            return problem
        where = "".join(f"[{key!r}]" for key in place)
        return _Placed(f"{problem}\n\nThe failure occurred for item {where}")

    def _difference(self, actual, expected, place):
        if _is_sequence(actual) and _is_sequence(expected):
            if len(actual) != len(expected):
                return f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            return self._each(range(len(actual)), actual, expected, place)
        if isinstance(actual, Mapping) and isinstance(expected, Mapping):
            missing = [key for key in expected if key not in actual]
            additional = [key for key in actual if key not in expected]
            if missing or additional:
                return (
                    "The keys of the mappings do not match:\n"
                    f"Missing keys in the actual mapping: {missing}\n"
                    f"Additional keys in the actual mapping: {additional}"
                )
            return self._each(expected, actual, expected, place)
        if actual is None or expected is None:
            return None if actual is expected else f"None mismatch: {actual} is not {expected}"
        if isinstance(actual, _NUMBERS) and isinstance(expected, _NUMBERS):
            return self._numbers(actual, expected)
        if _is_tensor_like(actual) and _is_tensor_like(expected):
            related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
            if related and (self._allow_subclasses or type(actual) is type(expected)):
                return self._tensors(eagre.as_tensor(actual), eagre.as_tensor(expected))
        raise TypeError(
            f"No comparison pair was able to handle inputs of type {type(actual)} and "
            f"{type(expected)}."
        )

    def _each(self, keys, actual, expected, place):
        for key in keys:
            problem = self.compare(actual[key], expected[key], (*place, key))
            if problem is not None:
                return problem
        return None

    def _tolerances(self, *dtypes):
        if self._rtol is not None:
            return self._rtol, self._atol
        pairs = [_TOLERANCES.get(dtype, (0.0, 0.0)) for dtype in dtypes]
        return max(rtol for rtol, _ in pairs), max(atol for _, atol in pairs)

    def _numbers(self, actual, expected):
        if self._checks["dtype"] and type(actual) is not type(expected):
            return f"The (d)types do not match: {type(actual)} != {type(expected)}."
        kinds = {
            bool: eagre.bool,
            int: eagre.int64,
            float: eagre.float64,
            complex: eagre.complex128,
        }
        rtol, atol = self._tolerances(kinds[type(actual)], kinds[type(expected)])
        distance = abs(actual - expected)
        if actual == expected or (self._equal_nan and actual != actual and expected != expected):
            return None
        if math.isfinite(distance) and distance <= atol + rtol * abs(expected):
            return None
        return _scalar_problem(actual, expected, distance, rtol, atol)

    def _tensors(self, actual, expected):
        problem = self._attributes(actual, expected)
        if problem is not None or actual.device.type == "meta":
            return problem
        rtol, atol = self._tolerances(actual.dtype, expected.dtype)
        actual, expected = _computable(actual), _computable(expected).to(actual.device)
        dtype = eagre.promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(dtype), expected.to(dtype)
        close = eagre.isclose(actual, expected, rtol, atol, self._equal_nan)
        if bool(close.all()):
            return None
        if dtype == eagre.bool:
            actual, expected = actual.to(eagre.int64), expected.to(eagre.int64)
        distance = (actual - expected).abs()
        if actual.dim() == 0:
            return _scalar_problem(actual.item(), expected.item(), distance.item(), rtol, atol)
        return _tensor_problem(close, distance, expected, rtol, atol)

    def _attributes(self, actual, expected):
        pairs = [("shape", actual.shape, expected.shape, True)]
        pairs.append(("device", actual.device, expected.device, self._checks["device"]))
        pairs.append(("dtype", actual.dtype, expected.dtype, self._checks["dtype"]))
        pairs.append(("stride()", actual.stride(), expected.stride(), self._checks["stride"]))
        for name, a, b, checked in pairs:
            if checked and a != b:
                return f"The values for attribute '{name}' do not match: {a} != {b}."
        return None


def _computable(tensor):
    """The values, in a dtype that can be subtracted: float8 cannot."""
    tensor = tensor.detach()
    is_float8 = tensor.is_floating_point() and tensor.element_size() == 1
    return tensor.float() if is_float8 else tensor


class _Placed(str):
    """A problem that says already where it is."""


def _is_sequence(value):
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _is_tensor_like(value):
    return isinstance(value, eagre.Tensor) or hasattr(value, "__array__")


def _allowed(tolerance, exact):
    return "" if exact else f" (up to {tolerance} allowed)"


def _scalar_problem(actual, expected, distance, rtol, atol):
    exact = rtol == 0 and atol == 0
    relative = distance / abs(expected) if expected != 0 else math.inf
    return (
        f"Scalars are not {'equal' if exact else 'close'}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {distance}{_allowed(atol, exact)}\n"
        f"Relative difference: {relative}{_allowed(rtol, exact)}"
    )


def _tensor_problem(close, distance, expected, rtol, atol):
    exact = rtol == 0 and atol == 0
    wrong = int((~close).sum())
    counted = distance if distance.is_floating_point() else distance.to(eagre.int64)
    counted = eagre.where(close, 0, counted)
    relative = counted / expected.abs()
    relative = eagre.where(close, 0.0, relative)
    largest, at = _largest(counted)
    ratio, ratio_at = _largest(relative)
    return (
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n\n"
        f"Mismatched elements: {wrong} / {close.numel()} ({wrong / close.numel():.1%})\n"
        f"Greatest absolute difference: {largest} at index {at}{_allowed(atol, exact)}\n"
        f"Greatest relative difference: {ratio} at index {ratio_at}{_allowed(rtol, exact)}"
    )


def _largest(values):
    place = int(values.flatten().argmax())
    at = []
    for size in reversed(values.shape):
        place, digit = divmod(place, size)
        at.insert(0, digit)
    return values[tuple(at)].item(), tuple(at)
