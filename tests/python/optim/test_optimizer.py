"""Groups of parameters, states, hooks and errors of optimizers."""

import copy
import pickle
import subprocess
import sys
import warnings

import pytest

import eagre
from eagre import optim
from eagre.optim import SGD, Adam, AdamW, Optimizer
from eagre.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
    required,
)


def leaf(*shape, value=1.0):
    return eagre.full(shape, value).requires_grad_()


def with_gradient(*shape):
    parameter = leaf(*shape)
    parameter.grad = eagre.ones(shape)
    return parameter


def test_groups_have_options_of_their_own():
    first, second = with_gradient(2), with_gradient(2)
    optimizer = SGD([{"params": first, "lr": 0.5}, {"params": [second]}], lr=0.25)
    optimizer.step()
    assert first.tolist() == [0.5, 0.5]
    assert second.tolist() == [0.75, 0.75]
    third = with_gradient(1)
    optimizer.add_param_group({"params": third, "lr": 1.0})
    optimizer.step()
    assert third.tolist() == [0.0]


def test_names_of_parameters():
    optimizer = SGD([("weight", leaf(2)), ("bias", leaf(1))])
    (group,) = optimizer.state_dict()["param_groups"]
    assert group["param_names"] == ["weight", "bias"]
    assert group["params"] == [0, 1]
    unnamed = SGD([leaf(2), leaf(1)]).state_dict()
    optimizer.load_state_dict(unnamed)
    assert optimizer.param_groups[0]["param_names"] == ["weight", "bias"]


@pytest.mark.parametrize(
    ("make", "error", "phrase"),
    [
        (lambda: SGD([]), ValueError, "optimizer got an empty parameter list"),
        (lambda: SGD(leaf(2)), TypeError, "should be an iterable of Tensors or dicts"),
        (lambda: SGD([leaf(2) * 2]), ValueError, "can't optimize a non-leaf Tensor"),
        (lambda: SGD([1]), TypeError, "one of the params is int"),
        (lambda: SGD([{"params": {leaf(2)}}]), TypeError, "ordered collections"),
        (lambda: SGD([("a", leaf(2)), leaf(2)]), ValueError, "Some param names are missing"),
        (
            lambda: SGD([{"params": [("a", leaf(2))]}, {"params": [leaf(2)]}]),
            ValueError,
            "with/without names",
        ),
        (lambda: SGD([leaf(2)]).add_param_group([leaf(2)]), TypeError, "must be a dict"),
        (lambda: SGD([leaf(2)], lr=-1), ValueError, "Invalid learning rate: -1"),
        (lambda: SGD([leaf(2)], lr=eagre.ones(2)), ValueError, "Tensor lr must be 1-element"),
        (lambda: SGD([leaf(2)], momentum=-1), ValueError, "Invalid momentum value: -1"),
        (lambda: SGD([leaf(2)], nesterov=True), ValueError, "Nesterov momentum requires"),
        (lambda: Adam([leaf(2)], betas=(1.0, 0.9)), ValueError, "parameter at index 0: 1.0"),
        (lambda: Adam([leaf(2)], eps=-1.0), ValueError, "Invalid epsilon value: -1.0"),
        (lambda: Adam([leaf(2)], eps=float("nan")), ValueError, "Invalid epsilon value: nan"),
        (
            lambda: Adam([leaf(2)], fused=True, foreach=True),
            RuntimeError,
            "cannot be `True` together",
        ),
        (
            lambda: Adam([leaf(2)], fused=True, differentiable=True),
            RuntimeError,
            "does not support `differentiable`",
        ),
        (lambda: eagre.optim.Rprop([leaf(2)], etas=(2, 3)), ValueError, "Invalid eta values"),
        (lambda: eagre.optim.Adadelta([leaf(2)], rho=2), ValueError, "Invalid rho value: 2"),
        (lambda: eagre.optim.Adafactor([leaf(2)], d=0.5), ValueError, "should be >= 1"),
        (lambda: eagre.optim.Muon([leaf(2)]), ValueError, "only supports 2D parameters"),
        (
            lambda: eagre.optim.LBFGS([{"params": leaf(1)}, {"params": leaf(1)}]),
            ValueError,
            "per-parameter options",
        ),
        (
            lambda: eagre.optim.LBFGS([leaf(1)], line_search_fn="armijo").step(lambda: 0),
            RuntimeError,
            "only 'strong_wolfe' is supported",
        ),
    ],
)
def test_errors(make, error, phrase):
    with pytest.raises(error, match=phrase.replace("(", r"\(")):
        make()


def test_the_same_parameter_twice():
    parameter = leaf(2)
    with pytest.raises(ValueError, match="more than one parameter group"):
        SGD([{"params": parameter}, {"params": parameter}])
    with pytest.warns(UserWarning, match="duplicate parameters"):
        SGD([parameter, parameter])


class Plain(Optimizer):
    """Has no step of its own."""


def test_the_base_class():
    with pytest.raises(NotImplementedError):
        Plain([leaf(1)], {}).step()
    with pytest.raises(ValueError, match="required optimization parameter lr"):
        Plain([{"params": leaf(1)}], {"lr": required})
    assert repr(Plain([leaf(1)], {"lr": 1})) == "Plain (\nParameter Group 0\n    lr: 1\n)"


def test_sparse_adam_says_why():
    with pytest.raises(AttributeError, match="no sparse tensors"):
        eagre.optim.SparseAdam  # noqa: B018


def test_zero_grad():
    parameter = with_gradient(2)
    optimizer = SGD([parameter])
    gradient = parameter.grad
    optimizer.zero_grad(set_to_none=False)
    assert parameter.grad is gradient
    assert gradient.tolist() == [0.0, 0.0]
    optimizer.zero_grad()
    assert parameter.grad is None


def test_the_closure_records_and_its_loss_is_returned():
    parameter = leaf(2)
    optimizer = SGD([parameter], lr=0.5)

    def closure():
        assert eagre.is_grad_enabled()
        optimizer.zero_grad()
        loss = (parameter * parameter).sum()
        loss.backward()
        return loss

    with eagre.no_grad():
        assert optimizer.step(closure).item() == 2.0
    assert parameter.tolist() == [0.0, 0.0]
    assert optimizer.step() is None


def test_parameters_without_gradient_have_no_state():
    first, second = with_gradient(2), leaf(2)
    optimizer = Adam([first, second])
    optimizer.step()
    assert list(optimizer.state) == [first]
    assert second.tolist() == [1.0, 1.0]


def test_loaded_states_take_the_dtype_of_parameters():
    first = with_gradient(2)
    optimizer = Adam([first])
    optimizer.step()
    double = eagre.ones(2, dtype=eagre.float64).requires_grad_()
    other = Adam([double], lr=7.0)
    other.load_state_dict(optimizer.state_dict())
    assert other.state[double]["exp_avg"].dtype is eagre.float64
    assert other.state[double]["step"].dtype is eagre.float32
    assert other.param_groups[0]["lr"] == 1e-3
    assert other.param_groups[0]["params"] == [double]


def test_checkpoints_of_other_sizes_are_refused():
    optimizer = SGD([leaf(1), leaf(1)])
    state = optimizer.state_dict()
    with pytest.raises(ValueError, match="different number of parameter groups"):
        optimizer.load_state_dict({**state, "param_groups": []})
    with pytest.raises(ValueError, match="doesn't match the size of optimizer's group"):
        SGD([leaf(1)]).load_state_dict(state)


def test_old_checkpoints():
    """From when steps were numbers, and options fewer."""
    parameter = with_gradient(2)
    optimizer = AdamW([parameter])
    optimizer.step()
    state = copy.deepcopy(optimizer.state_dict())
    state["state"][0]["step"] = 1
    for name in ("amsgrad", "maximize", "foreach", "fused", "decoupled_weight_decay"):
        del state["param_groups"][0][name]
    optimizer.load_state_dict(state)
    assert optimizer.state[parameter]["step"].tolist() == 1.0
    assert optimizer.param_groups[0]["decoupled_weight_decay"] is True
    assert optimizer.param_groups[0]["maximize"] is False
    optimizer.step()
    assert optimizer.state[parameter]["step"].tolist() == 2.0


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies(duplicate):
    parameter = with_gradient(2)
    optimizer = Adam([parameter])
    optimizer.register_step_pre_hook(lambda *_: None)
    optimizer.step()
    other = duplicate(optimizer)
    (mine,) = other.param_groups[0]["params"]
    assert mine is not parameter
    assert other.state[mine]["exp_avg"].tolist() == optimizer.state[parameter]["exp_avg"].tolist()
    mine.grad = eagre.ones(2)
    parameter.grad = eagre.ones(2)
    other.step()
    optimizer.step()
    assert mine.tolist() == parameter.tolist()


def test_hooks_of_steps():
    calls = []
    optimizer = SGD([with_gradient(1)], lr=0.5)
    handles = [
        register_optimizer_step_pre_hook(lambda *_: calls.append("before all")),
        register_optimizer_step_post_hook(lambda *_: calls.append("after all")),
        optimizer.register_step_pre_hook(lambda *_: calls.append("before")),
        optimizer.register_step_post_hook(lambda *_: calls.append("after")),
    ]
    optimizer.step()
    assert calls == ["before all", "before", "after", "after all"]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(calls) == 4


def test_hooks_of_steps_see_all_arguments():
    seen = []
    optimizer = SGD([with_gradient(1)], lr=0.5)
    optimizer.register_step_pre_hook(lambda *given: seen.append(given))
    optimizer.register_step_post_hook(lambda *given: seen.append(given))
    optimizer.step()
    assert seen == [(optimizer, (optimizer,), {})] * 2
    optimizer.step(closure=None)
    assert seen[2:] == [(optimizer, (optimizer,), {"closure": None})] * 2


def test_groups_are_the_dicts_that_were_given():
    group = {"params": [with_gradient(1)], "lr": 1.0}
    optimizer = SGD([group], momentum=0.5)
    assert optimizer.param_groups[0] is group and group["momentum"] == 0.5
    group["lr"] = 0.25
    optimizer.step()
    assert group["params"][0].item() == 0.75


def test_sets_of_parameters_warn():
    with pytest.warns(FutureWarning, match="ordering of tensors in sets will change"):
        SGD({with_gradient(1)})


def test_a_hook_may_change_arguments():
    optimizer = SGD([with_gradient(1)])
    optimizer.register_step_pre_hook(lambda self, args, kwargs: ((self, lambda: 5), {}))
    assert optimizer.step() == 5
    optimizer.register_step_pre_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple"):
        optimizer.step()


class Louder(SGD):
    """Has a step around that of its base."""

    def step(self, closure=None):
        return super().step(closure)


def test_hooks_run_once_where_a_class_calls_its_base():
    calls = []
    optimizer = Louder([with_gradient(1)])
    optimizer.register_step_post_hook(lambda *_: calls.append(1))
    optimizer.step()
    assert calls == [1]


def test_hooks_of_checkpoints():
    calls = []
    optimizer = SGD([leaf(1)])
    optimizer.register_state_dict_pre_hook(lambda _: calls.append("second"))
    optimizer.register_state_dict_pre_hook(lambda _: calls.append("first"), prepend=True)
    optimizer.register_state_dict_post_hook(lambda _, state: {**state, "more": 1})
    optimizer.register_load_state_dict_pre_hook(lambda _, state: calls.append(state["more"]))
    optimizer.register_load_state_dict_post_hook(lambda _: calls.append("loaded"))
    optimizer.load_state_dict(optimizer.state_dict())
    assert calls == ["first", "second", 1, "loaded"]


def test_a_schedule_warns_of_the_wrong_order():
    def schedule():
        optimizer = SGD([with_gradient(1)])
        return optimizer, eagre.optim.lr_scheduler.StepLR(optimizer, 1)

    _, scheduler = schedule()
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        scheduler.step()
    optimizer, scheduler = schedule()
    optimizer.step = lambda: None
    with pytest.warns(UserWarning, match="has been overridden"):
        scheduler.step()
    optimizer, scheduler = schedule()
    optimizer.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()
        scheduler.step()
        with pytest.raises(UserWarning, match="get_last_lr"):
            scheduler.get_lr()
        with pytest.raises(UserWarning, match="epoch parameter"):
            scheduler.step(3)


def test_fused_steps_need_floating_data():
    parameter = eagre.ones(2, device="meta").requires_grad_()
    parameter.grad = eagre.ones(2, device="meta")
    with pytest.raises(RuntimeError, match="requires all the params to be floating point"):
        SGD([parameter], fused=True).step()


def test_the_line_search_keeps_to_the_evaluations():
    parameter = leaf(1)
    calls = []

    def closure():
        calls.append(1)
        parameter.grad = eagre.ones(1)
        return parameter.sum()  # falls forever

    eagre.optim.LBFGS([parameter], max_iter=1, max_eval=5, line_search_fn="strong_wolfe").step(
        closure
    )
    assert len(calls) == 6


def test_schedules_check_their_functions_and_keep_their_own_copies():
    schedulers = eagre.optim.lr_scheduler
    optimizer = SGD([leaf(1)], momentum=0.9)
    with pytest.raises(TypeError, match="lr_lambda should be a function, but got float"):
        schedulers.MultiplicativeLR(optimizer, 0.9)
    highest = eagre.tensor(0.9)
    scheduler = schedulers.CyclicLR(optimizer, 0.1, 1.0, max_momentum=highest)
    highest.zero_()
    assert scheduler.max_momentums == [eagre.tensor(0.9)]


def test_steps_on_other_parameters_for_a_while():
    own = with_gradient(2)
    optimizer = Adam([own], lr=0.5)
    optimizer.step()
    before = own.tolist()
    other = with_gradient(2)
    state = copy.deepcopy(optimizer.state_dict())
    with optim.swap_in_optimizer_params_and_state(optimizer, {"other": other}, state):
        optimizer.step()
    assert own.tolist() == before
    assert other.tolist() != [1.0, 1.0]
    assert state["state"][0]["step"].item() == 2.0
    assert optimizer.state[own]["step"].item() == 1.0
    with (
        pytest.raises(ValueError, match="expected 1 parameters in groups of"),
        optim.swap_in_optimizer_params_and_state(optimizer, {}, state),
    ):
        pass


def test_importing_the_package_does_not_load_optimizers():
    program = "import eagre, sys; assert 'eagre.optim' not in sys.modules; eagre.optim.SGD"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_losses_that_record_are_read_without_a_warning():
    parameter = leaf(1)
    optimizer = optim.LBFGS([parameter], line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = (parameter * parameter).sum()
        loss.backward()
        return loss

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loss = optimizer.step(closure)
        assert loss.requires_grad
        optim.lr_scheduler.ReduceLROnPlateau(optimizer).step(loss)
