// Process-wide switches: set by set_flag, or by EAGRE_<NAME> in the environment at start.
#pragma once

#include <atomic>
#include <string_view>

#include <eagre/base/export.h>

namespace eagre {

struct Flags {
  // An operator that a device lacks runs on the CPU, with a warning once per operator.
  std::atomic<bool> kernel_fallback{true};
};

EAGRE_API Flags& flags();

// By name, for scripting languages. An unknown name is an error that lists the known ones.
EAGRE_API void set_flag(std::string_view name, bool value);
EAGRE_API bool get_flag(std::string_view name);

}  // namespace eagre
