// Diagonals and triangles of matrices, and places of elements.
#include <algorithm>

#include <eagre/autograd/accumulate.h>
#include <eagre/autograd/ops/argwhere.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/diag.h>
#include <eagre/autograd/ops/diag_embed.h>
#include <eagre/autograd/ops/diagflat.h>
#include <eagre/autograd/ops/diagonal.h>
#include <eagre/autograd/ops/diagonal_grad.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/nonzero.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/to_device.h>
#include <eagre/autograd/ops/trace.h>
#include <eagre/autograd/ops/tril_indices.h>
#include <eagre/autograd/ops/triu_indices.h>
#include <eagre/base/error.h>
#include <eagre/base/interrupt.h>
#include <eagre/base/thread_state.h>

namespace eagre::ops {

TensorBase diag_embed(const TensorBase& input, int64_t offset, int64_t dim1, int64_t dim2,
                      CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() > 0, kIndex,
              "diag_embed(): argument 'input' must have at least one dimension, but got a 0-dim "
              "tensor");
  const int64_t rank = input.dim() + 1;
  const int64_t first = wrap_dim("diag_embed", "dim1", dim1, rank);
  const int64_t second = wrap_dim("diag_embed", "dim2", dim2, rank);
  EAGRE_CHECK(first != second, kInvalidArgument,
              "diag_embed(): arguments 'dim1' and 'dim2' must differ, but got ", dim1, " and ",
              dim2);
  int64_t size = 0;
  const bool is_lowest = offset == INT64_MIN;
  if (is_lowest || __builtin_add_overflow(input.sizes().back(), std::abs(offset), &size)) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"diag_embed", "offset", "a number of a possible size", concat(offset)});
  }
  DimVector sizes;
  int64_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_new = d == first || d == second;
    sizes.push_back(is_new ? size : input.sizes()[next]);
    if (!is_new) ++next;
  }
  checked_numel("diag_embed", sizes);
  return diagonal_grad(input, sizes, offset, first, second, at);
}

TensorBase diag(const TensorBase& input, int64_t diagonal, CallSite at) {
  const SiteScope scope(at);
  if (input.dim() == 1) return diag_embed(input, diagonal, 0, 1, at);
  EAGRE_CHECK(input.dim() == 2, kInvalidArgument,
              "diag(): argument 'input': supports 1D or 2D tensors, but got shape ", input.sizes());
  return clone(ops::diagonal(input, diagonal, 0, 1, at), at);
}

TensorBase diagflat(const TensorBase& input, int64_t offset, CallSite at) {
  const SiteScope scope(at);
  return diag_embed(flatten(input, 0, -1, at), offset, 0, 1, at);
}

TensorBase trace(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() == 2, kInvalidArgument,
              "trace(): argument 'input': expected a matrix, but got shape ", input.sizes());
  return sum(diagonal(input, 0, 0, 1, at), {}, false, {}, at);
}

// --- places ---

namespace {

// How many elements of a matrix lie on a diagonal or below it. Not more than the matrix has.
__int128 count_below(__int128 rows, __int128 columns, __int128 offset) {
  const __int128 first = std::clamp<__int128>(-offset, 0, rows);                  // not empty
  const __int128 full = std::clamp<__int128>(columns - offset - 1, first, rows);  // whole
  const __int128 growing = full - first;
  return growing * (first + offset + 1) + growing * (growing - 1) / 2 + (rows - full) * columns;
}

struct Part {
  int64_t first, last;
};

// The places of `count` elements, by rows; none of the rows in `rows` is empty.
template <class Columns>
TensorBase places(const char* op, __int128 count, Part rows, const TensorOptions& options,
                  CallSite at, const Columns& columns) {
  const DType dtype = options.chosen_dtype().value_or(kInt64);
  EAGRE_CHECK(dtype == kInt64 || dtype == kInt32, kUnimplemented, op,
              "(): argument 'dtype' must be int64 or int32, but got ", dtype);
  EAGRE_CHECK(count < INT64_MAX / 16, kOutOfMemory, op, "(): there are too many elements");
  const int64_t sizes[] = {2, static_cast<int64_t>(count)};
  const TensorBase made = TensorBase::adopt(new_tensor(Dims(sizes, 2), kInt64, Device()));
  int64_t* row_of = made.data_ptr<int64_t>();
  int64_t* column_of = row_of + sizes[1];
  for (int64_t row = rows.first; row < rows.last && count != 0; ++row) {
    const Part part = columns(row);
    poll_interrupt(part.last - part.first);
    for (int64_t column = part.first; column < part.last; ++column) {
      *row_of++ = row;
      *column_of++ = column;
    }
  }
  const TensorBase moved = to_device(cast(made, dtype, at), options.device(), at);
  if (options.requires_grad_is_set()) autograd::set_requires_grad(moved, true);
  return moved;
}

// Within the matrix: further away there are no elements, or all of them.
int64_t checked_offset(const char* op, int64_t rows, int64_t columns, int64_t offset) {
  EAGRE_CHECK(rows >= 0 && columns >= 0, kInvalidArgument, op,
              "(): arguments 'row' and 'col' must not be negative, but got ", rows, " and ",
              columns);
  return std::clamp(offset, -rows, columns);
}

}  // namespace

TensorBase tril_indices(int64_t row, int64_t col, int64_t offset, const TensorOptions& options,
                        CallSite at) {
  const SiteScope scope(at);
  const int64_t shift = checked_offset("tril_indices", row, col, offset);
  const Part rows{std::max<int64_t>(0, -shift), row};
  return places("tril_indices", count_below(row, col, shift), rows, options, at, [&](int64_t r) {
    return Part{0, static_cast<int64_t>(std::min<__int128>(col, __int128{r} + shift + 1))};
  });
}

TensorBase triu_indices(int64_t row, int64_t col, int64_t offset, const TensorOptions& options,
                        CallSite at) {
  const SiteScope scope(at);
  const int64_t shift = checked_offset("triu_indices", row, col, offset);
  const __int128 count = static_cast<__int128>(row) * col - count_below(row, col, shift - 1);
  const Part rows{0, static_cast<int64_t>(std::min<__int128>(row, __int128{col} - shift))};
  return places("triu_indices", count, rows, options, at, [&](int64_t r) {
    return Part{std::max<int64_t>(0, r + shift), col};
  });
}

TensorBase argwhere(const TensorBase& input, CallSite at) { return nonzero(input, {}, at); }

}  // namespace eagre::ops
