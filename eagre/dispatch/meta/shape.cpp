// Shapes of repeat, flip, roll and similar.
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

int64_t checked_product(const char* op, int64_t size, int64_t repeats, Dims list) {
  int64_t product = 0;
  EAGRE_CHECK(!__builtin_mul_overflow(size, repeats, &product), kInvalidArgument, op,
              "(): a tensor repeated ", list, " times is too large");
  return product;
}

}  // namespace

DimVector repeat(const char* op, const TensorImpl& input, Dims repeats) {
  const Dims sizes = input.sizes();
  if (repeats.size() < sizes.size()) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{
              op, "repeats",
              concat("at least ", sizes.size(), " numbers, as the tensor has shape ", sizes),
              to_string(repeats)});
  }
  const size_t lead = repeats.size() - sizes.size();
  DimVector result(repeats.size());
  for (size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] < 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "repeats", "numbers that are not negative", to_string(repeats)});
    }
    result[i] = checked_product(op, i < lead ? 1 : sizes[i - lead], repeats[i], repeats);
  }
  checked_numel(op, result);
  return result;
}

DimVector repeat_to(const char*, const TensorImpl&, Dims size) { return size; }

DimVector sum_repeated(const char*, const TensorImpl&, Dims size) { return size; }

DimVector flip(const char* op, const TensorImpl& input, Dims dims) {
  uint64_t seen = 0;
  for (int64_t d : dims) {
    const uint64_t bit = uint64_t{1} << wrap_dim(op, "dims", d, input.key.rank);
    if ((seen & bit) != 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "dims", "a list without repetitions", to_string(dims)});
    }
    seen |= bit;
  }
  return input.sizes();
}

DimVector roll(const char* op, const TensorImpl& input, const OptionalDims& shifts,
               const OptionalDims& dims) {
  const Dims distances = shifts.values();
  if (distances.empty()) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): `shifts` required: argument 'shifts' must be at least one number"));
  }
  const size_t wanted = dims.values().empty() ? 1 : dims.values().size();
  if (distances.size() != wanted) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): shifts and dimensions must align. shifts: ", distances.size(),
                 ", dims: ", dims.values().size(), ". Argument 'shifts' must be ",
                 dims.values().empty() ? "one number, as there are no 'dims'"
                                       : "as many numbers as 'dims'",
                 ", but got ", distances));
  }
  if (input.key.rank == 0 && !dims.values().empty()) {
    raise(ErrorKind::kIndex, ArgumentProblem{op, "dims", "none, as the input has no dimensions",
                                             to_string(dims.values())});
  }
  for (int64_t d : dims.values()) wrap_dim(op, "dims", d, input.key.rank);
  return input.sizes();
}

void matrices(const char* op, const TensorImpl& input) {
  if (input.key.rank >= 2) return;
  raise(ErrorKind::kInvalidArgument, ArgumentProblem{op, "input", "a matrix or a batch of matrices",
                                                     concat("shape ", input.sizes())});
}

}  // namespace eagre::dispatch::meta
