"""Tensor types of old code: FloatTensor(2, 3), x.type("torch.LongTensor"), Tensor.new()."""

import builtins

import eagre

_type = builtins.type  # a method below has this name

_DTYPES = {
    "FloatTensor": eagre.float32,
    "DoubleTensor": eagre.float64,
    "HalfTensor": eagre.float16,
    "BFloat16Tensor": eagre.bfloat16,
    "ByteTensor": eagre.uint8,
    "CharTensor": eagre.int8,
    "ShortTensor": eagre.int16,
    "IntTensor": eagre.int32,
    "LongTensor": eagre.int64,
    "BoolTensor": eagre.bool,
    "ComplexFloatTensor": eagre.complex64,
    "ComplexDoubleTensor": eagre.complex128,
    "UInt16Tensor": eagre.uint16,
    "UInt32Tensor": eagre.uint32,
    "UInt64Tensor": eagre.uint64,
}
# These have a name, but as in PyTorch no class.
_NAMES = {dtype: name for name, dtype in _DTYPES.items()} | {
    eagre.float8_e4m3fn: "Float8_e4m3fnTensor",
    eagre.float8_e5m2: "Float8_e5m2Tensor",
    eagre.complex32: "ComplexHalfTensor",
}


class tensortype(_type):  # noqa: N801  PyTorch's name
    """The type of FloatTensor and similar: isinstance() looks at the dtype."""

    def __instancecheck__(cls, value):  # noqa: N805  of a type
        return (
            isinstance(value, eagre.Tensor)
            and value.dtype is cls.dtype
            and value.device.type == "cpu"
        )

    def __call__(cls, *args, device=None):  # noqa: N805  of a type
        return new_tensor_of(cls.__name__, cls.dtype, args, device)

    def __repr__(cls):  # noqa: N805  of a type
        return f"<class 'eagre.{cls.__name__}'>"


def _make(name, dtype):
    doc = f"Tensors of {dtype}: {name}(2, 3) has any values, {name}([1, 2]) these."
    members = {"dtype": dtype, "layout": eagre.strided, "is_cuda": False, "is_sparse": False}
    return tensortype(name, (), members | {"__doc__": doc, "__module__": "eagre", "__slots__": ()})


for _name, _dtype in _DTYPES.items():
    globals()[_name] = _make(_name, _dtype)


def construct(*args, device=None):
    """What Tensor(*args) holds: of the default dtype, or the memory of a tensor of any."""
    if len(args) == 1 and isinstance(args[0], eagre.Tensor):
        _refuse_device("Tensor", device)
        return args[0].detach()
    return new_tensor_of("Tensor", eagre.get_default_dtype(), args, device)


def new_tensor_of(name, dtype, args, device=None):
    """What FloatTensor(*args) makes: sizes, or data, or another tensor of the same dtype."""
    if len(args) == 1 and not isinstance(args[0], (int, eagre.Size)):
        return _from_data(name, dtype, args[0], device)
    sizes = args[0] if len(args) == 1 and isinstance(args[0], eagre.Size) else args or (0,)
    if not all(hasattr(size, "__index__") for size in sizes):
        raise TypeError(f"{name}(): expected sizes, or one sequence of numbers, but got {args}")
    return eagre.empty(tuple(sizes), dtype=dtype, device=device)


def _refuse_device(name, device):
    """What shares the memory of a tensor is where that is."""
    if device is not None:
        raise eagre.InvalidArgumentError(
            f"{name}(): the legacy constructor does not support device= with a Tensor. Hint: "
            "tensor.to(device)"
        )


def _from_data(name, dtype, data, device):
    if isinstance(data, eagre.Tensor):
        if data.dtype is not dtype:
            raise TypeError(f"{name}(): expected a tensor of {dtype}, but got one of {data.dtype}")
        _refuse_device(name, device)
        return data.detach()
    if isinstance(data, (eagre.UntypedStorage, eagre.TypedStorage)):
        return data.as_tensor(dtype)
    if not hasattr(data, "__len__"):
        raise TypeError(f"{name}(): data must be a sequence (got {_type(data).__name__})")
    if hasattr(data, "__array__"):
        return eagre.tensor(data).to(dtype=dtype, device=device)
    # Numbers are converted as by int(): LongTensor([1.5]) holds 1.
    return eagre.tensor(list(data) if isinstance(data, range) else data, device=device).to(dtype)


def dtype_of_type(wanted, function):
    """The dtype of eagre.LongTensor, "torch.LongTensor" or a dtype."""
    if isinstance(wanted, eagre.dtype):
        return wanted
    if isinstance(wanted, tensortype):
        return wanted.dtype
    if wanted is eagre.Tensor:
        return eagre.get_default_dtype()
    if isinstance(wanted, str):
        package, _, name = wanted.rpartition(".")
        if package in ("torch", "eagre") and name in _DTYPES:
            return _DTYPES[name]
        if package in ("torch", "eagre") and name == "Tensor":
            return eagre.get_default_dtype()
        raise ValueError(f"{function}(): invalid type: '{wanted}'")
    raise TypeError(f"{function}(): expected a dtype or a tensor type, but got {wanted!r}")


# --- methods of Tensor ---


def type(self, dtype=None, non_blocking=False):
    """The name of the old tensor type, or with `dtype` (a dtype, such a type, or its name) the
    tensor converted."""
    if dtype is None:
        return f"eagre.{_NAMES[self.dtype]}"
    return self.to(dtype_of_type(dtype, "type"))


def new(self, *args, device=None):
    """A tensor of this dtype and device, from sizes or data."""
    if device is None and not (len(args) == 1 and isinstance(args[0], eagre.Tensor)):
        device = self.device
    return new_tensor_of("new", self.dtype, args, device)
