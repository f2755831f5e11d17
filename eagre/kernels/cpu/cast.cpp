// Conversion loops for every pair of dtypes.
#include <eagre/kernels/cpu/cast.h>

#include <limits>

namespace eagre::kernels::cpu {
namespace {

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, int64_t> && std::is_floating_point_v<From>) {
    constexpr From kLimit = 9223372036854775808.0;  // 2^63
    return value >= -kLimit && value < kLimit ? static_cast<int64_t>(value)
                                              : std::numeric_limits<int64_t>::min();
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace

void cast(const StridedMemory& to, const StridedMemory& from, int64_t n) {
  visit_dtype(to.dtype, [&](auto to_zero) {
    visit_dtype(from.dtype, [&](auto from_zero) {
      using To = decltype(to_zero);
      using From = decltype(from_zero);
      char* out = to.data;
      const char* in = from.data;
      for (int64_t i = 0; i < n; ++i, out += to.stride, in += from.stride) {
        *reinterpret_cast<To*>(out) = convert<To>(*reinterpret_cast<const From*>(in));
      }
    });
  });
}

}  // namespace eagre::kernels::cpu
