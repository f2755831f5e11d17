// The warning handler and the memory of what was said once.
#include <eagre/base/warn.h>

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

#include <eagre/base/fork.h>
#include <eagre/base/log.h>

namespace eagre {
namespace {
std::atomic<WarningHandler> handler{nullptr};
std::atomic<bool> is_always{false};

struct Memory {
  ForkMutex mutex;
  std::unordered_set<std::string> said;
};
Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}
const MadeAtLoad kMemoryAtLoad(memory);

}  // namespace

WarningHandler set_warning_handler(WarningHandler next) { return handler.exchange(next); }

void warn(const std::string& message) {
  if (WarningHandler current = handler.load()) return current(message);
  log(LogLevel::kWarn, message);
}

void set_warn_always(bool always) { is_always = always; }
bool warns_always() { return is_always; }

bool warn_once(std::string_view key, const std::string& message) {
  {
    std::lock_guard lock(memory().mutex);
    const bool is_new = memory().said.insert(std::string(key)).second;
    if (!is_new && !is_always) return false;
  }
  warn(message);
  return true;
}

}  // namespace eagre
