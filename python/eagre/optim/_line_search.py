"""Search along a line for a step that meets the strong Wolfe conditions (Nocedal and Wright,
chapter 3.5)."""

from typing import NamedTuple

from eagre._C import Tensor

ENOUGH_FALL = 1e-4  # of the fall that the slope promises
ENOUGH_FLATTENING = 0.9  # of the slope


class Point(NamedTuple):
    """A step with the loss, the gradient and the slope there."""

    step: float
    loss: float
    gradient: Tensor
    slope: float


def search(evaluate, start, step, length, tolerance, most):
    """Walks from the point `start` at step 0, with `step` as the first try, and at most `most`
    others. `evaluate(step)` makes a point; `length` is the largest element of the direction.
    Returns a point, and how often it evaluated."""
    new = evaluate(step)
    previous, tries = start, 0
    bracket = None
    while tries < most:
        if _is_too_high(new, start) or (tries > 1 and new.loss >= previous.loss):
            bracket = [previous, new]
        elif _is_flat(new, start):
            return new, tries + 1
        elif new.slope >= 0:
            bracket = [previous, new]
        if bracket:
            break
        bounds = (new.step + 0.01 * (new.step - previous.step), new.step * 10)
        step = _minimum_of_cubic(previous, new, bounds)
        previous, new = new, evaluate(step)
        tries += 1
    if bracket is None:
        bracket = [start, new]
    point, tries = _zoom(evaluate, start, bracket, length, tolerance, tries, most)
    return point, tries + 1


def _is_too_high(point, start):
    return point.loss > start.loss + ENOUGH_FALL * point.step * start.slope


def _is_flat(point, start):
    return abs(point.slope) <= -ENOUGH_FLATTENING * start.slope


def _zoom(evaluate, start, bracket, length, tolerance, tries, most):
    """Narrows the bracket. Its order is that in which the points came."""
    low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
    was_at_edge = False
    while tries < most:
        left, right = sorted(point.step for point in bracket)
        if (right - left) * length < tolerance:
            break
        step = _minimum_of_cubic(*bracket)
        margin = 0.1 * (right - left)
        if min(right - step, step - left) < margin:
            # Twice near an end, or beyond it: away from the end.
            if was_at_edge or step >= right or step <= left:
                step = right - margin if abs(step - right) < abs(step - left) else left + margin
                was_at_edge = False
            else:
                was_at_edge = True
        else:
            was_at_edge = False
        new = evaluate(step)
        tries += 1
        if _is_too_high(new, start) or new.loss >= bracket[low].loss:
            bracket[high] = new
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
            continue
        is_done = _is_flat(new, start)
        if not is_done and new.slope * (bracket[high].step - bracket[low].step) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = new
        if is_done:
            break
    return bracket[low], tries


def _minimum_of_cubic(one, other, bounds=None):
    """Where the cubic through two points with their slopes is least, within the bounds."""
    left, right = sorted((one.step, other.step)) if bounds is None else bounds
    if one.step == other.step:
        return (left + right) / 2.0
    middle = one.slope + other.slope - 3 * (one.loss - other.loss) / (one.step - other.step)
    square = middle**2 - one.slope * other.slope
    if not square >= 0:
        return (left + right) / 2.0
    root = square**0.5
    first, last = (one, other) if one.step <= other.step else (other, one)
    below = last.slope - first.slope + 2 * root
    if below == 0:
        return (left + right) / 2.0
    fraction = (last.slope + root - middle) / below
    return min(max(last.step - (last.step - first.step) * fraction, left), right)
