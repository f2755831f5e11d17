"""Types of arguments, for programs that annotate theirs."""

from typing import TypeAlias

from eagre._C import Tensor

_scalar_or_tuple_any_t: TypeAlias = int | tuple[int, ...]
_scalar_or_tuple_1_t: TypeAlias = int | tuple[int]
_scalar_or_tuple_2_t: TypeAlias = int | tuple[int, int]
_scalar_or_tuple_3_t: TypeAlias = int | tuple[int, int, int]
_scalar_or_tuple_4_t: TypeAlias = int | tuple[int, int, int, int]
_scalar_or_tuple_5_t: TypeAlias = int | tuple[int, int, int, int, int]
_scalar_or_tuple_6_t: TypeAlias = int | tuple[int, int, int, int, int, int]

# For what is a size, a stride or a padding.
_size_any_t: TypeAlias = _scalar_or_tuple_any_t
_size_1_t: TypeAlias = _scalar_or_tuple_1_t
_size_2_t: TypeAlias = _scalar_or_tuple_2_t
_size_3_t: TypeAlias = _scalar_or_tuple_3_t
_size_4_t: TypeAlias = _scalar_or_tuple_4_t
_size_5_t: TypeAlias = _scalar_or_tuple_5_t
_size_6_t: TypeAlias = _scalar_or_tuple_6_t

# The same, where None leaves a dimension as it is.
_size_any_opt_t: TypeAlias = int | None | tuple[int | None, ...]
_size_2_opt_t: TypeAlias = int | None | tuple[int | None, int | None]
_size_3_opt_t: TypeAlias = int | None | tuple[int | None, int | None, int | None]

_ratio_any_t: TypeAlias = float | tuple[float, ...]
_ratio_2_t: TypeAlias = float | tuple[float, float]
_ratio_3_t: TypeAlias = float | tuple[float, float, float]

_tensor_list_t: TypeAlias = Tensor | list[Tensor]
_maybe_indices_t: TypeAlias = Tensor | tuple[Tensor, Tensor]
