// Shapes of reductions.
#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

DimVector sum(const char* op, const TensorImpl& input, const OptionalDims& dim, bool keepdim) {
  const Dims sizes = input.sizes();
  const auto rank = static_cast<int64_t>(sizes.size());
  // No list and an empty list both mean all dimensions.
  uint64_t reduced = dim.values().empty() ? ~uint64_t{0} : 0;
  for (int64_t d : dim.values()) {
    const uint64_t bit = uint64_t{1} << wrap_dim(op, "dim", d, rank);
    if ((reduced & bit) != 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "dim", "a list without repetitions", to_string(dim.values())});
    }
    reduced |= bit;
  }
  DimVector result;
  for (int64_t d = 0; d < rank; ++d) {
    if ((reduced >> d & 1) == 0) {
      result.push_back(sizes[d]);
    } else if (keepdim) {
      result.push_back(1);
    }
  }
  return result;
}

}  // namespace eagre::dispatch::meta
