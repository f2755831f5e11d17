// libtorch's names: a program that includes this in place of <torch/torch.h> and keeps to what is
// here (docs/coming-from-libtorch.md) compiles as it is.
//
// torch, at and c10 are namespaces that see everything of eagre, not aliases of it, so that
// programs may add to them, and names that mean something else in eagre can be theirs.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <eagre/api/at_dispatch.h>  // IWYU pragma: export
#include <eagre/eagre.h>            // IWYU pragma: export

// libtorch's spellings. NOLINTBEGIN(readability-identifier-naming)
namespace torch {

using namespace eagre;  // NOLINT(google-build-using-namespace): that is what this file is for

using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;

using Dtype = DType;
using DeviceType = DeviceKind;
using IntArrayRef = Dims;
using OptionalIntArrayRef = OptionalDims;
template <class T>
using ArrayRef = Span<const T>;
using IValue = autograd::SavedValue;
using IndexError = Error;  // its kind() tells them apart
using TypeError = Error;
using ValueError = Error;
using NotImplementedError = Error;
using OutOfMemoryError = Error;

// The reductions of losses.
namespace Reduction {
inline constexpr const char* None = "none";
inline constexpr const char* Mean = "mean";
inline constexpr const char* Sum = "sum";
}  // namespace Reduction

constexpr DType typeMetaToScalarType(DType dtype) { return dtype; }
inline bool is_floating_point(const Tensor& x) { return x.is_floating_point(); }
inline bool is_complex(const Tensor& x) { return x.is_complex(); }
inline int64_t numel(const Tensor& x) { return x.numel(); }

// "cuda", which must have been loaded when it is used.
struct CudaKind {
  operator Device() const { return Device("cuda"); }           // NOLINT: it stands for one
  operator DeviceKind() const { return Device("cuda").kind; }  // NOLINT
  friend bool operator==(Device device, CudaKind) { return device.is_cuda(); }
  friend bool operator==(DeviceKind kind, CudaKind) { return Device(kind).is_cuda(); }
};
inline constexpr CudaKind kCUDA{};

namespace cuda {
// Is a plug-in loaded that has such devices?
inline bool is_available() {
  try {
    return Device("cuda").kind != DeviceKind::kCpu;
  } catch (const Error&) {
    return false;
  }
}
}  // namespace cuda

namespace detail {
// Anything that can be printed, one after the other.
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream text;
  static_cast<void>((text << ... << parts));
  return std::move(text).str();
}
inline std::string check_text(const char* usual, const std::string& given) {
  return given.empty() ? usual : given;
}
}  // namespace detail

}  // namespace torch

namespace at {
using namespace torch;  // NOLINT(google-build-using-namespace)
}  // namespace at

namespace c10 {
using namespace torch;  // NOLINT(google-build-using-namespace)
template <class T>
using complex = eagre::Complex<T>;

// The integers from one on, up to another: for (auto i : c10::irange(n)).
template <std::integral T>
class IntegerRange {
 public:
  struct Iterator {
    T value;
    T operator*() const { return value; }
    Iterator& operator++() {
      ++value;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return value != other.value; }
  };
  IntegerRange(T begin, T end) : begin_(begin), end_(end < begin ? begin : end) {}
  Iterator begin() const { return {begin_}; }
  Iterator end() const { return {end_}; }

 private:
  T begin_, end_;
};
template <std::integral T>
IntegerRange<T> irange(T end) {
  return {T{0}, end};
}
template <std::integral First, std::integral T>
IntegerRange<T> irange(First begin, T end) {
  return {static_cast<T>(begin), end};
}
template <class... Parts>
std::string str(const Parts&... parts) {
  return torch::detail::text_of(parts...);
}
}  // namespace c10

// The user's fault, of any kind; with what comes behind the condition, or the condition itself.
#define EAGRE_TORCH_CHECK(kind, condition, ...)                                             \
  do {                                                                                      \
    if (!(condition)) [[unlikely]]                                                          \
      ::eagre::raise(                                                                       \
          ::eagre::ErrorKind::kind,                                                         \
          ::torch::detail::check_text("Expected " #condition " to be true, but got false.", \
                                      ::torch::detail::text_of(__VA_ARGS__)));              \
  } while (false)
#define TORCH_CHECK(condition, ...) EAGRE_TORCH_CHECK(kInvalidArgument, condition, __VA_ARGS__)
#define TORCH_CHECK_TYPE(condition, ...) EAGRE_TORCH_CHECK(kType, condition, __VA_ARGS__)
#define TORCH_CHECK_VALUE(condition, ...) \
  EAGRE_TORCH_CHECK(kInvalidArgument, condition, __VA_ARGS__)
#define TORCH_CHECK_INDEX(condition, ...) EAGRE_TORCH_CHECK(kIndex, condition, __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) \
  EAGRE_TORCH_CHECK(kUnimplemented, condition, __VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) EAGRE_TORCH_CHECK(kInternal, condition, __VA_ARGS__)
#define EAGRE_TORCH_COMPARE(a, op, b) \
  TORCH_CHECK((a)op(b), "Check failed: " #a " " #op " " #b " (", (a), " vs. ", (b), ")")
#define TORCH_CHECK_EQ(a, b) EAGRE_TORCH_COMPARE(a, ==, b)
#define TORCH_CHECK_NE(a, b) EAGRE_TORCH_COMPARE(a, !=, b)
#define TORCH_CHECK_LT(a, b) EAGRE_TORCH_COMPARE(a, <, b)
#define TORCH_CHECK_LE(a, b) EAGRE_TORCH_COMPARE(a, <=, b)
#define TORCH_CHECK_GT(a, b) EAGRE_TORCH_COMPARE(a, >, b)
#define TORCH_CHECK_GE(a, b) EAGRE_TORCH_COMPARE(a, >=, b)
#define AT_ERROR(...) TORCH_CHECK(false, __VA_ARGS__)
#define AT_ASSERT(condition) TORCH_INTERNAL_ASSERT(condition)
#define AT_ASSERTM(condition, ...) TORCH_INTERNAL_ASSERT(condition, __VA_ARGS__)
#define C10_THROW_ERROR(error, text) TORCH_CHECK(false, text)
#define TORCH_WARN_ONCE(...)                                                                       \
  do {                                                                                             \
    static const bool eagre_warned = (::eagre::warn(::torch::detail::text_of(__VA_ARGS__)), true); \
    static_cast<void>(eagre_warned);                                                               \
  } while (false)
#define TORCH_WARN(...) ::eagre::warn(::torch::detail::text_of(__VA_ARGS__))
// NOLINTEND(readability-identifier-naming)
