// The functions that a kernel is compiled to, by dtype: one table per instruction set.
#pragma once

#include <cstdint>

#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>

namespace eagre::kernels::cpu {

// Tables are constants: generated files write them and dispatch reads them, so nothing of this is
// compiled per isa.
template <class Function>
struct KernelTable {
  Function* by_dtype[kDTypeCount] = {};

  template <class>
  using Always = Function;

  // What `get` gives for each of the types.
  template <class... T, class Get>
  static consteval KernelTable each(Get get) {
    KernelTable table;
    ((table.by_dtype[kIndex<T>] = get.template operator()<T>()), ...);
    return table;
  }

  // The same where elements are only moved: a kernel serves all dtypes of its size.
  template <class Get>
  static consteval KernelTable each_size(Get get) {
    KernelTable table = each<uint8_t, int16_t, int32_t, int64_t, Complex<double>>(get);
    for (size_t d = 0; d < kDTypeCount; ++d) {
      switch (element_size(static_cast<DType>(d))) {
        case 1: table.by_dtype[d] = table.by_dtype[kIndex<uint8_t>]; break;
        case 2: table.by_dtype[d] = table.by_dtype[kIndex<int16_t>]; break;
        case 4: table.by_dtype[d] = table.by_dtype[kIndex<int32_t>]; break;
        case 8: table.by_dtype[d] = table.by_dtype[kIndex<int64_t>]; break;
        default: break;
      }
    }
    return table;
  }

  // Functions that are written out, in the order of the types.
  template <class... T>
  static consteval KernelTable of(Always<T>*... functions) {
    KernelTable table;
    ((table.by_dtype[kIndex<T>] = functions), ...);
    return table;
  }

 private:
  template <class T>
  static constexpr auto kIndex = static_cast<size_t>(DTypeOf<T>::value);
};

using PointwiseKernels =
    KernelTable<void(char* const* data, const int64_t* strides, int64_t n, const void* attributes)>;

}  // namespace eagre::kernels::cpu
