"""Operators of Python 2, which tensors of PyTorch still have by name."""


def divide(self, other):
    """`self / other`."""
    return self / other


def divide_reflected(self, other):
    """`other / self`."""
    return other / self


def divide_in_place(self, other):
    """Divides the elements by `other`."""
    self /= other
    return self


def as_bool(self):
    """The one element as a bool."""
    return bool(self)


def as_int(self):
    """The one element as an int."""
    return int(self)
