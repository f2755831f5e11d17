// Shapes of tensors put together, repeated and turned round.
#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

// A vector without elements fits anywhere.
bool is_left_out(const TensorBase& tensor) {
  return tensor.get().key.rank == 1 && tensor.get().numel == 0;
}

[[noreturn]] void refuse_in_cat(const char* op, size_t index, Dims sizes, Dims first, int64_t dim) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{
            op, "tensors",
            concat("tensors whose sizes differ in dimension ", dim, " alone, as shape ", first),
            concat("shape ", sizes, " at position ", index)});
}

int64_t checked_product(const char* op, int64_t size, int64_t repeats, Dims list) {
  int64_t product = 0;
  EAGRE_CHECK(!__builtin_mul_overflow(size, repeats, &product), kInvalidArgument, op,
              "(): a tensor repeated ", list, " times is too large");
  return product;
}

}  // namespace

DimVector cat(const char* op, TensorList tensors, int64_t dim) {
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument, op,
              "(): argument 'tensors': expected at least one tensor, got an empty list");
  const TensorBase* model = nullptr;
  for (const TensorBase& tensor : tensors) {
    if (tensor.get(op, "tensors").key.rank == 0) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{op, "tensors", "tensors with dimensions", "a 0-dim tensor",
                            "join such with stack()"});
    }
    if (model == nullptr && !is_left_out(tensor)) model = &tensor;
  }
  if (model == nullptr) model = tensors.begin();
  const Dims first = model->sizes();
  const int64_t at = wrap_dim(op, "dim", dim, static_cast<int64_t>(first.size()));
  DimVector result = first;
  result[at] = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Dims sizes = tensors[i].sizes();
    if (is_left_out(tensors[i])) continue;
    if (sizes.size() != first.size()) refuse_in_cat(op, i, sizes, first, at);
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] != first[d] && static_cast<int64_t>(d) != at) {
        refuse_in_cat(op, i, sizes, first, at);
      }
    }
    result[at] += sizes[at];
  }
  return result;
}

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
          ArgumentProblem{op, "shifts", "at least one number", "none"});
  }
  const size_t wanted = dims.values().empty() ? 1 : dims.values().size();
  if (distances.size() != wanted) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "shifts",
                        dims.values().empty() ? "one number, as there are no 'dims'"
                                              : concat("as many numbers as 'dims' (", wanted, ")"),
                        to_string(distances)});
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

void nothing_to_check(const char*, const TensorImpl&) {}

}  // namespace eagre::dispatch::meta
