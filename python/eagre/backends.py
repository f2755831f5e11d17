"""Which libraries compute, as code for PyTorch asks: none of PyTorch's.

A backend is a module with the switches and functions of a table below. Those that are not there
have switches that can be set, and change nothing.
"""

import contextlib as _contextlib
import sys as _sys
import types as _types
from importlib.machinery import ModuleSpec as _ModuleSpec

from eagre import _C

__path__ = []  # so that `import eagre.backends.cudnn` looks for it here


class _Backend(_types.ModuleType):
    """A module whose `switches` are attributes of fixed names; others are unknown."""

    def __init__(self, name, doc, switches, functions):
        super().__init__(f"{__name__}.{name}", doc)
        self.__dict__.update(switches, **functions)
        self.__dict__["_switches"] = switches
        self.__spec__ = _ModuleSpec(self.__name__, None)

    def __setattr__(self, name, value):
        if not name.startswith("__") and name not in self._switches:
            raise AttributeError(
                f"{self.__name__} has no setting '{name}'; they are: {list(self._switches)}"
            )
        super().__setattr__(name, value)


def _no(*args):
    return False


def _nothing(*args):
    return None


def _switched(name, value):
    """A pair of functions: one that asks, one that sets."""
    state = [value]

    def enable(enabled):
        state[0] = bool(enabled)

    return {f"{name}_enabled": lambda: state[0], f"enable_{name}": enable}


def _flags(backend, names):
    """The context manager `flags` of a backend: its switches have other values within."""

    @_contextlib.contextmanager
    def flags(*args, **kwargs):
        given = dict(zip(names, args, strict=False)) | kwargs
        module = globals()[backend]
        before = {name: getattr(module, name) for name in given}
        try:
            for name, value in given.items():
                setattr(module, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(module, name, value)

    return {"flags": flags}


def _get_cpu_capability():
    """The instruction set in use, in PyTorch's words: "DEFAULT", "AVX2" or "AVX512"."""
    return {"baseline": "DEFAULT", "avx2": "AVX2"}.get(_C._cpu_isa(), "AVX512")


_MATMUL = {
    "allow_tf32": False,
    "allow_fp16_reduced_precision_reduction": False,
    "allow_bf16_reduced_precision_reduction": False,
    "fp32_precision": "none",
}
_SWITCHES = {
    "cudnn": {
        "enabled": False,
        "benchmark": False,
        "benchmark_limit": 10,
        "deterministic": False,
        "allow_tf32": False,
        "fp32_precision": "none",
        "depthwise_kernel": "auto",
    },
    "miopen": {"immediate": False},
    "mkldnn": {
        "enabled": False,
        "deterministic": False,
        "allow_tf32": False,
        "fp32_precision": "none",
    },
    "opt_einsum": {"enabled": False, "strategy": None},
    "quantized": {"engine": "none", "supported_engines": ["none"]},
}
_FUNCTIONS = {
    "cpu": {"get_cpu_capability": _get_cpu_capability},
    "cuda": {
        "is_built": _no,
        "matmul": _Backend("cuda.matmul", "Products of matrices on a GPU: not there.", _MATMUL, {}),
        **_switched("flash_sdp", False),
        **_switched("mem_efficient_sdp", False),
        **_switched("math_sdp", True),
    },
    "cudnn": {
        "is_available": _no,
        "version": _nothing,
        "is_acceptable": _no,
        **_flags("cudnn", [*_SWITCHES["cudnn"]]),
    },
    "mha": {"get_fastpath_enabled": _no, "set_fastpath_enabled": _nothing},
    "miopen": _flags("miopen", ["immediate"]),
    "mkl": {"is_available": _no},
    "mkldnn": {"is_available": _no, **_flags("mkldnn", [*_SWITCHES["mkldnn"]])},
    "mps": {"is_available": _no, "is_built": _no},
    "openmp": {"is_available": _no},
    "opt_einsum": {"is_available": _no, "get_opt_einsum": _nothing},
}
_DOCS = {
    "cpu": "The CPU: what its kernels were compiled for.",
    "cuda": "CUDA: not there. The switches of code for GPUs can be set, and change nothing.",
    "cudnn": "cuDNN: not there. The switches of code for GPUs can be set, and change nothing.",
    "mha": "A fast path of multi-head attention: not there.",
    "miopen": "MIOpen: not there. The switches of code for GPUs can be set, and change nothing.",
    "mkl": "Intel's MKL: not there. The flag `blas` names a library for large products.",
    "mkldnn": "oneDNN: not there.",
    "mps": "Apple's GPUs: not there.",
    "openmp": "OpenMP: not there; threads are our own.",
    "opt_einsum": "opt_einsum: not there; einsum() goes from left to right.",
    "quantized": "Quantized tensors: not there.",
}

__all__ = [*_DOCS]  # noqa: PLE0604
for _name, _doc in _DOCS.items():
    globals()[_name] = _sys.modules[f"{__name__}.{_name}"] = _Backend(
        _name, _doc, _SWITCHES.get(_name, {}), _FUNCTIONS.get(_name, {})
    )
