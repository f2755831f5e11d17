"""grad() of a batch of gradients: `is_grads_batched=True`, one backward call for all of them."""

from eagre._C import Tensor, _batched_grad


def batched_grad(outputs, inputs, grad_outputs, *options):
    gradients = _list_of(grad_outputs)
    _check_batch(_list_of(outputs), gradients)
    return _batched_grad(outputs, inputs, gradients, *options)


def _list_of(given):
    # A GradientEdge is a tuple too, but a single one.
    return [given] if isinstance(given, Tensor) or hasattr(given, "node") else list(given or ())


def _check_batch(outputs, gradients):
    if len(outputs) != len(gradients) or not all(isinstance(g, Tensor) for g in gradients):
        raise ValueError(
            "grad(): is_grads_batched=True needs a tensor in 'grad_outputs' for every output: "
            f"there are {len(outputs)} outputs, but got {gradients}"
        )
    for index, (output, gradient) in enumerate(zip(outputs, gradients, strict=True)):
        fits = not isinstance(output, Tensor) or gradient.shape[1:] == output.shape
        if fits and gradient.dim() > 0:
            continue
        raise RuntimeError(
            "grad(): If `is_grads_batched=True`, we interpret the first dimension of each "
            "grad_output as the batch, and the others are those of its output, but a mismatch was "
            "detected: "
            f"grad_output[{index}] has a shape of {list(gradient.shape)} and output[{index}] has a "
            f"shape of {list(output.shape)}"
        )
    sizes = [len(gradient) for gradient in gradients]
    if len(set(sizes)) != 1:
        raise ValueError(
            f"grad(): expected gradients with batches of one size, but got sizes {sizes}"
        )
