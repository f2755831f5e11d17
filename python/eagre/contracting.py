"""Sums of products over chosen dimensions, and norms, made of other operators."""

import eagre
from eagre.out_argument import with_out

# --- einsum ---


def einsum(*args):
    """einsum("ij,jk->ik", a, b), or einsum(a, [0, 1], b, [1, 2], [0, 2]): sums of products over the
    labels that the result does not have."""
    operands, inputs, output = _read(args)
    terms = [_diagonals(x, labels) for x, labels in zip(operands, inputs, strict=True)]
    x, labels = terms[0]
    for i, (y, other) in enumerate(terms[1:], 2):
        later = {label for _, rest in terms[i:] for label in rest}
        x, labels = _product(x, labels, y, other, later | set(output))
    x, labels = _summed(x, labels, set(output))
    return x.permute([labels.index(label) for label in output]) if labels else x


def _read(args):
    """Operands, their labels with ellipses spelled out, and the labels of the result."""
    if isinstance(args[0], str):
        equation, operands = args[0].replace(" ", ""), list(args[1:])
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = list(operands[0])
        left, arrow, right = equation.partition("->")
        inputs, output = left.split(","), right if arrow else None
    else:
        operands, inputs = list(args[: len(args) // 2 * 2 : 2]), list(args[1::2])
        output = args[-1] if len(args) % 2 == 1 else None
        inputs = [_as_text(labels) for labels in inputs]
        output = None if output is None else _as_text(output)
    if len(operands) == 0:
        raise ValueError("einsum(): must provide at least one operand")
    if len(operands) != len(inputs):
        raise RuntimeError(
            f"einsum(): the equation names {len(inputs)} operands, but {len(operands)} are given"
        )
    hidden = [
        x.dim() - len(labels.replace("...", "")) for x, labels in zip(operands, inputs, strict=True)
    ]
    widest = max(
        (n for n, labels in zip(hidden, inputs, strict=True) if "..." in labels), default=0
    )
    spelled = []
    for n, labels in zip(hidden, inputs, strict=True):
        dots = [("...", i) for i in range(widest - n, widest)]
        if n < 0 or (n > 0 and "..." not in labels):
            raise RuntimeError(
                f"einsum(): the subscripts '{labels}' do not match the number of dimensions of "
                "their operand"
            )
        spelled.append(_spell(labels, dots))
    dots = [("...", i) for i in range(widest)]
    if output is None:
        every = [label for labels in spelled for label in labels if isinstance(label, str)]
        result = dots + sorted(label for label in set(every) if every.count(label) == 1)
    else:
        result = _spell(output, dots)
    for label in result:
        if not any(label in labels for labels in spelled):
            raise RuntimeError(
                f"einsum(): the result has the label {label!r}, which no operand has"
            )
        if result.count(label) > 1:
            raise RuntimeError(f"einsum(): the label {label!r} appears twice in the result")
    return operands, spelled, result


def _as_text(labels):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return "".join("..." if label is Ellipsis else letters[label] for label in labels)


def _spell(labels, dots):
    before, found, after = labels.partition("...")
    for letter in before + after:
        if not letter.isalpha():
            raise RuntimeError(f"einsum(): invalid subscript {letter!r}: they must be letters")
    return [*before, *(dots if found else []), *after]


def _diagonals(x, labels):
    """Of a label that appears twice, the diagonal."""
    labels = list(labels)
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            if x.shape[first] != x.shape[second]:
                raise RuntimeError(
                    f"einsum(): the label {label!r} is repeated, but sizes {x.shape[first]} and "
                    f"{x.shape[second]} differ"
                )
            x = x.diagonal(0, first, second)
            labels = [other for i, other in enumerate(labels) if i not in (first, second)] + [label]
    return x, labels


def _summed(x, labels, kept):
    gone = [i for i, label in enumerate(labels) if label not in kept]
    return (x.sum(gone), [label for label in labels if label in kept]) if gone else (x, labels)


def _product(x, a, y, b, kept):
    """One operand of two: labels of both that are not kept are summed over, as a product of
    matrices."""
    x, a = _without_ones(x, a, y, b)
    y, b = _without_ones(y, b, x, a)
    x, a = _summed(x, a, kept | set(b))
    y, b = _summed(y, b, kept | set(a))
    both = [label for label in a if label in b]
    batch = [label for label in both if label in kept]
    inner = [label for label in both if label not in kept]
    left = [label for label in a if label not in both]
    right = [label for label in b if label not in both]
    sizes = dict(zip(b, y.shape, strict=True)) | dict(zip(a, x.shape, strict=True))
    for label, size in zip(b, y.shape, strict=True):
        if sizes[label] != size:
            raise RuntimeError(
                f"einsum(): the label {label!r} has sizes {sizes[label]} and {size}, which do not "
                "broadcast"
            )

    def matrices(tensor, labels, *groups):
        order = [labels.index(label) for group in groups for label in group]
        shape = [_count(sizes, batch), *(_count(sizes, group) for group in groups[1:])]
        return tensor.permute(order).reshape(shape)

    product = matrices(x, a, batch, left, inner) @ matrices(y, b, batch, inner, right)
    labels = batch + left + right
    return product.reshape([sizes[label] for label in labels]), labels


def _without_ones(x, a, y, b):
    """Drops dimensions of size 1 that broadcast to those of the other operand."""
    other = dict(zip(b, y.shape, strict=True))
    ones = [i for i, label in enumerate(a) if x.shape[i] == 1 and other.get(label, 1) != 1]
    return x.squeeze(ones), [label for i, label in enumerate(a) if i not in ones]


def _count(sizes, labels):
    count = 1
    for label in labels:
        count *= sizes[label]
    return count


# --- products ---


@with_out
def tensordot(a, b, dims=2):
    """The sum of products over the last `dims` dimensions of a and the first of b, or lists."""
    if isinstance(dims, eagre.Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if not 0 <= dims <= min(a.dim(), b.dim()):
            raise RuntimeError(
                f"tensordot expects dims >= 0 and at most the ranks, but got dims={dims}"
            )
        over_a, over_b = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        over_a, over_b = ([d] if isinstance(d, int) else list(d) for d in dims)
    over_a = [d % a.dim() for d in over_a]
    over_b = [d % b.dim() for d in over_b]
    if len(over_a) != len(over_b):
        raise RuntimeError("tensordot(): both lists of dimensions should have the same length")
    labels = list(range(a.dim() + b.dim()))
    a_labels, b_labels = labels[: a.dim()], labels[a.dim() :]
    for d, e in zip(over_a, over_b, strict=True):
        b_labels[e] = a_labels[d]
    rest = [a_labels[d] for d in range(a.dim()) if d not in over_a]
    rest += [b_labels[e] for e in range(b.dim()) if e not in over_b]
    return einsum(a, a_labels, b, b_labels, rest)


@with_out
def inner(input, other):
    """The products of rows of both, along the last dimension."""
    if input.dim() == 0 or other.dim() == 0:
        return input * other
    return tensordot(input, other, ([-1], [-1]))


@with_out
def kron(input, other):
    """The Kronecker product."""
    rank = max(input.dim(), other.dim())
    a = input.reshape([1] * (rank - input.dim()) + list(input.shape))
    b = other.reshape([1] * (rank - other.dim()) + list(other.shape))
    spread = a.reshape([n for size in a.shape for n in (size, 1)])
    between = b.reshape([n for size in b.shape for n in (1, size)])
    return (spread * between).reshape([m * n for m, n in zip(a.shape, b.shape, strict=True)])


def _plus(input, beta, product):
    # As in PyTorch, without `input` where beta is 0: it may hold NaN.
    return product if beta == 0 else input * beta + product


def _plus_in_place(input, beta, product):
    return (input.zero_() if beta == 0 else input.mul_(beta)).add_(product)


@with_out
def baddbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * (batch1 @ batch2), of batches of matrices."""
    return _plus(input, beta, eagre.bmm(batch1, batch2) * alpha)


def baddbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    """baddbmm() in place."""
    return _plus_in_place(self, beta, eagre.bmm(batch1, batch2) * alpha)


@with_out
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * the sum of batch1 @ batch2."""
    return _plus(input, beta, eagre.bmm(batch1, batch2).sum(0) * alpha)


def addbmm_(self, batch1, batch2, *, beta=1, alpha=1):
    """addbmm() in place."""
    return _plus_in_place(self, beta, eagre.bmm(batch1, batch2).sum(0) * alpha)


@with_out
def addmv(input, mat, vec, *, beta=1, alpha=1):
    """beta * input + alpha * (mat @ vec)."""
    return _plus(input, beta, eagre.mv(mat, vec) * alpha)


def addmv_(self, mat, vec, *, beta=1, alpha=1):
    """addmv() in place."""
    return _plus_in_place(self, beta, eagre.mv(mat, vec) * alpha)


@with_out
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    """beta * input + alpha * the outer product."""
    return _plus(input, beta, eagre.outer(vec1, vec2) * alpha)


def addr_(self, vec1, vec2, *, beta=1, alpha=1):
    """addr() in place."""
    return _plus_in_place(self, beta, eagre.outer(vec1, vec2) * alpha)


# --- norms ---


@with_out
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """The p-norm over dimensions; without `dim`, of all elements."""
    if isinstance(p, str):
        if p != "fro":
            raise NotImplementedError(
                f"norm(): p={p!r} needs singular values, which are not there yet"
            )
        p = 2
    return vector_norm(input, 2 if p is None else p, dim, keepdim, dtype=dtype)


@with_out
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The norm of vectors along dimensions: ord is any number, also infinite."""
    if dtype is not None:
        x = x.to(dtype)
    if not (x.is_floating_point() or x.is_complex()):
        raise NotImplementedError(
            f"norm(): expected a floating point or complex tensor as input. Got {x.dtype}"
        )
    if dim is None and x.dim() > 0:
        dim = list(range(x.dim()))
    return _norm(x.abs(), float(ord), dim, keepdim)


def _norm(size, order, dim, keepdim):
    if order == float("inf"):
        return size if dim is None else size.amax(dim, keepdim)
    if order == float("-inf"):
        return size if dim is None else size.amin(dim, keepdim)
    if order == 0:
        return size.sign().sum(dim, keepdim)  # ones, with a gradient: zero
    if order == 1:
        return size.sum(dim, keepdim)
    total = (size.square() if order == 2 else size**order).sum(dim, keepdim)
    # The root has no slope at zero; as in PyTorch its gradient is zero there.
    zero = total == 0
    safe = eagre.where(zero, 1.0, total)
    root = safe.sqrt() if order == 2 else safe ** (1 / order)
    return eagre.where(zero, 0.0, root)


def dist(input, other, p=2):
    """The p-norm of the difference."""
    return norm(input - other, p)
