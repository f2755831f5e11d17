"""What the tests of files save: of every kind that files can hold. `torch` is either library."""

from collections import Counter, OrderedDict

DTYPES = [
    "float32", "float64", "float16", "bfloat16", "uint8", "int8", "int16", "int32", "int64", "bool",
    "complex64", "complex128", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2",
    "complex32",
]  # fmt: skip
PLAIN = [
    1, -1, 300, 70000, 2**40, -(2**100), 1.5, float("inf"), "é", "", b"ab\xff", bytearray(b"q"),
    1 + 2j, {1, 2}, True, False, None, (), (1,), (1, 2, 3, 4), {(1, "a"): [()]},
]  # fmt: skip


def small(torch):
    """A few, for tests that load them often."""
    base = torch.arange(6.0)
    return {
        "views": [base, base[2:].view(2, 2).t()],
        "half": torch.ones(3).to(torch.float8_e5m2),
        "parameter": torch.nn.Parameter(torch.ones(2)),
        "plain": OrderedDict(lr=0.1, betas=(0.9, 0.99), names=["a", "b"], done=None),
    }


def large(torch):
    """All kinds, by name."""
    base = torch.arange(12.0)
    result = {name: torch.arange(5).to(getattr(torch, name)) for name in DTYPES}
    result["views"] = [base, base[2:8].view(2, 3).t(), base[::2], base[3]]
    result["expanded"] = torch.ones(1).expand(3, 2)
    result["empty"] = torch.empty(0, 3)
    result["scalar"] = torch.tensor(3.5)
    result["leaf"] = torch.ones(2, requires_grad=True)
    result["parameter"] = torch.nn.Parameter(torch.ones(2))
    result["frozen"] = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    result["buffer"] = torch.nn.Buffer(torch.ones(2))
    result["meta"] = torch.ones(2, 3, device="meta")
    result["channels"] = torch.ones(1, 2, 3, 4).contiguous(memory_format=torch.channels_last)
    result["conjugate"] = torch.complex(torch.ones(2), torch.ones(2)).conj()
    result["others"] = [torch.Size([1, 2]), torch.bfloat16, torch.device("cpu"), torch.strided]
    result["dicts"] = [OrderedDict(x=1, y=[2, (3,), None]), Counter("aab")]
    result["plain"] = PLAIN
    for name, tensor in (("noted", torch.ones(2)), ("noted_parameter", torch.nn.Parameter(base))):
        tensor.note = ["hello"]
        result[name] = tensor
    model = network(torch)
    result["model"] = model.state_dict()
    result["optimizer"] = stepped(torch, model).state_dict()
    return result


def network(torch):
    """A small one whose weights are the same in both libraries."""
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.arange(parameter.numel()).view(parameter.shape))
    return model


def stepped(torch, model):
    """An optimizer with a state."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=0.5)
    sum(parameter.sum() for parameter in model.parameters()).backward()
    optimizer.step()
    return optimizer


def shown(torch, value):
    """All there is to say of a value, for comparison."""
    if isinstance(value, torch.Tensor):
        return [
            type(value).__name__,
            str(value.dtype).partition(".")[2],
            list(value.shape),
            list(value.stride()),
            value.storage_offset(),
            value.requires_grad,
            str(value.device),
            _numbers(torch, value.detach()),
            shown(torch, dict(value.__dict__)),
        ]
    if isinstance(value, dict):
        items = [[shown(torch, key), shown(torch, each)] for key, each in value.items()]
        attributes = getattr(value, "__dict__", {})
        return [type(value).__name__, items, shown(torch, dict(attributes)) if attributes else None]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, [shown(torch, each) for each in value]]
    return str(value).replace("eagre.", "torch.") if "." in str(value) else repr(value)


def _numbers(torch, value):
    if value.device.type == "meta":
        return None
    if value.is_complex():
        return torch.view_as_real(value.to(torch.complex64).resolve_conj()).tolist()
    if value.dtype.itemsize == 1 and value.is_floating_point():
        return value.float().tolist()
    return value.tolist()
