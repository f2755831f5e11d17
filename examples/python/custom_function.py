"""A function with a gradient of its own: rounding that learns.

round() has no useful gradient: it is zero wherever it exists. A "straight-through" estimator rounds
in forward and lets gradients pass in backward, so that weights of whole numbers can be trained.
Run it with `--picture graph.svg` to see the graph of the loss.
"""

import argparse
from typing import Any

import eagre
from eagre import Tensor, viz
from eagre.autograd import Function, gradcheck


class Rounded(Function):
    """Rounds; the gradient passes where |x| is at most `limit`."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, limit: float) -> Tensor:
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x.round().clamp(-limit, limit)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return grad_output * (x.abs() <= ctx.limit), None  # the limit is no tensor


class Softplus(Function):
    """log(1 + exp(x)), which does not overflow, and whose derivative is exact and cheap.

    In two halves, and with jvp, so that it works in forward mode and vmap as well.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Tensor) -> Tensor:
        return x.clamp(min=0) + (-x.abs()).exp().log1p()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx: Any, grad_output: Tensor) -> Tensor:
        x: Tensor = ctx.saved_tensors[0]
        return grad_output * x.sigmoid()

    @staticmethod
    def jvp(ctx: Any, tangent: Tensor) -> Tensor:
        x: Tensor = ctx.saved_tensors[0]
        return tangent * x.sigmoid()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--picture", help="a file for the graph of the loss, .svg or .html")
    picture = parser.parse_args().picture

    points = eagre.linspace(-3, 3, 7, dtype=eagre.float64).requires_grad_()
    print("softplus is right:", gradcheck(Softplus.apply, points, check_forward_ad=True))

    eagre.manual_seed(0)
    wanted = eagre.tensor([3.0, -2.0, 5.0, 0.0])
    inputs = eagre.randn(64, 4)
    targets = inputs @ wanted
    weights = eagre.zeros(4, requires_grad=True)
    for _ in range(200):
        loss = (inputs @ Rounded.apply(weights, 8.0) - targets).square().mean()
        loss.backward()
        with eagre.no_grad():
            weights -= 0.05 * weights.grad
            weights.grad = None
    print("loss", loss.item(), "weights", weights.round().tolist())
    if picture:
        print("picture:", viz.graph(loss, {"weights": weights}).save(picture))


if __name__ == "__main__":
    main()
