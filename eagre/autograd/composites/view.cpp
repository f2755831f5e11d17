// Views that are written with others, and the gradients of views.
#include <eagre/autograd/composites/as_new_tensor.h>
#include <eagre/autograd/ops/as_strided.h>
#include <eagre/autograd/ops/as_strided_grad.h>
#include <eagre/autograd/ops/chunk.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/clone_format.h>
#include <eagre/autograd/ops/contiguous.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/div.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/expand_as.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/imag.h>
#include <eagre/autograd/ops/maximum.h>
#include <eagre/autograd/ops/movedim.h>
#include <eagre/autograd/ops/new_empty.h>
#include <eagre/autograd/ops/permute.h>
#include <eagre/autograd/ops/permute_grad.h>
#include <eagre/autograd/ops/place.h>
#include <eagre/autograd/ops/real.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/reshape_as.h>
#include <eagre/autograd/ops/select.h>
#include <eagre/autograd/ops/select_grad.h>
#include <eagre/autograd/ops/slice_grad.h>
#include <eagre/autograd/ops/split.h>
#include <eagre/autograd/ops/split_sizes.h>
#include <eagre/autograd/ops/sum_strided.h>
#include <eagre/autograd/ops/t.h>
#include <eagre/autograd/ops/t_inplace.h>
#include <eagre/autograd/ops/transpose.h>
#include <eagre/autograd/ops/unflatten.h>
#include <eagre/autograd/ops/unfold_grad.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/view.h>
#include <eagre/autograd/ops/view_as.h>
#include <eagre/autograd/ops/view_as_real.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::ops {

TensorBase reshape(const TensorBase& input, Dims shape, CallSite at) {
  const SiteScope scope(at);
  const TensorImpl& impl = input.get("reshape", "input");
  const DimVector sizes = dispatch::meta::infer_size("reshape", shape, impl.numel);
  DimVector strides;
  if (dispatch::meta::view_strides(impl, sizes, strides)) return view(input, sizes, at);
  const TensorBase copy = contiguous(input, MemoryFormat::kContiguous, at);
  return as_new_tensor(view(copy, sizes, at), copy);
}

TensorBase flatten(const TensorBase& input, int64_t start_dim, int64_t end_dim, CallSite at) {
  const SiteScope scope(at);
  const int64_t first = wrap_dim("flatten", "start_dim", start_dim, input.dim());
  const int64_t last = wrap_dim("flatten", "end_dim", end_dim, input.dim());
  if (first > last) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"flatten", "start_dim", concat("at most 'end_dim', which is ", last),
                          std::to_string(first)});
  }
  if (input.dim() == 0) return view(input, Dims({1}), at);
  if (first == last) return input;
  DimVector sizes;
  int64_t merged = 1;
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (d < first || d > last) {
      sizes.push_back(input.sizes()[d]);
      continue;
    }
    merged *= input.sizes()[d];
    if (d == last) sizes.push_back(merged);
  }
  return reshape(input, sizes, at);
}

TensorBase unflatten(const TensorBase& input, int64_t dim, Dims sizes, CallSite at) {
  const SiteScope scope(at);
  const int64_t place = wrap_dim("unflatten", "dim", dim, input.dim());
  EAGRE_CHECK(input.dim() > 0, kIndex, "unflatten(): a 0-dim tensor has no dimension to divide");
  const DimVector inner = dispatch::meta::infer_size("unflatten", sizes, input.sizes()[place]);
  DimVector result;
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (d != place) {
      result.push_back(input.sizes()[d]);
      continue;
    }
    for (int64_t size : inner) result.push_back(size);
  }
  return view(input, result, at);
}

TensorBase movedim(const TensorBase& input, const OptionalDims& source,
                   const OptionalDims& destination, CallSite at) {
  const SiteScope scope(at);
  const Dims from = source.values();
  const Dims to = destination.values();
  if (from.size() != to.size()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"movedim", "destination",
                          concat("as many dimensions as 'source' has, ", from.size()),
                          to_string(to)});
  }
  const int64_t rank = input.dim();
  const uint64_t moved = dim_mask("movedim", "source", from, rank);
  const uint64_t taken = dim_mask("movedim", "destination", to, rank);
  if (rank == 0) return input;
  DimVector order(static_cast<size_t>(rank));
  for (size_t i = 0; i < from.size(); ++i) {
    order[wrap_dim("movedim", "destination", to[i], rank)] =
        wrap_dim("movedim", "source", from[i], rank);
  }
  int64_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    if ((taken >> d & 1) != 0) continue;
    while ((moved >> next & 1) != 0) ++next;
    order[d] = next++;
  }
  return permute(input, order, at);
}

namespace {

void check_matrix(const char* op, const TensorBase& input) {
  EAGRE_CHECK(input.dim() <= 2, kInvalidArgument, op,
              "(): argument 'input' must have at most 2 dimensions, but got shape ", input.sizes(),
              ". Hint: use transpose() or permute()");
}

}  // namespace

void t_inplace_(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_matrix("t_", input);
  transpose_(input, 0, input.dim() < 2 ? 0 : 1, at);
}

TensorBase t(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  check_matrix("t", input);
  return input.dim() < 2 ? expand(input, input.sizes(), at) : transpose(input, 0, 1, at);
}

TensorBase expand_as(const TensorBase& input, const TensorBase& other, CallSite at) {
  return expand(input, other.sizes(), at);
}
TensorBase view_as(const TensorBase& input, const TensorBase& other, CallSite at) {
  return view(input, other.sizes(), at);
}
TensorBase reshape_as(const TensorBase& input, const TensorBase& other, CallSite at) {
  return reshape(input, other.sizes(), at);
}

TensorBase real(const TensorBase& input, CallSite at) {
  return is_complex(input.dtype()) ? select(view_as_real(input, at), -1, 0, at) : input;
}
TensorBase imag(const TensorBase& input, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(is_complex(input.dtype()), kType,
              "imag(): argument 'input' must be a complex tensor, but got ", input.dtype());
  return select(view_as_real(input, at), -1, 1, at);
}

TensorVector split(const TensorBase& input, int64_t split_size, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(input.dim() > 0, kIndex, "split(): a 0-dim tensor has no dimension to split");
  const int64_t size = input.sizes()[wrap_dim("split", "dim", dim, input.dim())];
  if (split_size < 0 || (split_size == 0 && size != 0)) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"split", "split_size", "greater than 0", std::to_string(split_size)});
  }
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
  if (chunks <= 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"chunk", "chunks", "greater than 0", std::to_string(chunks)});
  }
  EAGRE_CHECK(input.dim() > 0, kIndex, "chunk(): a 0-dim tensor has no dimension to divide");
  const int64_t size = input.sizes()[wrap_dim("chunk", "dim", dim, input.dim())];
  dispatch::meta::check_view_count("chunk", std::min(chunks, size == 0 ? chunks : size));
  if (size == 0) return split_sizes(input, DimVector(static_cast<size_t>(chunks)), dim, at);
  return split(input, (size - 1) / chunks + 1, dim, at);
}

// --- copies in a memory format ---

namespace {

// Memory for as many samples as the input has, each in the format.
TensorBase empty_batch(const TensorBase& input, MemoryFormat memory_format, CallSite at) {
  const Dims sizes = input.sizes();
  if (memory_format != MemoryFormat::kChannelsLast) return new_empty(input, sizes, {}, at);
  const TensorBase rows = new_empty(input, {sizes[0], sizes[2], sizes[3], sizes[1]}, {}, at);
  return permute(rows, {0, 3, 1, 2}, at);
}

}  // namespace

TensorBase clone_format(const TensorBase& input, MemoryFormat memory_format, CallSite at) {
  const SiteScope scope(at);
  const TensorImpl& impl = input.get("clone", "input");
  if (memory_format == MemoryFormat::kPreserve && impl.is_dense()) return clone(input, at);
  const DimVector strides = strides_of("clone", impl.sizes(), memory_format);
  const bool is_batch =
      autograd::transforms_active() && autograd::Carriers(input).batch_level() != nullptr;
  const auto copy = is_batch ? empty_batch(input, memory_format, at)
                             : TensorBase::adopt(new_tensor_strided(
                                   impl.sizes(), strides, impl.key.dtype, impl.key.device));
  copy_(copy, input, false, at);
  return copy;
}

TensorBase contiguous(const TensorBase& input, MemoryFormat memory_format, CallSite at) {
  const SiteScope scope(at);
  const TensorImpl& impl = input.get("contiguous", "input");
  EAGRE_CHECK(memory_format != MemoryFormat::kPreserve, kInvalidArgument,
              "contiguous(): argument 'memory_format' must be contiguous_format or channels_last, "
              "but got preserve_format");
  const bool has_it = memory_format == MemoryFormat::kContiguous
                          ? impl.is_contiguous()
                          : is_channels_last(impl.sizes(), impl.strides());
  return has_it ? input : clone_format(input, memory_format, at);
}

// --- gradients ---

TensorBase permute_grad(const TensorBase& input, Dims dims, CallSite at) {
  const auto rank = static_cast<int64_t>(dims.size());
  DimVector inverse(dims.size());
  for (int64_t i = 0; i < rank; ++i) inverse[dims[i] < 0 ? dims[i] + rank : dims[i]] = i;
  return permute(input, inverse, at);
}

namespace {

TensorBase place_along(const TensorBase& g, Dims size, int64_t dim, int64_t start, int64_t step,
                       CallSite at) {
  DimVector starts(size.size());
  DimVector steps(size.size(), 1);
  starts[dim] = start;
  steps[dim] = step;
  return place(g, size, starts, steps, at);
}

}  // namespace

TensorBase select_grad(const TensorBase& g, Dims size, int64_t dim, int64_t index, CallSite at) {
  const int64_t d = wrap_dim("select", "dim", dim, static_cast<int64_t>(size.size()));
  return place_along(unsqueeze(g, d, at), size, d, index < 0 ? index + size[d] : index, 1, at);
}

TensorBase slice_grad(const TensorBase& g, Dims size, int64_t dim, std::optional<int64_t> start,
                      int64_t step, CallSite at) {
  const int64_t d = wrap_dim("slice", "dim", dim, static_cast<int64_t>(size.size()));
  int64_t first = start.value_or(0);
  if (first < 0) first = std::max<int64_t>(0, first + size[d]);
  return place_along(g, size, d, std::min(first, size[d]), step, at);
}

TensorBase as_strided_grad(const TensorBase& g, Dims shape, Dims strides, int64_t offset, Dims size,
                           Dims stride, std::optional<int64_t> storage_offset, CallSite at) {
  const int64_t first = storage_offset.value_or(offset) - offset;
  EAGRE_CHECK(first >= 0, kUnimplemented,
              "as_strided(): its gradient cannot reach before the input's own memory");
  // What lies beyond the input is memory of other tensors and gets no gradient.
  static_cast<void>(size);
  if (is_contiguous(shape, strides)) return sum_strided(g, shape, stride, first, at);
  // The gradient of the memory that the input spans, seen as the input sees it.
  int64_t extent = 1;
  for (size_t i = 0; i < shape.size(); ++i) extent += (shape[i] - 1) * strides[i];
  const DimVector line{extent};
  TensorBase memory = sum_strided(g, line, stride, first, at);
  if (!is_dense(shape, strides)) {
    // Elements of the input that are the same memory share its gradient.
    const auto options = TensorOptions(real_dtype(g.dtype())).device(g.device());
    const TensorBase shares = sum_strided(full(shape, 1, options, at), line, strides, 0, at);
    memory = div(memory, maximum(shares, full({}, 1, options, at), at), at);
  }
  return as_strided(memory, shape, strides, 0, at);
}

TensorBase unfold_grad(const TensorBase& g, Dims shape, int64_t dimension, int64_t size,
                       int64_t step, CallSite at) {
  if (shape.empty()) {
    if (size == 1) return reshape(g, shape, at);
    return full(shape, 0, TensorOptions(g.dtype()).device(g.device()), at);  // nothing was taken
  }
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t d = wrap_dim("unfold", "dimension", dimension, rank);
  DimVector strides(shape.size());
  contiguous_strides(shape, strides.data());
  DimVector steps(strides);
  steps[d] *= step;
  steps.push_back(strides[d]);
  return sum_strided(g, shape, steps, 0, at);
}

}  // namespace eagre::ops
