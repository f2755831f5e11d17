"""Samples of ops/conv_grad.yaml."""

import numpy as np
from mistakes import mistake, tensor
from samples import Sample, make
from samples_conv import convolved

import eagre

grad = eagre.nn.grad


def transpose(linear, shape, g):
    """The gradient of what `linear` makes of an array of this shape: element by element."""
    found = np.zeros(shape, g.dtype)
    for at in np.ndindex(*shape):
        one = np.zeros(shape, g.dtype)
        one[at] = 1
        found[at] = (linear(one) * g).sum()
    return found


# Sizes of input and weight, as 3-d ones, and what there is more.
_CALLS = (
    ((2, 2, 1, 4, 3), (3, 2, 1, 2, 2), {}),
    ((1, 2, 1, 5, 4), (2, 2, 1, 2, 3), {"stride": 2, "padding": 1}),
    ((1, 4, 3, 4, 5), (2, 2, 2, 1, 2), {"groups": 2, "dilation": 2, "stride": 3}),
)


def _cases(spatial):
    for size, kernel, kwargs in _CALLS:
        a = make((*size[:2], *size[5 - spatial :]))
        w = make((*kernel[:2], *kernel[5 - spatial :]), seed=1)
        result = convolved(a, w, **kwargs)
        yield a, w, make(result.shape, seed=2), kwargs


def _input(spatial):
    def generate():
        for a, w, g, kwargs in _cases(spatial):
            linear = lambda x, w=w, kwargs=kwargs: convolved(x, w, **kwargs)  # noqa: E731
            yield Sample((a.shape, w, g), transpose(linear, a.shape, g), kwargs)

    return generate


def _weight(spatial):
    def generate():
        for a, w, g, kwargs in _cases(spatial):
            linear = lambda x, a=a, kwargs=kwargs: convolved(a, x, **kwargs)  # noqa: E731
            yield Sample((a, w.shape, g), transpose(linear, w.shape, g), kwargs)

    return generate


conv1d_input = _input(1)
conv1d_weight = _weight(1)
conv2d_input = _input(2)
conv2d_weight = _weight(2)
conv3d_input = _input(3)
conv3d_weight = _weight(3)


def _shape(lead, spatial):
    return (*lead, *[4] * spatial)


def _refused(name, spatial, size, weight):
    """The gradient has one element too few for a kernel of size 1."""
    if name.endswith("input"):
        arguments = size, tensor(*weight), tensor(*_shape((1, 2), spatial))
        words = "'input_size'"
    else:
        arguments = tensor(*size), weight, tensor(*_shape((1, 2), spatial))
        words = "'weight_size'"
    return mistake(lambda: getattr(grad, name)(*arguments), [f"{name}()", words])


BAD = {}
for _spatial in (1, 2, 3):
    for _of in ("input", "weight"):
        _name = f"conv{_spatial}d_{_of}"
        _kernel = (2, 3, *[1] * _spatial)
        BAD[_name, "sizes_differ"] = _refused(_name, _spatial, (1, 3, *[5] * _spatial), _kernel)
        BAD[_name, "wrong_rank"] = _refused(_name, _spatial, (1, 3, 5, 5, 5, 5), _kernel)
