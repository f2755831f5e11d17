// Words of a text, one by one.
#pragma once

#include <algorithm>
#include <string_view>

namespace eagre::python {

// What comes before the sign, which is taken away with it.
inline std::string_view take_until(std::string_view& text, char sign) {
  const size_t end = std::min(text.find(sign), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace eagre::python
