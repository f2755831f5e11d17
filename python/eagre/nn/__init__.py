"""Neural networks."""

from eagre.nn import functional

__all__ = ["functional"]
