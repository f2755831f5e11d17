// Shapes of operators that index with tensors. Values of indices are checked by the kernels.
#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

void check_integers(const char* op, const char* argument, const TensorImpl& index) {
  if (index.key.dtype == kInt64 || index.key.dtype == kInt32) return;
  raise(ErrorKind::kType, ArgumentProblem{op, argument, "a tensor of int64 or int32",
                                          concat("one of ", index.key.dtype)});
}

// A 0-dim tensor counts as a vector of one element.
Dims at_least_vector(const TensorImpl& tensor) {
  static constexpr int64_t kOne[] = {1};
  return tensor.key.rank == 0 ? Dims(kOne) : tensor.sizes();
}

struct Named {
  const TensorImpl& tensor;
  const char* name;
};

// In all dimensions but `skipped`, the index is no larger than the other tensor.
void check_fits(const char* op, const TensorImpl& index, const Named& other, int64_t skipped) {
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
void check_not_empty(const char* op, const TensorImpl& input, int64_t dim,
                     const TensorImpl& index) {
  if (input.numel != 0 || index.numel == 0 || input.key.rank == 0 || input.sizes()[dim] != 0)
    return;
  raise(ErrorKind::kIndex,
        ArgumentProblem{op, "index", concat("none, as dimension ", dim, " has size 0"),
                        concat(index.numel, " indices")});
}

void check_vector(const char* op, const TensorImpl& index) {
  check_integers(op, "index", index);
  if (index.key.rank <= 1) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "index", "a vector", concat("shape ", index.sizes())});
}

}  // namespace

DimVector index_select(const char* op, const TensorImpl& input, int64_t dim,
                       const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  check_vector(op, index);
  DimVector result = input.sizes();
  if (result.empty()) {
    EAGRE_CHECK(index.numel == 1, kInvalidArgument, op,
                "(): argument 'index': expected one index for a 0-dim tensor, got ", index.numel);
    return result;
  }
  result[at] = index.numel;
  checked_numel(op, result);
  return result;
}

DimVector gather(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  if (index.numel != 0) {  // what names nothing may be of any dtype
    check_integers(op, "index", index);
    check_fits(op, index, {input, "input"}, at);
  }
  return index.sizes();
}

void scatter_value(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  if (index.numel != 0) {  // what names nothing may be of any dtype
    check_integers(op, "index", index);
    check_fits(op, index, {input, "input"}, at);
  }
  check_not_empty(op, input, at, index);
}

void scatter(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
             const TensorImpl& src) {
  scatter_value(op, input, dim, index);
  if (index.numel != 0) check_fits(op, index, {src, "src"}, -1);
}

void index_fill(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  check_vector(op, index);
  check_not_empty(op, input, at, index);
}

void index_add(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
               const TensorImpl& source) {
  index_fill(op, input, dim, index);
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  DimVector wanted = at_least_vector(input);
  wanted[at] = index.numel;
  if (at_least_vector(source) == Dims(wanted)) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "source",
                        concat("shape ", wanted, ", for ", index.numel,
                               " indices and 'input' of shape ", input.sizes()),
                        concat("shape ", source.sizes())});
}

DimVector take(const char* op, const TensorImpl&, const TensorImpl& index) {
  check_integers(op, "index", index);
  return index.sizes();
}

void add_at(const char* op, const TensorImpl&, const TensorImpl& index, const TensorImpl& source) {
  check_integers(op, "index", index);
  EAGRE_INTERNAL_CHECK(index.numel == source.numel);
}

namespace {

// As in PyTorch, also this is an index error.
void check_index_dtype(const char* op, const TensorImpl& index) {
  if (index.key.dtype == kInt64 || index.key.dtype == kInt32) return;
  raise(ErrorKind::kIndex, ArgumentProblem{op, "indices", "tensors of int64, int32, bool or uint8",
                                           concat("one of ", index.key.dtype)});
}

// As users of PyTorch expect, indices that do not fit together are an index error.
DimVector shape_of_indices(const char* op, Dims shape, Dims next) {
  try {
    return broadcast_shapes(op, shape, next);
  } catch (const Error& error) {
    raise(ErrorKind::kIndex, concat(error.message(), " (the shapes of two indices)"));
  }
}

}  // namespace

DimVector index_tensors(const char* op, const TensorImpl& input, TensorList indices) {
  EAGRE_CHECK(indices.size() <= input.key.rank, kIndex, op,
              "(): argument 'indices': ", indices.size(),
              " indices are too many for a tensor of shape ", input.sizes());
  DimVector shape;
  size_t first = 0;
  size_t last = 0;
  size_t count = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    check_index_dtype(op, indices[i].get());
    shape = count == 0 ? DimVector(indices[i].sizes())
                       : shape_of_indices(op, shape, indices[i].sizes());
    if (count++ == 0) first = i;
    last = i;
  }
  const bool adjacent = count != 0 && last - first + 1 == count;
  DimVector result;
  const auto put_shape = [&] {
    for (int64_t size : shape) result.push_back(size);
  };
  if (!adjacent) put_shape();
  for (size_t i = 0; i < input.key.rank; ++i) {
    if (adjacent && i == first) put_shape();
    if (i >= indices.size() || !indices[i].defined()) result.push_back(input.sizes()[i]);
  }
  checked_numel(op, result);
  return result;
}

void index_set(const char* op, const TensorImpl& input, TensorList indices,
               const TensorImpl& values) {
  const DimVector shape = index_tensors(op, input, indices);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i].defined()) {
      check_not_empty(op, input, static_cast<int64_t>(i), indices[i].get());
    }
  }
  if (values.numel == 1 || values.sizes() == Dims(shape)) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "values", concat("a shape that broadcasts to ", shape),
                        concat("shape ", values.sizes())});
}

}  // namespace eagre::dispatch::meta
