// Warnings: handed to a handler (a binding's), else to the log.
#pragma once

#include <string>
#include <string_view>

#include <eagre/base/export.h>

namespace eagre {

using WarningHandler = void (*)(const std::string& message);

// Returns the old handler. Without one (the default) warnings go to the log.
EAGRE_API WarningHandler set_warning_handler(WarningHandler handler);

EAGRE_API void warn(const std::string& message);

// Warns at the first call with this key in the process. True if it did.
EAGRE_API bool warn_once(std::string_view key, const std::string& message);
// From now on it warns at every call; or at the first ones again.
EAGRE_API void set_warn_always(bool always);
EAGRE_API bool warns_always();

}  // namespace eagre
