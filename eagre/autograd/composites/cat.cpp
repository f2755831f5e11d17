// cat, also of tensors whose channels are last.
#include <eagre/autograd/composites/as_new_tensor.h>
#include <eagre/autograd/composites/simple_join.h>
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/cat_tensors.h>
#include <eagre/autograd/ops/movedim.h>
#include <eagre/base/thread_state.h>

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
  TensorBase joined = joined_simply(Join::kCat, tensors, dim);
  return joined.defined() ? joined : cat_tensors(tensors, dim, at);
}

}  // namespace eagre::ops
