"""Hooks and prehooks on nodes of the graph."""

import pytest

import eagre


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def accumulate_node(x):
    return x.view_as(x).grad_fn.next_functions[0][0]


# Row: PyTorch E2
def test_a_prehook_sees_and_replaces_the_gradients_of_a_node():
    x = leaf(1.0)
    y = x * 2
    seen = []

    def tenfold(gradients):
        seen.append([g.tolist() for g in gradients])
        return (gradients[0] * 10,)

    y.grad_fn.register_prehook(tenfold)
    y.grad_fn.register_prehook(lambda gradients: seen.append(gradients[0].tolist()))
    y.backward()
    assert seen == [[[1.0]], [10.0]] and x.grad.tolist() == [20.0]


# Row: PyTorch E2
def test_a_prehook_gets_none_for_missing_gradients_and_cannot_replace_it():
    x = leaf(1.0, 2.0)
    first, _ = (x * 1).split(1)
    seen = []
    handle = first.grad_fn.register_prehook(lambda g: seen.append([v is None for v in g]))
    first.backward(retain_graph=True)
    assert seen == [[False, True]]
    handle.remove()
    first.grad_fn.register_prehook(lambda g: (g[0], eagre.ones(1)))
    with pytest.raises(RuntimeError, match="can't replace a None gradient"):
        first.backward()


# Row: PyTorch E2, PyTorch E3, Paddle defect 1
def test_node_hooks_return_tuples_of_the_right_length():
    def mine(*gradients):
        return returned

    for register in ("register_prehook", "register_hook"):
        y = leaf(1.0) * 2
        getattr(y.grad_fn, register)(mine)
        returned = (None, None, None)
        with pytest.raises(RuntimeError, match="hook 'mine' has returned an incorrect number"):
            y.backward(retain_graph=True)
        for wrong in (3, eagre.ones(1), (3,)):
            returned = wrong
            with pytest.raises(TypeError, match="hook 'mine' must return"):
                y.backward(retain_graph=True)


# Row: PyTorch E3
def test_a_posthook_sees_both_sides_and_replaces_the_results():
    x = leaf(3.0)
    y = x.exp()
    seen = []

    def zero(grad_inputs, grad_outputs):
        seen.append((len(grad_inputs), grad_outputs[0].tolist()))
        return (grad_inputs[0] * 0,)

    y.grad_fn.register_hook(zero)
    y.backward()
    assert seen == [(1, [1.0])] and x.grad.tolist() == [0.0]


def test_a_posthook_may_drop_a_gradient():
    x = leaf(3.0)
    y = x.exp()
    y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: (None,))
    y.backward()
    assert x.grad is None


def test_a_posthook_registered_while_the_node_has_hooks_running_gets_both_sides():
    y = leaf(3.0).exp()
    seen = []

    def late(gradients):
        y.grad_fn.register_hook(lambda i, o: seen.append((len(i), len(o))))

    y.grad_fn.register_prehook(late)
    y.backward()
    assert seen == [(1, 1)]


def test_posthooks_of_an_accumulation_get_no_results():
    x = leaf(3.0)
    seen = []
    accumulate_node(x).register_hook(lambda i, o: seen.append((i, o[0].tolist(), x.grad.tolist())))
    (x * 2).backward()
    assert seen == [((), [2.0], [2.0])]


def test_a_hook_after_accumulation_sees_the_memory_of_the_gradient():
    x = eagre.rand(3, requires_grad=True)
    accumulate = x.view_as(x).grad_fn.next_functions[0][0]
    seen = []

    def add_a_half(leaf):
        leaf.grad.add_(0.5)

    x.register_post_accumulate_grad_hook(add_a_half)
    accumulate.register_hook(lambda results, gradients: seen.append(gradients[0].tolist()))
    (x * 2).sum().backward()
    assert seen == [[2.5, 2.5, 2.5]] == [x.grad.tolist()]


def test_nodes_can_be_given_another_place_in_the_order():
    x = eagre.ones(1, requires_grad=True)
    a, b = x * 2, x * 3
    order = []
    a.register_hook(lambda g: order.append("a"))
    b.register_hook(lambda g: order.append("b"))
    result = a + b
    a.grad_fn._set_sequence_nr(100_000_000)
    assert a.grad_fn._sequence_nr() == 100_000_000
    result.backward()
    assert order == ["a", "b"] and x.grad.tolist() == [5.0]
    with pytest.raises(RuntimeError, match="AccumulateGrad"):
        a.grad_fn.next_functions[0][0]._set_sequence_nr(1)


@pytest.mark.parametrize("function", [eagre.var_mean, eagre.std_mean, eagre.aminmax])
def test_two_results_of_one_node(function):
    x = eagre.tensor([1.0, 2.0, 5.0], dtype=eagre.float64, requires_grad=True)
    first, second = function(x)
    assert first.grad_fn is second.grad_fn and (first.output_nr, second.output_nr) == (0, 1)
    seen = []
    first.grad_fn.register_prehook(lambda gradients: seen.append([g.item() for g in gradients]))
    (first * 2 + second * 3).backward()
    assert seen == [[2.0, 3.0]]
    assert eagre.autograd.gradcheck(function, x) and eagre.autograd.gradgradcheck(function, x)
