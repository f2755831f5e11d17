// The check of indices, which only a kernel can see.
#pragma once

#include <optional>
#include <string_view>

#include <eagre/base/error.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/bounded.h>

namespace eagre::kernels::cpu::typed {

// Whose indices they are, for messages.
struct IndexOwner {
  std::string_view op;
  std::string_view argument;
};

// Every element of the contiguous int64 tensor is `blank` or in [0, count).
inline void check_index(const IndexOwner& owner, const TensorView& index, int64_t count,
                        std::optional<int64_t> blank) {
  const auto* values = index.as<const int64_t>();
  for (int64_t i = 0; i < index.numel; ++i) {
    const int64_t value = values[i];
    if ((value >= 0 && value < count) || (blank && value == *blank)) [[likely]]
      continue;
    raise(ErrorKind::kIndex,
          ArgumentProblem{owner.op, owner.argument,
                          count == 0 ? std::string("no indices, as there is nothing to choose from")
                                     : concat("indices from 0 to ", count - 1),
                          concat(value, " at position ", i)});
  }
}

}  // namespace eagre::kernels::cpu::typed
