// What stands in t[…], with the line it stands on: operators cannot have default arguments, but the
// conversion of their operand can.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>

namespace eagre {

class LocatedIndex {
 public:
  template <class T>
  requires(std::integral<T> || std::is_enum_v<T>)
      LocatedIndex(T value,
                   CallSite at = std::source_location::current())  // NOLINT: a number is an index
      : value_(static_cast<int64_t>(value)), site_(at) {}
  LocatedIndex(const Scalar& value, CallSite at = std::source_location::current())  // NOLINT
      : value_(value.to<int64_t>()), site_(at) {}
  // The integer that a 0-dim tensor holds.
  EAGRE_API LocatedIndex(const TensorBase& index,  // NOLINT
                         CallSite at = std::source_location::current());

  int64_t value() const { return value_; }
  CallSite site() const { return site_; }

 private:
  int64_t value_;
  CallSite site_;
};

}  // namespace eagre
