// Windows along a dimension: checks, and how many there are.
#include <eagre/core/window.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>

namespace eagre {

DimVector window_argument(const char* op, const char* argument, const OptionalDims& given,
                          size_t count, int64_t least, Dims missing) {
  const Dims list = given.values().empty() ? missing : given.values();
  if (list.size() != 1 && list.size() != count) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, argument, concat("one int, or ", count, " of them"),
                          given.given() ? to_string(list) : std::string("none")});
  }
  for (int64_t number : list) {
    if (number >= least && number <= kMostOfWindow) continue;
    std::string kind = least == 0 ? "not negative" : "greater than zero";
    kind += ", and less than 2^31";
    if (number < least && std::string_view(argument) == "stride") {
      kind += " (non-positive stride is not supported)";
    }
    raise(ErrorKind::kInvalidArgument, ArgumentProblem{op, argument, kind, to_string(list)});
  }
  return list.size() == count ? DimVector(list) : DimVector(count, list[0]);
}

int64_t count_windows(const char* op, int64_t size, const Window& window, bool ceil_mode) {
  if (size > kMostUnderWindow) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "input", "at most 2^48 elements long in each dimension", concat(size)});
  }
  const int64_t room = size + 2 * window.padding - window.extent();
  const int64_t more = ceil_mode ? window.stride - 1 : 0;
  int64_t count = room + more < 0 ? 0 : (room + more) / window.stride + 1;
  if (ceil_mode && (count - 1) * window.stride >= size + window.padding) --count;
  if (count < 1) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "kernel_size",
                          concat("such that a window fits into a padded size of ",
                                 size + 2 * window.padding, " (Output size is too small)"),
                          concat("one of ", window.extent(), " elements")});
  }
  return count;
}

}  // namespace eagre
