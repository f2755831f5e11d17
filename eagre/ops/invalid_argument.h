// Errors about one argument of an operator.
#pragma once

#include <string>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

[[noreturn]] inline void invalid_argument(const char* op, const char* argument,
                                          std::string expected, std::string got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, argument, std::move(expected), std::move(got)});
}

// The same behind words that people know from PyTorch, and search for.
[[noreturn]] inline void invalid_argument(const char* op, const std::string& known,
                                          const char* argument, const std::string& expected,
                                          const std::string& got) {
  raise(ErrorKind::kInvalidArgument, concat(op, "(): ", known, ": argument '", argument,
                                            "' must be ", expected, ", but got ", got));
}

inline std::string shape_text(const TensorBase& tensor) {
  return tensor.dim() == 0 ? std::string("a 0-dim tensor") : concat("shape ", tensor.sizes());
}

}  // namespace eagre::ops
