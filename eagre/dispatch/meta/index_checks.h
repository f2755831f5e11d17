// Checks of tensors of indices, which reading and writing share.
#pragma once

#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

inline void check_integers(const char* op, const char* argument, const TensorImpl& index) {
  if (index.key.dtype == kInt64 || index.key.dtype == kInt32) return;
  raise(ErrorKind::kType, ArgumentProblem{op, argument, "a tensor of int64 or int32",
                                          concat("one of ", index.key.dtype)});
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
          ArgumentProblem{op, "index",
                          concat("as many dimensions as '", other.name, "' (", wanted.size(), ")"),
                          concat("shape ", index.sizes())});
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] <= wanted[i] || static_cast<int64_t>(i) == skipped) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{
              op, "index",
              concat("at most the size of '", other.name, "' of shape ", other.tensor.sizes(),
                     skipped < 0 ? std::string(" in every dimension")
                                 : concat(" in dimensions other than ", skipped)),
              concat("shape ", index.sizes())});
  }
}

// An update of a tensor without elements runs no kernel that could complain.
inline void check_not_empty(const char* op, const TensorImpl& input, int64_t dim,
                            const TensorImpl& index) {
  if (input.numel != 0 || index.numel == 0 || input.key.rank == 0 || input.sizes()[dim] != 0)
    return;
  raise(ErrorKind::kIndex,
        ArgumentProblem{op, "index", concat("none, as dimension ", dim, " has size 0"),
                        concat(index.numel, " indices")});
}

inline void check_vector(const char* op, const TensorImpl& index) {
  check_integers(op, "index", index);
  if (index.key.rank <= 1) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "index", "a vector", concat("shape ", index.sizes())});
}

}  // namespace eagre::dispatch::meta
