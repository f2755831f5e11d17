"""The context of an autograd.Function: it is the node, and lives as long as it is needed."""

import gc
import threading
import warnings
import weakref

import pytest
from user_functions import Cube, Exp, defined, leaf

import eagre
from eagre.autograd.function import FunctionCtx
from eagre.autograd.graph import Node


def test_the_grad_fn_is_the_context():
    contexts = []

    def forward(ctx, x):
        contexts.append(weakref.ref(ctx))
        ctx.factor = 2
        return x * 2

    x = leaf(1.0)
    y = defined(forward, lambda ctx, g: g * ctx.factor).apply(x)
    node = y.grad_fn
    assert contexts[0]() is node and node.factor == 2
    assert isinstance(node, Node) and isinstance(node, FunctionCtx)
    assert node.name() == type(node).__name__ == "MadeBackward"
    assert node.next_functions == ((eagre.autograd.graph.get_gradient_edge(x).node, 0),)
    assert node._input_metadata[0].shape == (1,)
    assert (y * 2).grad_fn.next_functions[0][0] is node
    node.metadata["mine"] = 1
    assert y.grad_fn.metadata == {"mine": 1}
    seen = []
    node.register_prehook(lambda g: seen.append(("before", g[0].item())))
    node.register_hook(lambda results, g: seen.append(("after", results[0].item(), g[0].item())))
    y.backward(retain_graph=True)
    assert seen == [("before", 1.0), ("after", 2.0, 1.0)]
    assert node(eagre.ones(1)).item() == 2.0
    assert node.apply(eagre.ones(1)).item() == 2.0
    assert eagre.autograd.grad(eagre.autograd.graph.GradientEdge(node, 0), x, eagre.ones(1))


def test_raw_saved_tensors():
    x = leaf(1.0)
    y = Cube.apply(x)
    (raw,) = y.grad_fn._raw_saved_tensors
    raw.register_hooks(lambda t: t.numpy(), lambda array: eagre.tensor(array) * 2)
    y.backward()
    assert x.grad.item() == 12.0


# Row: PyTorch K19
def test_a_context_lives_as_long_as_it_is_needed():
    x = leaf(1.0)
    y = Exp.apply(x)
    y.grad_fn.mark = "mine"
    gone = weakref.ref(y.grad_fn)
    for _ in range(3):  # from the node to Python and back
        assert y.grad_fn.mark == "mine"
        gc.collect()
    assert gone() is y.grad_fn
    del y
    assert gone() is None


# Row: PyTorch K19
def test_a_context_keeps_its_graph():
    kept = []
    x = leaf(1.0)
    made = defined(
        lambda ctx, x: ctx.save_for_backward(x) or x * 2, lambda ctx, g: kept.append(ctx) or g
    )
    y = made.apply(x)
    node = y.grad_fn
    del y
    assert node.saved_tensors[0] is x and node.next_functions[0][0].variable is x
    y = made.apply(x)
    y.backward(retain_graph=True)
    assert kept[0] is y.grad_fn
    del y
    assert kept[0].saved_tensors[0] is x


# Row: PyTorch K19
def test_a_context_that_refers_to_itself():
    x = leaf(1.0)

    def forward(ctx, x):
        ctx.me = ctx
        return x * 2

    made = defined(forward, lambda ctx, g: g * (2 if ctx.me is ctx else 0))
    y = made.apply(x)
    gc.collect()  # not garbage: the graph needs it
    y.backward()
    assert x.grad.item() == 2.0 and y.grad_fn.me is y.grad_fn
    gone = weakref.ref(y.grad_fn)
    del y
    gc.collect()
    assert gone() is None


def test_contexts_end_with_unused_graphs():
    made = []

    class Thing:
        pass

    def forward(ctx, x):
        ctx.thing = Thing()
        made.append(weakref.ref(ctx.thing))
        return x * 2

    function = defined(forward, lambda ctx, g: g)
    x = leaf(1.0)
    for _ in range(3):
        function.apply(x)
        function.apply(x.detach())
        y = function.apply(x)
        y.backward()
    del y
    assert all(ref() is None for ref in made)


def test_hooks_of_a_function_in_a_graph_of_functions():
    x = leaf(2.0)
    y = Exp.apply(Cube.apply(x))
    names = []
    node = y.grad_fn
    while node.next_functions:
        names.append(node.name())
        node = node.next_functions[0][0]
    assert names == ["ExpBackward", "CubeBackward"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y.backward()


# Row: PyTorch K19
def test_a_result_that_its_own_context_refers_to_is_collected():
    class Thing:
        pass

    def forward(ctx, x, meta):
        ctx.meta, ctx.thing = meta, Thing()
        things.append(weakref.ref(ctx.thing))
        return x * 2

    things = []
    made = defined(forward, lambda ctx, g: (g * ctx.meta["by"], None))
    meta = {"by": 3.0}
    x = leaf(1.0)
    meta["y"] = made.apply(x, meta)
    gc.collect()  # not garbage yet
    meta["y"].backward()
    assert x.grad.item() == 3.0
    del meta
    gc.collect()
    assert things[0]() is None


def test_a_weak_reference_leads_to_the_context_but_not_to_the_graph():
    x = leaf(1.0)
    y = Exp.apply(x)
    y.grad_fn.mark = "mine"
    weak = weakref.ref(y.grad_fn)
    assert weak().mark == "mine" and weak().name() == "ExpBackward"
    with pytest.raises(RuntimeError, match="ask a result of apply.. for its grad_fn"):
        weak().saved_tensors  # noqa: B018
    assert len(y.grad_fn.saved_tensors) == 1
    node = y.grad_fn  # held in Python, it holds its graph
    assert len(weak().saved_tensors) == 1 and weak() is node


def test_one_node_in_several_threads():
    started, results = threading.Barrier(2), []

    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        started.wait(10)
        needs = ctx.needs_input_grad
        started.wait(10)
        return g * ctx.saved_tensors[0] if needs == (True,) and x.item() == 3.0 else None

    y = defined(lambda ctx, x: ctx.save_for_backward(x) or x * 3, backward).apply(leaf(3.0))
    edge = y.grad_fn.next_functions[0][0].variable

    def work():
        results.append(eagre.autograd.grad(y, edge, retain_graph=True)[0].item())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [3.0, 3.0]
