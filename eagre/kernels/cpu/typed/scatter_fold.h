// scatter_fold: each element multiplied to, or compared with, what is where an index says.
#pragma once

#include <string_view>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/index_walk.h>

namespace eagre::kernels::cpu::typed {

template <class T>
void scatter_fold(const TensorView& input, int64_t dim, const TensorView& index,
                  const TensorView& src, std::string_view reduce) {
  if (index.numel == 0) return;
  const IndexRows rows(index, dim);
  const Beside to(input, rows, true);
  const Beside from(src, rows, false);
  const CheckedIndices indices("scatter_reduce", input, index, to.chosen_size, rows.dim);
  const T* source = src.as<T>();
  const auto* chosen = index.as<const int64_t>();
  T* target = input.as<T>();
  const auto fold = [&](auto&& join) {
    const auto put = [&](auto way, int64_t first, int64_t count, int64_t row, int64_t column) {
      T* base = target + to.start(rows, row, column);
      const T* values = source + from.start(rows, row, column);
      for (int64_t i = 0; i < count; ++i) {
        T& element = base[i * to.step + way(chosen[first + i])];
        element = join(element, values[i * from.step]);
      }
    };
    for_scattered_rows(rows, to, index.numel, indices, put);
  };
  if (reduce == "prod") return fold([](T a, T b) { return static_cast<T>(a * b); });
  if constexpr (!kIsComplex<T>) {  // which have no order
    // NaN stays, and is taken over.
    if (reduce == "amax") return fold([](T a, T b) { return b > a || b != b ? b : a; });
    fold([](T a, T b) { return b < a || b != b ? b : a; });
  }
}

}  // namespace eagre::kernels::cpu::typed
