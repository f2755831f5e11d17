// The names of operators at the beginning of messages.
#include <eagre/base/within.h>

#include <cstddef>
#include <string_view>

#include <eagre/base/error.h>

namespace eagre {
namespace {

// What stands before "(): "; nothing in texts that do not begin so (out of memory, a lost device).
std::string_view complaining_op(std::string_view message) {
  const size_t end = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
  if (end == std::string_view::npos || !message.substr(end).starts_with("(): ")) return {};
  return message.substr(0, end);
}

}  // namespace

void raise_within(const char* op, const Error& error) {
  const std::string_view called = op;
  const std::string_view inner = complaining_op(error.message());
  const bool is_in_place = inner.ends_with('_') && inner.substr(0, inner.size() - 1) == called;
  if (inner.empty() || inner == called || is_in_place) throw;
  throw Error(error.kind(), concat(called, "(): in ", error.message()));
}

}  // namespace eagre
