"""The functions that a pickle may call when it is read without running its code. They check what
they get: nothing they make is larger than what the file holds."""

import copyreg
import math
from collections import Counter, OrderedDict

import eagre
from eagre._files import allowed, rebuild
from eagre._files.pickle_keys import check_key


def _expect(condition, what):
    if not condition:
        raise TypeError(f"{what} expected")


def _set(reader, values=()):
    _expect(type(values) is list or type(values) is tuple, "a list was")
    reader.spend(8 * len(values))
    for value in values:
        check_key(value)
    return set(values)


def _encode(reader, text, encoding="utf-8"):
    _expect(type(text) is str and encoding in ("latin1", "utf-8"), "text in latin1 was")
    reader.spend(len(text))
    return text.encode(encoding)


def _bytearray(reader, content=b"", encoding="latin1"):
    _expect(type(content) in (bytes, str), "bytes were")
    reader.spend(len(content))
    return bytearray(content if type(content) is bytes else _encode(reader, content, encoding))


def _complex(reader, real, imaginary):
    _expect(type(real) in (int, float) and type(imaginary) in (int, float), "two numbers were")
    return complex(real, imaginary)


def _pairs(reader, values):
    _expect(type(values) in (list, tuple), "a list of pairs was")
    reader.spend(8 * len(values))
    for pair in values:
        _expect(type(pair) in (list, tuple) and len(pair) == 2, "a list of pairs was")
        check_key(pair[0])
    return values


def _ordered(reader, values=()):
    return OrderedDict(_pairs(reader, values))


def _counter(reader, counts=None):
    counts = {} if counts is None else counts
    _expect(type(counts) is dict, "a dict was")
    reader.spend(8 * len(counts))
    return Counter(counts)


def _size(reader, sizes):
    _expect(isinstance(sizes, (tuple, list)), "sizes were")
    reader.spend(8 * len(sizes))
    return eagre.Size(sizes)


def _device(reader, kind, index=None):
    _expect(type(kind) is str and (index is None or type(index) is int), "a device was")
    return eagre.device(kind) if index is None else eagre.device(kind, index)


def _layout(reader, name):
    _expect(type(name) is str, "the name of a layout was")
    return rebuild.layout(name)


def _check_geometry(reader, size, stride):
    for numbers in (size, stride):
        _expect(isinstance(numbers, (tuple, list)), "sizes and strides were")
        _expect(all(type(each) is int for each in numbers), "sizes and strides were")
    _expect(len(size) <= 64 and math.prod(size) < 2**63, "sizes with a product of 64 bits were")
    reader.spend(16 * len(size))


def _tensor(function):
    def guard(reader, storage, offset, size, stride, *rest):
        _check_geometry(reader, size, stride)
        _expect(type(offset) is int and len(rest) <= 4, "an offset was")
        _expect(not rest or type(rest[0]) is bool, "requires_grad was")
        metadata = next((each for each in reversed(rest) if type(each) is dict), None)
        if metadata:  # the values will be copied
            reader.spend(16 * math.prod(size))
        return function(storage, offset, size, stride, *rest)

    return guard


def _meta_tensor(reader, dtype, size, stride, requires_grad):
    _check_geometry(reader, size, stride)
    return rebuild.meta_tensor(dtype, size, stride, requires_grad)


def _parameter(reader, data, requires_grad=True, hooks=None):
    _expect(isinstance(data, eagre.Tensor) and type(requires_grad) is bool, "a tensor was")
    return rebuild.parameter(data, requires_grad)


def _parameter_with_state(reader, data, requires_grad, hooks, state):
    made = _parameter(reader, data, requires_grad)
    set_state(reader, made, state)
    return made


def _tensor_of_class(reader, function, cls, arguments, state):
    guard = GUARDS.get(id(function))
    _expect(guard is not None and type(arguments) is tuple, "a function that makes tensors was")
    _expect(isinstance(cls, type) and issubclass(cls, eagre.Tensor), "a class of tensors was")
    made = guard(reader, *arguments)
    _expect(isinstance(made, eagre.Tensor), "a tensor was")
    if type(made) is not cls:
        made = rebuild.tensor_of_class(lambda: made, cls, (), {})
    set_state(reader, made, state)
    return made


def set_state(reader, target, state):
    """Attributes of a tensor or an OrderedDict. They are put into its dict, past all setters."""
    slots = {}
    if isinstance(state, tuple) and len(state) == 2 and isinstance(target, eagre.Tensor):
        state, slots = state
    state = {} if state is None else state
    _expect(isinstance(state, dict) and isinstance(slots, dict), "a dict of attributes was")
    _expect(all(type(name) is str for name in state), "names of attributes were")
    reader.spend(32 * len(state))
    kind = type(target)
    if _has_own_setter(kind):
        target.__setstate__((state, slots) if slots else state)  # of a class that users allow
        return
    for name in state:
        _expect(
            not hasattr(OrderedDict, name) or kind is not OrderedDict, f"no name like {name} was"
        )
    target.__dict__.update(state)
    known = copyreg._slotnames(kind) if slots else ()
    for name, value in slots.items():
        _expect(name in known, f"no name like {name} was")
        setattr(target, name, value)


def _has_own_setter(kind):
    return issubclass(kind, eagre.Tensor) and kind.__setstate__ is not eagre.Tensor.__setstate__


_BY_PATH = {
    ("torch._utils", "_rebuild_tensor"): _tensor(rebuild.old_tensor),
    ("torch._utils", "_rebuild_tensor_v2"): _tensor(rebuild.tensor),
    ("torch._utils", "_rebuild_tensor_v3"): _tensor(rebuild.tensor_of_dtype),
    ("torch._utils", "_rebuild_meta_tensor_no_storage"): _meta_tensor,
    ("torch._utils", "_rebuild_parameter"): _parameter,
    ("torch._utils", "_rebuild_parameter_with_state"): _parameter_with_state,
    ("torch._tensor", "_rebuild_from_type_v2"): _tensor_of_class,
    ("torch.serialization", "_get_layout"): _layout,
    ("torch", "Size"): _size,
    ("torch", "device"): _device,
    ("collections", "OrderedDict"): _ordered,
    ("builtins", "set"): _set,
    ("builtins", "bytearray"): _bytearray,
    ("builtins", "complex"): _complex,
    ("_codecs", "encode"): _encode,
    ("collections", "Counter"): _counter,
}


# By identity: what is called may be anything, and not all of that can be hashed.
GUARDS = {id(allowed.find(*path)): guard for path, guard in _BY_PATH.items()}
