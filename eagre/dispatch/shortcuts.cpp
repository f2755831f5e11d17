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

// Is `tensor` like `first`, but for its size in dimension `free` (-1: in all)?
bool is_alike(const TensorBase& tensor, const TensorImpl& first, int64_t free) {
  if (!tensor.defined()) return false;
  const TensorImpl& impl = *tensor.impl();
  if (impl.key.bits() != first.key.bits() || impl.numel == 0) return false;
  for (int64_t d = 0; d < first.key.rank; ++d) {
    if (impl.inline_dims[d] != first.inline_dims[d] && d != free) return false;
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
  if (!may_be) return {};
  int64_t length = stacks ? static_cast<int64_t>(tensors.size()) : 0;  // of the result at `place`
  for (const TensorBase& tensor : tensors) {
    if (!is_alike(tensor, first, stacks ? -1 : place)) return {};
    if (!stacks) length += tensor.impl()->inline_dims[place];
  }

  int64_t sizes[kMaxRank];
  const size_t item = element_size(first.key.dtype);
  size_t rows = 1, step = item;  // rows before `place`; bytes from one index of it to the next
  for (int64_t d = 0; d < first.key.rank; ++d) {
    const auto size = static_cast<size_t>(first.inline_dims[d]);
    sizes[stacks && d >= place ? d + 1 : d] = first.inline_dims[d];
    if (d < place) rows *= size;
    if (stacks ? d >= place : d > place) step *= size;
  }
  sizes[place] = length;
  auto result =
      TensorBase::adopt(new_tensor({sizes, static_cast<size_t>(rank)}, first.key.dtype, Device()));
  const size_t pitch = static_cast<size_t>(length) * step;
  char* to = result.impl()->data(static_cast<int64_t>(item));
  for (const TensorBase& tensor : tensors) {
    const TensorImpl& impl = *tensor.impl();
    const char* from = impl.data(static_cast<int64_t>(item));
    const size_t width = stacks ? step : static_cast<size_t>(impl.inline_dims[place]) * step;
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
