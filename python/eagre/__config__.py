"""How this copy of the library was built, and what it computes with."""

import sys

import eagre
from eagre import _C


def show():
    """A few lines of text for reports about problems."""
    lines = [
        f"Eagre {eagre.__version__}",
        f"  - Python {sys.version.split()[0]} on {sys.platform}",
        f"  - kernels for the CPU: {_C._cpu_isa()}",
        f"  - products of matrices: {_blas()}",
        f"  - threads: {eagre.get_num_threads()}",
        "  - CUDA: none",
    ]
    return "\n".join(lines)


def parallel_info():
    """How many threads an operator may use."""
    return f"threads of an operator: {eagre.get_num_threads()}\nthreads between operators: 1"


def _blas():
    name = eagre.get_flags("blas")["blas"]
    return "our own" if name in ("", "auto", "none") else name
