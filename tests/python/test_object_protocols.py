"""Pickles and copies of what is no tensor, states, classes and formats of tensors: as PyTorch's."""

import copy
import pickle

import pytest
from child import run

import eagre

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Mine(eagre.Tensor):
    pass


class Slotted(eagre.Tensor):
    __slots__ = ("first",)


class Seeded(eagre.Generator):
    def __init__(self, device="cpu"):
        self.tag = "mine"


# --- results with names ---


def test_return_types_is_a_module_of_all_types():
    import eagre.return_types as types

    values = eagre.tensor([[1.0, 3.0], [4.0, 2.0]])
    assert types.max is type(values.max(1)) and types.sort is type(values.sort())
    assert {"max", "min", "sort", "topk"} <= set(dir(types))
    assert types.topk in types.all_return_types
    assert types.max((1, 2)).indices == 2
    with pytest.raises(AttributeError, match="'add': no operator of this name"):
        _ = types.add


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results_with_names_are_pickled_and_copied(protocol):
    result = eagre.tensor([[1.0, 3.0], [4.0, 2.0]]).max(1)
    for made in (
        pickle.loads(pickle.dumps(result, protocol)),
        copy.copy(result),
        copy.deepcopy(result),
    ):
        assert type(made) is type(result)
        assert made.values.tolist() == [3.0, 4.0] and made.indices.tolist() == [1, 0]


def test_a_pickle_of_a_result_is_read_where_its_operator_was_never_called():
    text = pickle.dumps(eagre.tensor([3.0, 1.0]).sort()).hex()
    code = f"import pickle, eagre; print(pickle.loads(bytes.fromhex('{text}')).indices.tolist())"
    assert run(code)[0] == "[1, 0]"


# --- Generator and Size ---


def pickled(protocol):
    return lambda value: pickle.loads(pickle.dumps(value, protocol))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, *map(pickled, PROTOCOLS)])
def test_a_copy_of_a_generator_goes_on_from_the_same_place(again):
    generator = eagre.Generator().manual_seed(5)
    eagre.rand(3, generator=generator)
    made = again(generator)
    assert made is not generator and made.initial_seed() == 5
    assert eagre.rand(4, generator=made).equal(eagre.rand(4, generator=generator))


def test_classes_may_derive_from_generator():
    generator = Seeded("cpu").manual_seed(3)
    assert (type(generator), generator.tag) == (Seeded, "mine")
    numbers = eagre.rand(2, generator=generator)
    assert numbers.equal(eagre.rand(2, generator=eagre.Generator().manual_seed(3)))
    assert type(generator.clone_state()) is eagre.Generator
    made = pickle.loads(pickle.dumps(generator))
    assert type(made) is Seeded and made.initial_seed() == 3


@pytest.mark.parametrize("state", [None, (), (1, None), (1, None, "bytes")])
def test_a_bad_state_of_a_generator_is_refused(state):
    with pytest.raises(TypeError):
        eagre.Generator().__setstate__(state)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_sizes_are_pickled(protocol):
    size = eagre.Size([1, 2])
    made = pickle.loads(pickle.dumps(size, protocol))
    assert type(made) is eagre.Size and made == size
    assert type(copy.deepcopy(size)) is eagre.Size


# --- states of tensors ---


# Row: PyTorch P5
def test_setstate_takes_the_states_of_pytorch():
    x = eagre.ones(2)
    x.__setstate__((eagre.arange(6.0).storage(), 1, (2, 2), (2, 1)))
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    x.__setstate__((eagre.zeros(3), None, {}, True, None))
    assert x.requires_grad and x.tolist() == [0.0, 0.0, 0.0]
    seen = []
    x.__setstate__((True, None, {0: lambda gradient: seen.append(gradient.tolist())}))
    x.sum().backward()
    assert seen == [[1.0, 1.0, 1.0]]
    x.__setstate__({"name_of_mine": 3})
    assert x.name_of_mine == 3
    with pytest.raises(RuntimeError, match="only called on leaf Tensors"):
        (x * 2).__setstate__((True, None, {}))


def test_setstate_of_a_class_gets_what_was_pickled():
    x = eagre.ones(2).as_subclass(Slotted)
    x.first, x.second = [1], x
    made = pickle.loads(pickle.dumps(x))
    assert made.first == [1] and made.second is made


def test_set_takes_tensors_and_storages():
    source = eagre.arange(6.0)
    bytes_of = source.untyped_storage()
    assert eagre.ones(2).set_(source.storage()).tolist() == source.tolist()
    assert eagre.ones(2).set_(bytes_of, 1, (2, 2)).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert eagre.ones(2).set_(bytes_of, 1, (2, 2), (1, 1)).tolist() == [[1.0, 2.0], [2.0, 3.0]]
    assert eagre.ones(2).set_(source, 4, (2,)).tolist() == [4.0, 5.0]
    assert eagre.ones(2).set_().shape == (0,)
    assert eagre.ones(2, dtype=eagre.int32).set_(bytes_of).numel() == 6
    x = eagre.ones(2).set_(source=bytes_of, storage_offset=1, size=(2,), stride=(1,))
    x[0] = 9.0
    assert source[1] == 9.0
    with pytest.raises(RuntimeError, match="Expected a Storage of eagre.int32"):
        eagre.ones(2, dtype=eagre.int32).set_(source.storage())
    with pytest.raises(TypeError, match="'source' must be a Tensor or a storage"):
        eagre.ones(2).set_(1)
    with pytest.raises(RuntimeError, match="do not fit in a storage"):
        eagre.ones(2).set_(bytes_of, 100, (2,))


# --- classes ---


def test_a_tensor_may_change_its_class():
    x = eagre.ones(2)
    x.tag = 1
    x.__class__ = Mine
    assert type(x) is Mine and type(x + 1) is Mine and x.tag == 1
    x.__class__ = eagre.Tensor
    assert type(x) is eagre.Tensor and type(x + 1) is eagre.Tensor
    x.__class__ = eagre.nn.Parameter
    assert isinstance(x, eagre.nn.Parameter) and repr(x).startswith("Parameter containing")
    del x


def test_a_tensor_does_not_become_what_it_has_no_room_for():
    x = eagre.ones(2)
    for cls in (Slotted, int, 3):
        with pytest.raises(TypeError, match="__class__"):
            x.__class__ = cls
    with pytest.raises(TypeError):
        del x.__class__
    y = eagre.ones(2).as_subclass(Slotted)
    with pytest.raises(TypeError, match="layout differs"):
        y.__class__ = eagre.Tensor
    assert type(x) is eagre.Tensor and type(y) is Slotted


def test_many_tensors_change_their_class_and_end():
    for _ in range(1000):
        x = eagre.ones(2, requires_grad=True)
        x.__class__ = Mine
        y = x * 2
        y.__class__ = eagre.Tensor
        del x, y


@pytest.mark.parametrize("tensor", [eagre.tensor(1.5), eagre.ones(2)])
def test_a_format_is_a_string(tensor):
    with pytest.raises(TypeError, match="must be str, not int"):
        tensor.__format__(1)
