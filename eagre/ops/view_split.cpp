// Views of parts: split, chunk, tensor_split and its short forms.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/check_rank.h>
#include <eagre/ops/chunk.h>
#include <eagre/ops/dsplit.h>
#include <eagre/ops/dsplit_at.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/hsplit.h>
#include <eagre/ops/hsplit_at.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/split.h>
#include <eagre/ops/split_sizes.h>
#include <eagre/ops/tensor_split.h>
#include <eagre/ops/tensor_split_at.h>
#include <eagre/ops/tensor_split_by.h>
#include <eagre/ops/unsafe_chunk.h>
#include <eagre/ops/unsafe_split.h>
#include <eagre/ops/unsafe_split_with_sizes.h>
#include <eagre/ops/vsplit.h>
#include <eagre/ops/vsplit_at.h>

namespace eagre::ops {

TensorVector split(const TensorBase& input, int64_t split_size, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() > 0, kIndex, "split(): a 0-dim tensor has no dimension to split");
  const int64_t size = input.sizes()[wrap_dim("split", "dim", dim, input.dim())];
  EAGRE_CHECK(split_size >= 0, kInvalidArgument,
              "split(): split expects split_size be non-negative, but got split_size=", split_size);
  EAGRE_CHECK(
      split_size > 0 || size == 0, kInvalidArgument,
      "split(): split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  if (split_size > 0) dispatch::meta::check_view_count("split", (size - 1) / split_size + 1);
  DimVector sizes;
  for (int64_t rest = size; rest > 0; rest -= split_size) {
    sizes.push_back(std::min(rest, split_size));
  }
  if (size == 0) sizes.push_back(0);
  return split_sizes(input, sizes, dim, at);
}

TensorVector chunk(const TensorBase& input, int64_t chunks, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(chunks > 0, kInvalidArgument,
              "chunk(): chunk expects `chunks` to be greater than 0, got: ", chunks);
  EAGRE_CHECK(input.dim() > 0, kIndex, "chunk(): chunk expects at least a 1-dimensional tensor");
  const int64_t size = input.sizes()[wrap_dim("chunk", "dim", dim, input.dim())];
  dispatch::meta::check_view_count("chunk", std::min(chunks, size == 0 ? chunks : size));
  if (size == 0) return split_sizes(input, DimVector(static_cast<size_t>(chunks)), dim, at);
  return split(input, (size - 1) / chunks + 1, dim, at);
}

namespace {

int64_t split_size(const char* op, const TensorBase& input, int64_t& dim) {
  dim = wrap_dim(op, "dim", dim, input.dim());
  EAGRE_CHECK(input.dim() > 0, kInvalidArgument, op,
              "(): argument 'input' must have at least one dimension, but got a 0-dim tensor");
  return input.sizes()[dim];
}

// Parts that end at these places, which may lie in any order, and the rest.
TensorVector parts_until(const TensorBase& input, const DimVector& ends, int64_t dim, CallSite at) {
  const int64_t size = input.sizes()[dim];
  dispatch::meta::check_view_count("tensor_split", static_cast<int64_t>(ends.size()));
  TensorVector parts;
  int64_t start = 0;
  for (int64_t end : ends) {
    const int64_t last = std::clamp<int64_t>(end, 0, size);
    parts.push_back(narrow(input, dim, start, std::max<int64_t>(last - start, 0), at));
    start = last;
  }
  return parts;
}

}  // namespace

TensorVector tensor_split(const TensorBase& input, int64_t sections, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t size = split_size("tensor_split", input, dim);
  EAGRE_CHECK(sections > 0, kInvalidArgument,
              "tensor_split(): number of sections must be larger than 0, got ", sections);
  dispatch::meta::check_view_count("tensor_split", sections);
  DimVector ends;
  for (int64_t i = 1; i <= sections; ++i) {
    ends.push_back(i * (size / sections) + std::min(i, size % sections));
  }
  return parts_until(input, ends, dim, at);
}

TensorVector tensor_split_at(const TensorBase& input, Dims indices, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t size = split_size("tensor_split", input, dim);
  DimVector ends;
  for (int64_t index : indices) ends.push_back(index < 0 ? index + size : index);
  ends.push_back(size);
  return parts_until(input, ends, dim, at);
}

TensorVector tensor_split_by(const TensorBase& input, const TensorBase& tensor_indices_or_sections,
                             int64_t dim, CallSite at) {
  const SiteScope scope(at);
  const TensorBase& given = tensor_indices_or_sections;
  if (given.dtype() != kInt64 || given.dim() > 1) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"tensor_split", "tensor_indices_or_sections",
                          "a 0-dim tensor or a vector of int64",
                          concat("shape ", given.sizes(), " of ", given.dtype())});
  }
  if (given.dim() == 0) return tensor_split(input, as_integer(given, at), dim, at);
  const TensorBase row = dispatch::as_contiguous(dispatch::on_device(given, Device()));
  return tensor_split_at(input, Dims(row.data_ptr<int64_t>(), static_cast<size_t>(row.numel())),
                         dim, at);
}

namespace {

// hsplit, vsplit and dsplit: the dimension that each divides, and how many it wants.
struct Side {
  const char* op;
  int64_t least_rank, dim;

  int64_t dim_of(const TensorBase& input) const {
    check_rank_at_least(op, input, least_rank);
    return input.dim() == 1 ? 0 : dim;
  }
};

constexpr Side kHorizontal{"hsplit", 1, 1}, kVertical{"vsplit", 2, 0}, kDepth{"dsplit", 3, 2};

TensorVector parts_of(const Side& side, const TensorBase& input, int64_t sections, CallSite at) {
  const SiteScope scope(at);
  const int64_t dim = side.dim_of(input);
  const int64_t size = input.sizes()[dim];
  EAGRE_CHECK(sections > 0 && size % sections == 0, kInvalidArgument, side.op, "(): torch.",
              side.op, " attempted to split along dimension ", dim,
              ", but the size of the dimension ", size, " is not divisible by the split_size ",
              sections, ", argument 'sections'");
  return tensor_split(input, sections, dim, at);
}

TensorVector parts_of(const Side& side, const TensorBase& input, Dims indices, CallSite at) {
  const SiteScope scope(at);
  return tensor_split_at(input, indices, side.dim_of(input), at);
}

}  // namespace

TensorVector hsplit(const TensorBase& input, int64_t sections, CallSite at) {
  return parts_of(kHorizontal, input, sections, at);
}
TensorVector hsplit_at(const TensorBase& input, Dims indices, CallSite at) {
  return parts_of(kHorizontal, input, indices, at);
}
TensorVector vsplit(const TensorBase& input, int64_t sections, CallSite at) {
  return parts_of(kVertical, input, sections, at);
}
TensorVector vsplit_at(const TensorBase& input, Dims indices, CallSite at) {
  return parts_of(kVertical, input, indices, at);
}
TensorVector dsplit(const TensorBase& input, int64_t sections, CallSite at) {
  return parts_of(kDepth, input, sections, at);
}
TensorVector dsplit_at(const TensorBase& input, Dims indices, CallSite at) {
  return parts_of(kDepth, input, indices, at);
}

TensorVector unsafe_split(const TensorBase& input, int64_t split_size, int64_t dim, CallSite at) {
  return split(input, split_size, dim, at);
}

TensorVector unsafe_split_with_sizes(const TensorBase& input, Dims split_sizes_given, int64_t dim,
                                     CallSite at) {
  return split_sizes(input, split_sizes_given, dim, at);
}

TensorVector unsafe_chunk(const TensorBase& input, int64_t chunks, int64_t dim, CallSite at) {
  return chunk(input, chunks, dim, at);
}

}  // namespace eagre::ops
