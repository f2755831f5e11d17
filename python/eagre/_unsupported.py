"""Names of PyTorch that are not there, and why; docs/coming-from-pytorch.md shows the table.

The reason is given however a name is asked for: as an attribute, or by an import of any form."""

import sys

_SPARSE = "there are no sparse tensors"
_SAVING = "files of tensors are not there yet; tensors can be pickled"
_AUTOCAST = "the automatic choice of precision (amp) is not there yet"
_COMPILER = "there is no compiler: operators run as they are called"
_LAYERS = "classes of layers are not there yet; functions of networks are in eagre.nn.functional"
_CONVOLUTION = "convolutions and pooling are not there yet"
_DECOMPOSITION = "decompositions and solvers are not there yet"
_FEW = "not there yet; docs/operators.md lists the functions that are"

REASONS = {
    "GradScaler": _AUTOCAST,
    "amp": _AUTOCAST,
    "autocast": _AUTOCAST,
    "cholesky": _DECOMPOSITION,
    "conv1d": _CONVOLUTION,
    "conv2d": _CONVOLUTION,
    "conv3d": _CONVOLUTION,
    "det": _DECOMPOSITION,
    "distributed": "computing on several machines is not there yet",
    "distributions": "probability distributions are not there yet",
    "export": _COMPILER,
    "fft": "Fourier transforms are not there yet",
    "hub": "there is no collection of models",
    "inverse": _DECOMPOSITION,
    "jit": _COMPILER,
    "load": _SAVING,
    "multiprocessing": "there is no memory that processes share; use Python's multiprocessing",
    "onnx": "graphs are not exported yet",
    "optim": "optimizers are not there yet; update parameters in place under no_grad()",
    "profiler": "the profiler is not there yet",
    "qr": _DECOMPOSITION,
    "save": _SAVING,
    "serialization": _SAVING,
    "smm": _SPARSE,
    "sparse": _SPARSE,
    "sparse_coo_tensor": _SPARSE,
    "spmm": _SPARSE,
    "svd": _DECOMPOSITION,
}

# Of Tensor and of modules. A star stands for any letters; the first pattern that fits counts.
ATTRIBUTES = {
    "Tensor._indices": _SPARSE,
    "cuda.amp": _AUTOCAST,
    "func.functional_call": _LAYERS,
    "linalg.*": "products and norms of vectors are there, other linear algebra not yet",
    "nn.[A-Z]*": _LAYERS,
    "nn.init": "initializations are not there yet; write to parameters under no_grad()",
    "nn.modules": _LAYERS,
    "nn.parallel": "computing on several devices is not there yet",
    "nn.utils": _LAYERS,
    "nn.functional.*conv*": _CONVOLUTION,
    "nn.functional.*pool*": _CONVOLUTION,
    "nn.functional.*": _FEW,
    "special.*": _FEW,
    "utils.data": "loaders of data are not there yet; x[eagre.randperm(len(x))] shuffles rows",
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
