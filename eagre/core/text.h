// A text as an argument: what a string_view is made of, and nothing else.
#pragma once

#include <concepts>
#include <string_view>

namespace eagre {

// string_view itself takes a 0 for a null pointer, and reads from it.
class Text : public std::string_view {
 public:
  template <class T>
  requires std::convertible_to<const T&, std::string_view> Text(const T& text)  // NOLINT: it is one
      : std::string_view(text) {}
};

}  // namespace eagre
