"""Names of PyTorch that are not there, and why; docs/coming-from-pytorch.md shows the table."""

_SPARSE = "there are no sparse tensors"
_SAVING = "files of tensors are not there yet; tensors can be pickled"
_AUTOCAST = "the automatic choice of precision (amp) is not there yet"

REASONS = {
    "GradScaler": _AUTOCAST,
    "amp": _AUTOCAST,
    "autocast": _AUTOCAST,
    "distributed": "computing on several machines is not there yet",
    "distributions": "probability distributions are not there yet",
    "export": "there is no compiler: operators run as they are called",
    "fft": "Fourier transforms are not there yet",
    "jit": "there is no compiler: operators run as they are called",
    "load": _SAVING,
    "multiprocessing": "there is no memory that processes share; use Python's multiprocessing",
    "onnx": "graphs are not exported yet",
    "optim": "optimizers are not there yet; update parameters in place under no_grad()",
    "save": _SAVING,
    "serialization": _SAVING,
    "smm": _SPARSE,
    "sparse": _SPARSE,
    "sparse_coo_tensor": _SPARSE,
    "spmm": _SPARSE,
}

# Of Tensor and of modules.
ATTRIBUTES = {
    "Tensor._indices": _SPARSE,
    "cuda.amp": _AUTOCAST,
    "func.functional_call": "there are no modules yet",
}


def message(name):
    """What an AttributeError of the package says."""
    reason = REASONS.get(name)
    return f"module 'eagre' has no attribute '{name}'" + (f": {reason}" if reason else "")
