// layer_norm and rms_norm: checks, and gradients that are one kernel or, where they are recorded,
// operators.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar_type_name.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/layer_norm.h>
#include <eagre/ops/layer_norm_fused_grad_input.h>
#include <eagre/ops/layer_norm_fused_grad_weight.h>
#include <eagre/ops/layer_norm_grad_bias.h>
#include <eagre/ops/layer_norm_grad_input.h>
#include <eagre/ops/layer_norm_grad_weight.h>
#include <eagre/ops/layer_norm_with_stats.h>
#include <eagre/ops/mean.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/rms_norm.h>
#include <eagre/ops/rms_norm_grad_input.h>
#include <eagre/ops/rms_norm_grad_weight.h>
#include <eagre/ops/rms_norm_rows.h>
#include <eagre/ops/rsqrt.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/sum.h>

namespace eagre::ops {
namespace {

void check_normalized_shape(const char* op, const TensorBase& input, Dims normalized) {
  const Dims sizes = input.sizes();
  const size_t count = normalized.size();
  const bool fits = count > 0 && count <= sizes.size() &&
                    Dims(sizes.data() + (sizes.size() - count), count) == normalized;
  if (fits) [[likely]]
    return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "normalized_shape",
                        concat("the last sizes, one or more, of 'input' of shape ", sizes),
                        to_string(normalized)});
}

void check_parameter(const char* op, const char* name, const TensorBase& tensor, Dims normalized) {
  if (!tensor.defined() || tensor.sizes() == normalized) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, name, concat("shape ", normalized, ", as 'normalized_shape'"),
                        concat("shape ", tensor.sizes())});
}

bool is_half(DType dtype) { return dtype == kFloat16 || dtype == kBFloat16; }

bool differs(const TensorBase& parameter, DType dtype) {
  return parameter.defined() && parameter.dtype() != dtype;
}

[[noreturn]] void refuse_dtype(const char* name, const TensorBase& parameter, DType wanted,
                               DType input) {
  const std::string known =
      is_half(input) ? concat("mixed dtype (CPU): expect parameter to have scalar type of ",
                              scalar_type_name(wanted))
                     : concat("expected scalar type ", scalar_type_name(wanted), " but found ",
                              scalar_type_name(parameter.dtype()));
  const char* why = wanted == input ? ", as 'input'" : ", as the other parameter beside a half";
  raise(ErrorKind::kType, concat("layer_norm(): ", known, ": argument '", name, "' must be ",
                                 wanted, why, ", but got ", parameter.dtype()));
}

// What layer_norm computes in: as its input is, or in float32 where parameters beside a half are.
DType computed_dtype(const TensorBase& input, const TensorBase& weight, const TensorBase& bias) {
  const DType dtype = input.dtype();
  if (!differs(weight, dtype) && !differs(bias, dtype)) [[likely]]
    return dtype;
  const TensorBase& first = weight.defined() ? weight : bias;
  const bool is_mixed = is_half(dtype) && first.dtype() == kFloat32;
  const DType wanted = is_mixed ? kFloat32 : dtype;
  if (differs(weight, wanted)) refuse_dtype("weight", weight, wanted, dtype);
  if (differs(bias, wanted)) refuse_dtype("bias", bias, wanted, dtype);
  return wanted;
}

// What rms_norm computes in: float32 at least, where the weight is of another dtype than its input.
DType computed_dtype(const TensorBase& input, const TensorBase& weight) {
  const DType dtype = input.dtype();
  if (!differs(weight, dtype) || !is_floating_point(dtype)) [[likely]]
    return dtype;
  if (!is_floating_point(weight.dtype())) {
    raise(ErrorKind::kType,
          ArgumentProblem{"rms_norm", "weight", "floating-point numbers", concat(weight.dtype())});
  }
  return dtype == kFloat64 || weight.dtype() == kFloat64 ? kFloat64 : kFloat32;
}

TensorBase in_dtype(const TensorBase& tensor, DType dtype, CallSite at) {
  return differs(tensor, dtype) ? cast(tensor, dtype, at) : tensor;
}

DimVector last_dims(int64_t rank, int64_t count) {
  DimVector dims;
  for (int64_t d = rank - count; d < rank; ++d) dims.push_back(d);
  return dims;
}

// With operators, so that it can be differentiated again.
struct Normalized {
  TensorBase rstd, value;

  Normalized(const TensorBase& input, Dims dims, double eps, CallSite at) {
    const TensorBase centered = sub(input, mean(input, dims, true, {}, at), 1, at);
    const TensorBase spread = mean(mul(centered, centered, at), dims, true, {}, at);
    rstd = rsqrt(add(spread, eps, 1, at), at);
    value = mul(centered, rstd, at);
  }
};

// The same for rms_norm.
struct Scaled {
  TensorBase rstd, value;

  Scaled(const TensorBase& input, Dims dims, double eps, CallSite at) {
    const TensorBase squares = mean(mul(input, input, at), dims, true, {}, at);
    rstd = rsqrt(add(squares, eps, 1, at), at);
    value = mul(input, rstd, at);
  }
};

// What is added to the mean of squares if nobody says: the precision that it is computed in, which
// is float32 of halves.
double usual_epsilon(DType dtype) { return dtype == DType::kFloat64 ? 0x1p-52 : 0x1p-23; }

}  // namespace

TensorBase rms_norm(const TensorBase& input, Dims normalized_shape, const TensorBase& weight,
                    std::optional<double> eps, CallSite at) {
  check_normalized_shape("rms_norm", input, normalized_shape);
  check_parameter("rms_norm", "weight", weight, normalized_shape);
  const auto inner_rank = static_cast<int64_t>(normalized_shape.size());
  const double more = eps.value_or(usual_epsilon(input.dtype()));
  if (differs(weight, input.dtype())) {
    const DType dtype = computed_dtype(input, weight);
    const TensorBase result = rms_norm(in_dtype(input, dtype, at), normalized_shape,
                                       in_dtype(weight, dtype, at), more, at);
    return in_dtype(result, input.dtype(), at);
  }
  if (autograd::are_transformed(input, weight)) {
    const TensorBase result = Scaled(input, last_dims(input.dim(), inner_rank), more, at).value;
    return weight.defined() ? mul(result, weight, at) : result;
  }
  return std::get<0>(rms_norm_rows(input, weight, inner_rank, more, at));
}

TensorBase rms_norm_grad_input(const TensorBase& g, const TensorBase& input,
                               const TensorBase& weight, int64_t inner_rank, double eps,
                               CallSite at) {
  const DimVector dims = last_dims(input.dim(), inner_rank);
  const Scaled scaled(input, dims, eps, at);
  const TensorBase grad = weight.defined() ? mul(g, weight, at) : g;
  const TensorBase slope = mean(mul(grad, scaled.value, at), Dims(dims), true, {}, at);
  return mul(scaled.rstd, sub(grad, mul(scaled.value, slope, at), 1, at), at);
}

TensorBase rms_norm_grad_weight(const TensorBase& g, const TensorBase& input, int64_t inner_rank,
                                double eps, CallSite at) {
  const Scaled scaled(input, last_dims(input.dim(), inner_rank), eps, at);
  return layer_norm_grad_bias(mul(g, scaled.value, at), inner_rank, at);
}

TensorBase layer_norm(const TensorBase& input, Dims normalized_shape, const TensorBase& weight,
                      const TensorBase& bias, double eps, CallSite at) {
  check_normalized_shape("layer_norm", input, normalized_shape);
  check_parameter("layer_norm", "weight", weight, normalized_shape);
  check_parameter("layer_norm", "bias", bias, normalized_shape);
  const auto inner_rank = static_cast<int64_t>(normalized_shape.size());
  const DType dtype = computed_dtype(input, weight, bias);
  if (dtype != input.dtype()) {
    const TensorBase result =
        layer_norm(cast(input, dtype, at), normalized_shape, weight, bias, eps, at);
    return cast(result, input.dtype(), at);
  }
  if (autograd::are_transformed(input, weight, bias)) {
    TensorBase result = Normalized(input, last_dims(input.dim(), inner_rank), eps, at).value;
    if (weight.defined()) result = mul(result, weight, at);
    return bias.defined() ? add(result, bias, 1, at) : result;
  }
  return std::get<0>(layer_norm_with_stats(input, weight, bias, inner_rank, eps, at));
}

TensorBase layer_norm_grad_input(const TensorBase& g, const TensorBase& input,
                                 const TensorBase& mean_of_input, const TensorBase& rstd,
                                 const TensorBase& weight, int64_t inner_rank, double eps,
                                 CallSite at) {
  if (!autograd::is_traced(g, input, weight)) {
    return layer_norm_fused_grad_input(g, input, mean_of_input, rstd, weight, inner_rank, at);
  }
  const DimVector dims = last_dims(input.dim(), inner_rank);
  const Normalized normalized(input, dims, eps, at);
  const TensorBase grad = weight.defined() ? mul(g, weight, at) : g;
  const TensorBase slope = mean(mul(grad, normalized.value, at), Dims(dims), true, {}, at);
  const TensorBase flat = sub(grad, mean(grad, Dims(dims), true, {}, at), 1, at);
  return mul(normalized.rstd, sub(flat, mul(normalized.value, slope, at), 1, at), at);
}

TensorBase layer_norm_grad_weight(const TensorBase& g, const TensorBase& input,
                                  const TensorBase& mean_of_input, const TensorBase& rstd,
                                  int64_t inner_rank, double eps, CallSite at) {
  if (!autograd::is_traced(g, input)) {
    return layer_norm_fused_grad_weight(g, input, mean_of_input, rstd, inner_rank, at);
  }
  const Normalized normalized(input, last_dims(input.dim(), inner_rank), eps, at);
  return layer_norm_grad_bias(mul(g, normalized.value, at), inner_rank, at);
}

TensorBase layer_norm_grad_bias(const TensorBase& g, int64_t inner_rank, CallSite at) {
  if (g.dim() == inner_rank) return g;
  DimVector outer;
  for (int64_t d = 0; d < g.dim() - inner_rank; ++d) outer.push_back(d);
  return sum(g, Dims(outer), false, {}, at);
}

}  // namespace eagre::ops
