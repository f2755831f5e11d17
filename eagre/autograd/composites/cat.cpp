// cat, with a short way for a few small tensors of one kind, where checks cost more than the copy.
#include <cstring>

#include <eagre/autograd/composites/as_new_tensor.h>
#include <eagre/autograd/grad_mode.h>
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/cat_tensors.h>
#include <eagre/autograd/ops/movedim.h>
#include <eagre/autograd/transforms/level.h>
#include <eagre/base/thread_state.h>

namespace eagre::ops {
namespace {

// All contiguous, small, on the CPU, of one dtype and equal sizes but for `dim`, and nobody wants a
// gradient. (Whatever is wrong with other lists is found on the long way.)
bool are_simple(TensorList tensors, const TensorImpl& first, int64_t dim) {
  const bool recording = GradMode::is_enabled();
  for (const TensorBase& tensor : tensors) {
    if (!tensor.defined()) return false;
    const TensorImpl& impl = *tensor.impl();
    if (impl.key.bits() != first.key.bits() || impl.numel == 0) return false;
    if (recording && tensor.requires_grad()) return false;
    for (int64_t d = 0; d < first.key.rank; ++d) {
      if (d != dim && impl.inline_dims[d] != first.inline_dims[d]) return false;
    }
  }
  return true;
}

TensorBase cat_simple(TensorList tensors, const TensorImpl& first, int64_t dim) {
  int64_t sizes[TensorImpl::kInlineDims];
  size_t rows = 1;
  for (int64_t d = 0; d < first.key.rank; ++d) {
    sizes[d] = first.inline_dims[d];
    if (d < dim) rows *= static_cast<size_t>(sizes[d]);
  }
  sizes[dim] = 0;
  for (const TensorBase& tensor : tensors) sizes[dim] += tensor.impl()->inline_dims[dim];
  auto result = TensorBase::adopt(new_tensor({sizes, first.key.rank}, first.key.dtype, Device()));
  const size_t item = element_size(first.key.dtype);
  const size_t pitch = static_cast<size_t>(result.impl()->numel) / rows * item;
  char* to = result.impl()->data(static_cast<int64_t>(item));
  for (const TensorBase& tensor : tensors) {
    const char* from = tensor.impl()->data(static_cast<int64_t>(item));
    const size_t width = static_cast<size_t>(tensor.impl()->numel) / rows * item;
    for (size_t row = 0; row < rows; ++row) {
      std::memcpy(to + row * pitch, from + row * width, width);
    }
    to += width;
  }
  return result;
}

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
  const bool may_be_simple = !autograd::transforms_active() && first.is_small_contiguous() &&
                             first.key.device.is_cpu() && place >= 0 && place < rank &&
                             rank <= static_cast<int64_t>(TensorImpl::kInlineDims);
  if (!may_be_simple || !are_simple(tensors, first, place)) return cat_tensors(tensors, dim, at);
  return cat_simple(tensors, first, place);
}

}  // namespace eagre::ops
