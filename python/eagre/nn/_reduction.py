"""How old programs say "mean", "sum" or "none"."""

import warnings


def legacy_get_string(size_average, reduce, emit_warning=True):
    """What `size_average` and `reduce` mean, with a warning."""
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    reduction = ("mean" if size_average else "sum") if reduce else "none"
    if emit_warning:
        warnings.warn(
            "size_average and reduce args will be deprecated, please use "
            f"reduction='{reduction}' instead.",
            stacklevel=4,
        )
    return reduction
