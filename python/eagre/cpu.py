"""Host memory of tensors: statistics, the cache of freed blocks, and a limit.

Tensors of a few hundred bytes live inside their own objects and are not counted.
"""

from eagre import _C


def memory_stats():
    """All counters as a dict.

    Bytes that tensors asked for (allocated), that are held from the system (reserved) and, of
    these, kept for later (cached), with their peaks; numbers of allocations, frees, cache hits and
    refusals (out_of_memory).
    """
    return _C._memory_stats()


def memory_allocated():
    """The bytes that tensors use now."""
    return memory_stats()["allocated"]


def max_memory_allocated():
    """The most bytes that tensors used since the start or the last reset."""
    return memory_stats()["peak_allocated"]


def memory_reserved():
    """The bytes that are held from the system: in use, or cached for the next tensors."""
    return memory_stats()["reserved"]


def max_memory_reserved():
    """The most bytes held from the system since the start or the last reset."""
    return memory_stats()["peak_reserved"]


def reset_peak_memory_stats():
    """Lets the peaks start again from what is in use now."""
    _C._reset_peak_memory_stats()


def empty_cache():
    """Gives cached memory back to the system."""
    _C._empty_cache()


def set_memory_limit(bytes):
    """Bounds tensors and cache together; beyond it is OutOfMemoryError. None: no limit."""
    _C._set_memory_limit(bytes)
