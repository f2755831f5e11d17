"""The CPU: what its kernels were compiled for."""

import eagre


def get_cpu_capability():
    """The instruction set in use: "default", "avx2" or "avx512"."""
    return eagre._C._cpu_level()
