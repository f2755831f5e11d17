"""Walking the recorded graph from Python, and the graph as text."""

import gc
import json
import weakref

import pytest

import eagre
from eagre.autograd import graph


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# Row: PyTorch L1, Paddle B2, Paddle B4
def test_next_functions_lead_to_the_leaves():
    x = leaf(2.0)
    y = x * 2 + eagre.ones(1)
    assert y.grad_fn.name() == "AddBackward0"
    (product, slot), nothing = y.grad_fn.next_functions
    assert product.name() == "MulBackward0" and slot == 0 and nothing == (None, 0)
    (accumulate, _), _ = product.next_functions
    assert accumulate.variable is x and accumulate.next_functions == ()
    with pytest.raises(AttributeError, match="AccumulateGrad"):
        product.variable  # noqa: B018


# Row: PyTorch L1
def test_nodes_are_instances_of_node():
    y = leaf(2.0) * 2
    assert isinstance(y.grad_fn, graph.Node) and graph.Node is eagre.autograd.Node
    assert not isinstance(y, graph.Node)
    with pytest.raises(TypeError):
        graph.Node()


# Row: PyTorch L1
def test_metadata_is_a_dict_that_stays_with_the_node():
    y = leaf(2.0) * 2
    assert y.grad_fn.metadata == {}
    y.grad_fn.metadata["key"] = "value"
    z = y + 1
    assert z.grad_fn.next_functions[0][0].metadata == {"key": "value"}
    y.backward()
    assert y.grad_fn.metadata == {"key": "value"}


# Row: PyTorch L1
def test_sequence_numbers_grow_and_leaves_are_last():
    x = leaf(2.0)
    y = x * 2
    z = y * 2
    assert z.grad_fn._sequence_nr() == y.grad_fn._sequence_nr() + 1
    assert y.grad_fn.next_functions[0][0]._sequence_nr() == 2**64 - 1


# Row: PyTorch L1, Paddle B3
def test_input_metadata_describes_the_gradients_of_the_outputs():
    x = eagre.ones(2, 3, dtype=eagre.float64, requires_grad=True)
    (meta,) = (x * 2).grad_fn._input_metadata
    assert (meta.shape, meta.dtype, meta.device) == ((2, 3), eagre.float64, eagre.device("cpu"))
    shapes = [m.shape for m in x.split([1, 2], 1)[0].grad_fn._input_metadata]
    assert shapes == [(2, 1), (2, 2)]
    (meta,) = graph.get_gradient_edge(x).node._input_metadata
    assert meta.shape == (2, 3)


# Row: PyTorch H4
def test_increment_version_makes_backward_notice_foreign_writes():
    x = leaf(2.0)
    y = x * 1
    z = y * y
    graph.increment_version(y)
    assert y._version == 1
    with pytest.raises(RuntimeError, match="increment_version"):
        z.backward()
    graph.increment_version([x, y])
    assert (x._version, y._version) == (1, 2)
    with pytest.raises(TypeError, match="got int"):
        graph.increment_version([x, 3])


# Row: PyTorch L2
def test_nodes_are_named_after_their_operators():
    x = leaf(2.0, 3.0)
    named = {
        "AddBackward0": x + 1,
        "MulBackward0": x * x,
        "SumBackward0": x.sum(),
        "ExpBackward0": x.exp(),
        "ViewBackward0": x.view(2, 1),
    }
    assert [t.grad_fn.name() for t in named.values()] == list(named)
    assert graph.get_gradient_edge(x).node.name() == "AccumulateGrad"
    y = x * 1
    y[0] = 5.0
    assert y.grad_fn.name() == "CopySlices"


# Row: PyTorch L5
def test_what_anomaly_mode_notes_dies_with_the_graph():
    class Token:
        pass

    token = Token()
    watched = weakref.ref(token)
    before = eagre.cpu.memory_stats()["allocated"]
    with eagre.autograd.detect_anomaly():
        x = eagre.ones(10_000, requires_grad=True)
        y = x.exp()
        y.grad_fn.metadata["token"] = token
        (gradient,) = eagre.autograd.grad(y.sum(), x, create_graph=True)  # its parent is y's node
        (second,) = eagre.autograd.grad(gradient.sum(), x)
    del token, y
    gc.collect()
    assert watched() is not None  # the gradient's graph needs it
    del x, gradient, second
    gc.collect()
    eagre.ones(1)
    assert watched() is None and eagre.cpu.memory_stats()["allocated"] <= before


def test_graph_as_json_and_dot():
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    data = json.loads(graph.to_json(y))
    assert [node["name"] for node in data["nodes"]] == [
        "SumBackward0",
        "MulBackward0",
        "AccumulateGrad",
    ]
    mul = data["nodes"][1]
    assert mul["outputs"] == [{"dtype": "float32", "shape": [2], "device": "cpu"}]
    assert mul["next"] == [{"node": 2, "slot": 0}] * 2
    assert "test_graph_api.py" in mul["site"]
    assert "MulBackward0" in graph.to_dot(y)
    with pytest.raises(TypeError, match="a Tensor"):
        graph.to_dot(3)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_is_one_node(reduction):
    scores = eagre.randn(4, 3, requires_grad=True)
    target = eagre.tensor([0, 2, -100, 1])
    node = eagre.nn.functional.cross_entropy(scores, target, reduction=reduction).grad_fn
    assert node.name() == "NllLossBackward0"
    assert [type(edge).__name__ for edge, _ in node.next_functions if edge] == ["AccumulateGrad"]
