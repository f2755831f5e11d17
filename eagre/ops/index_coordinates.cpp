// Indices of `x[…]` as coordinates on the device of the tensor.
#include <eagre/ops/index_coordinates.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/unsqueeze.h>

namespace eagre::ops {
namespace {

void check_mask(const char* op, const TensorBase& input, size_t first, const TensorBase& mask) {
  const Dims sizes = input.sizes();
  const Dims wanted = mask.sizes();
  bool fits = first + wanted.size() <= sizes.size();
  for (size_t i = 0; fits && i < wanted.size(); ++i) fits = wanted[i] == sizes[first + i];
  if (fits) return;
  size_t at = 0;
  while (at < wanted.size() && first + at < sizes.size() && wanted[at] == sizes[first + at]) ++at;
  raise(ErrorKind::kIndex, concat(op, "(): The shape of the mask ", wanted, " at index ", at,
                                  " does not match the shape of the indexed tensor ", sizes,
                                  " at index ", first + at));
}

}  // namespace

Coordinates::Coordinates(const char* op, const TensorBase& tensor, TensorList given, CallSite at)
    : input(tensor) {
  for (const TensorBase& index : given) {
    if (!is_mask(index)) {
      indices.push_back(index);
      continue;
    }
    if (index.dtype() == kUInt8 && index.dim() > 0) {
      warn(concat(op,
                  "(): indexing with dtype uint8 is now deprecated, please use a dtype bool "
                  "instead"));
    }
    if (index.dim() == 0) {
      // A single bool is a new dimension, of which one or nothing is taken.
      input = unsqueeze(input, static_cast<int64_t>(indices.size()), at);
      const TensorBase places = dispatch::nonzero_places(op, index);
      indices.push_back(places);
    } else {
      check_mask(op, input, indices.size(), index);
      for (TensorBase& column : dispatch::nonzero_by_dimension(op, index)) {
        indices.push_back(std::move(column));
      }
    }
  }
}

TensorVector beside(const TensorBase& input, TensorList indices) {
  TensorVector moved;
  moved.reserve(indices.size());
  for (const TensorBase& index : indices) {
    const bool stays = !index.defined() || !index.device().is_cpu();
    moved.push_back(stays ? index : dispatch::on_device(index, input.device()));
  }
  return moved;
}

}  // namespace eagre::ops
