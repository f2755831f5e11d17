"""Operators under the names of namespaces, and the public names that messages give them."""

import inspect
import pickle
from operator import attrgetter

import pytest
from records import load_records

import eagre
from eagre.nn import functional


def test_functional_in_place():
    for function in (functional.relu, functional.silu):
        x = eagre.tensor([-1.0, 2.0])
        expected = function(x).tolist()
        assert function(x, inplace=True) is x
        assert x.tolist() == expected
    x = eagre.ones(100)
    eagre.manual_seed(0)
    expected = functional.dropout(x, 0.5).tolist()
    eagre.manual_seed(0)
    assert functional.dropout(x, 0.5, True, inplace=True) is x
    assert x.tolist() == expected


NAMED = [record for record in load_records() if record["python"]]


@pytest.mark.parametrize("record", NAMED, ids=lambda record: record["op"])
def test_names_in_python(record):
    """Each is the function itself, or one that writes in place."""
    own = record["name"]
    for name in record["python"]:
        space, _, last = name.rpartition(".")
        module = attrgetter(space)(eagre) if space else eagre
        assert last in module.__all__
        if parameters := record["own_parameters"].get(name):
            expected = getattr(eagre._C, "_" + name.replace(".", "_"))
            assert list(inspect.signature(expected).parameters) == parameters
        elif last.endswith("_"):
            expected = getattr(eagre._C, "_" + name.replace(".", "_") if space else last)
            if expected.__text_signature__ is not None:  # overloads have several
                given = list(inspect.signature(expected).parameters)
                assert given == [parameter for parameter, _, _ in record["parameters"]]
        else:
            hidden = "_" + record["python"][0].replace(".", "_")
            expected = getattr(eagre, own, None) or getattr(eagre._C, hidden)
        assert getattr(module, last) is expected


def test_functions_of_namespaces_know_their_place():
    for function, space in (
        (functional.relu, functional),
        (eagre.linalg.vector_norm, eagre.linalg),
    ):
        assert function.__module__ == space.__name__
        assert getattr(space, function.__name__) is function
        assert pickle.loads(pickle.dumps(function)) is function


def test_functions_that_write_are_asked_for():
    class Asked(eagre.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            calls.append(function)
            return super().__torch_function__(function, types, args, kwargs or {})

    calls = []
    x = (eagre.ones(3) * 1).as_subclass(Asked)
    written = [eagre.relu_, functional.hardtanh_, functional.leaky_relu_, eagre.asin_]
    for function in written:
        assert function(input=x) is x
    assert eagre.fill_(x, 2) is x
    assert calls == [*written, eagre.fill_]


def test_functional_in_place_by_position_and_mistakes():
    x = eagre.tensor([-1.0, 2.0], requires_grad=True)
    assert functional.relu(x * 1, False).tolist() == [0, 2]
    y = x * 1
    assert functional.relu(y, True) is y and y.grad_fn.name() == "ReluBackward0"
    with pytest.raises(eagre.AutogradError, match=r"relu_\(\): a leaf"):
        functional.relu(x, inplace=True)  # a leaf
    with pytest.raises(TypeError, match=r"relu\(\).*'inplace'"):
        functional.relu(x, inplace="yes")
    with pytest.raises(TypeError, match=r"relu\(\).*'out'"):
        functional.relu(x, out=x)


PUBLIC = {
    "layer_norm": lambda: functional.layer_norm(eagre.ones(2, 3, dtype=eagre.int64), (3,)),
    "cross_entropy": lambda: eagre.cross_entropy(
        eagre.ones(2, 3, dtype=eagre.int64), eagre.tensor([0, 1])
    ),
    "clamp": lambda: eagre.clamp(eagre.tensor([1j]), 0, 1),
    "gelu": lambda: functional.gelu(eagre.tensor([1]), approximate="tanh"),
    "dropout": lambda: eagre.dropout(eagre.tensor([1]), 0.5),
    "div": lambda: eagre.div(eagre.tensor([1j]), eagre.tensor([1j]), rounding_mode="trunc"),
    "pow": lambda: True ** eagre.tensor([True]),
}


@pytest.mark.parametrize("name", PUBLIC)
def test_messages_show_public_names(name):
    with pytest.raises(eagre.Error, match=rf"^{name}\(\)"):
        PUBLIC[name]()


def test_functional_embedding_takes_the_indices_first():
    functional = eagre.nn.functional.embedding
    table = eagre.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    rows = functional(eagre.tensor([1, 0]), table, padding_idx=-1)
    assert rows.tolist() == [[3, 4], [1, 2]]
    rows.sum().backward()
    assert table.grad.tolist() == [[1, 1], [0, 0]]
    with pytest.raises(eagre.InvalidArgumentError, match="'padding_idx'.*-2 to 1.*got 2"):
        functional(eagre.tensor([0]), table, padding_idx=2)


def test_functional_has_the_operators_themselves():
    assert functional.softmax is eagre.softmax
    assert functional.cross_entropy is eagre.cross_entropy


def test_stack_is_one_node():
    x, y = eagre.ones(2, 3, requires_grad=True), eagre.zeros(2, 3)
    for dim in (0, 1, 2, -1):
        joined = eagre.stack([x, y, x], dim)
        assert joined.grad_fn.name() == "StackBackward0"
        assert joined.grad_fn.next_functions[1][0] is None
        (grad,) = eagre.autograd.grad((joined * joined).sum(), [x])
        assert grad.tolist() == [[4.0] * 3] * 2
