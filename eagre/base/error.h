// The exception of the library: a kind, a message, and the user's line that led to it.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include <eagre/base/export.h>

namespace eagre {

enum class ErrorKind : uint8_t {
  kInvalidArgument,
  kType,
  kIndex,
  kOutOfMemory,
  kNotFound,
  kUnimplemented,
  kAutograd,
  kDeviceLost,
  kInternal,
  kLinearAlgebra,
};

class EAGRE_API Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& msg() const noexcept { return message_; }                      // libtorch's
  const char* what_without_backtrace() const noexcept { return message_.c_str(); }  // names

  // Whoever knows more on the way up (the engine: which node, which forward line) adds a line.
  void add_line(std::string_view line) { message_.append("\n").append(line); }

 private:
  ErrorKind kind_;
  std::string message_;
};

// Throws, adding the C++ line of the operator call in flight. (A binding shows its own.)
[[noreturn]] EAGRE_API EAGRE_COLD void raise(ErrorKind kind, std::string message);

// The form of every complaint about an argument.
struct ArgumentProblem {
  std::string_view op;
  std::string_view argument;
  std::string expected;
  std::string got;
  std::string hint = {};
};
[[noreturn]] EAGRE_API EAGRE_COLD void raise(ErrorKind kind, const ArgumentProblem& problem);

namespace detail {
inline void append(std::string& out, std::string_view text) { out.append(text); }
inline void append(std::string& out, const char* text) { out.append(text); }
inline void append(std::string& out, const std::string& text) { out.append(text); }
inline void append(std::string& out, char c) { out.push_back(c); }
inline void append(std::string& out, bool value) { out.append(value ? "true" : "false"); }
// As few digits as name the number: 0.1, 2.0, 1e+20.
EAGRE_API EAGRE_COLD void append(std::string& out, double value);
EAGRE_API EAGRE_COLD void append(std::string& out, float value);
template <class Number>
requires std::is_arithmetic_v<Number>
void append(std::string& out, Number value) { out.append(std::to_string(value)); }
// Not for texts (char*) and numbers: they may convert to a type that has a to_string().
template <class Printable>
requires(!std::is_arithmetic_v<Printable> &&
         !std::is_convertible_v<const Printable&, std::string_view> &&
         requires(const Printable& p) { to_string(p); }) void append(std::string& out,
                                                                     const Printable& value) {
  out.append(to_string(value));
}
}  // namespace detail

// Text from parts: strings, numbers, and anything with a to_string() beside it.
template <class... Parts>
EAGRE_COLD std::string concat(const Parts&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

}  // namespace eagre

// The user's fault: the message is built only when the check fails.
#define EAGRE_CHECK(condition, kind, ...)                                     \
  do {                                                                        \
    if (!(condition)) [[unlikely]]                                            \
      ::eagre::raise(::eagre::ErrorKind::kind, ::eagre::concat(__VA_ARGS__)); \
  } while (false)

// Our fault.
#define EAGRE_INTERNAL_CHECK(condition)                                                            \
  do {                                                                                             \
    if (!(condition)) [[unlikely]]                                                                 \
      ::eagre::raise(                                                                              \
          ::eagre::ErrorKind::kInternal,                                                           \
          ::eagre::concat("bug in Eagre, please report it: '" #condition "' failed at ", __FILE__, \
                          ":", __LINE__));                                                         \
  } while (false)
