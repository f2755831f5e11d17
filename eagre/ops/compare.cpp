// Comparisons of whole tensors, clamp, and its gradients.
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/operand.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/abs.h>
#include <eagre/ops/add.h>
#include <eagre/ops/all.h>
#include <eagre/ops/allclose.h>
#include <eagre/ops/bound_grad.h>
#include <eagre/ops/clamp.h>
#include <eagre/ops/clamp_both.h>
#include <eagre/ops/clamp_grad.h>
#include <eagre/ops/clamp_grad_max.h>
#include <eagre/ops/clamp_grad_min.h>
#include <eagre/ops/clamp_max.h>
#include <eagre/ops/clamp_min.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/equal.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/gt.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/is_same_size.h>
#include <eagre/ops/isclose.h>
#include <eagre/ops/isfinite.h>
#include <eagre/ops/isnan.h>
#include <eagre/ops/le.h>
#include <eagre/ops/logical_and.h>
#include <eagre/ops/logical_or.h>
#include <eagre/ops/logical_xor.h>
#include <eagre/ops/lt.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/where.h>

namespace eagre::ops {
namespace {

void check_tolerance(const char* name, double value) {
  if (value >= 0) return;
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"isclose", name, "a number that is not negative", concat(value)});
}

}  // namespace

TensorBase isclose(const TensorBase& input, const TensorBase& other, double rtol, double atol,
                   bool equal_nan, CallSite at) {
  {
    const SiteScope scope(at);
    if (input.dtype() != other.dtype()) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"isclose", "other",
                            concat("a tensor of ", input.dtype(), ", as 'input' is"),
                            concat(other.dtype()), "convert one of them with .to(dtype)"});
    }
    check_tolerance("rtol", rtol);
    check_tolerance("atol", atol);
  }
  TensorBase close = eq(input, other, at);
  if (equal_nan && is_differentiable(input.dtype())) {
    close = logical_or(close, logical_and(isnan(input, at), isnan(other, at), at), at);
  }
  if (input.dtype() == kBool || (rtol == 0 && atol == 0)) return close;
  const TensorBase distance = abs(sub(input, other, 1, at), at);
  const TensorBase allowed = add(mul(abs(other, at), rtol, at), atol, 1, at);
  const TensorBase near = logical_and(isfinite(distance, at), le(distance, allowed, at), at);
  return logical_or(close, near, at);
}

bool allclose(const TensorBase& input, const TensorBase& other, double rtol, double atol,
              bool equal_nan, CallSite at) {
  return as_bool("allclose", all(isclose(input, other, rtol, atol, equal_nan, at), {}, false, at));
}

bool equal(const TensorBase& input, const TensorBase& other, CallSite at) {
  if (!(input.sizes() == other.sizes())) return false;
  return as_bool("equal", all(eq(input, other, at), {}, false, at));
}

bool is_same_size(const TensorBase& input, const TensorBase& other, CallSite) {
  return input.sizes() == other.sizes();
}

namespace {

// Half of the gradient where two values meet.
TensorBase half_where(const TensorBase& met, const TensorBase& grad, CallSite at) {
  return where(met, mul(grad, 0.5, at), grad, at);
}

}  // namespace

TensorBase clamp(const TensorBase& input, const OptionalOperand& min, const OptionalOperand& max,
                 CallSite at) {
  if (min && max) return clamp_both(input, *min, *max, at);
  if (min) return clamp_min(input, *min, at);
  if (max) return clamp_max(input, *max, at);
  const SiteScope scope(at);
  raise(ErrorKind::kInvalidArgument, "clamp(): At least one of 'min' or 'max' must not be None");
}

// As in PyTorch a number takes the whole gradient where it is met, a tensor half of it.
TensorBase bound_grad(const TensorBase& grad, const TensorBase& input, const Operand& bound,
                      bool lower, CallSite at) {
  if (!bound.is_tensor()) {
    return where(lower ? gt(input, bound, at) : lt(input, bound, at), grad, 0, at);
  }
  const TensorBase beyond = lower ? lt(input, bound, at) : gt(input, bound, at);
  return where(beyond, 0, half_where(eq(input, bound, at), grad, at), at);
}

TensorBase clamp_grad(const TensorBase& grad, const TensorBase& input, const Operand& min,
                      const Operand& max, CallSite at) {
  if (!min.is_tensor() && !max.is_tensor()) {
    return where(logical_and(gt(input, min, at), lt(input, max, at), at), grad, 0, at);
  }
  const TensorBase inside = logical_and(ge(input, min, at), le(input, max, at), at);
  const TensorBase met = logical_xor(eq(input, min, at), eq(input, max, at), at);
  return where(inside, half_where(met, grad, at), 0, at);
}

TensorBase clamp_grad_min(const TensorBase& grad, const TensorBase& input, const Operand& min,
                          const Operand& max, CallSite at) {
  const TensorBase low = operand_to_tensor(min, input, at);
  const TensorBase below = logical_and(lt(input, low, at), le(low, max, at), at);
  const TensorBase met = logical_and(eq(input, low, at), lt(low, max, at), at);
  return where(logical_or(below, met, at), half_where(met, grad, at), 0, at);
}

TensorBase clamp_grad_max(const TensorBase& grad, const TensorBase& input, const Operand& min,
                          const Operand& max, CallSite at) {
  const TensorBase high = operand_to_tensor(max, input, at);
  const TensorBase above = logical_or(gt(input, high, at), lt(high, min, at), at);
  const TensorBase met = logical_and(eq(input, high, at), gt(high, min, at), at);
  return where(logical_or(above, met, at), half_where(met, grad, at), 0, at);
}

}  // namespace eagre::ops
