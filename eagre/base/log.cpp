// Levels and the handler of log messages.
#include <eagre/base/log.h>

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <string>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>

namespace eagre {
namespace {

// One write per line, so that lines of several threads do not mix.
void write_to_stderr(LogLevel level, const std::string& message) {
  const std::string line = concat("eagre ", to_string(level), ": ", message, "\n");
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
}

std::atomic<LogHandler> handler{nullptr};

}  // namespace

LogHandler set_log_handler(LogHandler next) { return handler.exchange(next); }

LogLevel log_level() { return static_cast<LogLevel>(flags().log.index()); }

const char* to_string(LogLevel level) { return kLogLevelNames[static_cast<size_t>(level)]; }

void log(LogLevel level, const std::string& message) {
  if (level == LogLevel::kOff || level > log_level()) return;
  LogHandler current = handler.load();
  (current == nullptr ? &write_to_stderr : current)(level, message);
}

}  // namespace eagre
