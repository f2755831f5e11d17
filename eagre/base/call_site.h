// Where the user called an operator: kept in every node, printed by every error in backward.
#pragma once

#include <bit>
#include <cstdint>
#include <source_location>

#include <eagre/base/export.h>

namespace eagre {

// One word, cheap enough to pass to every operator. It is one of
//   - a C++ source location (a pointer to constant data, made by the compiler);
//   - "the frame the binding is in", looked up only when someone needs it;
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

}  // namespace eagre
