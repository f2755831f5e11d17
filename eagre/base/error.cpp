// How errors are worded and where they are thrown.
#include <eagre/base/error.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/site_table.h>
#include <eagre/base/thread_state.h>

namespace eagre {

void raise(ErrorKind kind, std::string message) {
  // Said once: the next error may have nothing to do with this call.
  const CallSite site = std::exchange(thread_state.site, CallSite::none());
  if (site.is_native()) message.append("\n  called at ").append(describe_site(site.intern()));
  throw Error(kind, std::move(message));
}

void raise(ErrorKind kind, const ArgumentProblem& problem) {
  std::string message = concat(problem.op, "(): argument '", problem.argument, "' must be ",
                               problem.expected, ", but got ", problem.got);
  if (!problem.hint.empty()) message.append(". Hint: ").append(problem.hint);
  raise(kind, std::move(message));
}

namespace detail {
namespace {

template <class Float>
void append_float(std::string& out, Float value) {
  const Float size = std::abs(value);
  const bool is_usual = size == 0 || (size >= Float(1e-4) && size < Float(1e16));
  char digits[64];
  const auto [end, problem] =
      is_usual ? std::to_chars(digits, digits + sizeof(digits), value, std::chars_format::fixed)
               : std::to_chars(digits, digits + sizeof(digits), value);
  const std::string_view text(digits, static_cast<size_t>(end - digits));
  out.append(text);
  if (text.find_first_not_of("-0123456789") == std::string_view::npos) out.append(".0");
}

}  // namespace

void append(std::string& out, double value) { append_float(out, value); }
void append(std::string& out, float value) { append_float(out, value); }

}  // namespace detail
}  // namespace eagre
