// Checks of tensors of indices, which reading and writing share.
#pragma once

#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

inline void check_integers(const char* op, const char* argument, const TensorImpl& index) {
  if (index.key.dtype == kInt64 || index.key.dtype == kInt32) return;
  raise(ErrorKind::kType, concat(op, "(): Expected dtype int32/int64 for index: argument '",
                                 argument, "' is of ", index.key.dtype));
}

// Some operators take no others, as in PyTorch.
inline void check_long(ErrorKind kind, const char* op, const TensorImpl& index) {
  if (index.key.dtype == kInt64) return;
  raise(kind, concat(op,
                     "(): Expected a long tensor for index (Expected dtype int64 for index), "
                     "but argument 'index' is of ",
                     index.key.dtype));
}

// A 0-dim tensor counts as a vector of one element.
inline Dims at_least_vector(const TensorImpl& tensor) {
  static constexpr int64_t kOne[] = {1};
  return tensor.key.rank == 0 ? Dims(kOne) : tensor.sizes();
}

struct Named {
  const TensorImpl& tensor;
  const char* name;
};

// In all dimensions but `skipped`, the index is no larger than the other tensor.
inline void check_fits(const char* op, const TensorImpl& index, const Named& other,
                       int64_t skipped) {
  const Dims wanted = at_least_vector(other.tensor);
  const Dims sizes = at_least_vector(index);
  if (wanted.size() != sizes.size()) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): Index tensor must have the same number of dimensions as ", other.name,
                 " tensor: shapes ", index.sizes(), " and ", other.tensor.sizes()));
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] <= wanted[i] || static_cast<int64_t>(i) == skipped) continue;
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): Size does not match at dimension ", i, " expected index ", index.sizes(),
                 " to be no larger than ", other.name, ' ', other.tensor.sizes(),
                 skipped < 0 ? std::string() : concat(" apart from dimension ", skipped)));
  }
}

// An update of a tensor without elements runs no kernel that could complain.
inline void check_not_empty(const char* op, const TensorImpl& input, int64_t dim,
                            const TensorImpl& index) {
  if (input.numel != 0 || index.numel == 0 || input.key.rank == 0 || input.sizes()[dim] != 0)
    return;
  raise(ErrorKind::kIndex, concat(op, "(): index is out of bounds for dimension with size 0: got ",
                                  index.numel, " indices for dimension ", dim));
}

inline void check_vector(const char* op, const TensorImpl& index) {
  check_integers(op, "index", index);
  if (index.key.rank <= 1) return;
  raise(ErrorKind::kIndex,
        concat(op, "(): Index is supposed to be a vector, but got shape ", index.sizes()));
}

}  // namespace eagre::dispatch::meta
