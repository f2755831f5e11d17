"""What is said when tensors of two libraries meet in one call."""

# Where PyTorch's functions are found, for those that say otherwise.
_PLACES = {
    "torch._C._linalg": "torch.linalg",
    "torch._C._nn": "torch.nn.functional",
    "torch._C._special": "torch.special",
    "torch._C": "torch",
    "torch.functional": "torch",
}


def foreign_tensor(function, tensor):
    """One of our functions got `tensor`, whose class handed the call back."""
    kind = type(tensor)
    message = (
        f"{_own_name(function)}: expected an eagre.Tensor, but got a "
        f"{kind.__module__}.{kind.__qualname__}"
    )
    if hasattr(kind, "__dlpack__"):
        return (
            f"{message}, a tensor of another library. Hint: eagre.from_dlpack(tensor) makes a "
            "tensor on the same memory"
        )
    return (
        f"{message}, whose __torch_function__ calls the function again with the same arguments. "
        "Hint: return NotImplemented there for what it does not take over"
    )


def foreign_function(function):
    """A function of another library got one of our tensors, and asked about itself again."""
    place, name = _place(function)
    library, _, rest = place.partition(".")
    ours = f"eagre.{rest}" if rest else "eagre"
    hint = f"{library}.from_dlpack(tensor) makes one of its tensors on the same memory"
    if rest != "Tensor":
        hint = f"the program imports {place}; let it import {ours} instead. Or {hint}"
    return f"{place}.{name}(): got an eagre.Tensor, which {library} does not know. Hint: {hint}"


def _own_name(function):
    name = getattr(function, "__name__", "call")
    if name in ("__get__", "__set__", "__delete__"):  # of a property
        return f"Tensor.{function.__self__.__name__}"
    return f"Tensor.{name}()" if hasattr(function, "__objclass__") else f"{name}()"


def _place(function):
    """Where a function of another library is found, and its name there."""
    name = getattr(function, "__name__", repr(function))
    owner = getattr(function, "__objclass__", None)
    if owner is not None:
        module = owner.__module__
        return f"{_PLACES.get(module, module)}.Tensor", name
    module = getattr(function, "__module__", None) or "another library"
    place = _PLACES.get(module, module)
    return place, name.removeprefix(place.rpartition(".")[2] + "_")
