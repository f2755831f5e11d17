// Random numbers as a function of (seed, position): the same for any thread count and device.
#pragma once

#include <cstdint>
#include <mutex>

#include <eagre/base/export.h>

namespace eagre {

// A stretch of the sequence that one kernel call may use.
struct RandomStretch {
  uint64_t seed = 0;
  uint64_t start = 0;
};

class EAGRE_API Generator {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;
  explicit Generator(uint64_t seed = kDefaultSeed) : seed_(seed) {}

  void manual_seed(uint64_t seed);
  uint64_t initial_seed() const;
  // The next `count` numbers are the caller's.
  RandomStretch take(uint64_t count);

 private:
  mutable std::mutex mutex_;
  uint64_t seed_;
  uint64_t position_ = 0;
};

EAGRE_API Generator& default_generator();
EAGRE_API void manual_seed(uint64_t seed);

}  // namespace eagre
