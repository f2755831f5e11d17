// Batch rules that are written by hand (`batch: rule` and `batch: matmul` in the records).
#pragma once

#include <eagre/autograd/transforms/vmap.h>

namespace eagre::autograd::rules {

// contraction_batch.cpp
TensorBase affine(const BatchCall& call, const TensorBase& input, const TensorBase& weight,
                  const TensorBase& bias, CallSite at);

// embedding_batch.cpp
TensorBase rows_at(const BatchCall& call, const TensorBase& weight, const TensorBase& index,
                   std::optional<int64_t> padding, bool blank, std::string_view caller,
                   std::string_view argument, CallSite at);
TensorBase sum_rows(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                    Dims size, std::optional<int64_t> padding, CallSite at);

// index_batch.cpp
TensorBase index_select(const BatchCall& call, const TensorBase& input, int64_t dim,
                        const TensorBase& index, CallSite at);
TensorBase index_tensors(const BatchCall& call, const TensorBase& input, TensorList indices,
                         CallSite at);
TensorBase take(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                CallSite at);

// linalg_batch.cpp
TensorBase matmul(const BatchCall& call, const TensorBase& input, const TensorBase& other,
                  CallSite at);

// reduction_batch.cpp
TensorBase leave_one_out(const BatchCall& call, const TensorBase& input, const OptionalDims& dim,
                         double fill, CallSite at);
TensorBase leave_one_out_grad(const BatchCall& call, const TensorBase& input, Dims size,
                              const OptionalDims& dim, CallSite at);

// reduction_extremes_batch.cpp
TensorBase argmax(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                  bool keepdim, CallSite at);
TensorBase argmin(const BatchCall& call, const TensorBase& input, std::optional<int64_t> dim,
                  bool keepdim, CallSite at);

// scatter_batch.cpp
TensorBase add_at(const BatchCall& call, const TensorBase& input, const TensorBase& index,
                  const TensorBase& source, CallSite at);
TensorBase masked_fill(const BatchCall& call, const TensorBase& input, const TensorBase& mask,
                       const Operand& value, CallSite at);

// scatter_index_batch.cpp
TensorBase index_add(const BatchCall& call, const TensorBase& input, int64_t dim,
                     const TensorBase& index, const TensorBase& source, const Scalar& alpha,
                     CallSite at);
TensorBase index_copy(const BatchCall& call, const TensorBase& input, int64_t dim,
                      const TensorBase& index, const TensorBase& source, CallSite at);
TensorBase index_fill(const BatchCall& call, const TensorBase& input, int64_t dim,
                      const TensorBase& index, const Scalar& value, CallSite at);
TensorBase index_set(const BatchCall& call, const TensorBase& input, TensorList indices,
                     const TensorBase& values, CallSite at);
TensorBase index_accumulate(const BatchCall& call, const TensorBase& input, TensorList indices,
                            const TensorBase& values, CallSite at);

// shape_batch.cpp
TensorBase repeat(const BatchCall& call, const TensorBase& input, Dims repeats, CallSite at);
TensorBase repeat_to(const BatchCall& call, const TensorBase& input, Dims size, CallSite at);
TensorBase sum_repeated(const BatchCall& call, const TensorBase& input, Dims size, CallSite at);
TensorBase roll_elements(const BatchCall& call, const TensorBase& input, const OptionalDims& shifts,
                         const OptionalDims& dims, CallSite at);
TensorBase roll_back(const BatchCall& call, const TensorBase& input, const OptionalDims& shifts,
                     const OptionalDims& dims, CallSite at);

// shape_join_batch.cpp
TensorBase cat_tensors(const BatchCall& call, TensorList tensors, int64_t dim, CallSite at);

// view_batch.cpp
TensorBase expand(const BatchCall& call, const TensorBase& input, Dims size, CallSite at);
TensorBase permute(const BatchCall& call, const TensorBase& input, Dims dims, CallSite at);
TensorBase squeeze_all(const BatchCall& call, const TensorBase& input, CallSite at);

// view_slice_batch.cpp
TensorBase as_strided(const BatchCall& call, const TensorBase& input, Dims size, Dims stride,
                      std::optional<int64_t> storage_offset, CallSite at);
TensorBase gather_strided(const BatchCall& call, const TensorBase& input, Dims size, Dims stride,
                          int64_t offset, CallSite at);
TensorBase sum_strided(const BatchCall& call, const TensorBase& input, Dims shape, Dims stride,
                       int64_t offset, CallSite at);

}  // namespace eagre::autograd::rules
