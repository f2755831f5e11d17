// Shape functions: each checks the arguments of an operator and says what the result looks like.
// They are the only place where arguments are checked, so every device and the backward agree.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <eagre/core/operand.h>
#include <eagre/core/options.h>
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
// The tensor itself becomes the view.
inline void look_at(TensorImpl& tensor, const ViewGeometry& view) {
  set_geometry(tensor, IntrusivePtr<Storage>::share(tensor.storage), view.sizes, view.strides,
               view.offset);
}

// A view that is one of several results: it must not be written while gradients are recorded.
inline TensorBase one_of_many(TensorBase view) {
  ViewOrigin& origin = view.get().view_info().origin;
  if (origin == ViewOrigin::kPlain) origin = ViewOrigin::kManyViews;
  return view;
}

// activation.cpp
void limits(const char* op, const TensorImpl& input, const Scalar& min_val, const Scalar& max_val);
void softness(const char* op, const Scalar& alpha);
void shrinkage(const char* op, const TensorImpl& input, const Scalar& lambd);
void no_bools(const char* op, const TensorImpl& input);
void one_slope(const char* op, const TensorImpl& input, const TensorImpl& weight);

// arithmetic.cpp
void divisor(const char* op, const TensorImpl& input, const Operand& other);
void difference(const char* op, const TensorImpl& input, const Operand& other);
void blend(const char* op, const TensorImpl& input, const TensorImpl& end, const Operand& weight);

// arithmetic_rounding.cpp
void one_dtype(const char* op, const TensorImpl& input, const TensorImpl& values);

// attention.cpp
std::array<DimVector, 2> attention(const char* op, const TensorImpl& query,
                                   const TensorImpl& value);
std::array<DimVector, 3> attention_backward(const char* op, const TensorImpl& query,
                                            const TensorImpl& key, const TensorImpl& value);

// compare.cpp
void ordered(const char* op, const TensorImpl& input, const TensorImpl& other);

// contraction.cpp
DimVector affine(const char* op, const TensorImpl& input, const TensorImpl& weight);

// conv.cpp
DimVector conv_forward(const char* op, const TensorImpl& input, const TensorImpl& weight,
                       const TensorBase& bias, Dims stride, Dims padding, Dims dilation,
                       int64_t groups);
DimVector conv_transpose(const char* op, const TensorImpl& input, const TensorImpl& weight,
                         const TensorBase& bias, Dims stride, Dims padding, Dims output_padding,
                         Dims dilation, int64_t groups);

// creation.cpp
DimVector sizes(const char* op, Dims size);
DimVector same_sizes(const char* op, const TensorImpl& input);
// A vector of so many elements; the number must not be negative.
DimVector counted(const char* op, const char* argument, int64_t count);
// Can a tensor of this dtype hold the number? Negative numbers wrap around in unsigned ones.
void check_holds(const char* op, const char* argument, DType dtype, const Scalar& number);
void holds(const char* op, const TensorImpl& input, const Scalar& value);
DimVector full(const char* op, Dims size, const Scalar& fill_value, const TensorOptions& options);

// creation_grid.cpp
DimVector vector(const char* op, int64_t length);
DimVector between(const char* op, const Scalar& start, const Scalar& end, int64_t steps,
                  const TensorOptions& options);
DimVector eye(const char* op, int64_t n, std::optional<int64_t> m);

// elementary.cpp
void integer_power(const char* op, const TensorImpl& input, const Operand& exponent);

// embedding.cpp
DimVector rows_at(const char* op, const TensorImpl& weight, const TensorImpl& index);
DimVector sum_bags(const char* op, const TensorImpl& weight, const TensorImpl& offset);

// index.cpp
DimVector index_select(const char* op, const TensorImpl& input, int64_t dim,
                       const TensorImpl& index);
DimVector gather(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index);
DimVector take(const char* op, const TensorImpl& input, const TensorImpl& index);
DimVector index_tensors(const char* op, const TensorImpl& input, TensorList indices);

// linalg.cpp
DimVector matmul(const char* op, const TensorImpl& input, const TensorImpl& other);

// linalg_factor.cpp
DimVector square(const char* op, const TensorImpl& input);
std::array<DimVector, 2> cholesky(const char* op, const TensorImpl& input);
std::array<DimVector, 2> square_and_info(const char* op, const TensorImpl& input);
DimVector determinant(const char* op, const TensorImpl& input);
std::array<DimVector, 2> sign_and_logarithm(const char* op, const TensorImpl& input);
std::array<DimVector, 3> lu_factor(const char* op, const TensorImpl& input);
DimVector pivots_to_rows(const char* op, const TensorImpl& pivots, int64_t count);
std::array<DimVector, 2> qr(const char* op, const TensorImpl& input, std::string_view mode);
DimVector triangular_solutions(const char* op, const TensorImpl& input, const TensorImpl& b,
                               bool left);
std::array<DimVector, 4> factored_solutions(const char* op, const TensorImpl& input,
                                            const TensorImpl& b, bool left);

// loss.cpp
std::array<DimVector, 2> ctc_alignments(const char* op, const TensorImpl& log_probs,
                                        const TensorImpl& states);
std::array<DimVector, 3> cross_entropy_rows(const char* op, const TensorImpl& input,
                                            const TensorImpl& target, int64_t reduction);

// normalization.cpp
DimVector inner_sizes(const char* op, const TensorImpl& input, int64_t inner_rank);
std::array<DimVector, 3> layer_norm_with_stats(const char* op, const TensorImpl& input,
                                               int64_t inner_rank);
std::array<DimVector, 2> rms_norm_rows(const char* op, const TensorImpl& input, int64_t inner_rank);
std::array<DimVector, 2> rms_norm_backward(const char* op, const TensorImpl& input,
                                           int64_t inner_rank);

// normalization_channel.cpp
std::array<DimVector, 3> channel_norm(const char* op, const TensorImpl& input, int64_t groups);
std::array<DimVector, 3> channel_norm_backward(const char* op, const TensorImpl& input);

// pad.cpp
DimVector padded_sizes(const char* op, const TensorImpl& input, Dims pad);
DimVector pad_with(const char* op, const TensorImpl& input, Dims pad, const Scalar& value);
DimVector pad_edges(const char* op, const TensorImpl& input, Dims pad, std::string_view mode);

// pool.cpp
DimVector pooled(const char* op, const TensorImpl& input, Dims size);
std::array<DimVector, 2> pooled_with_indices(const char* op, const TensorImpl& input, Dims size);

// random.cpp
DimVector randint(const char* op, int64_t low, int64_t high, Dims size);
DimVector randperm(const char* op, int64_t n);
void bernoulli_fill(const char* op, const TensorImpl& input, double p);
void normal(const char* op, const TensorImpl& input, double std);
void uniform(const char* op, const TensorImpl& input, double from, double to);

// reduction.cpp
DimVector reduced(const char* op, const TensorImpl& input, const OptionalDims& dim, bool keepdim);
DimVector reduced_bool(const char* op, const TensorImpl& input, const OptionalDims& dim,
                       bool keepdim);
DimVector leave_one_out(const char* op, const TensorImpl& input, const OptionalDims& dim);
DimVector leave_one_out_grad(const char* op, const TensorImpl& input, Dims size);

// reduction_extremes.cpp
DimVector reduced_extreme(const char* op, const TensorImpl& input, const OptionalDims& dim,
                          bool keepdim);
std::array<DimVector, 2> extreme_along(const char* op, const TensorImpl& input, int64_t dim,
                                       bool keepdim);
DimVector place_of_extreme(const char* op, const TensorImpl& input, std::optional<int64_t> dim,
                           bool keepdim);

// rnn.cpp
std::array<DimVector, 5> rnn_layer(const char* op, const TensorImpl& input,
                                   const TensorImpl& hidden, const TensorBase& cell, int64_t kind);
std::array<DimVector, 7> rnn_layer_backward(const char* op, const TensorImpl& output,
                                            const TensorImpl& hidden, const TensorBase& cell,
                                            const TensorBase& w_hr, int64_t kind);
std::array<DimVector, 2> rnn_weight_grads(const char* op, const TensorImpl& gate_grads,
                                          const TensorImpl& input, const TensorImpl& before);

// scan.cpp
DimVector along(const char* op, const TensorImpl& input, int64_t dim);
DimVector longest_run(const char* op, const TensorImpl& ordered, int64_t dim);

// scatter.cpp
void scatter_value(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
                   const Scalar& value);
void scatter(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
             const TensorImpl& src);
void add_at(const char* op, const TensorImpl& input, const TensorImpl& index,
            const TensorImpl& source);
void filler(const char* op, const TensorImpl& input, const Operand& value);

// scatter_index.cpp
void index_fill(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
                const Scalar& value);
void index_copy(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
                const TensorImpl& source);
void index_add(const char* op, const TensorImpl& input, int64_t dim, const TensorImpl& index,
               const TensorImpl& source);
void index_set(const char* op, const TensorImpl& input, TensorList indices,
               const TensorImpl& values);

// shape.cpp
DimVector repeat(const char* op, const TensorImpl& input, Dims repeats);
DimVector repeat_to(const char* op, const TensorImpl& input, Dims size);
DimVector sum_repeated(const char* op, const TensorImpl& input, Dims size);
DimVector flip(const char* op, const TensorImpl& input, Dims dims);
DimVector roll(const char* op, const TensorImpl& input, const OptionalDims& shifts,
               const OptionalDims& dims);
void matrices(const char* op, const TensorImpl& input);

// shape_join.cpp
DimVector cat(const char* op, TensorList tensors, int64_t dim);
DimVector stack(const char* op, TensorList tensors, int64_t dim);

// sort.cpp
std::array<DimVector, 2> sorted(const char* op, const TensorImpl& input, int64_t dim);
std::array<DimVector, 2> topk(const char* op, const TensorImpl& input, int64_t k, int64_t dim);
DimVector put_along(const char* op, const TensorImpl& input, const TensorImpl& index, Dims size,
                    int64_t dim);
DimVector take_along(const char* op, const TensorImpl& input, const TensorImpl& index, int64_t dim);

// view.cpp
ViewGeometry transpose(const char* op, const TensorImpl& input, int64_t dim0, int64_t dim1);
ViewGeometry expand(const char* op, const TensorImpl& input, Dims size);
ViewGeometry unsqueeze(const char* op, const TensorImpl& input, int64_t dim);
ViewGeometry squeeze(const char* op, const TensorImpl& input, int64_t dim);
ViewGeometry squeeze(const char* op, const TensorImpl& input);
ViewGeometry squeeze(const char* op, const TensorImpl& input, Dims dim);
ViewGeometry permute(const char* op, const TensorImpl& input, Dims dims);

// view_reshape.cpp
// `size` with its -1 replaced, for a tensor of `numel` elements.
DimVector infer_size(const char* op, Dims size, int64_t numel);
// The strides that show the tensor with other sizes, or nothing if only a copy could.
bool view_strides(const TensorImpl& input, Dims size, DimVector& strides);
ViewGeometry view(const char* op, const TensorImpl& input, Dims size);
ViewGeometry view(const char* op, const TensorImpl& input, DType dtype);
ViewGeometry view_as_real(const char* op, const TensorImpl& input);
ViewGeometry view_as_complex(const char* op, const TensorImpl& input);

// view_slice.cpp
ViewGeometry select(const char* op, const TensorImpl& input, int64_t dim, int64_t index);
ViewGeometry narrow(const char* op, const TensorImpl& input, int64_t dim, int64_t start,
                    int64_t length);
ViewGeometry slice(const char* op, const TensorImpl& input, int64_t dim,
                   std::optional<int64_t> start, std::optional<int64_t> end, int64_t step);
ViewGeometry window(const char* op, const TensorImpl& input, Dims start, Dims step, Dims size);
DimVector place(const char* op, const TensorImpl& input, Dims size, Dims start, Dims step);
ViewGeometry diagonal(const char* op, const TensorImpl& input, int64_t offset, int64_t dim1,
                      int64_t dim2);
ViewGeometry unfold(const char* op, const TensorImpl& input, int64_t dimension, int64_t size,
                    int64_t step);
ViewGeometry as_strided(const char* op, const TensorImpl& input, Dims size, Dims stride,
                        std::optional<int64_t> storage_offset);

// view_split.cpp
// A list of so many tensors must not take all memory.
void check_view_count(const char* op, int64_t count);
std::vector<ViewGeometry> split(const char* op, const TensorImpl& input, Dims split_sizes,
                                int64_t dim);
std::vector<ViewGeometry> unbind(const char* op, const TensorImpl& input, int64_t dim);

// vision.cpp
DimVector resample(const char* op, const TensorImpl& input, int64_t dim, int64_t size);
std::array<DimVector, 2> grid_points_fused_grad(const char* op, const TensorImpl& input,
                                                const TensorImpl& points);

}  // namespace eagre::dispatch::meta
