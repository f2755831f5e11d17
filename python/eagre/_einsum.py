"""einsum as Python calls it: operands one by one, and labels as numbers."""

from eagre import _C, _given

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def einsum(*args) -> _C.Tensor:
    """einsum(equation, *operands) -> Tensor

    Sums of products. Letters name the dimensions of the operands; what the result does not name, or
    without `->` what appears twice, is summed over. `...` stands for dimensions that broadcast.
    Numbers in lists may stand for the letters: einsum(a, [0, 1], b, [1], [0]).

    >>> a, b = eagre.tensor([[1., 2.], [3., 4.]]), eagre.tensor([5., 6.])
    >>> eagre.einsum("ij,j->i", a, b)
    tensor([17., 39.])
    >>> eagre.einsum(a, [0, 1], b, [1], [0])
    tensor([17., 39.])
    """
    if len(args) < 2:
        given = ", ".join(map(_given.kind_of, args)) or "nothing"
        raise _C.InvalidArgumentError(
            "einsum(): must specify the equation string and at least one operand, or at least one "
            f"operand and its subscripts list, but got {given}"
        )
    if isinstance(args[0], str):
        equation, operands = args[0], args[1:]
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = operands[0]
    else:
        operands = args[: len(args) // 2 * 2 : 2]
        equation = ",".join(_as_text(labels) for labels in args[1::2])
        if len(args) % 2 == 1:
            equation += "->" + _as_text(args[-1])
    return _C._einsum(equation, list(operands))


def _as_text(labels):
    if not isinstance(labels, (list, tuple)) or not all(map(_is_label, labels)):
        raise _given.wrong_type(
            "einsum", "operands", "Tensors, each before its list of labels", labels
        )
    for label in labels:
        if label is not Ellipsis and not 0 <= label < len(_LETTERS):
            raise ValueError(
                f"einsum(): expected labels from 0 to {len(_LETTERS) - 1}, but got {label}"
            )
    return "".join("..." if label is Ellipsis else _LETTERS[label] for label in labels)


def _is_label(label):
    return label is Ellipsis or hasattr(label, "__index__")


def tensordot(a, b, dims=2, out=None) -> _C.Tensor:
    """tensordot(a, b, dims=2, out=None) -> Tensor

    The sum of products over the last `dims` dimensions of `a` and the first of `b`, or over two
    lists of dimensions.

    >>> a, b = eagre.ones(2, 3), eagre.ones(3, 4)
    >>> eagre.tensordot(a, b, dims=1).shape
    eagre.Size([2, 4])
    >>> eagre.tensordot(a, b, dims=([1], [0])).shape
    eagre.Size([2, 4])
    """
    if not (isinstance(a, _C.Tensor) and isinstance(b, _C.Tensor)):
        return _C._tensordot(a, b, [], [], out=out)  # which says what is wrong
    if isinstance(dims, _C.Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if not 0 <= dims <= min(a.dim(), b.dim()):
            raise _C.InvalidArgumentError(
                "tensordot(): argument 'dims' must be from 0 to the number of dimensions of both, "
                f"{min(a.dim(), b.dim())}, but got {dims}"
            )
        over_a, over_b = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        if not isinstance(dims, (list, tuple)) or len(dims) != 2:
            kind = _C.InvalidArgumentError if isinstance(dims, (list, tuple)) else _C.DTypeError
            raise kind(
                "tensordot(): tensordot expects dims to be int or tuple[list[int], list[int]] or "
                f"list[list[int]] containing two lists, but got dims={dims}: argument 'dims' must "
                f"be an int or two lists of ints, but got {_given.kind_of(dims)}"
            )
        over_a, over_b = ([d] if isinstance(d, int) else d for d in dims)
    return _C._tensordot(a, b, over_a, over_b, out=out)
