// Tensors side by side, on top of each other or behind each other, and the parts of such.
#include <algorithm>

#include <eagre/autograd/composites/looked_at.h>
#include <eagre/autograd/ops/atleast_1d.h>
#include <eagre/autograd/ops/atleast_1d_each.h>
#include <eagre/autograd/ops/atleast_2d.h>
#include <eagre/autograd/ops/atleast_2d_each.h>
#include <eagre/autograd/ops/atleast_3d.h>
#include <eagre/autograd/ops/atleast_3d_each.h>
#include <eagre/autograd/ops/block_diag.h>
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/column_stack.h>
#include <eagre/autograd/ops/contiguous.h>
#include <eagre/autograd/ops/dsplit.h>
#include <eagre/autograd/ops/dsplit_at.h>
#include <eagre/autograd/ops/dstack.h>
#include <eagre/autograd/ops/flip.h>
#include <eagre/autograd/ops/fliplr.h>
#include <eagre/autograd/ops/flipud.h>
#include <eagre/autograd/ops/hsplit.h>
#include <eagre/autograd/ops/hsplit_at.h>
#include <eagre/autograd/ops/hstack.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/new_zeros.h>
#include <eagre/autograd/ops/ravel.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/rot90.h>
#include <eagre/autograd/ops/tensor_split.h>
#include <eagre/autograd/ops/tensor_split_at.h>
#include <eagre/autograd/ops/tensor_split_by.h>
#include <eagre/autograd/ops/transpose.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/view.h>
#include <eagre/autograd/ops/vsplit.h>
#include <eagre/autograd/ops/vsplit_at.h>
#include <eagre/autograd/ops/vstack.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::ops {

// --- more dimensions ---

TensorBase atleast_1d(const TensorBase& input, CallSite at) {
  return input.dim() == 0 ? reshape(input, {1}, at) : input;
}

TensorBase atleast_2d(const TensorBase& input, CallSite at) {
  return input.dim() < 2 ? unsqueeze(atleast_1d(input, at), 0, at) : input;
}

TensorBase atleast_3d(const TensorBase& input, CallSite at) {
  return input.dim() < 3 ? unsqueeze(atleast_2d(input, at), -1, at) : input;
}

namespace {

using Change = TensorBase (*)(const TensorBase&, CallSite);

TensorVector each(TensorList tensors, Change change, CallSite at) {
  TensorVector changed;
  for (const TensorBase& tensor : tensors) changed.push_back(change(tensor, at));
  return changed;
}

TensorVector checked_each(const char* op, TensorList tensors, Change change, CallSite at) {
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument, op,
              "(): argument 'tensors': expects a non-empty TensorList");
  return each(tensors, change, at);
}

TensorBase column(const TensorBase& input, CallSite at) {
  return input.dim() < 2 ? reshape(input, {-1, 1}, at) : input;
}

}  // namespace

TensorVector atleast_1d_each(TensorList tensors, CallSite at) {
  return each(tensors, atleast_1d, at);
}
TensorVector atleast_2d_each(TensorList tensors, CallSite at) {
  return each(tensors, atleast_2d, at);
}
TensorVector atleast_3d_each(TensorList tensors, CallSite at) {
  return each(tensors, atleast_3d, at);
}

// --- stacks ---

TensorBase hstack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  const TensorVector parts = checked_each("hstack", tensors, atleast_1d, at);
  return cat(parts, parts[0].dim() == 1 ? 0 : 1, at);
}

TensorBase vstack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  return cat(checked_each("vstack", tensors, atleast_2d, at), 0, at);
}

TensorBase dstack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  return cat(checked_each("dstack", tensors, atleast_3d, at), 2, at);
}

TensorBase column_stack(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  return cat(checked_each("column_stack", tensors, column, at), 1, at);
}

TensorBase block_diag(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  const TensorVector blocks = checked_each("block_diag", tensors, atleast_2d, at);
  int64_t width = 0;
  for (const TensorBase& block : blocks) {
    if (block.dim() != 2) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"block_diag", "tensors", "tensors of 2 or fewer dimensions",
                            concat("shape ", block.sizes())});
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

// --- parts ---

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
  if (sections <= 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"tensor_split", "sections", "a number greater than 0", concat(sections)});
  }
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

void check_rank(const char* op, const TensorBase& input, int64_t least) {
  EAGRE_CHECK(input.dim() >= least, kInvalidArgument, op,
              "(): argument 'input' must have at least ", least, " dimensions, but has ",
              input.dim());
}

TensorVector equal_parts(const char* op, const TensorBase& input, int64_t sections, int64_t dim,
                         CallSite at) {
  const int64_t size = input.sizes()[dim];
  EAGRE_CHECK(sections > 0 && size % sections == 0, kInvalidArgument, op,
              "(): argument 'sections': the size of dimension ", dim, ", ", size,
              ", is not divisible by ", sections);
  return tensor_split(input, sections, dim, at);
}

int64_t second_dim(const TensorBase& input) { return input.dim() == 1 ? 0 : 1; }

}  // namespace

TensorVector hsplit(const TensorBase& input, int64_t sections, CallSite at) {
  const SiteScope scope(at);
  check_rank("hsplit", input, 1);
  return equal_parts("hsplit", input, sections, second_dim(input), at);
}

TensorVector hsplit_at(const TensorBase& input, Dims indices, CallSite at) {
  const SiteScope scope(at);
  check_rank("hsplit", input, 1);
  return tensor_split_at(input, indices, second_dim(input), at);
}

TensorVector vsplit(const TensorBase& input, int64_t sections, CallSite at) {
  const SiteScope scope(at);
  check_rank("vsplit", input, 2);
  return equal_parts("vsplit", input, sections, 0, at);
}

TensorVector vsplit_at(const TensorBase& input, Dims indices, CallSite at) {
  const SiteScope scope(at);
  check_rank("vsplit", input, 2);
  return tensor_split_at(input, indices, 0, at);
}

TensorVector dsplit(const TensorBase& input, int64_t sections, CallSite at) {
  const SiteScope scope(at);
  check_rank("dsplit", input, 3);
  return equal_parts("dsplit", input, sections, 2, at);
}

TensorVector dsplit_at(const TensorBase& input, Dims indices, CallSite at) {
  const SiteScope scope(at);
  check_rank("dsplit", input, 3);
  return tensor_split_at(input, indices, 2, at);
}

// --- turned round ---

TensorBase rot90(const TensorBase& input, int64_t k, Dims dims, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() >= 2, kInvalidArgument,
              "rot90(): argument 'input': expected total dims >= 2, but got ", input.dim());
  if (dims.size() != 2) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"rot90", "dims", "two different dimensions", to_string(dims)});
  }
  const int64_t first = wrap_dim("rot90", "dims", dims[0], input.dim());
  const int64_t second = wrap_dim("rot90", "dims", dims[1], input.dim());
  if (first == second) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"rot90", "dims", "two different dimensions", to_string(dims)});
  }
  switch ((k % 4 + 4) % 4) {
    case 1: return transpose(flip(input, {second}, at), first, second, at);
    case 2: return flip(input, {first, second}, at);
    case 3: return transpose(flip(input, {first}, at), first, second, at);
    default: return clone(input, at);
  }
}

TensorBase ravel(const TensorBase& input, CallSite at) {
  return view(contiguous(input, MemoryFormat::kContiguous, at), {-1}, at);
}

TensorBase fliplr(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_rank("fliplr", input, 2);
  return flip(input, {1}, at);
}

TensorBase flipud(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_rank("flipud", input, 1);
  return flip(input, {0}, at);
}

}  // namespace eagre::ops
