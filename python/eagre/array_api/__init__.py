"""The array API standard, version 2025.12: what libraries that work with any array ask for.

Stricter than the rest of eagre: dtypes of different kinds do not mix, and arguments have the names
and places that the standard gives them. Arrays are tensors; of the array object, `size` is a method
as in PyTorch, and `linalg` and `fft` are not there.
"""

from math import e, inf, nan, pi

from eagre._C import (
    bool,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from eagre.array_api import _creation, _elementwise, _manipulation, _reductions
from eagre.array_api._creation import *  # noqa: F403
from eagre.array_api._dtypes import astype, can_cast, isdtype, result_type
from eagre.array_api._elementwise import *  # noqa: F403
from eagre.array_api._info import __array_namespace_info__, finfo, iinfo
from eagre.array_api._manipulation import *  # noqa: F403
from eagre.array_api._reductions import *  # noqa: F403

__array_api_version__ = "2025.12"
newaxis = None
__all__ = [
    *_creation.__all__,
    *_elementwise.__all__,
    *_manipulation.__all__,
    *_reductions.__all__,
    "__array_api_version__",
    "__array_namespace_info__",
    "astype",
    "bool",
    "can_cast",
    "complex128",
    "complex64",
    "e",
    "finfo",
    "float32",
    "float64",
    "iinfo",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "isdtype",
    "nan",
    "newaxis",
    "pi",
    "result_type",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
]


def namespace_of(array, api_version=None):
    """The method __array_namespace__ of tensors."""
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"__array_namespace__(): there is no version {api_version!r}")
    import eagre.array_api

    return eagre.array_api


def to_device(array, device, /, *, stream=None):
    """The method of tensors: the same array on another device."""
    if stream is not None:
        raise ValueError("to_device(): streams are not supported here. Hint: eagre.stream()")
    return array.to(device)
