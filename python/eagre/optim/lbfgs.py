"""L-BFGS: steps by the curvature that the last gradients tell (Liu and Nocedal 1989)."""

from __future__ import annotations

from eagre._C import Tensor, cat, view_as_real
from eagre.autograd.grad_mode import enable_grad, no_grad
from eagre.optim._checks import check_rate
from eagre.optim._line_search import Point, search
from eagre.optim.optimizer import Optimizer

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """Takes up to `max_iter` steps at each call, with the loss computed anew by the closure. All
    parameters are one vector here; its state is that of the first one."""

    def __init__(
        self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7,
        tolerance_change=1e-9, history_size=100, line_search_fn=None, *, maximize=False,
    ) -> None:  # fmt: skip
        check_rate(lr)
        defaults = {
            "lr": lr, "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change,
            "history_size": history_size, "line_search_fn": line_search_fn,
            "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    def __setstate__(self, state):
        super().__setstate__(state)
        self._params = self.param_groups[0]["params"]
        self.param_groups[0].setdefault("maximize", False)

    @no_grad()
    def step(self, closure) -> Any:
        """Steps until the loss is flat, or as often as allowed. Returns the first loss."""
        group = self.param_groups[0]
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        lr = group["lr"]
        lr = lr.item() if isinstance(lr, Tensor) else lr
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        evaluate = _with_grad(closure)
        first_loss = evaluate()
        loss = self._signed(first_loss)
        state["func_evals"] += 1
        gradient = self._gradient()
        if _largest(gradient) <= group["tolerance_grad"]:
            return first_loss

        rounds, evaluations = 0, 1
        while rounds < group["max_iter"]:
            rounds += 1
            state["n_iter"] += 1
            is_first = state["n_iter"] == 1
            direction = _direction(state, gradient, group["history_size"])
            state["prev_flat_grad"], state["prev_loss"] = gradient.clone(), loss
            step = lr / max(1.0, gradient.abs().sum().item()) if is_first else lr
            state["d"], state["t"] = direction, step
            slope = gradient.dot(direction).item()
            if slope > -group["tolerance_change"]:
                break
            is_last = rounds == group["max_iter"]
            if group["line_search_fn"] is not None:
                start = Point(0, loss, gradient, slope)
                most = min(25, group["max_eval"] - evaluations)
                point, count = self._search(evaluate, start, step, direction, most)
                step, loss, gradient = point.step, point.loss, point.gradient
                self._move(step, direction)
            else:
                self._move(step, direction)
                count = 0 if is_last else 1
                if not is_last:
                    loss = self._signed(evaluate())
                    gradient = self._gradient()
            state["t"] = step
            evaluations += count
            state["func_evals"] += count
            if (
                is_last
                or evaluations >= group["max_eval"]
                or _largest(gradient) <= group["tolerance_grad"]
                or _largest(direction * step) <= group["tolerance_change"]
                or abs(loss - state["prev_loss"]) < group["tolerance_change"]
            ):
                break
        return first_loss

    def _search(self, evaluate, start, step, direction, most):
        kept = [parameter.clone() for parameter in self._params]

        def point_at(step):
            self._move(step, direction)
            loss = self._signed(evaluate())
            gradient = self._gradient()
            for parameter, old in zip(self._params, kept, strict=True):
                parameter.copy_(old)
            return Point(step, loss, gradient, gradient.dot(direction).item())

        tolerance = 1e-9
        return search(point_at, start, step, _largest(direction), tolerance, most)

    def _signed(self, loss):
        value = loss.item() if isinstance(loss, Tensor) else float(loss)
        return -value if self.param_groups[0]["maximize"] else value

    def _gradient(self):
        """The gradients of all parameters, one after the other; zeros where there is none."""
        parts = []
        for parameter in self._params:
            part = parameter.grad
            if part is None:
                part = parameter.new_zeros(parameter.shape)
            elif part.is_sparse:
                raise RuntimeError("LBFGS does not support sparse gradients")
            parts.append((view_as_real(part) if part.is_complex() else part).reshape(-1))
        gradient = cat(parts)
        return gradient.neg_() if self.param_groups[0]["maximize"] else gradient

    def _move(self, step, direction):
        offset = 0
        for parameter in self._params:
            real = view_as_real(parameter) if parameter.is_complex() else parameter
            part = direction[offset : offset + real.numel()]
            real.add_(part.view_as(real), alpha=step)
            offset += real.numel()


def _with_grad(closure):
    def evaluate():
        with enable_grad():
            return closure()

    return evaluate


def _largest(tensor):
    return tensor.abs().max().item()


def _direction(state, gradient, history_size):
    """Where to go: against the gradient times the inverse of the curvature, which the differences
    of the last steps and gradients stand for (two loops over them)."""
    if state["n_iter"] == 1:
        state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
        return gradient.neg()
    changes, steps, inverses = state["old_dirs"], state["old_stps"], state["ro"]
    change = gradient.sub(state["prev_flat_grad"])
    step = state["d"].mul(state["t"])
    product = change.dot(step)
    if product.item() > 1e-10:
        if len(changes) == history_size:
            for kept in (changes, steps, inverses):
                kept.pop(0)
        changes.append(change)
        steps.append(step)
        inverses.append(1.0 / product)
        state["H_diag"] = product / change.dot(change)
    weights = state["al"] = state.get("al", [None] * history_size)
    direction = gradient.neg()
    for index in range(len(changes) - 1, -1, -1):
        weights[index] = steps[index].dot(direction) * inverses[index]
        direction.sub_(changes[index] * weights[index])
    direction.mul_(state["H_diag"])
    for index in range(len(changes)):
        back = changes[index].dot(direction) * inverses[index]
        direction.add_(steps[index] * (weights[index] - back))
    return direction
