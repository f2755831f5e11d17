// Shapes of tensors that are put together.
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

// A vector without elements fits anywhere.
bool is_left_out(const TensorBase& tensor) {
  return tensor.get().key.rank == 1 && tensor.get().numel == 0;
}

[[noreturn]] void refuse_in_cat(const char* op, size_t index, Dims sizes, Dims first, int64_t dim) {
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): Sizes of tensors must match except in dimension ", dim, ", but argument ",
               "'tensors' has shape ", first, " first and shape ", sizes, " at position ", index));
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

DimVector stack(const char* op, TensorList tensors, int64_t dim) {
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument, op,
              "(): argument 'tensors': expected at least one tensor, got an empty list");
  const Dims first = tensors[0].get(op, "tensors").sizes();
  const int64_t at = wrap_dim(op, "dim", dim, static_cast<int64_t>(first.size()) + 1);
  for (size_t i = 1; i < tensors.size(); ++i) {
    const Dims sizes = tensors[i].get(op, "tensors").sizes();
    if (sizes == first) continue;
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "tensors", concat("tensors of one shape, ", first),
                          concat("shape ", sizes, " at position ", i)});
  }
  DimVector result;
  for (int64_t d = 0; d <= static_cast<int64_t>(first.size()); ++d) {
    const int64_t inner = d - (d > at ? 1 : 0);
    result.push_back(d == at ? static_cast<int64_t>(tensors.size())
                             : first[static_cast<size_t>(inner)]);
  }
  return result;
}

}  // namespace eagre::dispatch::meta
