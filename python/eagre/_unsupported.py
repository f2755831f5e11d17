"""Names of PyTorch that are not there, and why; docs/coming-from-pytorch.md shows the table.

The reason is given however a name is asked for: as an attribute, or by an import of any form."""

import sys

_SPARSE = "there are no sparse tensors"
_AUTOCAST = "the automatic choice of precision (amp) is not there yet"
_COMPILER = "there is no compiler: operators run as they are called"
_SPECTRUM = "eigenvalues, singular values and what is made of them are not there yet"
_REFLECTIONS = "reflections by themselves are not there yet; eagre.linalg.qr gives Q and R"
_NO_LONGER = "PyTorch has it no more; eagre.linalg has its successor"
_BEHIND = "eagre.nn.functional has the functions that it is behind"
_FEW = "not there yet; docs/operators.md lists the functions that are"

_FOURIER = "Fourier transforms are not there yet"
_KERNELS = (
    "there is no dispatch below autograd; docs/custom-operators.md shows how to add operators"
)
_NESTED = "there are no nested tensors"
_QUANTIZED = "there are no quantized tensors"
_DEVICES = "there are the CPU, meta and devices of plug-ins, which eagre.accelerator speaks of"
_TOOLS = "tools around programs are not there yet"

# Functions; those of the same name that Tensor lacks say the same.
_OPERATORS = {
    _SPECTRUM: "eig lobpcg lstsq matrix_rank pca_lowrank pinverse svd svd_lowrank symeig",
    _REFLECTIONS: "geqrf orgqr ormqr",
    _NO_LONGER: "solve",
    _FEW: "as_strided_scatter bartlett_window blackman_window cond frobenius_norm "
    "hamming_window hann_window kaiser_window nuclear_norm segment_reduce "
    "while_loop",
    _BEHIND: "adaptive_max_pool1d embedding_renorm_ native_batch_norm native_group_norm "
    "native_layer_norm",
    _FOURIER: "istft stft",
    _SPARSE: "coalesce dense_dim indices is_coalesced smm sparse_dim sparse_mask spmm sspaddmm "
    "to_sparse_coo to_sparse_csc to_sparse_csr values",
    _QUANTIZED: "dequantize int_repr q_scale q_zero_point quantize_per_channel quantize_per_tensor",
}

_OTHERS = {
    _AUTOCAST: "GradScaler amp autocast",
    "computing on several machines is not there yet": "distributed",
    "probability distributions are not there yet": "distributions",
    _COMPILER: "export fx jit",
    _FOURIER: "fft",
    "there are no calls that run on": "futures",
    "there is no collection of models": "hub",
    _KERNELS: "library",
    "there are no masked tensors": "masked",
    _DEVICES: "mps mtia xpu",
    _NESTED: "nested",
    "graphs are not exported yet": "onnx",
    "the profiler is not there yet": "profiler",
    _QUANTIZED: "ao quantization",
    "functions of signals are not there yet": "signal",
    _SPARSE: "sparse sparse_coo_tensor sparse_csr_tensor",
    _TOOLS: "monitor package",
    "the points of Sobol sequences follow a published table, which is not here": "quasirandom",
}

REASONS = {
    name: why
    for table in (_OPERATORS, _OTHERS)
    for why, names in table.items()
    for name in names.split()
}

# As methods of Tensor they are lazy ones (_lazy_names.py) that never come: a __getattr__ would make
# every access to an attribute slower.
METHODS = frozenset(name for names in _OPERATORS.values() for name in names.split())

# Of Tensor and of modules. A star stands for any letters; the first pattern that fits counts.
ATTRIBUTES = {
    "Tensor._indices": _SPARSE,
    "cuda.amp": _AUTOCAST,
    "linalg.householder_product": _REFLECTIONS,
    "linalg.ldl_*": "factorizations of indefinite matrices are not there yet; linalg.lu_factor is",
    "linalg.*": _SPECTRUM,
    "nn.intrinsic": _QUANTIZED,
    "nn.qat": _QUANTIZED,
    "nn.quantizable": _QUANTIZED,
    "nn.quantized": _QUANTIZED,
    "nn.parallel.*": "computing on several devices is not there yet",
    "nn.attention.*": "scaled_dot_product_attention has one way, and masks are tensors",
    "nn.functional.*": _FEW,
    "optim.SparseAdam": _SPARSE,
    "utils.benchmark": _TOOLS,
    "utils.bottleneck": _TOOLS,
    "utils.cpp_extension": _KERNELS,
    "utils.tensorboard": "logs for TensorBoard are not there yet",
}


def reason(path):
    """Why `path`, a name below eagre like "nn.Linear", is not there; None of other names."""
    if path.rpartition(".")[2].startswith("_") and path not in ATTRIBUTES:
        return None  # tools ask for private names
    if path in REASONS:
        return REASONS[path]
    from fnmatch import fnmatchcase

    return next((why for known, why in ATTRIBUTES.items() if fnmatchcase(path, known)), None)


def error(module, name):
    """What to raise from __getattr__ of `module`: an AttributeError, or where an import asks for
    the name, the ImportError that Python would raise, with the reason."""
    why = reason(f"{module}.{name}".removeprefix("eagre."))
    message = f"module {module!r} has no attribute {name!r}"
    if why is None:
        return AttributeError(message, name=name, obj=sys.modules[module])
    if _is_imported_from(sys._getframe(2)):
        return ImportError(f"cannot import name {name!r} from {module!r}: {why}", name=module)
    # Without the module, among whose names Python would guess another.
    return AttributeError(f"{message}: {why}", name=name, obj=None)


def __getattr__(name):
    """What a method of Tensor that is not there is: "Tensor.svd" is no attribute of a module."""
    owner, _, method = name.partition(".")
    if owner != "Tensor":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    message = f"'Tensor' object has no attribute {method!r}: {REASONS[method]}"
    raise AttributeError(message, name=method, obj=None)


def names_of_tensor(self):
    """What dir() lists: not what is only there to say that it is not."""
    return [name for name in object.__dir__(self) if name not in METHODS or hasattr(self, name)]


def names_of_class(cls):
    """The same of Tensor and of classes that derive from it."""
    return [name for name in type.__dir__(cls) if name not in METHODS or hasattr(cls, name)]


def _is_imported_from(frame):
    """Does it run `from module import name`? Python would replace an AttributeError there."""
    from opcode import opmap

    return frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]


def explained(module):
    """A __getattr__ for `module`, whose names are all there from the start."""

    def refuse(name):
        raise error(module, name)

    return refuse


class AbsentModules:
    """The last that Python asks for a module: gives the reason for those of eagre. Of a program
    that imports from PyTorch, where there is none, it says what to import."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        # Who only asks whether there is a module gets the answer of all other finders.
        if name == "torch" and sys._getframe(2).f_code.co_name == "_find_and_load_unlocked":
            raise ModuleNotFoundError(
                "No module named 'torch'. Where `import eagre as torch` stands, submodules are "
                "imported from eagre too: `import eagre.nn.functional as F`",
                name=name,
            )
        why = reason(name.removeprefix("eagre.")) if name.startswith("eagre.") else None
        if why is not None:
            # Without its `name`: `from eagre import optim` would go on to an error without reason.
            raise ModuleNotFoundError(f"No module named {name!r}: {why}")
