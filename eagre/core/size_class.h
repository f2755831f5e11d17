// Sizes of memory blocks: eight between one power of two and the next, so at most an eighth is
// wasted.
#pragma once

#include <bit>
#include <cstddef>

namespace eagre {

struct SizeClass {
  static constexpr int kLeastPower = 9, kMostPower = 46;
  static constexpr size_t kCount = size_t{kMostPower - kLeastPower + 1} * 8;
  static constexpr size_t kMostBytes = size_t{2} << kMostPower;

  size_t index;
  size_t bytes;

  // The smallest class that holds `bytes`, which are at most kMostBytes.
  static constexpr SizeClass of(size_t bytes) {
    constexpr size_t kLeast = (size_t{1} << kLeastPower) + 1;
    const size_t last = (bytes < kLeast ? kLeast : bytes) - 1;
    const auto power =
        static_cast<int>(std::bit_width(last)) - 1;  // 2^power <= last < 2^(power + 1)
    const size_t step = (last >> (power - 3)) & 7;
    return {static_cast<size_t>(power - kLeastPower) * 8 + step,
            (size_t{1} << power) + ((step + 1) << (power - 3))};
  }
};

}  // namespace eagre
