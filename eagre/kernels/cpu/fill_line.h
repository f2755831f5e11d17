// One value in a stretch of memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace eagre::kernels::cpu {

constexpr int64_t kFillGrain = 1 << 17;

// The first few by hand, the others as copies of them: memcpy uses what the machine has.
template <class T>
void fill_line(T* data, int64_t n, T value) {
  constexpr int64_t kFew = 64, kBlock = 4096;
  int64_t done = std::min(n, kFew);
  std::fill_n(data, done, value);
  while (done < n) {
    const int64_t more = std::min({done, n - done, kBlock});
    std::memcpy(data + done, data, static_cast<size_t>(more) * sizeof(T));
    done += more;
  }
}

}  // namespace eagre::kernels::cpu
