// The table of flags and the reading of the environment.
#include <eagre/base/flags.h>

#include <cstdlib>
#include <cstring>

#include <eagre/base/error.h>

namespace eagre {
namespace {

struct NamedFlag {
  const char* name;
  const char* environment;
  std::atomic<bool> Flags::*member;
};
constexpr NamedFlag kFlags[] = {
    {"kernel_fallback", "EAGRE_KERNEL_FALLBACK", &Flags::kernel_fallback},
};

std::atomic<bool>& find(std::string_view name) {
  std::string known;
  for (const NamedFlag& flag : kFlags) {
    if (name == flag.name) return flags().*flag.member;
    known.append(known.empty() ? "" : ", ").append(flag.name);
  }
  raise(ErrorKind::kNotFound, concat("there is no flag '", name, "'; the flags are: ", known));
}

}  // namespace

Flags& flags() {
  static Flags& instance = *[] {
    auto* fresh = new Flags;
    for (const NamedFlag& flag : kFlags) {
      if (const char* text = std::getenv(flag.environment)) {
        fresh->*flag.member = std::strcmp(text, "0") != 0 && std::strcmp(text, "") != 0;
      }
    }
    return fresh;
  }();
  return instance;
}

void set_flag(std::string_view name, bool value) { find(name) = value; }
bool get_flag(std::string_view name) { return find(name); }

}  // namespace eagre
