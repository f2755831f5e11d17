"""Classes that derive from Tensor; attributes, weak references and lifetimes of tensor objects."""

import gc
import weakref

import pytest

import eagre


class Named(eagre.Tensor):
    __torch_function__ = eagre._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, data, name=""):
        return eagre.Tensor._make_subclass(cls, data)

    def __init__(self, data, name=""):
        self.name = name


class WithSlots(eagre.Tensor):
    __slots__ = ("first", "second")


class Ended(eagre.Tensor):
    __torch_function__ = eagre._C._disabled_torch_function_impl
    ended = 0

    def __del__(self):
        Ended.ended += 1


def test_instances_of_derived_classes():
    data = eagre.ones(3)
    x = Named(data, "weights")
    assert type(x) is Named and isinstance(x, eagre.Tensor) and x.name == "weights"
    assert x.data_ptr() == data.data_ptr() and not x.requires_grad
    assert x.tolist() == [1, 1, 1] and x.shape == (3,)
    y = eagre.Tensor._make_subclass(Named, data, True)
    assert y.requires_grad and y.is_leaf


def test_as_subclass_is_recorded():
    x = eagre.ones(3, requires_grad=True)
    y = x.as_subclass(Named)
    assert type(y) is Named and y.requires_grad and not y.is_leaf
    y.as_subclass(eagre.Tensor).sum().backward()
    assert x.grad.tolist() == [1, 1, 1]


def test_a_class_without_new_takes_data():
    x = WithSlots([1.0, 2.0])
    assert type(x) is WithSlots and x.tolist() == [1, 2]
    assert type(WithSlots(eagre.ones(2))) is WithSlots
    assert WithSlots().numel() == 0


def test_a_class_takes_instances_of_another():
    class First(eagre.Tensor):
        pass

    class Second(eagre.Tensor):
        pass

    made = []

    class Watched(First):
        def detach(self):
            result = super().detach()
            made.append(weakref.ref(result))
            return result

    x = Second(Watched([1.0, 2.0]))
    assert type(x) is Second and x.tolist() == [1, 2]
    assert all(reference() is None or type(reference()) is Watched for reference in made)
    del x
    assert all(reference() is None for reference in made)


def test_what_is_no_class_of_tensors_is_refused():
    with pytest.raises(TypeError, match="derives from Tensor"):
        eagre.ones(1).as_subclass(int)
    with pytest.raises(TypeError, match="derives from Tensor"):
        eagre.Tensor._make_subclass(int, eagre.ones(1))
    with pytest.raises(NotImplementedError, match="_make_subclass"):
        eagre.Tensor._make_wrapper_subclass(Named, (2,))


def test_the_metaclass_is_passed_on():
    assert type(eagre.Tensor) is type(Named) is eagre._C._TensorMeta

    class Meta(eagre._C._TensorMeta):
        pass

    class Derived(Named, metaclass=Meta):
        pass

    assert type(eagre.ones(1).as_subclass(Derived)) is Derived


def test_mixins_and_slots():
    class Mixin:
        def twice(self):
            return self.tolist() * 2

    class Mixed(Mixin, WithSlots):
        __slots__ = ("third",)

    x = eagre.ones(1).as_subclass(Mixed)
    x.first, x.third = [1], [3]
    assert x.twice() == [1, 1] and (x.first, x.third) == ([1], [3])
    with pytest.raises(AttributeError):
        x.second  # noqa: B018


def test_the_class_can_be_given_methods():
    eagre.Tensor.my_method = lambda self: self.numel() + 1
    try:
        assert eagre.ones(3).my_method() == 4
        assert Named(eagre.ones(2)).my_method() == 3
    finally:
        del eagre.Tensor.my_method
    with pytest.raises(AttributeError):
        eagre.ones(3).my_method()


def test_attributes_of_plain_tensors():
    x = eagre.ones(2)
    assert x.__dict__ == {} and vars(x) == {}
    x.note = "a"
    assert x.note == "a" and x.__dict__ == {"note": "a"}
    del x.note
    with pytest.raises(AttributeError):
        x.note  # noqa: B018
    x.__dict__ = {"other": 1}
    assert x.other == 1
    with pytest.raises(AttributeError):
        x.shape = (1,)


def test_weak_references():
    x = eagre.ones(2)
    gone = []
    reference = weakref.ref(x, gone.append)
    assert reference() is x and gone == []
    del x
    assert reference() is None and gone == [reference]
    table = weakref.WeakKeyDictionary()
    y = eagre.ones(1)
    table[y] = 1
    assert table[y] == 1
    del y
    assert len(table) == 0


# --- wrappers that C++ keeps ---


# Row: PyTorch P6
def test_state_survives_the_last_python_reference():
    x = Named(eagre.ones(3), "kept").requires_grad_()
    x.extra = [1]
    address = id(x)
    y = x * x
    del x
    gc.collect()
    node = y.grad_fn.next_functions[0][0]
    again = node.variable
    assert type(again) is Named and again.name == "kept" and again.extra == [1]
    assert id(again) == address


def test_plain_tensors_with_attributes_and_weak_references_are_kept():
    x = eagre.ones(3, requires_grad=True)
    x.note = "n"
    y = eagre.ones(3, requires_grad=True)
    reference = weakref.ref(y)
    z = x * y
    del x, y
    first, second = (pair[0].variable for pair in z.grad_fn.next_functions)
    assert first.note == "n" and second is reference()
    del first, second, z
    assert reference() is None


def test_slots_survive_too():
    x = eagre.ones(1).as_subclass(WithSlots)
    x.first = {"a": 1}
    holder = eagre.ones(1, requires_grad=True)
    holder.grad = x
    del x
    assert type(holder.grad) is WithSlots and holder.grad.first == {"a": 1}


def test_kept_many_times():
    holder = eagre.ones(1, requires_grad=True)
    holder.grad = eagre.ones(1)
    holder.grad.note = 0
    for i in range(1000):
        assert holder.grad.note == i
        holder.grad.note = i + 1
    reference = weakref.ref(holder.grad)
    seen = reference()
    holder.grad = None
    assert seen.note == 1000
    del seen
    assert reference() is None


def test_a_tensor_known_only_by_a_weak_reference_can_be_used():
    x = eagre.ones(3, requires_grad=True)
    reference = weakref.ref(x)
    y = x * 2
    del x
    x = reference()
    del y
    assert x.tolist() == [1, 1, 1] and (x + 1).tolist() == [2, 2, 2]


def test_del_runs_when_the_tensor_ends_and_not_before():
    Ended.ended = 0
    x = eagre.Tensor._make_subclass(Ended, eagre.ones(1), True)
    y = x * x
    del x
    gc.collect()
    assert Ended.ended == 0
    del y
    eagre.ones(1)
    assert Ended.ended == 1


def test_a_base_is_kept_by_its_views():
    x = eagre.ones(4)
    x.note = "base"
    view = x.view(2, 2)
    del x
    assert view._base.note == "base"


# --- cycles ---


def dies(make):
    """Does what make() returns a weak reference to end with the next collection?"""
    gc.collect()
    reference = make()
    gc.collect()
    eagre.ones(1)
    return reference() is None


class Token:
    pass


def test_cycles_through_attributes():
    def attribute():
        x = eagre.ones(2)
        x.itself = x
        return weakref.ref(x)

    def derived():
        x = Named(eagre.ones(2))
        x.itself = [x]
        return weakref.ref(x)

    def slots():
        x = eagre.ones(2).as_subclass(WithSlots)
        x.first = [x]
        return weakref.ref(x)

    assert dies(attribute) and dies(derived) and dies(slots)


# Row: PyTorch P3, PyTorch E11
def test_cycles_through_hooks():
    def leaf():
        x, token = eagre.ones(2, requires_grad=True), Token()
        x.register_hook(lambda g: print(x, token))
        return weakref.ref(token)

    def accumulated():
        x, token = eagre.ones(2, requires_grad=True), Token()
        x.register_post_accumulate_grad_hook(lambda p: print(x, token))
        return weakref.ref(token)

    def result():
        y, token = eagre.ones(2, requires_grad=True) * 2, Token()
        y.register_hook(lambda g: print(y, token))
        return weakref.ref(token)

    assert dies(leaf) and dies(accumulated) and dies(result)


# Row: PyTorch P3
def test_cycles_through_the_node():
    def metadata():
        y, token = eagre.ones(2, requires_grad=True) * 2, Token()
        y.grad_fn.metadata["y"] = (y, token)
        return weakref.ref(token)

    def node_hook():
        y, token = eagre.ones(2, requires_grad=True) * 2, Token()
        y.grad_fn.register_hook(lambda *g: print(y, token))
        return weakref.ref(token)

    assert dies(metadata) and dies(node_hook)


def test_cycles_through_the_gradient():
    def make():
        x, token = eagre.ones(2, requires_grad=True), Token()
        x.note = token
        x.grad = eagre.ones(2)
        x.grad.owner = x
        return weakref.ref(token)

    assert dies(make)


# Row: PyTorch P3, PyTorch E11
def test_hooks_of_a_tensor_in_a_graph_are_no_garbage():
    calls = []
    x = eagre.ones(2, requires_grad=True)
    x.register_hook(lambda g, x=x: calls.append(x.tolist()))
    y = x * x
    del x
    gc.collect()
    y.sum().backward()
    assert calls == [[1, 1]]


# Row: PyTorch P3
def test_attributes_of_a_tensor_in_a_graph_are_no_garbage():
    x = eagre.ones(2, requires_grad=True)
    x.itself, x.note = x, Token()
    token = weakref.ref(x.note)
    y = x * x
    del x
    gc.collect()
    gc.collect()
    again = y.grad_fn.next_functions[0][0].variable
    assert again.note is token() and again.itself is again
    del again, y
    gc.collect()
    assert token() is None


def test_long_chains_of_attributes_end_without_recursion():
    x = first = eagre.ones(1)
    for _ in range(100_000):
        x.next = eagre.ones(1)
        x = x.next
    del x, first
    x = first = Named(eagre.ones(1))
    for _ in range(100_000):
        x.next = Named(eagre.ones(1))
        x = x.next
    del x, first
    gc.collect()
