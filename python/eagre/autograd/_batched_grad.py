"""grad() of a batch of gradients: `is_grads_batched=True`, one backward call for all of them."""

from eagre._C import Tensor, _add_batch, _grad, zeros_like
from eagre.batching import batch_level, whole


def batched_grad(
    outputs,
    inputs,
    grad_outputs,
    retain_graph,
    create_graph,
    allow_unused,
    materialize_grads,
    no_grad_vars,
):
    gradients = _list_of(grad_outputs)
    count = _batch_size(_list_of(outputs), gradients)
    tensors = list(inputs.values()) if isinstance(inputs, dict) else _list_of(inputs)
    with batch_level(count, "error") as level:
        samples = _grad(
            outputs,
            inputs,
            [_add_batch(gradient, 0, level) for gradient in gradients],
            retain_graph,
            create_graph,
            allow_unused or materialize_grads,
            False,
            no_grad_vars,
        )
        results = [None if g is None else whole(g, level, count) for g in samples]
    return tuple(
        zeros_like(tensor) if result is None and materialize_grads else result
        for result, tensor in zip(results, tensors, strict=True)
    )


def _list_of(given):
    # A GradientEdge is a tuple too, but a single one.
    return [given] if isinstance(given, Tensor) or hasattr(given, "node") else list(given or ())


def _batch_size(outputs, gradients):
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
            "grad(): with is_grads_batched=True the first dimension of each gradient counts the "
            "batch, and the others are those of its output, but a mismatch was detected: "
            f"grad_output[{index}] has a shape of {list(gradient.shape)} and output[{index}] has a "
            f"shape of {list(output.shape)}"
        )
    sizes = [len(gradient) for gradient in gradients]
    if len(set(sizes)) != 1:
        raise ValueError(
            f"grad(): expected gradients with batches of one size, but got sizes {sizes}"
        )
    return sizes[0]
