"""Samples of ops/view.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import DTYPES, Sample, make, several, strided

import eagre


def transpose():
    for dtype in DTYPES:
        a = make((2, 3, 4), dtype)
        yield Sample((a, 0, 2), a.swapaxes(0, 2))
    a = make((2, 3, 4))
    yield Sample((a, -1, 1), a.swapaxes(-1, 1))
    yield Sample((a, 1, 1), a)
    yield Sample((make(()), 0, -1), make(()))
    yield Sample((make((0, 2)), 0, 1), np.zeros((2, 0)))
    yield Sample((strided((3, 2)), 0, 1), strided((3, 2)).T)


def expand():
    a = make((2, 1))
    yield Sample((a, (2, 3)), np.broadcast_to(a, (2, 3)))
    yield Sample((a, (4, 2, 3)), np.broadcast_to(a, (4, 2, 3)))
    yield Sample((a, (-1, 3)), np.broadcast_to(a, (2, 3)))
    yield Sample((a, (2, 0)), np.zeros((2, 0)))
    yield Sample((make(()), (2, 2)), np.broadcast_to(make(()), (2, 2)))
    yield Sample((make((3,), np.int64), (2, 3)), np.broadcast_to(make((3,), np.int64), (2, 3)))


def unsqueeze():
    a = make((2, 3))
    for dim in (0, 1, 2, -1, -3):
        yield Sample((a, dim), np.expand_dims(a, dim))
    yield Sample((make(()), 0), make(()).reshape(1))
    yield Sample((make((0,)), 1), np.zeros((0, 1)))
    yield Sample((strided((3, 2)), 1), strided((3, 2))[:, None])


def squeeze():
    a = make((2, 1, 3))
    yield Sample((a, 1), a[:, 0])
    yield Sample((a, -2), a[:, 0])
    yield Sample((a, 0), a)
    yield Sample((make(()), 0), make(()))
    yield Sample((make((1, 0)), 0), np.zeros(0))


def _other_shape(op, named):
    return (
        lambda: getattr(tensor(2), op)(tensor(3)),
        eagre.InvalidArgumentError,
        [f"{named}()", "[3]"],
    )


def broadcast_to():
    a = make((2, 1))
    yield Sample((a, (3, 2, 2)), np.broadcast_to(a, (3, 2, 2)))
    yield Sample((make(()), (2,)), np.broadcast_to(make(()), (2,)))
    yield Sample((a, (2, 0)), np.zeros((2, 0)))


def broadcast_tensors():
    a, b = make((2, 1), seed=1), make((3,), seed=2)
    yield Sample((a, b), several(*np.broadcast_arrays(a, b)))
    yield Sample(([a, b, make(())],), several(*np.broadcast_arrays(a, b, make(()))))
    yield Sample((a,), several(a))


def _atleast(function):
    for shape in ((), (2,), (2, 3), (2, 3, 2)):
        yield Sample((make(shape),), function(make(shape)))


def _atleast_each(function):
    a, b = make(()), make((2, 3))
    yield Sample((a, b), several(function(a), function(b)))
    yield Sample(([a, b],), several(function(a), function(b)))


def atleast_1d():
    yield from _atleast(np.atleast_1d)


def atleast_2d():
    yield from _atleast(np.atleast_2d)


def atleast_3d():
    yield from _atleast(np.atleast_3d)


def atleast_1d_each():
    yield from _atleast_each(np.atleast_1d)


def atleast_2d_each():
    yield from _atleast_each(np.atleast_2d)


def atleast_3d_each():
    yield from _atleast_each(np.atleast_3d)


def ravel():
    for shape in ((), (3,), (2, 3), (0, 2)):
        yield Sample((make(shape),), make(shape).ravel())
    yield Sample((strided((3, 2)),), strided((3, 2)).ravel())


def shows(compute, *inputs, **kwargs):
    """Samples (input, *args) whose value NumPy computes from the same arguments."""
    for value, *args in inputs:
        yield Sample((value, *args), compute(value, *args), dict(kwargs))


def squeeze_all():
    yield from shows(np.squeeze, [make((1, 2, 1, 3))], [make((2, 3))], [make((1, 1))], [make(())])
    yield Sample((make((1, 0, 1)),), np.zeros(0))


def squeeze_dims():
    a = make((1, 2, 1, 3))
    yield Sample((a, (0, 2)), a.reshape(2, 3))
    yield Sample((a, (0, 1)), a.reshape(2, 1, 3))
    yield Sample((a, [-2]), a.reshape(1, 2, 3))
    yield Sample((a, ()), a)


def view():
    a = make((2, 3, 4))
    for size in ((24,), (6, 4), (2, 12), (-1, 4), (2, 3, 2, 2), (1, 2, 3, 4, 1), (4, -1)):
        yield Sample((a, size), a.reshape(size))
    yield Sample((make(()), (1, 1)), make(()).reshape(1, 1))
    yield Sample((make((0, 3)), (3, 0, 2)), np.zeros((3, 0, 2)))
    yield Sample((make((1,)), ()), make((1,)).reshape(()))
    b = make((4, 6))[:, :4]  # the outer dimension divides, the inner does too
    yield Sample((b, (2, 2, 4)), b.reshape(2, 2, 4))
    yield Sample((b, (4, 2, 2)), b.reshape(4, 2, 2))
    yield Sample((a.transpose(1, 0, 2), (3, 2, 2, 2)), a.transpose(1, 0, 2).reshape(3, 2, 2, 2))


def view_dtype():
    a = np.asarray([[1.0, 2.0], [3.0, 4.0]], np.float32)
    yield Sample((a, eagre.int32), a.view(np.int32))
    yield Sample((a, eagre.float64), a.view(np.float64))
    yield Sample((a, eagre.uint8), a.view(np.uint8))
    yield Sample((a, eagre.int16), a.view(np.int16))
    yield Sample((np.asarray(1.5), eagre.int64), np.asarray(1.5).view(np.int64))


def reshape():
    a = make((2, 3, 4))
    for size in ((24,), (4, 6), (-1,), (3, -1)):
        yield Sample((a, size), a.reshape(size))
    turned = strided((4, 6))
    yield Sample((turned, (24,)), turned.reshape(24))
    yield Sample((turned, (2, -1, 3)), turned.reshape(2, -1, 3))


def permute():
    a = make((2, 3, 4))
    for dims in ((2, 0, 1), (0, 1, 2), (-1, 0, 1), (1, 0, 2)):
        yield Sample((a, dims), a.transpose(dims))
    yield Sample((make(()), ()), make(()))
    yield Sample((make((0, 2)), (1, 0)), np.zeros((2, 0)))


def flatten():
    a = make((2, 3, 4))
    yield Sample((a,), a.reshape(-1))
    yield Sample((a, 1), a.reshape(2, 12))
    yield Sample((a, 0, 1), a.reshape(6, 4))
    yield Sample((a, 1, 1), a)
    yield Sample((make(()),), make(()).reshape(1))
    yield Sample((strided((3, 4)),), strided((3, 4)).reshape(-1))


def unflatten():
    a = make((2, 12))
    yield Sample((a, 1, (3, 4)), a.reshape(2, 3, 4))
    yield Sample((a, -1, (3, -1, 2)), a.reshape(2, 3, 2, 2))


def movedim():
    a = make((2, 3, 4))
    yield Sample((a, 0, -1), np.moveaxis(a, 0, -1))
    yield Sample((a, (0, 1), (2, 0)), np.moveaxis(a, (0, 1), (2, 0)))
    yield Sample((a, -1, 0), np.moveaxis(a, -1, 0))


def t():
    yield Sample((make((2, 3)),), make((2, 3)).T)
    yield Sample((make((3,)),), make((3,)))
    yield Sample((make(()),), make(()))


def expand_as():
    yield Sample((make((3,)), make((2, 3))), np.broadcast_to(make((3,)), (2, 3)))


def view_as():
    yield Sample((make((6,)), make((2, 3))), make((6,)).reshape(2, 3))


def reshape_as():
    yield Sample((strided((3, 2)), make((6,))), strided((3, 2)).reshape(6))


COMPLEX_VALUES = np.asarray([[1 + 2j, -3.5j], [0, 4 - 1j]])


def view_as_real():
    yield Sample((COMPLEX_VALUES,), COMPLEX_VALUES.view(np.float64).reshape(2, 2, 2))
    yield Sample((COMPLEX_VALUES.T,), np.stack([COMPLEX_VALUES.T.real, COMPLEX_VALUES.T.imag], -1))


def view_as_complex():
    a = make((3, 2))
    yield Sample((a,), a.view(np.complex128)[:, 0])
    yield Sample((make((0, 2)),), np.zeros(0, np.complex128))


def real():
    yield Sample((COMPLEX_VALUES,), COMPLEX_VALUES.real)
    yield Sample((make((3,)),), make((3,)))


def imag():
    yield Sample((COMPLEX_VALUES,), COMPLEX_VALUES.imag)


BAD = {
    ("transpose", "dim_out_of_range"): (
        lambda: tensor(2, 3).transpose(0, 5),
        eagre.IndexOutOfRangeError,
        ["transpose()", "'dim1'", "got 5"],
    ),
    ("expand", "size_cannot_grow"): (
        lambda: tensor(2, 3).expand(2, 4),
        eagre.InvalidArgumentError,
        ["expand()", "'size'"],
    ),
    ("expand", "too_few_sizes"): (
        lambda: tensor(2, 3).expand(3),
        eagre.InvalidArgumentError,
        ["expand()", "'size'"],
    ),
    ("unsqueeze", "dim_out_of_range"): (
        lambda: tensor(2).unsqueeze(3),
        eagre.IndexOutOfRangeError,
        ["unsqueeze()", "'dim'", "got 3"],
    ),
    ("squeeze", "dim_out_of_range"): (
        lambda: tensor(2).squeeze(1),
        eagre.IndexOutOfRangeError,
        ["squeeze()", "'dim'", "got 1"],
    ),
    ("expand_as", "shape_does_not_fit"): _other_shape("expand_as", "expand"),
    ("view_as", "shape_does_not_fit"): _other_shape("view_as", "view"),
    ("reshape_as", "shape_does_not_fit"): _other_shape("reshape_as", "reshape"),
    ("squeeze_all", "not_a_tensor"): (
        lambda: eagre.squeeze([1]),
        eagre.DTypeError,
        ["squeeze()", "list"],
    ),
    ("broadcast_to", "does_not_fit"): mistake(
        lambda: tensor(2).broadcast_to((3,)), ["broadcast_to()", "'size'"]
    ),
    ("broadcast_tensors", "shapes_do_not_broadcast"): mistake(
        lambda: eagre.broadcast_tensors(tensor(2), tensor(3)), ["broadcast_tensors()", "[2]", "[3]"]
    ),
    **{
        (f"atleast_{n}d", "not_a_tensor"): mistake(
            lambda n=n: getattr(eagre, f"atleast_{n}d")(1),
            [f"atleast_{n}d()", "int"],
            eagre.DTypeError,
        )
        for n in (1, 2, 3)
    },
    **{
        (f"atleast_{n}d_each", "not_a_tensor"): mistake(
            lambda n=n: getattr(eagre, f"atleast_{n}d")(tensor(), 1),
            [f"atleast_{n}d()", "int"],
            eagre.DTypeError,
        )
        for n in (1, 2, 3)
    },
    ("ravel", "not_a_tensor"): mistake(
        lambda: eagre.ravel([1]), ["ravel()", "'input'", "list"], eagre.DTypeError
    ),
    ("squeeze_dims", "dim_twice"): (
        lambda: tensor(1, 2).squeeze((0, -2)),
        eagre.InvalidArgumentError,
        ["squeeze()", "'dim'"],
    ),
    ("view", "wrong_count"): (
        lambda: tensor(2, 3).view(4),
        eagre.InvalidArgumentError,
        ["view()", "shape '[4]' is invalid for input of size 6"],
    ),
    ("view", "needs_a_copy"): (
        lambda: tensor(2, 3).t().view(6),
        eagre.InvalidArgumentError,
        ["view()", "view size is not compatible", "[3, 2]", ".reshape(...)"],
    ),
    ("view", "two_unknown"): (
        lambda: tensor(2, 3).view(-1, -1),
        eagre.InvalidArgumentError,
        ["view()", "'size'"],
    ),
    ("view", "ambiguous"): (
        lambda: tensor(0, 3).view(-1, 0),
        eagre.InvalidArgumentError,
        ["view()", "tensor of 0 elements", "-1 can be any value"],
    ),
    ("view_dtype", "does_not_fit"): (
        lambda: tensor(3).view(eagre.float64),
        eagre.InvalidArgumentError,
        ["view()", "float64", "[3]"],
    ),
    ("reshape", "wrong_count"): (
        lambda: tensor(2, 3).reshape(5),
        eagre.InvalidArgumentError,
        ["reshape()", "shape '[5]' is invalid for input of size 6"],
    ),
    ("permute", "too_few"): (
        lambda: tensor(2, 3).permute(0),
        eagre.InvalidArgumentError,
        ["permute()", "'dims'", "number of dimensions", "[0]", "[2, 3]"],
    ),
    ("permute", "twice"): (
        lambda: tensor(2, 3).permute(0, -2),
        eagre.InvalidArgumentError,
        ["permute()", "'dims'"],
    ),
    ("permute", "out_of_range"): (
        lambda: tensor(2, 3).permute(0, 2),
        eagre.IndexOutOfRangeError,
        ["permute()", "'dims'", "got 2"],
    ),
    ("flatten", "wrong_order"): (
        lambda: tensor(2, 3).flatten(1, 0),
        eagre.InvalidArgumentError,
        ["flatten()", "start_dim cannot come after end_dim"],
    ),
    ("unflatten", "wrong_product"): (
        lambda: tensor(2, 6).unflatten(1, (2, 2)),
        eagre.InvalidArgumentError,
        ["unflatten()", "'[2, 2]' is invalid for input of size 6"],
    ),
    ("movedim", "lengths_differ"): (
        lambda: tensor(2, 3).movedim((0, 1), 0),
        eagre.InvalidArgumentError,
        ["movedim()", "Invalid source or destination dims", "[0, 1]", "[0]"],
    ),
    ("movedim", "twice"): (
        lambda: tensor(2, 3).movedim((0, 0), (0, 1)),
        eagre.InvalidArgumentError,
        ["movedim()", "repeated dim in `source`", "[0, 0]"],
    ),
    ("t", "three_dimensions"): (
        lambda: tensor(2, 3, 4).t(),
        eagre.InvalidArgumentError,
        ["expects a tensor with <= 2 dimensions", "[2, 3, 4]"],
    ),
    ("t_inplace", "three_dimensions"): (
        lambda: tensor(2, 3, 4).t_(),
        eagre.InvalidArgumentError,
        ["expects a tensor with <= 2 dimensions", "[2, 3, 4]"],
    ),
    ("view_as_real", "real_input"): (
        lambda: eagre.view_as_real(tensor(2)),
        eagre.DTypeError,
        ["view_as_real()", "'input'", "float32"],
    ),
    ("view_as_complex", "not_pairs"): (
        lambda: eagre.view_as_complex(tensor(2, 3)),
        eagre.InvalidArgumentError,
        ["view_as_complex()", "[2, 3]"],
    ),
    ("view_as_complex", "integers"): (
        lambda: eagre.view_as_complex(tensor(3, 2, dtype=np.int64)),
        eagre.DTypeError,
        ["view_as_complex()", "int64"],
    ),
    ("imag", "real_input"): (
        lambda: eagre.imag(tensor(2)),
        eagre.DTypeError,
        ["imag()", "'input'", "float32"],
    ),
}
