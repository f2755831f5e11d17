// cat, stack, hstack, vstack, dstack and similar.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/as_new_tensor.h>
#include <eagre/ops/atleast_1d_each.h>
#include <eagre/ops/atleast_2d_each.h>
#include <eagre/ops/atleast_3d_each.h>
#include <eagre/ops/block_diag.h>
#include <eagre/ops/cat.h>
#include <eagre/ops/cat_grad.h>
#include <eagre/ops/cat_tensors.h>
#include <eagre/ops/channels_last.h>
#include <eagre/ops/column_stack.h>
#include <eagre/ops/dstack.h>
#include <eagre/ops/empty.h>
#include <eagre/ops/hstack.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/narrow.h>
#include <eagre/ops/new_zeros.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/stack.h>
#include <eagre/ops/stack_tensors.h>
#include <eagre/ops/vstack.h>
#include <eagre/ops/zeros.h>

namespace eagre::ops {
namespace {

// The order of memory is N, (D,) H, W, C, also with holes between the elements. Of tensors that are
// too small to tell this is false.
bool has_channels_inside(const TensorImpl& tensor) {
  const size_t rank = tensor.key.rank;
  if ((rank != 4 && rank != 5) || tensor.numel == 0 || tensor.strides()[1] == 0) return false;
  int64_t least = 0;
  const auto fits = [&](size_t d) {
    const bool good = tensor.strides()[d] >= least;
    least = tensor.strides()[d] * tensor.sizes()[d];
    return good;
  };
  bool good = fits(1);
  for (size_t d = rank; good && d-- > 2;) good = fits(d);
  return good && fits(0) && !tensor.is_contiguous();
}

// All have their channels last in memory and fit together.
bool are_channels_last(TensorList tensors, int64_t dim) {
  const Dims sizes = tensors[0].sizes();
  for (const TensorBase& tensor : tensors) {
    if (!tensor.defined() || tensor.sizes().size() != sizes.size()) return false;
    if (!has_channels_inside(tensor.get())) return false;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (static_cast<int64_t>(d) != dim && tensor.sizes()[d] != sizes[d]) return false;
    }
  }
  return true;
}

// In the order of memory they are row-major, and so is what they are joined to.
TensorBase cat_channels_last(TensorList tensors, int64_t dim, CallSite at) {
  const int64_t last = tensors[0].dim() - 1;
  const auto moved = [at](const TensorBase& tensor, int64_t from, int64_t to) {
    return movedim(tensor, Dims({from}), Dims({to}), at);
  };
  TensorVector rows;
  rows.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) rows.push_back(moved(tensor, 1, last));
  const int64_t inner = dim > 1 ? dim - 1 : 0;
  const TensorBase joined = cat_tensors(rows, dim == 1 ? last : inner, at);
  return as_new_tensor(moved(joined, last, 1), joined);
}

}  // namespace

TensorBase cat(TensorList tensors, int64_t dim, CallSite at) {
  if (tensors.empty() || !tensors[0].defined()) return cat_tensors(tensors, dim, at);
  const TensorImpl& first = *tensors[0].impl();
  const int64_t rank = first.key.rank;
  const int64_t place = dim < 0 ? dim + rank : dim;
  if (!first.is_contiguous() && place >= 0 && place < rank && are_channels_last(tensors, place)) {
    return cat_channels_last(tensors, place, at);
  }
  return cat_tensors(tensors, dim, at);
}

TensorVector cat_grad(const TensorBase& g, const ShapeList& sizes, int64_t dim, CallSite at) {
  TensorVector parts;
  parts.reserve(sizes.size());
  int64_t start = 0;
  for (const DimVector& size : sizes) {
    if (size.size() == 1 && size[0] == 0) {  // cat left it out, whatever the shape of the others
      parts.push_back(zeros(size, TensorOptions(g.dtype()).device(g.device()), at));
      continue;
    }
    const int64_t length = size[wrap_dim("cat", "dim", dim, static_cast<int64_t>(size.size()))];
    parts.push_back(narrow(g, dim, start, length, at));
    start += length;
  }
  return parts;
}

TensorBase stack(TensorList tensors, int64_t dim, CallSite at) {
  const auto are_last = [&] {
    return std::all_of(tensors.begin(), tensors.end(), has_channels_last);
  };
  const bool are_images = !tensors.empty() && tensors[0].defined() && tensors[0].dim() == 4;
  if (!are_images || (dim != 0 && dim != -5) || !are_last()) {
    return stack_tensors(tensors, dim, at);
  }
  TensorVector rows;
  rows.reserve(tensors.size());
  for (const TensorBase& tensor : tensors) rows.push_back(permute(tensor, {0, 2, 3, 1}, at));
  const TensorBase moved = stack_tensors(rows, 0, at);
  return as_new_tensor(permute(moved, {0, 1, 4, 2, 3}, at), moved);
}

namespace {

TensorList not_empty(const char* op, TensorList tensors) {
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument, op,
              "(): argument 'tensors': expects a non-empty TensorList");
  return tensors;
}

}  // namespace

TensorBase hstack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  const TensorVector parts = atleast_1d_each(not_empty("hstack", tensors), at);
  return cat(parts, parts[0].dim() == 1 ? 0 : 1, at);
}

TensorBase vstack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  return cat(atleast_2d_each(not_empty("vstack", tensors), at), 0, at);
}

TensorBase dstack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  return cat(atleast_3d_each(not_empty("dstack", tensors), at), 2, at);
}

TensorBase column_stack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  TensorVector columns;
  for (const TensorBase& tensor : not_empty("column_stack", tensors)) {
    columns.push_back(tensor.dim() < 2 ? reshape(tensor, {-1, 1}, at) : tensor);
  }
  return cat(columns, 1, at);
}

TensorBase block_diag(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  if (tensors.empty()) return empty({1, 0}, MemoryFormat::kContiguous, {}, at);
  const TensorVector blocks = atleast_2d_each(tensors, at);
  int64_t width = 0;
  for (const TensorBase& block : blocks) {
    if (block.dim() != 2) {
      raise(ErrorKind::kInvalidArgument,
            concat("block_diag(): torch.block_diag: Input tensors must have 2 or fewer dimensions. "
                   "Input ",
                   &block - blocks.data(), " has ", block.dim(),
                   " dimensions: argument 'tensors' has shape ", block.sizes()));
    }
    width += block.sizes()[1];
  }
  TensorVector rows;
  int64_t before = 0;
  for (const TensorBase& block : blocks) {
    const int64_t height = block.sizes()[0];
    const int64_t after = width - before - block.sizes()[1];
    const TensorBase left = new_zeros(block, {height, before}, {}, at);
    rows.push_back(cat({left, block, new_zeros(block, {height, after}, {}, at)}, 1, at));
    before += block.sizes()[1];
  }
  return cat(rows, 0, at);
}

}  // namespace eagre::ops
