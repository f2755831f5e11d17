// What the library has to tell its developers and operators. Silent until asked: the flag `log`.
#pragma once

#include <string>

#include <eagre/base/error.h>
#include <eagre/base/export.h>

namespace eagre {

enum class LogLevel : unsigned char { kOff, kError, kWarn, kInfo, kDebug };

// Gets every message of a level that is on. The default writes a line to stderr.
using LogHandler = void (*)(LogLevel level, const std::string& message);
// Returns the old handler; nullptr stands for the default.
EAGRE_API LogHandler set_log_handler(LogHandler handler);

EAGRE_API LogLevel log_level();
EAGRE_API const char* to_string(LogLevel level);
EAGRE_API void log(LogLevel level, const std::string& message);

// The text is put together only if someone will see it.
template <class... Parts>
void log_parts(LogLevel level, const Parts&... parts) {
  if (level <= log_level()) [[unlikely]]
    log(level, concat(parts...));
}
template <class... Parts>
void log_info(const Parts&... parts) {
  log_parts(LogLevel::kInfo, parts...);
}
template <class... Parts>
void log_debug(const Parts&... parts) {
  log_parts(LogLevel::kDebug, parts...);
}

}  // namespace eagre
