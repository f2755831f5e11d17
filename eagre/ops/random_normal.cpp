// normal() around tensors of means and deviations.
#include <string>
#include <utility>

#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/operand.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/ops/add.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/empty.h>
#include <eagre/ops/full.h>
#include <eagre/ops/ge.h>
#include <eagre/ops/host_values.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/normal.h>
#include <eagre/ops/normal_around.h>
#include <eagre/ops/normal_spread.h>
#include <eagre/ops/where.h>

namespace eagre::ops {
namespace {

[[noreturn]] void refuse_std(std::string expected, std::string got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"normal", "std", std::move(expected), std::move(got)});
}

void check_std(const Operand& std, CallSite at) {
  if (!std.is_tensor()) {
    const Scalar& number = std.scalar();
    if (number.category() == DTypeCategory::kComplex) refuse_std("a real number", text_of(number));
    if (number.wrapped<double>() >= 0) return;
    raise(ErrorKind::kInvalidArgument,
          concat("normal(): normal expects std >= 0.0, but found std ", text_of(number),
                 ": argument 'std' must not be negative"));
  }
  const DType dtype = std.tensor().get("normal", "std").key.dtype;
  if (is_complex(dtype)) refuse_std("a real tensor", concat("one of ", dtype));
  if (all_true(ge(std.tensor(), 0, at), at)) return;
  raise(
      ErrorKind::kInvalidArgument,
      "normal(): normal expects all elements of std >= 0.0, but argument 'std' has negative ones");
}

Dims shape_of(const Operand& operand) {
  return operand.is_tensor() ? operand.tensor().sizes() : Dims();
}

// `values`, recorded as depending on `source` with a gradient of 0, as PyTorch has it.
TensorBase constant_in(const TensorBase& values, const Operand& source, CallSite at) {
  if (!autograd::should_record(source)) return values;
  const TensorBase always = full({}, true, TensorOptions(kBool).device(values.device()), at);
  return where(always, values, source, at);
}

TensorBase around(const Operand& mean, const Operand& std, const TensorBase& model,
                  Generator* generator, CallSite at) {
  const SiteScope scope(at);
  check_std(std, at);
  const DimVector shape = broadcast_shapes("normal", shape_of(mean), shape_of(std));
  const TensorOptions options = TensorOptions(model.dtype()).device(model.device());
  TensorBase numbers = empty(shape, MemoryFormat::kContiguous, options, at);
  if (autograd::transforms_active()) {
    const NoGradGuard no_grad;
    const TensorBase spread = mul(normal(numbers, 0, 1, generator, at), std, at);
    numbers = cast(add(spread, mean, 1, at), model.dtype(), at);
    autograd::drop_tangents(numbers.get());
  } else {
    const NoGradGuard no_grad;
    normal_(numbers, 0, 1, generator, at);
    mul_(numbers, std, at);
    add_(numbers, mean, 1, at);
  }
  return constant_in(constant_in(numbers, mean, at), std, at);
}

}  // namespace

TensorBase normal_around(const TensorBase& mean, const Operand& std, Generator* generator,
                         CallSite at) {
  mean.get("normal", "mean");
  return around(mean, std, mean, generator, at);
}

TensorBase normal_spread(double mean, const TensorBase& std, Generator* generator, CallSite at) {
  std.get("normal", "std");
  return around(mean, std, std, generator, at);
}

}  // namespace eagre::ops
