"""Transforms of functions: `transforms.py eagre|torch <row> <iterations>`, a round per line of
input, as ops.py. The same program on both sides; read ROWS first."""

import importlib
import sys

from rounds import serve

lib = importlib.import_module(sys.argv[1])
functional = importlib.import_module(f"{sys.argv[1]}.nn.functional")
lib.set_num_threads(1)
SAMPLES, WIDTH, CLASSES, CHAIN = 64, 64, 10, 20


def hessian():
    """Of a function of 64 variables, at once on both sides."""
    matrix, x = lib.randn(WIDTH, WIDTH), lib.randn(WIDTH)

    def function(x):
        return (lib.tanh(x @ matrix) * lib.sin(x)).sum()

    if lib.__name__ == "torch":
        return lambda: lib.autograd.functional.hessian(function, x, vectorize=True)
    return lambda: lib.func.hessian(function)(x)


def mlp():
    sizes = (WIDTH, WIDTH, WIDTH, CLASSES)
    parameters = tuple(
        tensor
        for inputs, outputs in zip(sizes, sizes[1:], strict=False)
        for tensor in (lib.randn(outputs, inputs) * 0.1, lib.randn(outputs))
    )

    def loss(parameters, x, target):
        for i in range(0, 4, 2):
            x = lib.relu(functional.linear(x, parameters[i], parameters[i + 1]))
        return functional.cross_entropy(functional.linear(x, *parameters[4:]), target)

    x, target = lib.randn(SAMPLES, WIDTH), lib.randint(0, CLASSES, (SAMPLES,))
    return loss, parameters, x, target


def vmap_mlp():
    """The gradient of every sample's loss by all parameters."""
    loss, parameters, x, target = mlp()
    mapped = lib.func.vmap(lib.func.grad(loss), in_dims=(None, 0, 0))
    return lambda: mapped(parameters, x, target)


def loop_mlp():
    """The same, sample by sample."""
    loss, parameters, x, target = mlp()
    gradient = lib.func.grad(loss)

    def run():
        found = [gradient(parameters, x[i], target[i]) for i in range(SAMPLES)]
        return [lib.stack(column) for column in zip(*found, strict=True)]

    return run


def chain(x):
    for _ in range(CHAIN):
        x = lib.sin(lib.exp(lib.tanh(x * 1.01 + 0.1)))
    return x


def forward_chain():
    """100 pointwise operators on 1000 numbers."""
    x = lib.randn(1000)
    return lambda: chain(x)


def jvp_chain():
    x, tangent = lib.randn(1000), lib.randn(1000)
    return lambda: lib.func.jvp(chain, (x,), (tangent,))


ROWS = {row.__name__: row for row in (hessian, vmap_mlp, loop_mlp, forward_chain, jvp_chain)}


serve(ROWS)
