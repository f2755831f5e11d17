"""What samples cannot say of embedding: gradients of padding, and tables that change."""

import pytest

import eagre

F = eagre.nn.functional


def test_padding_row_gets_no_gradient():
    table = eagre.ones(3, 2, requires_grad=True)
    eagre.embedding(table, eagre.tensor([0, 1, 1, 2]), padding_idx=1).sum().backward()
    assert table.grad.tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]


def test_gradients_by_how_often_a_row_is_named():
    table = eagre.ones(3, 1, requires_grad=True)
    index = eagre.tensor([[0, 1], [1, 1]])
    F.embedding(index, table, scale_grad_by_freq=True).sum().backward()
    assert table.grad.tolist() == [[1.0], [1.0], [0.0]]
    table.grad = None
    F.embedding_bag(index, table, scale_grad_by_freq=True, mode="sum").sum().backward()
    assert table.grad.tolist() == [[1.0], [1.0], [0.0]]


def test_long_rows_are_scaled_in_the_table():
    table = eagre.tensor([[3.0, 4.0], [6.0, 8.0], [0.0, 1.0]], requires_grad=True)
    rows = F.embedding(eagre.tensor([0, 2, 0]), table, max_norm=2.5)
    rows.sum().backward()
    eagre.testing.assert_close(table[0], eagre.tensor([1.5, 2.0]))
    assert table[1].tolist() == [6.0, 8.0] and table[2].tolist() == [0.0, 1.0]
    assert table.grad.tolist() == [[2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]
    bag = F.embedding_bag(eagre.tensor([[1]]), table, max_norm=1, norm_type=1, mode="sum")
    assert bag.abs().sum().item() == pytest.approx(1)


def test_one_maximum_gets_the_gradient():
    table = eagre.tensor([[1.0], [1.0], [0.0]], requires_grad=True)
    F.embedding_bag(eagre.tensor([[0, 1, 2]]), table, mode="max").sum().backward()
    assert table.grad.tolist() == [[1.0], [0.0], [0.0]]


def test_bags_on_meta_have_a_shape():
    table = eagre.empty(5, 3, device="meta")
    index = eagre.empty(2, 4, device="meta", dtype=eagre.int64)
    assert F.embedding_bag(index, table).shape == (2, 3)


def test_one_hot_of_batches():
    numbers = eagre.tensor([[0, 1], [2, 2]])
    each = eagre.vmap(lambda x: F.one_hot(x, 3))(numbers)
    assert each.tolist() == F.one_hot(numbers, 3).tolist()
