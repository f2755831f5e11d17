"""Size, dtype, device and Generator as values: equality, text, copies and pickles."""

import copy
import pickle

import pytest

import eagre


def test_sizes_stay_sizes():
    size = eagre.Size([2, 3])
    for made in (size + (4,), (4,) + size, size * 2, 2 * size, size[:1], size + size):
        assert type(made) is eagre.Size
    assert (4,) + size == (4, 2, 3) and size * 2 == (2, 3, 2, 3)
    assert pickle.loads(pickle.dumps(size)) == size and hash(size) == hash((2, 3))
    assert eagre.Size(eagre.tensor([2, 3])) == (2, 3) and size.numel() == 6
    assert eagre.Size() == () and eagre.Size().numel() == 1
    with pytest.raises(TypeError, match="item 0 is 'float'"):
        eagre.Size([2.5])
    with pytest.raises(TypeError):
        size + [4]


def test_dtypes_of_parts():
    assert eagre.float32.to_complex() is eagre.complex64
    assert eagre.complex128.to_real() is eagre.float64
    assert eagre.int64.to_real() is eagre.int64
    with pytest.raises(TypeError, match="int64"):
        eagre.int64.to_complex()


def test_generators_can_be_cloned():
    first = eagre.Generator().manual_seed(3)
    eagre.rand(3, generator=first)
    second = first.clone_state()
    expected = eagre.rand(3, generator=first).tolist()
    assert eagre.rand(3, generator=second).tolist() == expected


def test_devices_with_and_without_an_index_differ():
    cpu, first = eagre.device("cpu"), eagre.device("cpu:0")
    assert cpu != first and cpu == eagre.device("cpu") and first == eagre.device("cpu", 0)
    assert hash(cpu) != hash(first)
    assert (cpu.index, first.index) == (None, 0)
    assert (str(cpu), str(first)) == ("cpu", "cpu:0")
    assert repr(first) == "device(type='cpu', index=0)"
    assert eagre.device(first) == first
    x = eagre.zeros(1, device=first)
    assert x.device == cpu == eagre.zeros(1).device
    assert eagre.zeros(1, device="meta").device == eagre.device("meta")


PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Seeded(eagre.Generator):
    def __init__(self, device="cpu"):
        self.tag = "mine"


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


def test_size_is_a_tuple():
    size = eagre.ones(2, 3).shape
    assert isinstance(size, tuple) and repr(size) == "eagre.Size([2, 3])"
    assert repr(size[1:]) == "eagre.Size([3])" and repr(size + (4,)) == "eagre.Size([2, 3, 4])"
    assert size[0] == 2 and size.numel() == 6 and eagre.Size((1, 2)) == (1, 2)
