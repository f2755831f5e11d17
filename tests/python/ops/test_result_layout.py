"""How results lie in memory: the strides that PyTorch 2.15 gives for the same inputs."""

import pytest

import eagre

LAST = eagre.channels_last


def x(*sizes):
    return eagre.arange(float(eagre.empty(sizes, device="meta").numel())).reshape(sizes)


NAMES = {
    "eagre": eagre,
    "F": eagre.nn.functional,
    "LAST": LAST,
    "x": x,
    "a": x(2, 3, 4, 5).contiguous(memory_format=LAST),
    "b": x(2, 3, 4, 5),
    "c": eagre.ones(3, 1, 1),
    "m": x(2, 3, 4, 5).contiguous(memory_format=LAST) > 10,
    "p": x(3, 4, 5).permute(2, 0, 1),
}
CASES = [
    ("a+c", (60, 1, 15, 3)),
    ("c+a", (60, 1, 15, 3)),
    ("a+1", (60, 1, 15, 3)),
    ("1-a", (60, 1, 15, 3)),
    ("a+b", (60, 1, 15, 3)),
    ("b+a", (60, 20, 5, 1)),
    ("a*eagre.ones(5)", (60, 1, 15, 3)),
    ("eagre.ones(5)*a", (60, 1, 15, 3)),
    ("a+eagre.ones(1,3,1,1)", (60, 1, 15, 3)),
    ("a+eagre.ones(2,1,4,5)", (60, 1, 15, 3)),
    ("a[:, :2]+1", (40, 1, 10, 2)),
    ("a[:,:,::2].exp()", (30, 1, 15, 3)),
    ("eagre.where(m,a,0.)", (60, 1, 15, 3)),
    ("eagre.where(m,b,a)", (60, 1, 15, 3)),
    ("a.clamp(0,3)", (60, 1, 15, 3)),
    ("a.lerp(b,0.5)", (60, 1, 15, 3)),
    ("eagre.addcmul(b,a,a)", (60, 20, 5, 1)),
    ("eagre.cat([a,a])", (60, 1, 15, 3)),
    ("eagre.cat([a,a],1)", (120, 1, 30, 6)),
    ("eagre.cat([a,a],3)", (120, 1, 30, 3)),
    ("eagre.cat([a,a],-2)", (120, 1, 15, 3)),
    ("eagre.cat([a,b],1)", (120, 20, 5, 1)),
    ("eagre.cat([b,a],1)", (120, 20, 5, 1)),
    ("eagre.cat([a,a.to(eagre.float64)],1)", (120, 1, 30, 6)),
    ("eagre.cat([a[:,:1],a[:,:1]],1)", (40, 1, 10, 2)),
    ("F.dropout(a,0.5)", (60, 1, 15, 3)),
    ("F.dropout(a,0.5,False)", (60, 1, 15, 3)),
    ("eagre.maximum(a,c)", (60, 1, 15, 3)),
    ("a==c", (60, 1, 15, 3)),
    ("a/c.to(eagre.float64)", (60, 1, 15, 3)),
    ("p.exp()", (1, 20, 5)),
    ("p+eagre.ones(3,4)", (1, 20, 5)),
    ("eagre.ones(5,1,1)+p", (1, 20, 5)),
    ("p[::2]*2", (1, 12, 3)),
    ("p.expand(2,5,3,4)+1", (60, 1, 20, 5)),
    ("x(4,3).t()+eagre.ones(4)", (1, 3)),
    ("x(4,3).t()+x(3,4)", (1, 3)),
    ("x(3,4)+x(4,3).t()", (4, 1)),
    ("x(1,3,1,1).contiguous(memory_format=LAST)+b", (60, 20, 5, 1)),
    ("x(2,3,1,1).contiguous(memory_format=LAST)+eagre.ones(4,4)", (48, 16, 4, 1)),
    ("x(2,3,2,2,2).permute(0,4,1,2,3)+eagre.ones(2,1,1,1)", (24, 1, 8, 4, 2)),
    ("eagre.atan2(c,a)", (60, 1, 15, 3)),
    ("F.mse_loss(a,b,reduction='none')", (60, 1, 15, 3)),
    ("eagre.tensor(2.)*a", (60, 1, 15, 3)),
    # Where PyTorch asks whether channels come last, p[None] is row-major.
    ("p[None]", (5, 1, 20, 5)),
    ("F.interpolate(p[None],size=(6,8),mode='bilinear')", (240, 48, 8, 1)),
    ("F.max_pool2d(p[None],2,1)", (30, 6, 3, 1)),
    ("F.avg_pool2d(p[None],2,1)", (30, 6, 3, 1)),
    ("F.conv2d(p[None],eagre.ones(2,5,1,1))", (24, 12, 4, 1)),
    ("F.max_pool2d(a[:1],2,1)", (36, 1, 12, 3)),
]


@pytest.mark.parametrize(("expression", "strides"), CASES)
def test_strides(expression, strides):
    result = eval(expression, NAMES)
    assert result.stride() == strides
    row_major = {
        name: value.contiguous() if isinstance(value, eagre.Tensor) else value
        for name, value in NAMES.items()
    }
    if "dropout" not in expression:
        assert result.tolist() == eval(expression, row_major).tolist()


def test_cat_of_channels_last_has_its_gradient_and_is_no_view():
    a = NAMES["a"].clone().requires_grad_()
    joined = eagre.cat([a, a * 2], 1)
    (joined * joined.detach()).sum().backward()
    assert ((a.grad - a.detach() * 5).abs().max() == 0).item()
    with eagre.no_grad():
        plain = eagre.cat([a, a], 1)
    plain.add_(eagre.ones(6, 1, 1, requires_grad=True))
    assert plain.requires_grad


@pytest.mark.parametrize("name", ["float", "to", "cpu"])
def test_conversions_that_change_nothing_give_the_tensor_itself(name):
    def convert(x, memory_format):
        if name == "to":
            return x.to(eagre.float32, memory_format=memory_format)
        return getattr(x, name)(memory_format=memory_format)

    rows, across = eagre.ones(2, 3, 4, 5), eagre.ones(3, 2).t()
    last = rows.contiguous(memory_format=eagre.channels_last)
    for x in (rows, across, last):
        assert convert(x, eagre.preserve_format) is x
    # Whatever is not channels_last counts as contiguous, as in PyTorch.
    assert convert(across, eagre.contiguous_format) is across
    assert convert(rows, eagre.contiguous_format) is rows
    assert convert(last, eagre.contiguous_format).stride() == rows.stride()
    assert convert(rows, eagre.channels_last).stride() == last.stride()
    assert convert(last, eagre.channels_last) is last
    assert across.double(memory_format=eagre.contiguous_format).stride() == (3, 1)
    copied = across.to(eagre.float32, copy=True, memory_format=eagre.contiguous_format)
    assert copied.is_contiguous()
    with pytest.raises(RuntimeError, match=r"to\(\).*channels_last"):
        across.float(memory_format=eagre.channels_last)


def test_sum_to_the_same_size_is_the_tensor_itself_unless_it_has_no_dimension():
    x, number = eagre.ones(2, 3), eagre.tensor(3.0)
    assert x.sum_to_size(2, 3) is x
    assert number.sum_to_size(()).data_ptr() != number.data_ptr()


def channels_last():
    return eagre.arange(120.0).reshape(2, 3, 4, 5).to(memory_format=eagre.channels_last)


CONVERSIONS = "bool byte char short int long half bfloat16 float double chalf cfloat cdouble cpu"


@pytest.mark.parametrize("name", CONVERSIONS.split())
def test_conversions_take_a_memory_format(name):
    x = eagre.zeros(2, 3, 4, 5)
    moved = getattr(x, name)(memory_format=eagre.channels_last)
    assert moved.stride() == (60, 1, 15, 3)
    assert getattr(moved, name)().stride() == (60, 1, 15, 3)
    named = {"cpu": eagre.float32, "byte": eagre.uint8, "char": eagre.int8}
    assert moved.dtype is (named.get(name) or getattr(eagre, name))
    with pytest.raises(TypeError, match=rf"{name}\(\)"):
        getattr(x, name)(eagre.channels_last)


@pytest.mark.parametrize(
    ("call", "strides"),
    [
        (lambda x: eagre.stack([x, x]), (120, 60, 1, 15, 3)),
        (lambda x: eagre.stack([x, x], 4), (120, 40, 10, 2, 1)),
        (lambda x: x.flip(1), (60, 1, 15, 3)),
        (lambda x: x.roll(1, 1), (60, 1, 15, 3)),
        (lambda x: x.roll(1), (60, 20, 5, 1)),
        (lambda x: x[0].permute(2, 0, 1).flip(0), (3, 1, 15)),
    ],
)
def test_order_in_memory_is_kept(call, strides):
    x = channels_last()
    result = call(x)
    assert result.stride() == strides
    assert result.tolist() == call(x.contiguous()).tolist()
    assert not result._is_view()
    y = x.clone().requires_grad_()
    again = call(y)
    assert again.tolist() == result.tolist()
    assert again.stride() == strides
    (g,) = eagre.autograd.grad(again, y, again.detach())
    z = y.detach().contiguous().requires_grad_()
    (h,) = eagre.autograd.grad(call(z), z, again.detach())
    assert g.tolist() == h.tolist()


# Rows of a few elements are walked along a longer dimension.
@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64, eagre.int8, eagre.complex128])
@pytest.mark.parametrize(
    ("shape", "order"),
    [
        ((50, 40, 4, 16), (0, 1, 3, 2)),
        ((3, 2, 2, 2, 70, 80), (0, 3, 1, 4, 2, 5)),
        ((3, 70, 80, 5), (3, 1, 2, 0)),
        ((15, 15, 300), (2, 0, 1)),
        ((3, 50021), (1, 0)),
    ],
)
def test_large_tensors_with_short_rows(shape, order, dtype):
    rows = (eagre.arange(eagre.Size(shape).numel()) % 113).reshape(shape).to(dtype)
    array = rows.numpy()
    moved, expected = rows.permute(order), array.transpose(order)
    assert (moved.contiguous().numpy() == expected).all()
    assert ((moved + moved.contiguous()).numpy() == expected + expected).all()
    assert (eagre.zeros(moved.shape, dtype=eagre.complex128).copy_(moved).numpy() == expected).all()
    back = eagre.zeros(shape, dtype=dtype)
    back.permute(order).copy_(moved.contiguous())
    assert (back.numpy() == array).all()
