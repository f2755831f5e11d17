"""Comparisons of whole tensors, and tests of their elements, made of other operators."""

import eagre
from eagre.out_argument import with_out


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Where |input - other| <= atol + rtol * |other|; infinities are close to themselves only."""
    for name, value in (("input", input), ("other", other)):
        if not isinstance(value, eagre.Tensor):
            raise TypeError(
                f"isclose(): argument '{name}' must be a Tensor, but got {type(value).__name__}"
            )
    if input.dtype != other.dtype:
        raise RuntimeError(
            f"isclose(): 'input' and 'other' must have the same dtype, but got {input.dtype} and "
            f"{other.dtype}"
        )
    if rtol < 0 or atol < 0:
        raise RuntimeError(
            f"isclose(): rtol and atol must be at least 0, but got {rtol} and {atol}"
        )
    close = input == other
    if input.is_floating_point() or input.is_complex():
        if equal_nan:
            close = close | (input.isnan() & other.isnan())
    elif input.dtype == eagre.bool:
        return close
    if rtol == 0 and atol == 0:
        return close
    distance = (input - other).abs()
    return close | (distance.isfinite() & (distance <= atol + rtol * other.abs()))


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """True if isclose() holds everywhere."""
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


def equal(input, other):
    """True if shapes and all elements are the same."""
    if input.shape != other.shape:
        return False
    if input.device != other.device:
        raise RuntimeError(
            f"equal(): expected both tensors on one device, but got {input.device} and "
            f"{other.device}"
        )
    return bool((input == other).all())


@with_out
def isposinf(input):
    """Where elements are positive infinity."""
    return input == float("inf")


@with_out
def isneginf(input):
    """Where elements are negative infinity."""
    return input == float("-inf")


def isreal(input):
    """Where elements have no imaginary part."""
    return input.imag == 0 if input.is_complex() else eagre.ones_like(input, dtype=eagre.bool)


@with_out
def isin(elements, test_elements, *, assume_unique=False, invert=False):
    """Where elements are among the test elements."""
    device = (elements if isinstance(elements, eagre.Tensor) else test_elements).device
    elements = eagre.as_tensor(elements, device=device)
    among = eagre.as_tensor(test_elements, device=device).flatten()
    if among.is_floating_point():
        among = among[~among.isnan()]  # which nothing equals
    if elements.is_complex() or among.is_complex():  # which have no order
        found = (elements.unsqueeze(-1) == among).any(-1)
    elif among.numel() == 0:
        found = eagre.zeros_like(elements, dtype=eagre.bool)
    else:
        dtype = eagre.promote_types(elements.dtype, among.dtype)
        dtype = eagre.uint8 if dtype == eagre.bool else dtype
        wanted, ordered = elements.to(dtype), among.to(dtype).sort()[0]
        places = eagre.searchsorted(ordered, wanted).clamp(max=len(ordered) - 1)
        found = ordered.index_select(0, places.flatten()).reshape(wanted.shape) == wanted
    return ~found if invert else found


def count_nonzero(input, dim=None):
    """How many elements are not zero."""
    return (input != 0).sum(dim)


@with_out
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """The tensor with NaN and infinities replaced, these by the largest numbers unless told."""
    return nan_to_num_(input.clone(), nan, posinf, neginf)


def nan_to_num_(self, nan=0.0, posinf=None, neginf=None):
    """nan_to_num() in place."""
    if not self.is_floating_point():
        return self
    limits = eagre.finfo(self.dtype)
    replacements = [
        (self.isnan(), 0.0 if nan is None else nan),
        (isposinf(self), limits.max if posinf is None else posinf),
        (isneginf(self), limits.min if neginf is None else neginf),
    ]
    for where, value in replacements:
        self.masked_fill_(where, value)
    return self


@with_out
def nextafter(input, other):
    """The next floating-point numbers from `input` in the direction of `other`."""
    integers = {2: eagre.int16, 4: eagre.int32, 8: eagre.int64}
    input, other = eagre.broadcast_tensors(input, other)
    dtype = eagre.result_type(input, other)
    input, other = input.detach().to(dtype).contiguous(), other.detach().to(dtype)
    integer = integers[dtype.itemsize]
    # Away from zero the bits grow by one; the first step from zero has the sign of `other`.
    grows = (other > input) == (input > 0)
    stepped = (input.view(integer) + eagre.where(grows, 1, -1).to(integer)).view(dtype)
    smallest = eagre.ones_like(input, dtype=integer).view(dtype)
    from_zero = eagre.where(other > 0, smallest, -smallest)
    stepped = eagre.where(input == 0, from_zero, stepped)
    stepped = eagre.where(input == other, other, stepped)
    return eagre.where(input.isnan() | other.isnan(), float("nan"), stepped).to(dtype)


# --- methods ---


def is_nonzero(input):
    """The truth of the only element."""
    if input.numel() != 1:
        raise RuntimeError(
            f"is_nonzero(): the truth of a tensor with {input.numel()} elements is ambiguous"
        )
    return bool(input)


def is_same_size(input, other):
    """True if the shapes are the same."""
    return input.shape == other.shape


def as_complex(self):
    """complex(self): the only element."""
    return complex(self.item())
