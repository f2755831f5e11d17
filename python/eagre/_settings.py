"""Settings of a process that code for PyTorch makes."""

from __future__ import annotations

import warnings

import eagre
from eagre import _C

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

# --- printing ---

_PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": 2**62, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
) -> None:
    """How tensors are printed: digits, elements, width of lines; exponents always
    (`sci_mode=True`), never, or where numbers differ much (None).
    `profile`: "default", "short" or "full"."""
    if profile is not None and profile not in _PROFILES:
        raise ValueError(
            f"set_printoptions(): profile must be one of {list(_PROFILES)}, not {profile!r}"
        )
    chosen = {"precision": precision, "threshold": threshold}
    chosen |= {"edgeitems": edgeitems, "linewidth": linewidth}
    values = dict(_PROFILES[profile]) if profile is not None else {}
    values |= {name: value for name, value in chosen.items() if value is not None}
    flags = {_FLAGS[name]: _whole(name, value) for name, value in values.items()}
    flags["print_scientific"] = {None: "auto", True: "always", False: "never"}[sci_mode]
    _C._set_flags(flags)


_FLAGS = {
    "precision": "print_precision",
    "threshold": "print_threshold",
    "edgeitems": "print_edge_items",
    "linewidth": "print_line_width",
}


def _whole(name, value):
    if value == float("inf"):
        return 2**62
    if not isinstance(value, int):
        raise TypeError(f"set_printoptions(): {name} must be an int, not {type(value).__name__}")
    return value


# --- algorithms ---

_deterministic = {"wanted": False, "warn_only": False}
_matmul_precision = "highest"


def use_deterministic_algorithms(mode, *, warn_only=False) -> None:
    """Asks for the same bits in every run. On the CPU all operators give them anyway."""
    _deterministic["wanted"], _deterministic["warn_only"] = bool(mode), bool(warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """What use_deterministic_algorithms() was told."""
    return _deterministic["wanted"]


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether it was told to warn only."""
    return _deterministic["warn_only"]


def set_deterministic_debug_mode(debug_mode) -> None:
    """0 or "default", 1 or "warn", 2 or "error"."""
    modes = {"default": 0, "warn": 1, "error": 2}
    mode = modes.get(debug_mode, debug_mode)
    if mode not in (0, 1, 2):
        raise RuntimeError(f"set_deterministic_debug_mode(): invalid value {debug_mode!r}")
    use_deterministic_algorithms(mode != 0, warn_only=mode == 1)


def get_deterministic_debug_mode() -> int:
    """0, 1 (warn) or 2 (error)."""
    if not _deterministic["wanted"]:
        return 0
    return 1 if _deterministic["warn_only"] else 2


def set_float32_matmul_precision(precision) -> None:
    """To "highest", "high" or "medium". Products of float32 are the same with each of them."""
    global _matmul_precision
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(
            "set_float32_matmul_precision(): expected 'highest', 'high' or 'medium', got "
            f"{precision!r}"
        )
    _matmul_precision = precision


def get_float32_matmul_precision() -> str:
    """What set_float32_matmul_precision() was told."""
    return _matmul_precision


def set_flush_denormal(mode) -> bool:
    """False: numbers next to zero are kept, and how the CPU computes is not changed."""
    return False


# --- threads, warnings ---


def set_anomaly_enabled(mode, check_nan=True) -> None:
    """Switches anomaly mode, as autograd.set_detect_anomaly() does."""
    eagre.autograd.set_detect_anomaly(mode, check_nan)


def get_num_interop_threads() -> int:
    """1: an operator starts when the one before it has ended."""
    return 1


def set_num_interop_threads(num) -> None:
    """Accepted; there is nothing to set."""
    if not isinstance(num, int) or not 1 <= num < 2**31:
        raise RuntimeError(f"set_num_interop_threads(): expected a positive int, got {num!r}")


# --- defaults ---


def set_default_tensor_type(t) -> None:
    """The dtype of new tensors, by the name of an old tensor type: eagre.DoubleTensor."""
    from eagre import _legacy_types as legacy_types

    dtype = legacy_types.dtype_of_type(t, "set_default_tensor_type")
    if not dtype.is_floating_point:
        raise TypeError(
            f"set_default_tensor_type(): only floating-point types are supported, not {t}"
        )
    eagre.set_default_dtype(dtype)


# --- compilers that there are none of ---

_said = False


def compile(
    model=None,
    *,
    fullgraph=False,
    dynamic=None,
    backend=None,
    mode=None,
    options=None,
    disable=False,
) -> Any:
    """The function or module itself, unchanged: operators run as they are called. Says so once."""
    global _said
    if not _said and not disable:
        _said = True
        warnings.warn(
            "eagre.compile() returns what it is given: there is no compiler", stacklevel=3
        )
    return (lambda function: function) if model is None else model
