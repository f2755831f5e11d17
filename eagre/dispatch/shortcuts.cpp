// cat and stack of small tensors: rows of memory, copied one after the other.
#include <eagre/dispatch/shortcuts.h>

#include <cstdint>
#include <cstring>

#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>

namespace eagre::dispatch::shortcut {
namespace {

enum class Join { kCat, kStack };

constexpr int64_t kMaxRank = TensorImpl::kInlineDims;

// `free` is the dimension in which sizes may differ; -1 for none.
bool are_simple(TensorList tensors, const TensorImpl& first, int64_t free) {
  for (const TensorBase& tensor : tensors) {
    if (!tensor.defined()) return false;
    const TensorImpl& impl = *tensor.impl();
    if (impl.key.bits() != first.key.bits() || impl.numel == 0) return false;
    for (int64_t d = 0; d < first.key.rank; ++d) {
      if (d != free && impl.inline_dims[d] != first.inline_dims[d]) return false;
    }
  }
  return true;
}

TensorBase joined(Join how, TensorList tensors, int64_t dim) {
  if (tensors.empty() || !tensors[0].defined()) return {};
  const TensorImpl& first = *tensors[0].impl();
  const bool stacks = how == Join::kStack;
  const int64_t rank = first.key.rank + (stacks ? 1 : 0);
  const int64_t place = dim < 0 ? dim + rank : dim;
  const bool may_be = first.is_small_contiguous() && first.key.device.is_cpu() && place >= 0 &&
                      place < rank && rank <= kMaxRank;
  if (!may_be || !are_simple(tensors, first, stacks ? -1 : place)) return {};

  int64_t sizes[kMaxRank];
  size_t rows = 1;
  for (int64_t d = 0; d < first.key.rank; ++d) {
    sizes[stacks && d >= place ? d + 1 : d] = first.inline_dims[d];
    if (d < place) rows *= static_cast<size_t>(first.inline_dims[d]);
  }
  sizes[place] = stacks ? static_cast<int64_t>(tensors.size()) : 0;
  for (const TensorBase& tensor : tensors) {
    if (!stacks) sizes[place] += tensor.impl()->inline_dims[place];
  }
  auto result =
      TensorBase::adopt(new_tensor({sizes, static_cast<size_t>(rank)}, first.key.dtype, Device()));
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

}  // namespace

TensorBase cat(TensorList tensors, int64_t dim) { return joined(Join::kCat, tensors, dim); }
TensorBase stack(TensorList tensors, int64_t dim) { return joined(Join::kStack, tensors, dim); }

}  // namespace eagre::dispatch::shortcut
