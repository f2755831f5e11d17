"""What samples cannot say of embedding: the gradient of padding."""

import eagre


def test_padding_row_gets_no_gradient():
    table = eagre.ones(3, 2, requires_grad=True)
    eagre.embedding(table, eagre.tensor([0, 1, 1, 2]), padding_idx=1).sum().backward()
    assert table.grad.tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
