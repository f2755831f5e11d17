// Random numbers as a function of (seed, position): the same for any thread count and device.
#pragma once

#include <array>
#include <cstdint>

#include <eagre/base/export.h>
#include <eagre/base/span.h>

namespace eagre {

// A stretch of the sequence that one kernel call may use.
struct RandomStretch {
  uint64_t seed = 0;
  uint64_t start = 0;
};

// Any thread may use a generator; two calls never get the same numbers. A copy goes on from the
// same place.
class EAGRE_API Generator {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;
  // A mark, the seed and the position, in the byte order of the machine.
  using State = std::array<uint8_t, 24>;

  explicit Generator(uint64_t seed = kDefaultSeed) : seed_(seed) {}

  void manual_seed(uint64_t seed);
  // Starts from a seed that nobody can foresee, and returns it.
  uint64_t seed();
  uint64_t initial_seed() const;

  State get_state() const;
  // Refuses bytes that get_state() did not make; then nothing has changed.
  void set_state(Span<const uint8_t> bytes);

  // The next `count` numbers are the caller's.
  RandomStretch take(uint64_t count);

 private:
  uint64_t seed_;
  uint64_t position_ = 0;
};

EAGRE_API Generator& default_generator();
EAGRE_API void manual_seed(uint64_t seed);
EAGRE_API uint64_t seed();
EAGRE_API uint64_t initial_seed();

}  // namespace eagre
