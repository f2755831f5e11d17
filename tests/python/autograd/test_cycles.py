"""Cycles that run through Python objects and the graph: the garbage collector ends them, and keeps
what is still in use. (PyTorch keeps all but the shortest of these.)"""

import gc
import time
import weakref
from random import Random

import pytest

import eagre
from eagre.autograd import Function


class Witness:
    """Can be referred to weakly."""


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def leaf():
    return eagre.ones(2, requires_grad=True)


def chain(x):
    return ((x * 2).exp() + 1).sum()


# --- each makes a cycle that holds the witness, and lets go of all of it ---


def hook_of_a_leaf(witness):
    x = leaf()
    y = chain(x)
    x.register_hook(lambda g: (y, witness))


def hook_of_a_leaf_that_gets_its_result_later(witness):
    x, box = leaf(), Witness()
    x.register_hook(lambda g: (box.result, witness))
    box.result = chain(x)


def hook_after_accumulation(witness):
    x = leaf()
    y = chain(x)
    x.register_post_accumulate_grad_hook(lambda t: (y, witness))


def hook_of_a_leaf_used_twice(witness):
    x = leaf()
    z = x * 2
    y = (z.exp() + z * x).sum()
    del z
    x.register_hook(lambda g: (y, witness))


def hook_inside(witness):
    z = leaf() * 2
    y = chain(z)
    z.register_hook(lambda g: (y, witness))


def hook_of_a_node(witness):
    y = chain(leaf())
    y.grad_fn.register_hook(lambda a, b: (y, witness))


def hook_of_a_node_inside(witness):
    y = chain(leaf())
    y.grad_fn.next_functions[0][0].register_hook(lambda a, b: (y, witness))


def metadata_of_a_node_inside(witness):
    y = chain(leaf())
    y.grad_fn.next_functions[0][0].metadata["all"] = (y, witness)


def metadata_of_a_node_without_its_tensor(witness):
    node = chain(leaf()).grad_fn.next_functions[0][0]
    node.metadata["all"] = (node, witness)


def hook_that_knows_a_node(witness):
    x = leaf()
    node = chain(x).grad_fn
    x.register_hook(lambda g: (node, witness))


def attribute_of_a_leaf(witness):
    x = leaf()
    x.result, x.witness = chain(x), witness


def attribute_of_a_tensor_that_is_saved(witness):
    z = leaf() * 2
    z.witness = witness
    z.result = (z * z).exp()


def attribute_of_a_leaf_under_functions(witness):
    x = leaf()
    x.result, x.witness = Double.apply(Double.apply(x * 2)), witness


def attribute_of_a_context(witness):
    z = Double.apply(leaf())
    z.grad_fn.all = (z.exp().sum(), witness)


def two_leaves(witness):
    a, b = leaf(), leaf()
    y = (a * b).sum()
    a.register_hook(lambda g: (y, witness))
    b.register_hook(lambda g: (y, witness))


def gradient_with_a_history(witness):
    x = leaf()
    x.witness = witness
    (x**3).sum().backward(create_graph=True)


def module_with_its_last_loss(witness):
    module = Witness()
    module.weight, module.witness = leaf(), witness
    module.weight.note = module
    module.weight.register_hook(lambda g: module.loss)
    module.loss = chain(module.weight)


def gradient_with_a_history_of_a_leaf_in_use(witness):
    module = Witness()
    module.weight = leaf()
    module.weight.note = (module, witness)
    (module.weight**3).sum().backward(create_graph=True)


CYCLES = [
    hook_of_a_leaf,
    hook_of_a_leaf_that_gets_its_result_later,
    hook_after_accumulation,
    hook_of_a_leaf_used_twice,
    hook_inside,
    hook_of_a_node,
    hook_of_a_node_inside,
    metadata_of_a_node_inside,
    metadata_of_a_node_without_its_tensor,
    hook_that_knows_a_node,
    attribute_of_a_leaf,
    attribute_of_a_tensor_that_is_saved,
    attribute_of_a_leaf_under_functions,
    attribute_of_a_context,
    two_leaves,
    gradient_with_a_history,
    module_with_its_last_loss,
    gradient_with_a_history_of_a_leaf_in_use,
]


@pytest.fixture
def no_automatic_collection():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


# Row: PyTorch P2
@pytest.mark.parametrize("make", CYCLES)
@pytest.mark.filterwarnings("ignore:Using backward")
def test_a_cycle_through_the_graph_ends(make, no_automatic_collection):
    witness = Witness()
    make(witness)
    weak = weakref.ref(witness)
    del witness
    assert weak() is not None
    gc.collect()
    eagre.ones(1)  # references from C++ are dropped when the next tensor is made
    gc.collect()
    assert weak() is None


# --- what is in use stays ---


def test_hooks_live_as_long_as_a_result_of_their_leaf(no_automatic_collection):
    seen = []

    def make():
        x = leaf()
        z = x * 2
        y = z.exp()
        x.register_hook(lambda g: seen.append((g.tolist(), y.shape)))
        return z

    z = make()
    gc.collect()
    gc.collect()
    z.sum().backward()
    assert seen == [([2.0, 2.0], (2,))]


def test_attributes_live_as_long_as_a_result_of_their_leaf(no_automatic_collection):
    def make():
        x = leaf()
        x.name_of_mine = "here"
        x.result = chain(x)
        return chain(x)

    y = make()
    for _ in range(2):
        gc.collect()
    node = y.grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    assert node.variable.name_of_mine == "here" and node.variable.result.grad_fn is not None


@pytest.mark.parametrize("held", ["weight", "loss"])
def test_what_a_module_leaves_behind_is_whole(held, no_automatic_collection):
    """One part of a cycle is in use: hooks and attributes of the others are there."""
    seen = []

    def make():
        module = Witness()
        module.weight = leaf()
        module.weight.note = [1]
        module.weight.register_hook(lambda g: seen.append(module.weight.note))
        module.loss = chain(module.weight)
        return getattr(module, held)

    kept = make()
    for _ in range(3):
        gc.collect()
    (kept.sum() if held == "weight" else kept).backward()
    assert seen == [[1]]


@pytest.mark.filterwarnings("ignore:Using backward")
def test_tensors_that_lead_into_each_other_are_shown_once(no_automatic_collection):
    """Both walks meet everything: x with its gradient, whose history holds x."""

    def hook(g):
        seen.append(1)

    seen = []
    module = Witness()
    for _ in range(3):
        x = module.weight = leaf()
        x.note = [module]
        x.register_hook(hook)
        (x**3).sum().backward(create_graph=True)
        x.grad.note = (module, x, hook)
        x.grad.register_hook(hook)
        gradient = weakref.ref(x.grad)
        for generation in (0, 1, 2, 2):
            gc.collect(generation)
        assert x.note == [module] and x.grad.note == (module, x, hook)
        assert gradient() is x.grad
    weak = weakref.ref(module)
    before = len(seen)
    x.grad.sum().backward()
    assert len(seen) > before
    del x, module
    for _ in range(3):
        gc.collect()
        eagre.ones(1)
    assert weak() is None


def test_a_tensor_of_a_graph_in_use_outlives_the_garbage_that_refers_to_it(no_automatic_collection):
    seen = []

    def make():
        x = leaf()
        x.note = "here"
        x.register_hook(lambda g: seen.append(1))
        between = leaf() + 1
        between.note = x
        garbage = between * x
        garbage.note = garbage
        return x + 1

    used = make()
    gc.collect()
    used.sum().backward()
    assert seen == [1]
    assert used.grad_fn.next_functions[0][0].variable.note == "here"


def test_a_long_graph_is_not_walked_through_in_every_collection(no_automatic_collection):
    x = y = leaf()
    for _ in range(200_000):
        y = y * 1
    x.register_hook(lambda g: y)
    gc.collect()
    assert y.grad_fn is not None
    (gradient,) = eagre.autograd.grad(y.sum(), x)
    assert gradient.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("generation", [0, 1, 2])
@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("has_state", [False, True])
def test_a_tensor_in_use_keeps_hooks_that_garbage_leads_to(
    generation, is_old, has_state, no_automatic_collection
):
    seen = []

    def make(w=None):
        x = leaf()
        x.register_hook(lambda g, x=x: seen.append(g.tolist()))
        return x * 2

    def use(w):
        box = Witness()
        box.self = box
        y = (w * w).exp()
        y.note = box
        box.result = y

    w = make()
    if has_state:
        w.note = "in use"
    if is_old:
        gc.collect()
    use(w)
    gc.collect(generation)
    eagre.ones(1)
    w.sum().backward()
    assert seen == [[2.0, 2.0]]


# --- any graph ---


class Program:
    """Random operators on leaves with hooks; hooks, attributes and nodes refer to anything."""

    def __init__(self, random):
        self.random = random
        self.called = set()
        self.boxes = [Witness() for _ in range(4)]
        self.tensors = []  # with the numbers of the leaves that they depend on
        for i in range(3):
            x = leaf() if random.random() < 0.7 else eagre.nn.Parameter(eagre.ones(2))
            x.register_hook(self.hook(i))
            self.tensors.append((x, {i}))
        for i in range(random.randrange(2, 12)):
            self.step(i)

    def box(self):
        return self.random.choice(self.boxes)

    def hook(self, what):
        called, box = self.called, self.box()

        def hook(g):
            if isinstance(what, int) and box:
                called.add(what)

        return hook

    def step(self, i):
        random = self.random
        (a, of_a), (b, of_b) = random.choices(self.tensors, k=2)
        made, of_made = random.choice(
            [
                (lambda: a * b, of_a | of_b),
                (lambda: a + b, of_a | of_b),
                (lambda: (a * 0.1).exp(), of_a),
                (lambda: Double.apply(a), of_a),
                (lambda: a.view(2), of_a),
            ]
        )
        t = made()
        self.tensors.append((t, of_made))
        if random.random() < 0.35:
            t.note = (self.box(), i, random.choice(self.tensors)[0])
        if random.random() < 0.25:
            t.register_hook(self.hook(random.choice(self.tensors)[0]))
        if random.random() < 0.15:
            t.grad_fn.metadata["box"] = (t, self.box())
        if random.random() < 0.3:
            setattr(self.box(), f"tensor_{i}", t)
        if random.random() < 0.2:
            gc.collect(random.randrange(3))

    def part(self):
        kept = self.random.sample(self.tensors, min(len(self.tensors), self.random.randrange(4)))
        return [(t, leaves, getattr(t, "note", None)) for t, leaves in kept]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_in_use_is_whole(seed, no_automatic_collection):
    random = Random(seed)
    for _ in range(30):
        program = Program(random)
        called, kept = program.called, program.part()
        del program
        for _ in range(random.randrange(1, 4)):
            gc.collect(random.randrange(3))
            eagre.ones(1)
        for tensor, leaves, note in kept:
            assert getattr(tensor, "note", None) is note
            called.clear()
            tensor.sum().backward(retain_graph=True)
            assert called >= leaves
        kept = tensor = note = None


def test_tensors_with_hooks_that_end_deep_inside_of_others():
    """CPython puts off the end of what is nested deeply; the collector must not know it by then."""
    nest = ()
    for _ in range(300):
        x = leaf()
        x.register_hook(lambda g: None)
        nest = (nest, x)
    del nest, x
    gc.collect()


def test_young_collections_do_not_follow_graphs():
    """A long graph is made of objects that come one by one: each time all of it would be gone
    through again."""
    y = leaf()
    for _ in range(20_000):
        y = Double.apply(y)
    gc.collect()
    y = Double.apply(y)
    y.note = "the collector sees it"
    y.grad_fn.register_hook(lambda *gradients: None)

    def seconds(generation):
        start = time.perf_counter()
        gc.collect(generation)
        return time.perf_counter() - start

    young = seconds(0)
    assert young * 10 < seconds(2)


@pytest.mark.parametrize("on_tensor", [True, False])
def test_a_hook_that_holds_the_node_of_its_function_ends(on_tensor, no_automatic_collection):
    def program():
        y = Double.apply(eagre.ones(1, requires_grad=True))
        node, witness = y.grad_fn, Witness()

        def hook(*_):
            return None if node is None else witness and None

        (y if on_tensor else node).register_hook(hook)
        return y.clone(), weakref.ref(witness)

    result, witness = program()
    gc.collect()
    assert witness() is not None
    result.backward()
    del result
    gc.collect()
    assert witness() is None


def test_a_written_view_that_its_function_saved_ends(no_automatic_collection):
    class Save(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, gradient):
            (saved,) = ctx.saved_tensors
            return gradient * saved

    def program():
        x = (eagre.ones(1, requires_grad=True) * 1).view(1)
        Save.apply(x)
        return weakref.ref(x)

    assert program()() is None
    x = eagre.ones(2, requires_grad=True)
    base = x * 1
    Save.apply(base[:1])
    base.sum().backward()
    assert x.grad.tolist() == [2.0, 1.0]
