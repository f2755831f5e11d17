// libtorch's names: a program that includes this in place of <torch/torch.h> and keeps to what is
// here (docs/coming-from-libtorch.md) compiles as it is.
//
// torch, at and c10 are namespaces that see everything of eagre, not aliases of it, so that
// programs may add to them, and names that mean something else in eagre can be theirs.
#pragma once

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

// "cuda", which must have been loaded when it is used.
struct CudaKind {
  operator Device() const { return Device("cuda"); }  // NOLINT: it stands for one
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
#define TORCH_WARN(...) ::eagre::warn(::torch::detail::text_of(__VA_ARGS__))
// NOLINTEND(readability-identifier-naming)
