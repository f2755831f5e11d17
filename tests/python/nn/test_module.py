"""Module: members, attributes, modes, calls, copies."""

import abc
import copy
import gc
import inspect
import pickle
import sys
import weakref

import pytest

import eagre
from eagre import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.norm = nn.BatchNorm1d(3)
        self.last = nn.Sequential(nn.ReLU(), nn.Linear(3, 1))
        self.scale = nn.Parameter(eagre.ones(1))

    def forward(self, x, times=1):
        return self.last(self.norm(self.first(x))) * self.scale * times


def test_members_are_found_in_their_dicts():
    net = Net()
    assert net.scale is net._parameters["scale"]
    assert net.first is net._modules["first"]
    assert net.norm.running_mean is net.norm._buffers["running_mean"]
    assert "scale" not in net.__dict__ and "first" not in net.__dict__
    assert {"scale", "first", "training"} <= set(dir(net))
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'nothing'"):
        _ = net.nothing
    net._parameters["scale"] = other = nn.Parameter(eagre.zeros(1))
    assert net.scale is other
    net._modules["extra"] = nn.Identity()
    assert isinstance(net.extra, nn.Identity)


def test_assignment_decides_what_a_name_is():
    net = Net()
    net.scale = None
    assert net._parameters["scale"] is None
    net.scale = nn.Parameter(eagre.ones(2))
    with pytest.raises(TypeError, match="as parameter 'scale'"):
        net.scale = eagre.ones(2)
    with pytest.raises(TypeError, match="as child module 'first'"):
        net.first = 3
    with pytest.raises(TypeError, match="as buffer 'running_mean'"):
        net.norm.running_mean = 3
    net.norm.running_mean = mean = eagre.full((3,), 2.0)
    assert net.norm._buffers["running_mean"] is mean
    net.first = nn.Identity()
    assert isinstance(net._modules["first"], nn.Identity)
    net.plain = eagre.ones(1)
    assert "plain" in net.__dict__
    net.plain = nn.Parameter(eagre.ones(1))
    assert "plain" not in net.__dict__ and "plain" in net._parameters
    with pytest.raises(TypeError, match="as parameter 'plain'"):
        net.plain = nn.Identity()
    net.table = nn.Buffer(eagre.ones(1), persistent=False)
    assert "table" in net._buffers and "table" not in net.state_dict()


def test_deletion():
    net = Net()
    del net.scale, net.first, net.norm.running_mean
    net.other = 1
    del net.other
    for name in ("scale", "first", "other"):
        assert not hasattr(net, name)
        with pytest.raises(AttributeError):
            delattr(net, name)
    assert "running_mean" not in dict(net.named_buffers())


def test_nothing_is_assigned_before_init():
    class Early(nn.Module):
        def __init__(self, value):
            self.value = value

    for value, what in (
        (nn.Parameter(eagre.ones(1)), "parameters"),
        (nn.Identity(), "module"),
        (nn.Buffer(eagre.ones(1)), "buffer"),
    ):
        with pytest.raises(AttributeError, match=rf"cannot assign {what} before Module.__init__"):
            Early(value)
    assert Early(3).value == 3


@pytest.mark.parametrize(
    ("register", "value", "error", "words"),
    [
        ("register_parameter", eagre.ones(1), TypeError, "torch.nn.Parameter or None required"),
        ("register_buffer", 3, TypeError, "torch Tensor or None required"),
        ("add_module", 3, TypeError, "int is not a Module subclass"),
        ("register_module", 3, TypeError, "int is not a Module subclass"),
    ],
)
def test_registration_refuses(register, value, error, words):
    net = Net()
    with pytest.raises(error, match=words):
        getattr(net, register)("new", value)
    for name, problem in ((3, "should be a string"), ("a.b", 'contain "."'), ("", "empty string")):
        kind = TypeError if name == 3 else KeyError
        with pytest.raises(kind, match=problem):
            getattr(net, register)(name, None)
    with pytest.raises(KeyError, match="attribute 'forward' already exists"):
        getattr(net, register)("forward", None)


def test_results_are_no_parameters():
    leaf = nn.Parameter(eagre.ones(1))
    made = leaf.clone()
    made._is_param = True  # as a class of a user may say
    with pytest.raises(ValueError, match="Cannot assign non-leaf Tensor to parameter 'w'"):
        nn.Module().register_parameter("w", made)


def test_walks():
    net = Net()
    names = "scale first.weight first.bias norm.weight norm.bias last.1.weight last.1.bias"
    assert [name for name, _ in net.named_parameters()] == names.split()
    modules = ["", "first", "norm", "last", "last.0", "last.1"]
    assert [name for name, _ in net.named_modules()] == modules
    assert [name for name, _ in net.named_children()] == ["first", "norm", "last"]
    assert [name for name, _ in net.named_parameters("x", recurse=False)] == ["x.scale"]
    buffers = ["norm.running_mean", "norm.running_var", "norm.num_batches_tracked"]
    assert [name for name, _ in net.named_buffers()] == buffers
    net.again = net.first
    assert len(list(net.parameters())) == 7
    assert len(list(net.named_parameters(remove_duplicate=False))) == 9
    assert len(list(net.modules())) == 6
    assert len(list(net.modules(remove_duplicate=False))) == 7
    assert net.get_submodule("last.1") is net.last[1] and net.get_submodule("") is net
    assert net.get_parameter("last.1.weight") is net.last[1].weight
    assert net.get_buffer("norm.running_mean") is net.norm.running_mean
    net.set_submodule("last.0", nn.Tanh())
    assert isinstance(net.last[0], nn.Tanh)
    for find, path, words in (
        (net.get_submodule, "last.7", "Sequential has no attribute `7`"),
        (net.get_submodule, "scale", "`scale` is not an nn.Module"),
        (net.get_parameter, "first", "`first` is not an nn.Parameter"),
        (net.get_buffer, "scale", "`scale` is not a buffer"),
    ):
        with pytest.raises(AttributeError, match=words):
            find(path)
    with pytest.raises(ValueError, match="without a target name"):
        net.set_submodule("", nn.Tanh())
    with pytest.raises(AttributeError, match="no attribute `new`"):
        net.set_submodule("new", nn.Tanh(), strict=True)


def test_modes_and_gradients():
    net = Net()
    assert net.eval() is net and not any(module.training for module in net.modules())
    net.train()
    with pytest.raises(ValueError, match="training mode is expected to be boolean"):
        net.train("yes")
    net(eagre.ones(4, 2)).sum().backward()
    assert all(parameter.grad is not None for parameter in net.parameters())
    net.zero_grad(set_to_none=False)
    assert all(float(parameter.grad.abs().sum()) == 0 for parameter in net.parameters())
    net.zero_grad()
    assert all(parameter.grad is None for parameter in net.parameters())
    net.requires_grad_(False)
    assert not any(parameter.requires_grad for parameter in net.parameters())


def test_conversions():
    net = Net()
    weight = net.first.weight
    net(eagre.ones(4, 2)).sum().backward()
    assert net.double() is net and net.first.weight is weight
    assert weight.dtype == weight.grad.dtype == net.norm.running_mean.dtype == eagre.float64
    assert net.norm.num_batches_tracked.dtype == eagre.int64
    assert net.to(eagre.bfloat16).scale.dtype == eagre.bfloat16
    assert net.to(eagre.ones(1)).scale.dtype == eagre.float32
    assert net.half().float().type(eagre.float64).scale.dtype == eagre.float64
    with pytest.raises(TypeError, match="only accepts floating point or complex"):
        net.to(eagre.int32)
    with pytest.raises(TypeError, match="invalid combination of arguments"):
        net.to(1, 2, 3, 4)
    images = nn.Conv2d(2, 3, 3).to(memory_format=eagre.channels_last)
    assert images.weight.is_contiguous(memory_format=eagre.channels_last)
    meta = Net().to("meta")
    assert meta.scale.is_meta and meta.to_empty(device="cpu").scale.shape == (1,)
    with pytest.raises((RuntimeError, AssertionError)):
        Net().cuda()
    seen = []
    net.apply(lambda module: seen.append(type(module).__name__))
    assert seen == ["Linear", "BatchNorm1d", "ReLU", "Linear", "Sequential", "Net"]


def test_calls():
    class Echo(nn.Module):
        def forward(self, a, b=2, *rest, **named):
            return a, b, rest, named

    echo = Echo()
    assert echo(1) == (1, 2, (), {})
    assert echo(1, 3, 4, x=5) == (1, 3, (4,), {"x": 5})
    assert echo(b=7, a=1) == (1, 7, (), {})
    assert echo(*[1, 2], c=3) == (1, 2, (), {"c": 3})
    assert list(map(echo, [1]))[0][0] == 1
    echo.forward = lambda a: ("own", a)
    assert echo(1) == ("own", 1)
    del echo.forward
    Echo.__call__ = lambda self, *args, **named: ("class", args, named)
    assert echo(1, x=2) == ("class", (1,), {"x": 2})
    del Echo.__call__
    assert echo(1)[0] == 1
    Echo.forward = staticmethod(lambda a: ("static", a))
    assert echo(1) == ("static", 1)
    with pytest.raises(NotImplementedError, match=r'\[Module\] is missing the required "forward"'):
        nn.Module()(1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        nn.Module(size=3)
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        nn.Module(3)


def test_classes_with_ways_of_their_own():
    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(1, 2)

        def __getattr__(self, name):
            try:
                return super().__getattr__(name)
            except AttributeError:
                return getattr(super().__getattr__("inner"), name)

    wrapped = Wrapped()
    assert wrapped.out_features == 2 and wrapped.weight is wrapped.inner.weight
    assert not hasattr(wrapped, "nothing")

    class Noting(nn.Module):
        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            self.__dict__.setdefault("noted", []).append(name)

    noting = Noting()
    noting.layer = nn.Identity()
    assert noting.noted == ["layer"] and "layer" in noting._modules
    # Hidden from the walk, as programs do.
    object.__setattr__(noting, "hidden", nn.Identity())
    assert len(list(noting.modules())) == 2

    class Late(nn.Linear):
        pass

    late = Late(1, 1)
    Late.__getattr__ = lambda self, name: f"no {name}"
    assert late.something == "no something"
    del Late.__getattr__
    assert late.weight is late._parameters["weight"]

    class Counting(nn.Linear):
        asked = 0

        def __getattribute__(self, name):
            Counting.asked += name == "weight"
            return super().__getattribute__(name)

    counting = Counting(1, 1)
    Counting.asked = 0
    counting(eagre.ones(1, 1))
    assert Counting.asked == 1 and counting.bias is counting._parameters["bias"]

    class Louder(nn.Linear):
        def __call__(self, *args, **named):
            return super().__call__(*args, **named) * 2

    louder = Louder(1, 1)
    assert float(louder(eagre.ones(1, 1)).detach()) == 2 * float(louder.forward(eagre.ones(1, 1)))
    whole = nn.Module.__call__
    try:
        nn.Module.__call__ = lambda self, *args: "patched"
        assert nn.Linear(1, 1)(1) == late(1) == "patched"
    finally:
        nn.Module.__call__ = whole
        del nn.Module.__call__
    assert late(eagre.ones(1, 1)).shape == (1, 1)

    class Abstract(nn.Module, abc.ABC):
        @abc.abstractmethod
        def size(self):
            """What classes define."""

    with pytest.raises(TypeError, match="abstract class Abstract"):
        Abstract()

    class Named:
        def __init__(self, name):
            self.name = name

    class Both(nn.Module, Named):
        call_super_init = True

    assert Both(name="x").name == "x"

    class Broken(nn.Module):
        @property
        def value(self):
            raise AttributeError("inside")

    with pytest.raises(AttributeError, match="inside"):
        _ = Broken().value


def test_copies():
    net = Net().eval()
    net.register_forward_hook(lambda module, args, output: output * 2)
    deep = copy.deepcopy(net)
    x = eagre.ones(4, 2)
    assert eagre.equal(net(x), deep(x))
    assert deep.scale is not net.scale and deep.first is not net.first
    shallow = copy.copy(net)
    assert shallow.scale is net.scale and shallow.__dict__ is not net.__dict__
    del net._forward_hooks[next(iter(net._forward_hooks))]
    again = pickle.loads(pickle.dumps(net))
    assert eagre.equal(net(x), again(x)) and repr(again) == repr(net)
    state = net.__getstate__()
    del state["_forward_pre_hooks_with_kwargs"]  # as programs of before wrote it
    old = Net.__new__(Net)
    old.__setstate__(state)
    assert eagre.equal(old(x), net(x))


def test_cycles_are_collected():
    net = Net()
    net.__dict__["self"] = net
    gone = weakref.ref(net)
    del net
    gc.collect()
    assert gone() is None


def test_nothing_is_kept():
    def used():
        module = nn.Linear(1, 1)
        module(eagre.ones(1, 1))
        module(input=eagre.ones(1, 1))
        with pytest.raises(AttributeError):
            _ = module.nothing

    used()
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(200):
        used()
    gc.collect()
    assert sys.getallocatedblocks() - before < 100


def test_printing():
    class Named(nn.Module):
        def extra_repr(self):
            return "a=1\nb=2"

    assert repr(Named()) == "Named(\n  a=1\n  b=2\n)"
    named = Named()
    named.inner = nn.Sequential(nn.ReLU())
    assert repr(named) == "Named(\n  a=1\n  b=2\n  (inner): Sequential(\n    (0): ReLU()\n  )\n)"


def test_compile_leaves_it_as_it_is():
    net = Net().eval()
    x = eagre.ones(1, 2)
    before = net(x)
    net.compile()
    assert eagre.equal(net(x), before)
    assert eagre.compile(net) is net


def test_odd_names_and_modules_that_call_themselves():
    """Both ended the process."""
    module = nn.Linear(1, 1)
    with pytest.raises(TypeError, match="attribute name must be string"):
        module.__getattr__(3)
    module.__dict__["forward"] = module
    with pytest.raises(RecursionError):
        module(eagre.ones(1, 1))
    with pytest.raises(RecursionError):
        module(input=eagre.ones(1, 1))


def test_signatures():
    class Own(nn.Module):
        def __call__(self, x, scale=1):
            return x * scale

    assert str(inspect.signature(nn.Linear(1, 1))) == "(*args, **kwargs)"
    assert str(inspect.signature(Own())) == "(x, scale=1)"
    assert list(inspect.signature(nn.ReLU).parameters) == ["inplace"]
    assert list(inspect.signature(nn.Linear(1, 1).forward).parameters) == ["input"]


def test_conversions_that_modules_refuse():
    net = nn.Linear(2, 1, device="meta")
    with pytest.raises(NotImplementedError, match=r"Cannot copy out of meta tensor.*to_empty"):
        net.to("cpu")
    assert net.to("meta").to(eagre.float64).weight.dtype == eagre.float64
    with pytest.raises(RuntimeError, match="does not accept copy argument"):
        net.to(eagre.float64, copy=True)
