"""Version counters, out=, and assignment to items, as autograd sees them."""

import pytest

import eagre
from eagre.autograd import _unsafe_preserve_version_counter, graph


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


# --- versions ---


# Row: PyTorch H1
def test_every_write_advances_the_version_of_base_views_and_aliases_but_not_of_copies():
    x = eagre.zeros(4)
    view, alias, copy, data = x[1:], x.detach(), x.clone(), x.data
    x.add_(1)
    view.mul_(2)
    alias[0] = 5
    assert x._version == view._version == alias._version == 3
    assert copy._version == 0 and data._version == 0


# Row: PyTorch H2
def test_writes_without_recording_are_noticed_too():
    x = leaf(1.0)
    y = x * 1
    z = y * y
    with eagre.no_grad():
        y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


# Row: PyTorch H3
def test_resizing_advances_the_version_only_when_it_changes_something():
    x = eagre.zeros(4)
    assert x.resize_(4) is x and x._version == 0
    x.resize_(2, 2)
    assert x._version == 1
    x.resize_(8)
    assert x._version == 2
    columns = eagre.zeros(2, 3).t()
    assert columns.resize_(3, 2).stride() == (1, 3)  # stays as it is


# Row: PyTorch H4
def test_the_version_of_an_inference_tensor_is_not_advanced():
    with eagre.inference_mode():
        x = eagre.ones(1)
    graph.increment_version(x)
    with pytest.raises(RuntimeError, match="do not track version counter"):
        _ = x._version


# Row: PyTorch H4
def test_versions_can_be_kept_and_set_by_who_knows_better():
    x = leaf(3.0)
    y = x * 1
    z = y * y
    with _unsafe_preserve_version_counter(y), eagre.no_grad():
        y.add_(0)
    assert y._version == 0
    z.backward()
    assert x.grad.tolist() == [6.0]
    with _unsafe_preserve_version_counter((x, y)), eagre.no_grad():
        x.add_(1)
        y.add_(1)
    assert (x._version, y._version) == (0, 0)
    eagre._C._set_version(y, 7)
    assert y._version == 7
    with pytest.raises(RuntimeError, match="Cannot set a version counter to a value below 0"):
        eagre._C._set_version(y, -1)


# Row: PyTorch H5
def test_a_write_gives_the_tensor_a_new_node_and_earlier_users_keep_the_old_one():
    y = leaf(1.0) * 2
    old = y.grad_fn
    before = y * 1
    y.mul_(3)
    assert y.grad_fn != old
    assert before.grad_fn.next_functions[0][0] == old
    assert y.grad_fn.next_functions[0][0] == old


# --- out= ---


# Row: PyTorch H6
def test_out_is_refused_when_anything_requires_grad():
    x, plain = leaf(1.0), eagre.ones(1)
    message = "functions with out=... arguments don't support automatic differentiation"
    with pytest.raises(RuntimeError, match=message):
        eagre.add(x, plain, out=eagre.empty(1))
    with pytest.raises(RuntimeError, match=message):
        eagre.add(plain, plain, out=leaf(5.0))
    result = eagre.empty(1)
    with eagre.no_grad():
        assert eagre.add(x, plain, out=result) is result
    assert result.tolist() == [2.0] and not result.requires_grad


# --- items ---


# Row: PyTorch H7
@pytest.mark.parametrize(
    ("index", "take", "written"),
    [
        (0, (), [0]),
        (slice(1, None), slice(2), [1, 2]),
        (slice(1, None), slice(1), [1, 2]),  # broadcast
        ([0, 2], slice(2), [0, 2]),
        (eagre.tensor([2, 1]), slice(2), [2, 1]),
        (eagre.tensor([True, False, True]), slice(2), [0, 2]),
        (eagre.tensor([True, False, True]), (), [0, 2]),
        ((None, slice(None, 2)), slice(2), [0, 1]),
    ],
    ids=["number", "slice", "broadcast", "list", "tensor", "mask", "mask of one", "new dimension"],
)
def test_assigned_items_are_differentiable_on_both_sides(index, take, written):
    x, value = leaf(1.0, 2.0, 3.0), leaf(5.0, 6.0)
    weights = [1.0, 10.0, 100.0]
    y = x * 2
    given = value[0] if take == () else value[take]
    y[index] = given
    (y * eagre.tensor(weights)).sum().backward()
    assert x.grad.tolist() == [0.0 if i in written else 2 * w for i, w in enumerate(weights)]
    expected = [0.0, 0.0]
    for position, i in enumerate(written):
        expected[position if given.numel() == len(written) else 0] += weights[i]
    assert value.grad.tolist() == expected


# Row: PyTorch H7
@pytest.mark.parametrize("source", [2.0, eagre.ones(3), leaf(1.0, 2.0, 3.0), eagre.ones(1)])
@pytest.mark.parametrize("is_copied", [True, False])
def test_what_is_overwritten_as_a_whole_gets_zeros(source, is_copied):
    x = leaf(1.0, 2.0, 3.0)
    y = x.clone()
    if is_copied and isinstance(source, eagre.Tensor):
        y.copy_(source)
    else:
        y[:] = source
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


# Row: PyTorch H7, PyTorch A5
def test_an_assigned_item_makes_a_plain_tensor_a_result():
    x, buffer = leaf(2.0), eagre.zeros(3)
    for i in range(3):
        buffer[i] = x[0] * i
    assert not buffer.is_leaf
    buffer.sum().backward()
    assert x.grad.tolist() == [3.0]


# --- shapes that change in place ---


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ((2, 3), lambda x: x.unsqueeze_(0), (1, 2, 3)),
        ((1, 3), lambda x: x.squeeze_(), (3,)),
        ((1, 3), lambda x: x.transpose_(0, 1), (3, 1)),
        ((1, 3), lambda x: x.t_(), (3, 1)),
    ],
)
def test_a_graph_from_before_a_leaf_got_another_shape_gives_its_gradient(before, change, after):
    x = eagre.ones(before, requires_grad=True)
    old = (x * 2).sum()
    with eagre.no_grad():
        change(x)
    new = (x * 3).sum()
    (old + new).backward(retain_graph=True)
    assert x.grad.shape == after and x.grad.unique().tolist() == [5.0]
    old.backward()
    assert x.grad.unique().tolist() == [7.0]


def test_which_elements_belong_together_after_a_transposition_nobody_knows():
    x = eagre.ones(2, 3, requires_grad=True)
    old = (x * 2).sum()
    with eagre.no_grad():
        x.t_()
    with pytest.raises(RuntimeError, match=r"changed in place to shape \[3, 2\] since"):
        old.backward()
    (x * 3).sum().backward()
    assert x.grad.shape == (3, 2)
    x.grad = None
    with eagre.no_grad():
        x.t_()
    (x * 3).sum().backward()
    assert x.grad.shape == (2, 3)


@pytest.mark.parametrize("change", ["t_", "unsqueeze_"])
def test_a_retained_gradient_is_that_of_the_values_in_their_old_shape(change):
    x = eagre.ones(2, 3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    used = (y * 5).sum()
    y.t_() if change == "t_" else y.unsqueeze_(0)
    (used + (y * 3).sum()).backward()
    assert y.grad.shape == (2, 3) and y.grad.unique().tolist() == [8.0]
    assert x.grad.unique().tolist() == [16.0]


@pytest.mark.parametrize("change", ["t_", "mul_"])
def test_retain_grad_after_a_change_in_place(change):
    x = eagre.ones(2, 3, requires_grad=True)
    y = x * 2
    y.t_() if change == "t_" else y.mul_(2)
    y.retain_grad()
    (y * 3).sum().backward()
    assert y.grad.shape == y.shape and y.grad.unique().tolist() == [3.0]


@pytest.mark.parametrize("name", ["zero_", "cumsum_", "addmv_"])
def test_errors_about_versions_name_the_operator_that_was_called(name):
    arguments = {"zero_": (), "cumsum_": (0,), "addmv_": (eagre.ones(2, 2), eagre.ones(2))}[name]
    x = eagre.ones(2, requires_grad=True) * 1
    y = x * x
    getattr(x, name)(*arguments)
    with pytest.raises(RuntimeError, match=rf"changed by {name}\(\) at"):
        y.sum().backward()
