// The warning handler and the memory of what was said once.
#include <eagre/base/warn.h>

#include <atomic>
#include <mutex>
#include <unordered_set>

#include <eagre/base/fork.h>

namespace eagre {
namespace {
std::atomic<WarningHandler> handler{nullptr};
}

WarningHandler set_warning_handler(WarningHandler next) { return handler.exchange(next); }

void warn(const std::string& message) {
  if (WarningHandler current = handler.load()) current(message);
}

bool warn_once(std::string_view key, const std::string& message) {
  static ForkMutex& mutex = *new ForkMutex;
  static auto& said = *new std::unordered_set<std::string>;
  {
    std::lock_guard lock(mutex);
    if (!said.insert(std::string(key)).second) return false;
  }
  warn(message);
  return true;
}

}  // namespace eagre
