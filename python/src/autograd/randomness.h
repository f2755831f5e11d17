// What random operators do in a vmap, by its name in Python.
#pragma once

#include <string_view>

#include <eagre/autograd/tape/level.h>
#include <eagre/base/error.h>

namespace eagre::python {

inline autograd::Randomness randomness_of(std::string_view name) {
  EAGRE_CHECK(name == "error" || name == "different" || name == "same", kAutograd,
              "Only allowed values for randomness are 'error', 'different', or 'same'. Got ", name);
  return name == "error"  ? autograd::Randomness::kError
         : name == "same" ? autograd::Randomness::kSame
                          : autograd::Randomness::kDifferent;
}

}  // namespace eagre::python
