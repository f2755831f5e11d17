"""What samples cannot say of variances."""

import eagre


def test_spread_without_a_correction_is_the_usual_one():
    x = eagre.tensor([0.0, 1, 2, 3], requires_grad=True)
    for name in ("var", "std"):
        plain, none = getattr(x, name)(), getattr(x, name)(correction=None)
        assert plain.item() == none.item() == getattr(x, name)(0, correction=None).item()
        (a,), (b,) = (eagre.autograd.grad(y, x) for y in (plain, none))
        assert a.tolist() == b.tolist()
