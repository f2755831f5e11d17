// The state of random number generators.
#include <eagre/core/generator.h>

#include <sys/random.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <mutex>

#include <eagre/base/error.h>
#include <eagre/base/fork.h>
#include <eagre/base/span.h>

namespace eagre {
namespace {

constexpr uint64_t kMark = 0x31474E5245524745;  // "EGRERNG1" as bytes

// One for all generators: it is held for a few instructions, and one per generator would not
// survive fork().
ForkMutex& generators_lock() {
  static ForkMutex& instance = *new ForkMutex;
  return instance;
}
const MadeAtLoad kGeneratorsAtLoad([] {
  generators_lock();
  default_generator();
});

uint64_t unforeseen_number() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

void Generator::manual_seed(uint64_t seed) {
  std::lock_guard lock(generators_lock());
  seed_ = seed;
  position_ = 0;
}

uint64_t Generator::seed() {
  const uint64_t fresh = unforeseen_number();
  manual_seed(fresh);
  return fresh;
}

uint64_t Generator::initial_seed() const {
  std::lock_guard lock(generators_lock());
  return seed_;
}

Generator::State Generator::get_state() const {
  uint64_t words[] = {kMark, 0, 0};
  {
    std::lock_guard lock(generators_lock());
    words[1] = seed_;
    words[2] = position_;
  }
  State bytes;
  static_assert(sizeof bytes == sizeof words);
  std::memcpy(bytes.data(), words, sizeof words);
  return bytes;
}

void Generator::set_state(Span<const uint8_t> bytes) {
  uint64_t words[3];
  if (bytes.size() != sizeof words) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"set_state", "new_state", concat(sizeof words, " bytes long"),
                          concat(bytes.size(), " bytes"), "use what get_state() returned"});
  }
  std::memcpy(words, bytes.data(), sizeof words);
  if (words[0] != kMark) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"set_state", "new_state", "the state of a generator", "other bytes",
                          "use what get_state() returned"});
  }
  std::lock_guard lock(generators_lock());
  seed_ = words[1];
  position_ = words[2];
}

RandomStretch Generator::take(uint64_t count) {
  std::lock_guard lock(generators_lock());
  const RandomStretch stretch{seed_, position_};
  position_ += count;
  return stretch;
}

Generator& default_generator() {
  static Generator& instance = *new Generator;
  return instance;
}

void manual_seed(uint64_t seed) { default_generator().manual_seed(seed); }
uint64_t seed() { return default_generator().seed(); }
uint64_t initial_seed() { return default_generator().initial_seed(); }

}  // namespace eagre
