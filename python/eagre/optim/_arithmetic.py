"""Steps of arithmetic that optimizers share, in place. Rates are numbers, or tensors where a step
is differentiated by them; where gradients are recorded nothing is overwritten that they need."""

from eagre._C import Tensor, is_grad_enabled


def number(value):
    """A rate as a number, unless gradients flow to it."""
    if isinstance(value, Tensor) and not (is_grad_enabled() and value.requires_grad):
        return value.item()
    return value


def add_scaled(tensor, other, factor):
    """tensor + other * factor."""
    if isinstance(factor, Tensor):
        return tensor + other * factor
    return tensor.add(other, alpha=factor)


def add_scaled_(tensor, other, factor):
    if isinstance(factor, Tensor):
        return tensor.add_(other * factor)
    return tensor.add_(other, alpha=factor)


def add_product_(tensor, one, other, factor):
    if isinstance(factor, Tensor):
        return tensor.add_(one * other * factor)
    return tensor.addcmul_(one, other, value=factor)


def add_quotient_(tensor, above, below, factor):
    if isinstance(factor, Tensor):
        return tensor.add_(above / below * factor)
    return tensor.addcdiv_(above, below, value=factor)


def average_square_(average, grad, beta):
    """A moving average of squares: average * beta + grad * grad * (1 - beta)."""
    return add_product_(average.mul_(beta), grad, grad, 1 - beta)


def denominator(square, divisor, eps):
    """sqrt(square) / divisor + eps."""
    root = square.sqrt()
    if is_grad_enabled():
        return root / divisor + eps
    if divisor != 1:
        root.div_(divisor)
    return root.add_(eps)


def with_decay(param, grad, *, maximize, weight_decay):
    """The gradient to descend by: of the other sign to climb, and with the decay of the weights
    in it."""
    if maximize:
        grad = -grad
    return grad if _is_zero(weight_decay) else add_scaled(grad, param, weight_decay)


def decay_(param, lr, weight_decay):
    """Decay beside the gradient."""
    if not _is_zero(weight_decay):
        param.mul_(1 - lr * weight_decay)


def decayed(param, grad, lr, *, maximize, weight_decay, decoupled):
    """The gradient, with the decay in it, or beside it if that is `decoupled`."""
    if decoupled:
        decay_(param, lr, weight_decay)
        weight_decay = 0
    return with_decay(param, grad, maximize=maximize, weight_decay=weight_decay)


def _is_zero(value):
    return not isinstance(value, Tensor) and value == 0
