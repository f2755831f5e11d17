// The state of random number generators.
#include <eagre/core/generator.h>

namespace eagre {

void Generator::manual_seed(uint64_t seed) {
  std::lock_guard lock(mutex_);
  seed_ = seed;
  position_ = 0;
}

uint64_t Generator::initial_seed() const {
  std::lock_guard lock(mutex_);
  return seed_;
}

RandomStretch Generator::take(uint64_t count) {
  std::lock_guard lock(mutex_);
  const RandomStretch stretch{seed_, position_};
  position_ += count;
  return stretch;
}

Generator& default_generator() {
  static Generator& instance = *new Generator;
  return instance;
}

void manual_seed(uint64_t seed) { default_generator().manual_seed(seed); }

}  // namespace eagre
