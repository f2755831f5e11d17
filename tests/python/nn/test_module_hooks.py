"""Hooks of modules: around forward and backward, around states, and those of all modules."""

import warnings
from collections import namedtuple

import pytest

import eagre
from eagre import nn
from eagre.nn.modules import module as registry


class Twice(nn.Module):
    def forward(self, x, *, plus=0.0):
        return x * 2 + plus


def test_forward_pre_hooks():
    module = Twice()
    x = eagre.ones(1)
    with module.register_forward_pre_hook(lambda module, args: (args[0] * 10,)):
        assert float(module(x)) == 20
    assert float(module(x)) == 2
    module.register_forward_pre_hook(lambda module, args: args[0] + 1)
    module.register_forward_pre_hook(lambda module, args: args[0] * 10, prepend=True)
    assert float(module(x)) == 22

    def change(module, args, kwargs):
        return args, {"plus": kwargs["plus"] + 1}

    handle = module.register_forward_pre_hook(change, with_kwargs=True)
    assert float(module(x, plus=3.0)) == 26
    handle.remove()
    module.register_forward_pre_hook(lambda module, args, kwargs: args, with_kwargs=True)
    with pytest.raises(RuntimeError, match="must return None or a tuple"):
        module(x)


def test_forward_hooks():
    module, x, log = Twice(), eagre.ones(1), []
    module.register_forward_hook(lambda module, args, output: log.append("a"))
    module.register_forward_hook(lambda module, args, output: output + 1)
    module.register_forward_hook(lambda module, args, output: log.append("b"), prepend=True)
    assert float(module(x)) == 3 and log == ["b", "a"]
    module.register_forward_hook(
        lambda module, args, kwargs, output: output * kwargs["plus"], with_kwargs=True
    )
    assert float(module(x, plus=2.0)) == 10


def test_always_called_hooks():
    class Fails(nn.Module):
        def forward(self):
            raise ValueError("forward failed")

    module, log = Fails(), []
    module.register_forward_hook(lambda *args: log.append("usual"))
    module.register_forward_hook(lambda *args: log.append(args[2]), always_call=True)
    with pytest.raises(ValueError, match="forward failed"):
        module()
    assert log == [None]

    def fails_too(module, args, output):
        raise KeyError("hook")

    module.register_forward_hook(fails_too, always_call=True)
    with (
        pytest.warns(UserWarning, match="was silenced as another error was raised"),
        pytest.raises(ValueError, match="forward failed"),
    ):
        module()


# Row: PyTorch E12
def test_full_backward_hooks():
    module, log = nn.Linear(2, 3), []
    before = module.register_full_backward_pre_hook(lambda module, out: (out[0] * 2,))
    module.register_full_backward_hook(
        lambda module, grads, outputs: log.append((grads[0].shape, outputs[0].shape))
    )
    x = eagre.ones(4, 2, requires_grad=True)
    module(x).sum().backward()
    assert log == [((4, 2), (4, 3))]
    assert eagre.equal(module.bias.grad, eagre.full((3,), 8.0))
    before.remove()
    module.register_full_backward_hook(lambda module, grads, outputs: (grads[0] * 0,), prepend=True)
    x.grad = None
    module(x).sum().backward()
    assert float(x.grad.abs().sum()) == 0

    log.clear()
    module = nn.Linear(2, 3)
    module.register_full_backward_hook(lambda module, grads, outputs: log.append(grads))
    with pytest.warns(UserWarning, match="since no inputs require gradients"):
        module(eagre.ones(4, 2)).sum().backward()
    assert log == [(None,)]
    module.register_full_backward_hook(lambda module, grads, outputs: grads)
    with pytest.warns(UserWarning, match="since no inputs require gradients"):
        module(eagre.ones(4, 2)).sum().backward()


def test_backward_hooks_are_checked():
    module = nn.Linear(2, 2)
    module.register_full_backward_hook(lambda module, grads, outputs: (grads[0], None))
    with pytest.raises(RuntimeError, match="invalid number of grad_input"):
        module(eagre.ones(1, 2, requires_grad=True)).sum().backward()
    with pytest.raises(RuntimeError, match="Cannot use both regular backward hooks and full"):
        module.register_backward_hook(lambda *args: None)
    module = nn.Linear(2, 2)
    module.register_full_backward_hook(lambda module, grads, outputs: (eagre.ones(1),))
    with pytest.raises(RuntimeError, match="where no input requires gradient"):
        module(eagre.ones(1, 2)).sum().backward()


def test_hooks_keep_named_tuples():
    pair = namedtuple("pair", "low high")

    class Split(nn.Module):
        def forward(self, x):
            return pair(x - 1, x + 1)

    module, log = Split(), []
    module.register_full_backward_hook(lambda module, grads, outputs: log.append(len(outputs)))
    result = module(eagre.ones(1, requires_grad=True))
    assert type(result) is pair
    result.high.backward()
    assert log == [2]


def test_old_hooks_warn_of_what_they_do_not_see():
    class Chain(nn.Module):
        def forward(self, x):
            return x.clone().clone()

    class Several(nn.Module):
        def forward(self, x):
            return x.clone(), x.clone()

    x = eagre.ones(1, requires_grad=True)
    for module, words in (
        (Chain(), "the forward contains multiple autograd Nodes"),
        (Several(), "outputs are generated by different autograd Nodes"),
    ):
        module.register_backward_hook(lambda *args: None)
        with pytest.warns(FutureWarning, match=words):
            module(x)


def test_old_backward_hooks():
    module, log = Twice(), []
    module.register_backward_hook(lambda module, grads, outputs: log.append(type(module)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module(eagre.ones(1, requires_grad=True)).backward()
    assert log == [Twice]


def test_hooks_of_all_modules():
    log = []
    handles = [
        registry.register_module_forward_pre_hook(lambda module, args: log.append("before")),
        registry.register_module_forward_hook(lambda module, args, out: log.append("after")),
        registry.register_module_full_backward_hook(lambda module, i, o: log.append("backward")),
        registry.register_module_full_backward_pre_hook(lambda module, o: log.append("first")),
    ]
    try:
        Twice()(eagre.ones(1, requires_grad=True)).backward()
    finally:
        for handle in handles:
            handle.remove()
    assert log == ["before", "after", "first", "backward"]
    log.clear()
    Twice()(eagre.ones(1))
    assert log == []


def test_hooks_of_all_modules_can_be_replaced():
    log = []
    registry.register_module_forward_hook(lambda module, args, out: log.append("called"))
    registry._global_forward_hooks = {}
    Twice()(eagre.ones(1))
    assert log == [] and len(registry._global_forward_hooks) == 0


def test_registration_hooks():
    log = []
    handles = [
        registry.register_module_parameter_registration_hook(lambda m, n, p: log.append(n)),
        registry.register_module_buffer_registration_hook(lambda m, n, b: log.append(n)),
        registry.register_module_module_registration_hook(lambda m, n, c: nn.Tanh()),
    ]
    try:
        module = nn.BatchNorm1d(2)
        module.child = nn.ReLU()
    finally:
        for handle in handles:
            handle.remove()
    assert log == ["weight", "bias", "running_mean", "running_var", "num_batches_tracked"]
    assert isinstance(module.child, nn.Tanh)


def test_state_dict_hooks():
    module, log = nn.Linear(1, 1), []
    module.register_state_dict_pre_hook(lambda module, prefix, keep: log.append((prefix, keep)))
    module.register_state_dict_post_hook(lambda module, state, prefix, meta: state.pop("bias"))
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        module.state_dict(keep_vars=True)
    assert log == [("", True)]
    module = nn.Linear(1, 1)
    module._register_state_dict_hook(lambda module, state, prefix, meta: {"all": 1})
    assert module.state_dict() == {"all": 1}


def test_load_state_dict_hooks():
    module = nn.Linear(1, 1)

    def rename(module, state, prefix, *rest):
        state[prefix + "weight"] = state.pop(prefix + "old")

    module.register_load_state_dict_pre_hook(rename)
    module.load_state_dict({"old": eagre.full((1, 1), 3.0), "bias": eagre.ones(1)})
    assert float(module.weight) == 3

    outer = nn.Sequential(nn.Linear(1, 1))
    outer.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear())
    assert outer.load_state_dict({}) == ([], [])
    outer.register_load_state_dict_post_hook(lambda module, keys: 1)
    with pytest.raises(AssertionError, match="should be done inplace"):
        outer.load_state_dict({})
