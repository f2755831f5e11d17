// Views that are written with others, and their gradients.
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/ops/as_new_tensor.h>
#include <eagre/ops/atleast_1d.h>
#include <eagre/ops/atleast_1d_each.h>
#include <eagre/ops/atleast_2d.h>
#include <eagre/ops/atleast_2d_each.h>
#include <eagre/ops/atleast_3d.h>
#include <eagre/ops/atleast_3d_each.h>
#include <eagre/ops/broadcast_tensors.h>
#include <eagre/ops/broadcast_to.h>
#include <eagre/ops/contiguous.h>
#include <eagre/ops/expand.h>
#include <eagre/ops/expand_as.h>
#include <eagre/ops/flatten.h>
#include <eagre/ops/imag.h>
#include <eagre/ops/in_format.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/permute_grad.h>
#include <eagre/ops/ravel.h>
#include <eagre/ops/real.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/reshape_as.h>
#include <eagre/ops/select.h>
#include <eagre/ops/t.h>
#include <eagre/ops/t_inplace.h>
#include <eagre/ops/transpose.h>
#include <eagre/ops/unflatten.h>
#include <eagre/ops/unsqueeze.h>
#include <eagre/ops/unsqueeze_like.h>
#include <eagre/ops/view.h>
#include <eagre/ops/view_as.h>
#include <eagre/ops/view_as_real.h>

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
          concat("flatten(): start_dim cannot come after end_dim: got ", start_dim, " and ",
                 end_dim, " for a tensor of shape ", input.sizes()));
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

namespace {

uint64_t moved_dims(const char* argument, Dims dims, int64_t rank) {
  uint64_t mask = 0;
  for (int64_t dim : dims) {
    const uint64_t bit = uint64_t{1} << wrap_dim("movedim", argument, dim, rank);
    EAGRE_CHECK((mask & bit) == 0, kInvalidArgument, "movedim(): movedim: repeated dim in `",
                argument, "` (", dims, ")");
    mask |= bit;
  }
  return mask;
}

}  // namespace

TensorBase movedim(const TensorBase& input, const OptionalDims& source,
                   const OptionalDims& destination, CallSite at) {
  const SiteScope scope(at);
  const Dims from = source.values();
  const Dims to = destination.values();
  if (from.size() != to.size()) {
    raise(ErrorKind::kInvalidArgument,
          concat("movedim(): movedim: Invalid source or destination dims: source (", from,
                 " dims) should contain the same number of dims as destination (", to, " dims)"));
  }
  const int64_t rank = input.dim();
  const uint64_t moved = moved_dims("source", from, rank);
  const uint64_t taken = moved_dims("destination", to, rank);
  if (rank == 0) return permute(input, {}, at);
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
              "() expects a tensor with <= 2 dimensions, but self is ", input.dim(), "D, of shape ",
              input.sizes(), ". Hint: use transpose() or permute()");
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

TensorBase broadcast_to(const TensorBase& input, Dims size, CallSite at) {
  return expand(input, size, at);
}

TensorVector broadcast_tensors(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  DimVector shape;
  for (const TensorBase& tensor : tensors) {
    shape = broadcast_shapes("broadcast_tensors", shape, tensor.sizes());
  }
  TensorVector result;
  for (const TensorBase& tensor : tensors) result.push_back(expand(tensor, shape, at));
  return result;
}

TensorBase ravel(const TensorBase& input, CallSite at) {
  return view(contiguous(input, MemoryFormat::kContiguous, at), {-1}, at);
}

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

TensorBase unsqueeze_like(const TensorBase& input, Dims size, int64_t dim, CallSite at) {
  return static_cast<size_t>(input.dim()) < size.size() ? unsqueeze(input, dim, at) : input;
}

TensorBase permute_grad(const TensorBase& input, Dims dims, CallSite at) {
  const auto rank = static_cast<int64_t>(dims.size());
  DimVector inverse(dims.size());
  for (int64_t i = 0; i < rank; ++i) inverse[dims[i] < 0 ? dims[i] + rank : dims[i]] = i;
  return permute(input, inverse, at);
}

TensorBase in_format(const TensorBase& input, bool last, CallSite at) {
  return contiguous(input, last ? MemoryFormat::kChannelsLast : MemoryFormat::kContiguous, at);
}

}  // namespace eagre::ops
