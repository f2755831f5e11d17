"""The classes of storages that PyTorch's files name, one for each of the older dtypes. Newer dtypes
are named beside the tensor, whose storage is then one of bytes."""

import eagre

_DTYPES = {
    "Float": eagre.float32,
    "Double": eagre.float64,
    "Half": eagre.float16,
    "BFloat16": eagre.bfloat16,
    "Byte": eagre.uint8,
    "Char": eagre.int8,
    "Short": eagre.int16,
    "Int": eagre.int32,
    "Long": eagre.int64,
    "Bool": eagre.bool,
    "ComplexFloat": eagre.complex64,
    "ComplexDouble": eagre.complex128,
}


class StorageType:
    """A class of storages by its name in files; `dtype` is None of storages of bytes."""

    def __init__(self, module, name, dtype):
        self.path = (module, name)
        self.dtype = dtype
        self.itemsize = 1 if dtype is None else dtype.itemsize


UNTYPED = StorageType("torch.storage", "UntypedStorage", None)
BY_DTYPE = {dtype: StorageType("torch", f"{name}Storage", dtype) for name, dtype in _DTYPES.items()}
BY_NAME = {each.path: each for each in (UNTYPED, *BY_DTYPE.values())} | {
    ("torch.cuda", each.path[1]): each for each in BY_DTYPE.values()
}


def of(dtype):
    """The class for tensors of a dtype."""
    return BY_DTYPE.get(dtype, UNTYPED)
