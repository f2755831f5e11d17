"""Which operators count indices from the end, which take int32, and how they name what is wrong."""

import pytest

import eagre

X = eagre.arange(10.0).reshape(2, 5)
LAST = eagre.tensor([-1])
ROW = eagre.tensor([[-1]])

FROM_THE_START = {
    "gather": lambda x: x.gather(1, ROW),
    "scatter": lambda x: x.scatter(1, ROW, x),
    "scatter of a number": lambda x: x.scatter(1, ROW, 3.0),
    "scatter_add": lambda x: x.scatter_add(1, ROW, x),
    "scatter_reduce": lambda x: x.scatter_reduce(1, ROW, x, "prod"),
    "index_add": lambda x: x.index_add(1, LAST, x[:, :1]),
    "index_copy": lambda x: x.index_copy(1, LAST, x[:, :1]),
    "index_select": lambda x: x.index_select(1, LAST),
}


@pytest.mark.parametrize("name", FROM_THE_START)
def test_negative_indices_are_refused(name):
    message = "index -1 is out of bounds for dimension 1 with size 5"
    with pytest.raises(IndexError, match=message):
        FROM_THE_START[name](X)
    with pytest.raises(RuntimeError, match=message):
        FROM_THE_START[name](X)


def test_negative_indices_count_from_the_end():
    assert X.take(LAST).tolist() == [9]
    assert X.index_fill(1, LAST, -5).tolist() == [[0, 1, 2, 3, -5], [5, 6, 7, 8, -5]]
    assert X.take_along_dim(ROW, 1).tolist() == [[4], [9]]
    assert X[:, LAST].tolist() == [[4], [9]]
    with pytest.raises(IndexError, match="index -6 is out of bounds for dimension 1 with size 5"):
        X.index_fill(1, eagre.tensor([-6]), 0)
    with pytest.raises(IndexError, match="tried to access index -11 on a tensor of 10 elements"):
        X.take(eagre.tensor([-11]))


def test_negative_indices_count_from_the_end_of_every_sample():
    rows = eagre.arange(6.0).reshape(2, 3)
    places = eagre.tensor([[-1], [0]])
    assert eagre.vmap(eagre.take)(rows, places).tolist() == [[2], [3]]
    assert eagre.vmap(lambda x: x.take(LAST))(rows).tolist() == [[2], [5]]
    filled = eagre.vmap(lambda x, i: x.index_fill(0, i, 9.0))(rows, places)
    assert filled.tolist() == [[0, 1, 9], [9, 4, 5]]
    gradient = eagre.vmap(eagre.func.grad(lambda x, i: x.take(i).sum()))(rows, places)
    assert gradient.tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("key", [5, -6, [5], (slice(None), [0, 5])], ids=str)
def test_gradients_do_not_hide_bad_indices(key):
    x = eagre.zeros(5, 5, requires_grad=True)
    with pytest.raises(IndexError, match="is out of bounds for dimension . with size 5"):
        x[key]


def test_the_dimension_of_a_bad_index_is_that_of_the_tensor():
    x = eagre.zeros(2, 5, 10)
    for key, dim in [((0, 5), 1), ((0, 1, 15), 2), ((slice(None), slice(None), 12), 2)]:
        with pytest.raises(IndexError, match=f"for dimension {dim} with size {x.shape[dim]}"):
            x[key]
    with pytest.raises(IndexError, match="index 7 is out of bounds for dimension 2 with size 5"):
        eagre.zeros(2, 3, 5)[None, ..., 7]
    with pytest.raises(IndexError, match="index 7 is out of bounds for dimension 2 with size 5"):
        eagre.zeros(2, 3, 5)[eagre.ones(2, 3).bool(), 7]
    with pytest.raises(IndexError, match="index is out of bounds for dimension with size 0"):
        eagre.zeros(10, 0)[:, [0]]


def test_int32_indices():
    i = eagre.tensor([0], dtype=eagre.int32)
    assert X.index_select(1, i).tolist() == [[0], [5]]
    assert X.gather(1, i[None]).tolist() == [[0]]
    assert X[:, i].tolist() == [[0], [5]]
    refused = [
        (lambda: X.take(i), RuntimeError, "Expected a long tensor"),
        (lambda: X.index_copy(1, i, X[:, :1]), RuntimeError, "Expected a long tensor"),
        (lambda: X.index_fill(1, i, 0), IndexError, "Expected dtype int64 for index"),
        (lambda: X.take_along_dim(i[None], 1), RuntimeError, "dtype of indices should be Long"),
    ]
    for call, kind, message in refused:
        with pytest.raises(kind, match=message):
            call()


def test_complex_numbers_do_not_fill_real_tensors():
    for fill in (
        lambda: X.index_fill(1, LAST, 1 + 1j),
        lambda: X.scatter(1, eagre.tensor([[0]]), 1 + 1j),
    ):
        with pytest.raises(RuntimeError, match="Converting complex Scalar to non-complex type"):
            fill()


def test_updates_do_not_read_the_memory_they_write():
    x = eagre.tensor([0, 1, 2])
    for update in (
        lambda: x.scatter_(0, x, x.clone()),
        lambda: x.index_copy_(0, x, x.clone()),
        lambda: x.index_put_((x,), x.clone()),
        lambda: x.index_put_((x.clone(),), x),
        lambda: x.index_add_(0, x.clone(), x),
    ):
        with pytest.raises(RuntimeError, match="must not overlap"):
            update()
    assert x.tolist() == [0, 1, 2]


def test_what_nothing_comes_to_keeps_its_dtype():
    none = eagre.zeros(0, dtype=eagre.int64)
    x = eagre.tensor([True, False])
    assert x.scatter_reduce(0, none, x, "amin").dtype is eagre.bool
    assert x.scatter_reduce_(0, none, x, "amin", include_self=False).tolist() == [True, False]


def test_products_of_complex_numbers_by_index():
    x = eagre.tensor([1 + 1j, 2 + 0j])
    result = x.scatter(0, eagre.tensor([0, 0]), eagre.tensor([2j, 1 + 0j]), reduce="multiply")
    assert result.tolist() == [-2 + 2j, 2 + 0j]
    with pytest.raises(RuntimeError, match="no order"):
        x.scatter_reduce(0, eagre.tensor([0, 0]), x, "amax")
