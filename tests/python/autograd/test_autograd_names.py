"""Names of PyTorch's autograd: where they are, what nodes are called, what is not there."""

import importlib

import pytest

import eagre
from eagre import autograd
from eagre.autograd import graph


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("grad_mode", ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode"]),
        ("anomaly_mode", ["detect_anomaly", "set_detect_anomaly"]),
        ("variable", ["Variable"]),
    ],
)
def test_second_places_of_names(module, names):
    found = getattr(autograd, module)
    assert found is importlib.import_module(f"eagre.autograd.{module}")
    for name in names:
        assert getattr(found, name) is getattr(autograd, name)


def test_what_is_not_there_says_so():
    with pytest.raises(NotImplementedError, match="there is no profiler yet"):
        autograd.profiler.profile(use_cuda=True)
    with pytest.raises(AttributeError, match="has no attribute 'wrong'"):
        autograd.profiler.wrong  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'wrong'"):
        autograd.wrong  # noqa: B018
    with pytest.raises(NotImplementedError, match="functions with methods that are not static"):
        autograd.NestedIOFunction()


# Row: PyTorch L2
def test_a_node_is_an_object_of_a_type_of_its_name():
    x = eagre.ones(2, requires_grad=True)
    add, other = (x + 1).grad_fn, (x + 2).grad_fn
    assert type(add).__name__ == add.name() == "AddBackward0"
    assert type(add) is type(other) and type(add) is not type((x * 2).grad_fn)
    assert isinstance(add, graph.Node) and issubclass(type(add), graph.Node)
    assert type(add.next_functions[0][0]).__name__ == "AccumulateGrad"
    with pytest.raises(TypeError, match="cannot create"):
        type(add)()
    for _ in range(1000):  # objects and types come and go
        assert (x + 1).grad_fn.name() == "AddBackward0"


# Row: PyTorch L4
def test_questions_to_the_backward_call_that_runs():
    seen = []

    def hook(gradient):
        seen.append(graph.current_graph_task_id())
        seen.append(graph.current_autograd_node())
        seen.append([node.name() for node in graph.current_graph_task_execution_order()])
        seen.append(eagre._C._will_engine_execute_node(y.grad_fn))
        graph.queue_callback(lambda: seen.append("end"))

    x = eagre.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(hook)
    node = y.grad_fn
    y.sum().backward()
    assert seen[0] >= 0 and seen[1] is node and seen[4] == "end"
    assert seen[2] == ["SumBackward0", "MulBackward0", "AccumulateGrad"] and seen[3] is True
    assert graph.current_graph_task_id() == -1 and graph.current_autograd_node() is None
    with pytest.raises(RuntimeError):
        graph.queue_callback(lambda: None)
    with pytest.raises(RuntimeError):
        graph.current_graph_task_execution_order()


def test_small_names_that_programs_read():
    assert autograd.torch is eagre
    assert autograd.is_multithreading_enabled() is True
    x = eagre.ones(1)
    before = x._use_count()
    holder = eagre.stack([x.requires_grad_() * 1]), x.view(1)
    assert x._use_count() > before and holder
    first, second = autograd.functional._construct_standard_basis_for((x, eagre.ones(2)), (1, 2))
    assert first.tolist() == [[1.0], [0.0], [0.0]]
    assert second.tolist() == [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
