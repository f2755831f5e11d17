// Conversion loops for every pair of dtypes.
#include <eagre/kernels/cpu/cast.h>

#include <cstdint>
#include <cstring>

#include <eagre/core/dtype.h>
#include <eagre/core/load_element.h>

namespace eagre::kernels::cpu {

void cast(const StridedMemory& to, const StridedMemory& from, int64_t n) {
  if (to.dtype == from.dtype && to.stride == from.stride &&
      to.stride == static_cast<int64_t>(element_size(to.dtype))) {
    std::memcpy(to.data, from.data, static_cast<size_t>(n * to.stride));
    return;
  }
  visit_dtype(to.dtype, [&](auto to_zero) {
    visit_dtype(from.dtype, [&](auto from_zero) {
      using To = decltype(to_zero);
      using From = decltype(from_zero);
      if (to.stride == sizeof(To) && from.stride == sizeof(From)) {
        auto* out = reinterpret_cast<To*>(to.data);
        const auto* in = reinterpret_cast<const From*>(from.data);
        for (int64_t i = 0; i < n; ++i) out[i] = convert_element<To>(load_element(in[i]));
        return;
      }
      char* out = to.data;
      const char* in = from.data;
      for (int64_t i = 0; i < n; ++i, out += to.stride, in += from.stride) {
        *reinterpret_cast<To*>(out) =
            convert_element<To>(load_element(*reinterpret_cast<const From*>(in)));
      }
    });
  });
}

}  // namespace eagre::kernels::cpu
