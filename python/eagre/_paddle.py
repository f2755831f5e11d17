"""What Paddle's users call tensors and their gradients; the semantics are PyTorch's."""

import eagre


def to_tensor(data, dtype=None, place=None, stop_gradient=True):
    """A tensor with a copy of `data`, which has no gradient unless `stop_gradient=False`."""
    return eagre.tensor(data, dtype=dtype, device=place, requires_grad=not stop_gradient)


# --- methods of Tensor ---


def clear_gradient(self, set_to_zero=True):
    """Forgets the gradient: it becomes zero, or None."""
    grad = self.grad
    if grad is None:
        return
    if set_to_zero:
        self.grad = eagre.zeros_like(grad)
    else:
        self.grad = None


def gradient(self):
    """The gradient as a NumPy array that shares its memory, or None."""
    grad = self.grad
    return None if grad is None else grad.detach().numpy()


def retain_grads(self):
    """Keeps the gradient of a result, as retain_grad() does."""
    self.retain_grad()


place = property(lambda self: self.device, doc="The device, by Paddle's name.")
strides = property(lambda self: list(self.stride()), doc="Steps in memory, in elements.")
