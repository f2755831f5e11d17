"""backward() and grad(): what may be given for roots, gradients and inputs."""

import subprocess
import sys

import pytest

import eagre
from eagre.autograd import backward, grad
from eagre.autograd.graph import GradientEdge, get_gradient_edge


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# --- roots and their gradients ---


# Row: PyTorch B1
def test_ones_are_implied_for_real_scalars_only():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="implicitly created only for scalar outputs"):
        backward(x * 2)
    z = eagre.ones(1, dtype=eagre.complex64, requires_grad=True)
    with pytest.raises(RuntimeError, match="only for real scalar outputs.*complex64"):
        backward(z * 2)


# Row: PyTorch B2, PyTorch B3, Paddle B10
def test_a_gradient_must_have_the_shape_and_complexness_of_its_root():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"Mismatch in shape: grad_output\[0\]"):
        backward(x * 2, eagre.ones(3))
    with pytest.raises(RuntimeError, match="For complex Tensors"):
        backward(x * 2, eagre.ones(2, dtype=eagre.complex64))
    with pytest.raises(RuntimeError, match="got 1 tensors and 2 gradients"):
        backward([x * 2], [eagre.ones(2), eagre.ones(2)])
    for dtype in (eagre.float64, eagre.int64, eagre.bool):
        x.grad = None
        backward(x * 2, eagre.ones(2, dtype=dtype))  # is cast
        assert x.grad.dtype is eagre.float32 and x.grad.tolist() == [2.0, 2.0]


# Row: PyTorch B4, Paddle B10, Paddle defect 19
def test_every_root_must_have_a_graph():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="element 1 of tensors does not require grad"):
        backward([x * 2, eagre.ones(1)])
    assert x.grad is None


# Row: PyTorch B5
def test_roots_add_up_also_twice_and_when_one_depends_on_another():
    x = leaf(2.0)
    y = x * 3
    backward([y, y, y * y], retain_graph=True)
    assert x.grad.tolist() == [3.0 + 3.0 + 36.0]


# Row: PyTorch B6, PyTorch F4, Paddle B14
def test_saved_tensors_of_nodes_that_ran_are_freed():
    x = leaf(2.0)
    y = x.exp()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()
    z = x + 1  # saves nothing
    z.backward()
    z.backward()


# Row: PyTorch B6
def test_an_explicit_retain_graph_wins_over_create_graph():
    x = leaf(2.0)
    y = x * x
    (g,) = eagre.autograd.grad(y, x, create_graph=True, retain_graph=False)
    assert eagre.autograd.grad(g, x)[0].tolist() == [2.0]
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


# Row: PyTorch B7
def test_create_graph_keeps_the_graph_and_records_gradients():
    x = leaf(2.0)
    y = (x * x * x).sum()
    (first,) = grad(y, x, create_graph=True)
    (second,) = grad(first, x)
    assert first.requires_grad and second.tolist() == [12.0]


# Row: PyTorch B7
def test_backward_with_create_graph_warns_once_and_grad_does_not():
    script = (
        "import warnings, eagre\n"
        "x = eagre.ones(1, requires_grad=True)\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    eagre.autograd.grad(x * x, x, create_graph=True)\n"
        "    assert not caught\n"
        "    (x * x).backward(create_graph=True)\n"
        "    (x * x).backward(create_graph=True)\n"
        "assert [('reference cycle' in str(w.message)) for w in caught] == [True], caught\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


# --- grad() ---


# Row: PyTorch B8
def test_grad_never_touches_the_grad_of_anything():
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    assert [g.tolist() for g in grad(y * 3, [x, y])] == [[6.0], [3.0]]
    assert x.grad is None


# Row: PyTorch B8, Paddle B18
def test_grad_needs_inputs():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="inputs.*cannot be empty"):
        grad(x * 2, [])
    with pytest.raises(RuntimeError, match="inputs.*cannot be empty"):
        backward(x * 2, inputs=[])
    with pytest.raises(RuntimeError, match="does not require grad"):
        grad(x * 2, eagre.ones(1))


# Row: PyTorch B9, PyTorch B11, Paddle B18
def test_an_unused_input_is_an_error_or_none_or_zeros():
    x, other = leaf(1.0), leaf(1.0, 2.0)
    y = x * 2
    with pytest.raises(RuntimeError, match="index 1 appears to not have been used"):
        grad(y, [x, other])
    assert grad(y, [x, other], allow_unused=True)[1] is None
    zeros = grad(y, [x, other], materialize_grads=True)[1]
    assert zeros.tolist() == [0.0, 0.0] and zeros.dtype is eagre.float32
    with pytest.raises(ValueError, match="allow_unused"):
        grad(y, [x, other], allow_unused=False, materialize_grads=True)


# Row: PyTorch B11
def test_zeros_for_an_unused_input_can_be_differentiated_again():
    x, other = leaf(1.0), leaf(2.0)
    zeros = grad(x * x, [x, other], materialize_grads=True, create_graph=True)[1]
    assert zeros.requires_grad
    assert grad(zeros.sum(), other, materialize_grads=True)[0].tolist() == [0.0]
    assert not grad(x * x, other, materialize_grads=True)[0].requires_grad


# Row: PyTorch B10
def test_nothing_runs_for_an_input_that_cannot_be_reached():
    x, other = leaf(1.0), leaf(1.0)
    y = x * 2
    calls = []
    y.register_hook(lambda g: calls.append(1))
    assert grad(y * 3, other, allow_unused=True) == (None,)
    assert calls == []


# Row: Paddle B11, Paddle B20, Paddle B21
def test_outputs_interior_tensors_siblings_and_duplicates_as_inputs():
    x = leaf(3.0, 1.0)
    y = x * 1
    low, high = y.split(1)
    z = (low * 2 + high * 5).sum()
    results = grad(z, [z, y, high, low, y, x])
    assert [r.tolist() for r in results] == [1.0, [2, 5], [5], [2], [2, 5], [2, 5]]


# Row: PyTorch B17, Paddle B17
def test_unused_outputs_of_a_node_count_as_zero():
    x = leaf(1.0, 2.0, 3.0)
    first, _, _ = x.split(1)
    (g,) = grad(first, x)
    assert g.tolist() == [1.0, 0.0, 0.0]


# Row: PyTorch B12
def test_a_batch_of_gradients():
    x, w, unused = leaf(1.0, 2.0, 3.0), leaf(2.0), leaf(1.0, 1.0)
    y = x * x * w
    jacobian, by_w = grad(y, [x, w], eagre.eye(3), is_grads_batched=True)
    assert jacobian.tolist() == [[4.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 12.0]]
    assert by_w.tolist() == [[1.0], [4.0], [9.0]]
    with pytest.raises(RuntimeError, match="second time"):
        grad(y, x, eagre.eye(3), is_grads_batched=True)
    named = grad(
        [x * 2, (x * w).sum()],
        {"x": x, "unused": unused},
        [eagre.ones(2, 3), eagre.ones(2)],
        is_grads_batched=True,
        allow_unused=True,
    )
    assert named["x"].tolist() == [[4.0] * 3] * 2 and named["unused"] is None
    zeros = grad(x * 2, [unused], eagre.eye(3), is_grads_batched=True, materialize_grads=True)
    assert zeros[0].tolist() == [0.0, 0.0]
    assert grad(x * 2, x, eagre.ones(0, 3), is_grads_batched=True)[0].shape == (0, 3)
    (g,) = grad(x * x, x, eagre.eye(3), is_grads_batched=True, create_graph=True)
    assert grad(g.sum(), x)[0].tolist() == [2.0, 2.0, 2.0]
    edge = eagre.autograd.graph.get_gradient_edge(x)
    assert grad(x * 2, [edge], eagre.eye(3), is_grads_batched=True)[0].shape == (3, 3)


# Row: PyTorch B12
@pytest.mark.parametrize(
    ("gradients", "kind", "words"),
    [
        (eagre.ones(3), RuntimeError, r"grad_output\[0\] has a shape of \[3\]"),
        (eagre.ones(4, 2), RuntimeError, r"shape of \[4, 2\] and output\[0\]"),
        (eagre.tensor(1.0), RuntimeError, r"shape of \[\]"),
        (None, ValueError, "1 outputs"),
        ([None], ValueError, "None"),
        ([eagre.ones(2, 3), eagre.ones(2, 3)], ValueError, "1 outputs"),
    ],
)
def test_a_batch_that_does_not_fit_is_refused(gradients, kind, words):
    with pytest.raises(kind, match=words):
        x = leaf(1.0, 2.0, 3.0)
        grad(x * 2, x, gradients, is_grads_batched=True)


def test_batches_of_different_sizes_are_refused():
    x = leaf(1.0)
    with pytest.raises(ValueError, match=r"\[4, 5\]"):
        grad([x, x * 2], x, [eagre.ones(4, 1), eagre.ones(5, 1)], is_grads_batched=True)


def test_other_modes_are_refused_clearly():
    x = leaf(1.0)
    with pytest.raises(NotImplementedError, match="only_inputs"):
        grad(x * 2, x, only_inputs=False)


# Row: Paddle B19
def test_no_gradient_flows_through_no_grad_vars():
    x = leaf(2.0)
    y = x * 3
    z = y * x
    assert grad(z, x, retain_graph=True)[0].tolist() == [12.0]
    assert grad(z, x, no_grad_vars=y, retain_graph=True)[0].tolist() == [6.0]
    assert grad(z, x, no_grad_vars=[y], retain_graph=True)[0].tolist() == [6.0]
    assert y.requires_grad
    assert grad(y * 2, x, no_grad_vars={y}, allow_unused=True) == (None,)


# Row: Paddle B19
def test_one_of_two_outputs_of_a_node_as_no_grad_var():
    x = leaf(2.0, 5.0)
    first, second = (x * 1).split(1)
    (g,) = grad(first * 2 + second * 3, x, no_grad_vars=[second])
    assert g.tolist() == [2.0, 0.0]


# --- backward(inputs=) ---


# Row: PyTorch B13
def test_backward_accumulates_into_the_given_inputs_only():
    x, w = leaf(1.0), leaf(5.0)
    backward(x * w, inputs=x)
    (x * w).backward(inputs=[x])
    assert x.grad.tolist() == [10.0] and w.grad is None


# Row: PyTorch B13
def test_backward_gives_interior_inputs_a_grad():
    x = leaf(1.0)
    y = x * 2
    z = y * y
    z.backward(inputs=[y], retain_graph=True)
    assert y.grad.tolist() == [4.0] and x.grad is None
    z.backward(inputs=[x, y])
    assert y.grad.tolist() == [8.0] and x.grad.tolist() == [8.0]


# Row: PyTorch B13
def test_an_input_that_backward_cannot_reach_stays_none():
    x, other = leaf(1.0), leaf(1.0)
    backward(x * 2, inputs=[other])
    assert x.grad is None and other.grad is None


def test_inputs_of_backward_must_be_tensors_that_require_grad():
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="Tensor or GradientEdge"):
        backward(x * 2, inputs=[3])
    with pytest.raises(RuntimeError, match="retain_grad"):
        backward(x * 2, inputs=[eagre.ones(1)])


# --- dicts ---


# Row: PyTorch B14
def test_grad_of_a_dict_returns_a_dict():
    x, w = leaf(2.0), leaf(3.0)
    result = grad(x * w, {"x": x, "w": w})
    assert list(result) == ["x", "w"]
    assert result["x"].tolist() == [3.0] and result["w"].tolist() == [2.0]


# Row: PyTorch B14
def test_backward_takes_a_dict_of_inputs():
    x, w = leaf(2.0), leaf(3.0)
    backward(x * w, inputs={"x": x})
    assert x.grad.tolist() == [3.0] and w.grad is None


# Row: PyTorch B14
def test_other_mappings_are_refused():
    class OwnDict(dict):
        pass

    x = leaf(2.0)
    with pytest.raises(TypeError, match="inputs"):
        grad(x * 2, OwnDict(x=x))


# --- gradient edges ---


# Row: PyTorch B15, PyTorch L3, Paddle B2
def test_edges_stand_for_tensors_as_roots_and_inputs():
    x = leaf(2.0)
    y = x * 3
    z = y * y
    edge = get_gradient_edge(y)
    assert isinstance(edge, GradientEdge) and edge == (y.grad_fn, 0, None)
    assert grad(z, edge, retain_graph=True)[0].tolist() == [12.0]
    assert grad(z, [edge, x], retain_graph=True)[1].tolist() == [36.0]
    root = get_gradient_edge(z)
    del z
    assert grad(root, x, retain_graph=True)[0].tolist() == [36.0]
    backward([root], inputs=get_gradient_edge(x))
    assert x.grad.tolist() == [36.0]


# Row: PyTorch L3
def test_the_edge_of_a_leaf_is_its_accumulation():
    x = leaf(2.0)
    node, slot, _ = get_gradient_edge(x)
    assert node.name() == "AccumulateGrad" and slot == 0 and node.variable is x
    backward(x * 2, inputs=[get_gradient_edge(x)])
    assert x.grad.tolist() == [2.0]


# Row: PyTorch B15, PyTorch B11, PyTorch L3
def test_edges_need_a_tensor_that_requires_grad_and_a_slot_that_exists():
    with pytest.raises(RuntimeError, match="gradient edge"):
        get_gradient_edge(eagre.ones(1))
    x = leaf(2.0)
    y = x * 2
    with pytest.raises(IndexError, match="output_nr is 1"):
        grad(GradientEdge(y.grad_fn, 1), x)
    with pytest.raises(RuntimeError, match="implicitly created only for scalar"):
        grad(get_gradient_edge(leaf(1.0, 2.0) * 2), x)
    other = get_gradient_edge(leaf(1.0) * 2)
    with pytest.raises(RuntimeError, match="materialize_grads cannot be used when the given input"):
        grad(y, other, materialize_grads=True)
    unused = leaf(5.0)
    found = grad(y, [get_gradient_edge(x), unused], materialize_grads=True)
    assert [g.tolist() for g in found] == [[2.0], [0.0]]


# --- nodes as functions ---


# Row: PyTorch B16
def test_a_grad_fn_can_be_called():
    x, w = leaf(2.0), leaf(3.0)
    y = x * w
    assert [g.tolist() for g in y.grad_fn(eagre.ones(1) * 10)] == [[30.0], [20.0]]
    assert y.grad_fn(None) == (None, None)
    assert x.exp().grad_fn(eagre.ones(1)).shape == (1,)
    y.backward()  # nothing was freed
    assert x.grad.tolist() == [3.0]


# Row: PyTorch B16
def test_a_grad_fn_wants_one_argument_per_output():
    y = leaf(2.0) * 2
    with pytest.raises(TypeError, match="expected 1 arguments, got 2 instead"):
        y.grad_fn(eagre.ones(1), eagre.ones(1))
    with pytest.raises(TypeError, match="expected 1 arguments, got 0 instead"):
        y.grad_fn()
    with pytest.raises(TypeError, match="Tensor or None, but got int"):
        y.grad_fn(3)


def test_memory_that_was_exchanged_is_another_leaf_to_graphs():
    x = leaf(1.0, 2.0)
    calls = []
    x.register_hook(lambda g: calls.append(g.tolist()))
    edge = get_gradient_edge(x)
    y = x * 3
    with eagre.no_grad():
        x.set_(eagre.tensor([5.0, 6.0]))
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        grad(y.sum(), x, retain_graph=True)
    assert grad(y.sum(), edge, retain_graph=True)[0].tolist() == [3.0, 3.0]
    y.sum().backward()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]
    assert calls == [[3.0, 3.0], [3.0, 3.0], [2.0, 2.0]]
