// Where the user called an operator: kept in every node, printed by every error in backward.
#pragma once

#include <bit>
#include <cstdint>
#include <source_location>
#include <string>

#include <eagre/base/export.h>

namespace eagre {

// One word, cheap enough to pass to every operator. It is one of
//   - a C++ source location (a pointer to constant data, made by the compiler);
//   - "the frame the scripting language is in", looked up only when someone needs it;
//   - an id of the site table, for operators that act on behalf of an earlier call.
class CallSite {
 public:
  // Implicit, so that `CallSite at = std::source_location::current()` works as a default argument.
  CallSite(std::source_location where) : word_(std::bit_cast<uintptr_t>(where)) {}  // NOLINT

  static constexpr CallSite none() { return CallSite(uintptr_t{0}); }
  static constexpr CallSite language_frame() { return CallSite(kLanguageTag); }
  static constexpr CallSite of_id(uint32_t id) { return CallSite((uintptr_t{id} << 2) | kIdTag); }

  bool is_native() const { return word_ != 0 && (word_ & kTagMask) == 0; }

  // The 32-bit id of this place; 0 means unknown.
  EAGRE_API uint32_t intern() const;

 private:
  static constexpr uintptr_t kTagMask = 3, kLanguageTag = 1, kIdTag = 2;

  constexpr explicit CallSite(uintptr_t word) : word_(word) {}
  EAGRE_COLD uint32_t intern_slowly() const;

  uintptr_t word_;
};
static_assert(sizeof(std::source_location) == sizeof(uintptr_t));

struct SiteInfo {
  std::string file;
  std::string function;
  uint32_t line = 0;
  std::string callers;  // how the program came here, a line each; only when someone asked
};

// Adds a place to the table and gives its id (0 when the table is full).
EAGRE_API uint32_t register_site(SiteInfo info);

// "file:line in function", or "an unknown place".
EAGRE_API std::string describe_site(uint32_t id);

// The same with the callers, outermost first, one per line, where they are known.
EAGRE_API std::string describe_site_with_callers(uint32_t id);

// The scripting language says here how to find the id of the frame it is in.
using LanguageSiteResolver = uint32_t (*)();
EAGRE_API void set_language_site_resolver(LanguageSiteResolver resolver);

}  // namespace eagre
