"""lu(): the older form of linalg.lu_factor()."""

from eagre import _C, linalg


def lu(A, pivot=True, get_infos=False, out=None):  # noqa: N803, PyTorch's name
    """lu(A, pivot=True, get_infos=False, *, out=None)

    The factors of matrices in one tensor, and the pivots; with `get_infos`, for every matrix also
    the number of the first pivot that is zero, which is an error otherwise.

    >>> eagre.lu(eagre.tensor([[1., 3.], [2., 4.]]))[0]
    tensor([[2.0000, 4.0000],
            [0.5000, 1.0000]])
    """
    found = linalg.lu_factor_ex(A, pivot=pivot, check_errors=not get_infos)
    if not get_infos:
        found = (found.LU, found.pivots)
    if out is None:
        return found
    if len(out) != len(found):
        raise _C.InvalidArgumentError(
            f"lu(): argument 'out': expected {len(found)} tensors, but got {len(out)}"
        )
    for target, one in zip(out, found, strict=True):
        target.resize_(one.shape).copy_(one)
    return out
