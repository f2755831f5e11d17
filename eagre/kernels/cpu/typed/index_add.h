// index_add: rows added to the rows that an index names.
#pragma once

#include <eagre/core/complex.h>
#include <eagre/core/scalar.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void index_add(const TensorView& input, int64_t dim, const TensorView& index,
               const TensorView& source, const Scalar& alpha) {
  const Along to(input.sizes, dim);
  check_indices("index_add", "index", index, to.size, to.dim);
  const T* values = source.as<T>();
  const T factor = alpha.to<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  const int64_t count = index.numel, inner = to.inner;
  if (count == 0) return;
  // Outer coordinates never meet; rows of one go in the order of the index.
  const int64_t grain = std::max<int64_t>(1, kIndexGrain / (count * inner));
  parallel_for(0, to.outer, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin * count; row < end * count; ++row) {
      const int64_t place = row / count * to.size + wrapped(chosen[row % count], to.size);
      T* line = target + place * inner;
      const T* from = values + row * inner;
      for (int64_t i = 0; i < inner; ++i) line[i] += from[i] * factor;
    }
  });
}

}  // namespace eagre::kernels::cpu::typed
