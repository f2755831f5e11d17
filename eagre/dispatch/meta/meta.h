// Shape functions: each checks the arguments of an operator and says what the result looks like.
// They are the only place where arguments are checked, so every device and the backward agree.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <eagre/core/operand.h>
#include <eagre/core/tensor_list.h>

namespace eagre::dispatch::meta {

struct ViewGeometry {
  DimVector sizes;
  DimVector strides;
  int64_t offset = 0;
  std::optional<DType> dtype = {};  // where it is not the base's
};

inline TensorBase view_of(const TensorImpl& base, const ViewGeometry& view) {
  return TensorBase::adopt(
      new_view(base, view.sizes, view.strides, view.offset, view.dtype.value_or(base.key.dtype)));
}

// linalg.cpp
DimVector matmul(const char* op, const TensorImpl& input, const TensorImpl& other);

// reduction.cpp
DimVector sum(const char* op, const TensorImpl& input, const OptionalDims& dim, bool keepdim);

// view.cpp
ViewGeometry transpose(const char* op, const TensorImpl& input, int64_t dim0, int64_t dim1);
ViewGeometry expand(const char* op, const TensorImpl& input, Dims size);
ViewGeometry unsqueeze(const char* op, const TensorImpl& input, int64_t dim);
ViewGeometry squeeze(const char* op, const TensorImpl& input, int64_t dim);

// narrow.cpp
ViewGeometry narrow(const char* op, const TensorImpl& input, int64_t dim, int64_t start,
                    int64_t length);

// creation.cpp
DimVector sizes(const char* op, Dims size);
DimVector same_sizes(const char* op, const TensorImpl& input);
DimVector vector(const char* op, int64_t length);
DimVector steps(const char* op, int64_t steps);
DimVector eye(const char* op, int64_t n, std::optional<int64_t> m);
DimVector randint(const char* op, int64_t low, int64_t high, Dims size);
DimVector randperm(const char* op, int64_t n);
void bernoulli_fill(const char* op, const TensorImpl& input, double p);
void normal(const char* op, const TensorImpl& input, double std);
void uniform(const char* op, const TensorImpl& input, double from, double to);

// join.cpp
DimVector cat(const char* op, TensorList tensors, int64_t dim);
DimVector repeat(const char* op, const TensorImpl& input, Dims repeats);
DimVector repeat_to(const char* op, const TensorImpl& input, Dims size);
DimVector sum_repeated(const char* op, const TensorImpl& input, Dims size);
DimVector flip(const char* op, const TensorImpl& input, Dims dims);
DimVector roll(const char* op, const TensorImpl& input, const OptionalDims& shifts,
               const OptionalDims& dims);
void matrices(const char* op, const TensorImpl& input);
void nothing_to_check(const char* op, const TensorImpl& input);

// index.cpp
DimVector index_select(const char* op, const TensorImpl& input, int64_t dim,
                       const TensorImpl& index);
DimVector gather(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index);
void scatter(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
             const TensorImpl& src);
void scatter_value(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index);
void index_add(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
               const TensorImpl& source);
void index_fill(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index);
DimVector take(const char* op, const TensorImpl& input, const TensorImpl& index);
void add_at(const char* op, const TensorImpl& input, const TensorImpl& index,
            const TensorImpl& source);
DimVector index_tensors(const char* op, const TensorImpl& input, TensorList indices);
void index_set(const char* op, const TensorImpl& input, TensorList indices,
               const TensorImpl& values);

}  // namespace eagre::dispatch::meta
