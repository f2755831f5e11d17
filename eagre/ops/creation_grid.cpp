// Numbers in order: arange, grids, choices, and the places of triangles.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/interrupt.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/arange_from.h>
#include <eagre/ops/arange_step.h>
#include <eagre/ops/arange_values.h>
#include <eagre/ops/cartesian_prod.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/check_rank.h>
#include <eagre/ops/combinations.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/flip.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/meshgrid.h>
#include <eagre/ops/new_empty.h>
#include <eagre/ops/pow.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/tensor_like.h>
#include <eagre/ops/to_device.h>
#include <eagre/ops/tril_indices.h>
#include <eagre/ops/triu_indices.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/vander.h>

namespace eagre::ops {
namespace {

bool is_whole(const Scalar& number) { return number.category() < DTypeCategory::kFloating; }

std::string number_text(const Scalar& number) {
  return is_whole(number) ? std::to_string(number.wrapped<int64_t>())
                          : concat(number.wrapped<double>());
}

[[noreturn]] void refuse(const char* argument, std::string expected, const Scalar& got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"arange", argument, std::move(expected), number_text(got)});
}

// How many numbers there are from `start` on, in steps, before `end`.
int64_t length_of(const Scalar& start, const Scalar& end, const Scalar& step) {
  for (const Scalar& number : {start, end, step}) {
    EAGRE_CHECK(number.category() != DTypeCategory::kComplex, kInvalidArgument,
                "arange(): the numbers must be real, but one of them is complex");
  }
  const double first = start.wrapped<double>(), last = end.wrapped<double>(),
               by = step.wrapped<double>();
  if (by == 0) refuse("step", "a number other than 0", step);
  if (!std::isfinite(first)) refuse("start", "a finite number", start);
  if (!std::isfinite(last)) refuse("end", "a finite number", end);
  if (std::isnan(by)) refuse("step", "a number", step);
  if (by > 0 ? last < first : last > first) {
    refuse("end",
           concat("a number on the side of 'start' (", number_text(start), ") that 'step' (",
                  number_text(step), ") leads to"),
           end);
  }
  if (is_whole(start) && is_whole(end) && is_whole(step)) {
    const auto distance = static_cast<unsigned __int128>(
        by > 0 ? static_cast<__int128>(end.wrapped<int64_t>()) - start.wrapped<int64_t>()
               : static_cast<__int128>(start.wrapped<int64_t>()) - end.wrapped<int64_t>());
    const auto size =
        static_cast<unsigned __int128>(by > 0 ? static_cast<__int128>(step.wrapped<int64_t>())
                                              : -static_cast<__int128>(step.wrapped<int64_t>()));
    const unsigned __int128 count = (distance + size - 1) / size;
    if (count > INT64_MAX) refuse("end", "fewer than 2^63 numbers", end);
    return static_cast<int64_t>(count);
  }
  const double count = std::ceil((last - first) / by);
  if (!(count < 0x1p63)) refuse("end", "fewer than 2^63 numbers", end);
  return static_cast<int64_t>(count);
}

}  // namespace

TensorBase arange_step(const Scalar& start, const Scalar& end, const Scalar& step,
                       const TensorOptions& options, CallSite at) {
  const SiteScope scope(at);
  const bool is_integer = is_whole(start) && is_whole(end) && is_whole(step);
  const DType dtype = options.chosen_dtype().value_or(is_integer ? kInt64 : default_dtype());
  // int64 counts in whole numbers, whatever is given; how far, the numbers as they are say.
  const bool cuts = dtype == kInt64 && !is_integer;
  const auto taken = [cuts](const Scalar& x) { return cuts ? Scalar(x.wrapped<int64_t>()) : x; };
  const int64_t length = length_of(start, end, step);
  return arange_values(taken(start), taken(step), length, options.dtype(dtype), at);
}

TensorBase arange_from(const Scalar& start, const Scalar& end, const TensorOptions& options,
                       CallSite at) {
  return arange_step(start, end, 1, options, at);
}

TensorBase arange(const Scalar& end, const TensorOptions& options, CallSite at) {
  return arange_step(0, end, 1, options, at);
}

TensorVector meshgrid(TensorList tensors, std::optional<std::string_view> indexing, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument, "meshgrid(): expects a non-empty TensorList");
  if (indexing && *indexing != "ij" && *indexing != "xy") {
    invalid_argument("meshgrid", "indexing", "'ij' or 'xy'", concat("'", *indexing, "'"));
  }
  const size_t rank = tensors.size();
  const bool swaps = indexing == "xy" && rank >= 2;
  const auto place = [&](size_t i) { return swaps && i < 2 ? 1 - i : i; };
  DimVector shape(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    if (tensors[i].dim() > 1) {
      invalid_argument("meshgrid", "tensors", "tensors of 0 or 1 dimension",
                       concat("shape ", tensors[i].sizes(), " at position ", i));
    }
    if (tensors[i].dtype() != tensors[0].dtype()) {
      raise(
          ErrorKind::kInvalidArgument,
          concat("meshgrid(): torch.meshgrid expects all tensors to have the same dtype, but got ",
                 tensors[0].dtype(), " and ", tensors[i].dtype(), " at position ", i));
    }
    EAGRE_CHECK(tensors[i].device() == tensors[0].device(), kInvalidArgument,
                "meshgrid(): torch.meshgrid expects all tensors to have the same device, but got ",
                tensors[0].device(), " and ", tensors[i].device(), " at position ", i);
    shape[place(i)] = tensors[i].numel();
  }
  TensorVector grids;
  for (size_t i = 0; i < rank; ++i) {
    DimVector line(rank, 1);
    line[place(i)] = tensors[i].numel();
    grids.push_back(expand(reshape(tensors[i], line, at), shape, at));
  }
  return grids;
}

TensorBase cartesian_prod(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  for (const TensorBase& tensor : tensors) check_vector("cartesian_prod", "tensors", tensor);
  if (tensors.size() == 1) return tensors[0];
  TensorVector columns = meshgrid(tensors, "ij", at);
  for (TensorBase& column : columns) column = flatten(column, 0, -1, at);
  return stack(columns, 1, at);
}

namespace {

TensorBase from_host(const std::vector<int64_t>& values, const TensorBase& like, CallSite at) {
  const DimVector sizes{static_cast<int64_t>(values.size())};
  const TensorBase made = TensorBase::adopt(new_tensor(sizes, kInt64, Device()));
  std::copy(values.begin(), values.end(), made.data_ptr<int64_t>());
  return to_device(made, like.device(), at);
}

// The next choice of places in order; false after the last one.
bool go_on(DimVector& places, int64_t count, bool with_replacement) {
  const auto r = static_cast<int64_t>(places.size());
  for (int64_t i = r - 1; i >= 0; --i) {
    const int64_t last = with_replacement ? count - 1 : count - r + i;
    if (places[i] == last) continue;
    ++places[i];
    for (int64_t k = i + 1; k < r; ++k) places[k] = places[k - 1] + (with_replacement ? 0 : 1);
    return true;
  }
  return false;
}

}  // namespace

TensorBase combinations(const TensorBase& input, int64_t r, bool with_replacement, CallSite at) {
  const SiteScope scope(at);
  check_vector("combinations", "input", input);
  if (r < 0) invalid_argument("combinations", "r", "a number that is not negative", concat(r));
  constexpr int64_t kMost = int64_t{1} << 16;
  if (r > kMost) invalid_argument("combinations", "r", concat("at most ", kMost), concat(r));
  if (r == 0) return new_empty(input, {0}, {}, at);
  const int64_t count = input.numel();
  std::vector<int64_t> chosen;
  if (with_replacement ? count > 0 : count >= r) {
    DimVector places(static_cast<size_t>(r));
    for (int64_t i = 0; i < r && !with_replacement; ++i) places[i] = i;
    do {
      chosen.insert(chosen.end(), places.begin(), places.end());
    } while (go_on(places, count, with_replacement));
  }
  const DimVector sizes{static_cast<int64_t>(chosen.size()) / r, r};
  return reshape(index_select(input, 0, from_host(chosen, input, at), at), sizes, at);
}

TensorBase vander(const TensorBase& x, std::optional<int64_t> N, bool increasing, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(x.dim() == 1, kInvalidArgument,
              "vander(): x must be a one-dimensional tensor. Argument 'x' has shape ", x.sizes());
  const int64_t count = N.value_or(x.numel());
  EAGRE_CHECK(count >= 0, kInvalidArgument, "vander(): N must be non-negative. Argument 'N' is ",
              count);
  const TensorBase powers = arange(count, TensorOptions(kInt64).device(x.device()), at);
  return pow(unsqueeze(x, -1, at), increasing ? powers : flip(powers, {0}, at), at);
}

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
  return with_requires_grad(to_device(cast(made, dtype, at), options.device(), at), options);
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

}  // namespace eagre::ops
