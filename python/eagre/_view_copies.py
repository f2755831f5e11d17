"""Copies of what views show: permute_copy(x, dims) is x.permute(dims) with memory of its own."""

import eagre
from eagre._out import with_out


def _copied(result):
    if isinstance(result, (tuple, list)):
        return tuple(map(_copied, result))
    return result.clone(memory_format=eagre.contiguous_format)


def _copy_of(name, view=None):
    view = view or getattr(eagre.Tensor, name)

    def copy(input, *args, **kwargs):
        return _copied(view(input, *args, **kwargs))

    copy.__name__ = copy.__qualname__ = f"{name}_copy"
    copy.__doc__ = f"What `{name}` shows of a tensor, in memory of its own."
    return with_out(copy)


def _slice(input, dim=0, start=None, end=None, step=1):
    """The elements from `start` to `end` of a dimension."""
    return input.movedim(dim, 0)[start:end:step].movedim(0, dim)


alias_copy = _copy_of("alias", lambda input: input.view_as(input))
as_strided_copy = _copy_of("as_strided")
detach_copy = _copy_of("detach")
diagonal_copy = _copy_of("diagonal")
expand_copy = _copy_of("expand")
narrow_copy = _copy_of("narrow")
permute_copy = _copy_of("permute")
select_copy = _copy_of("select")
slice_copy = _copy_of("slice", _slice)
split_copy = _copy_of("split")
split_with_sizes_copy = _copy_of("split_with_sizes")
squeeze_copy = _copy_of("squeeze")
t_copy = _copy_of("t")
transpose_copy = _copy_of("transpose")
unbind_copy = _copy_of("unbind")
unfold_copy = _copy_of("unfold")
unsqueeze_copy = _copy_of("unsqueeze")
view_as_complex_copy = _copy_of("view_as_complex", eagre.view_as_complex)
view_as_real_copy = _copy_of("view_as_real", eagre.view_as_real)
view_copy = _copy_of("view")
