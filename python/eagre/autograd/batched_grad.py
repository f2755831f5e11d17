"""grad() of a batch of gradients: `is_grads_batched=True`. One backward call for each, for now."""

from eagre._C import Tensor, _grad, stack, zeros, zeros_like


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
    keep = create_graph if retain_graph is None else retain_graph
    tensors = list(inputs.values()) if isinstance(inputs, dict) else _list_of(inputs)
    rows = [
        _grad(
            outputs,
            inputs,
            [gradient[i] for gradient in gradients],
            keep or i + 1 < count,
            create_graph,
            allow_unused or materialize_grads,
            False,
            no_grad_vars,
        )
        for i in range(count)
    ]
    return tuple(
        _joined([row[k] for row in rows], tensor, materialize_grads)
        for k, tensor in enumerate(tensors)
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


def _joined(row, tensor, materialize):
    if not row:
        return zeros(0, *tensor.shape, dtype=tensor.dtype, device=tensor.device)
    if row[0] is None:
        return zeros_like(tensor) if materialize else None
    return stack(row)
