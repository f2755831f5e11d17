// normal() around tensors of means and deviations.
#include <eagre/autograd/ops/add.h>
#include <eagre/autograd/ops/all.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/empty.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/ge.h>
#include <eagre/autograd/ops/mul.h>
#include <eagre/autograd/ops/normal.h>
#include <eagre/autograd/ops/normal_around.h>
#include <eagre/autograd/ops/normal_spread.h>
#include <eagre/autograd/ops/where.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/batching.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/error.h>
#include <eagre/dispatch/transfer.h>

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
    refuse_std("a number that is not negative", text_of(number));
  }
  const DType dtype = std.tensor().get("normal", "std").key.dtype;
  if (is_complex(dtype)) refuse_std("a real tensor", concat("one of ", dtype));
  if (std.tensor().device().is_meta()) return;
  const autograd::SeenLevels none(nullptr);
  const TensorBase good = all(ge(autograd::all_samples(std.tensor()), 0, at), {}, false, at);
  if (*dispatch::on_device(good, Device()).data_ptr<bool>()) return;
  refuse_std("a tensor without negative elements", "one that has some");
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
