// An operator of a library of its own: filters::ema, the exponential moving average
//   result[t] = decay * result[t - 1] + (1 - decay) * input[t]
// along the last dimension. Each element needs the one before it, so with the operators that Eagre
// has it would be a loop over tensors.
#include <cstdint>
#include <string>

#include <eagre/eagre.h>

namespace {

using eagre::BatchCall;
using eagre::BatchResults;
using eagre::GradCall;
using eagre::JvpCall;
using eagre::OpCall;
using eagre::OpResults;
using eagre::Tensor;

Tensor ema(const Tensor& input, double decay) {
  static const auto op = eagre::find_op<Tensor(Tensor, double)>("filters::ema");
  return op(input, decay);
}

// Looks at the arguments first: the rest can rely on them.
void check(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  if (input.dim() == 0 || !eagre::is_floating_point(input.dtype())) {
    call.fail("input", "a tensor of real numbers with at least one dimension",
              eagre::concat(input.dtype(), " of shape ", input.sizes()));
  }
  const double decay = call.real("decay");
  if (!(decay >= 0 && decay < 1)) {
    call.fail("decay", "a number from 0 up to, but not, 1", eagre::concat(decay));
  }
}

template <class T>
void smooth_rows(const T* input, T* result, int64_t rows, int64_t length, T decay) {
  for (int64_t row = 0; row < rows; ++row) {
    T last = 0;
    for (int64_t i = 0; i < length; ++i) {
      last = decay * last + (1 - decay) * *input++;
      *result++ = last;
    }
  }
}

// Small floats are computed in float32.
OpResults cpu_kernel(const OpCall& call) {
  const Tensor& given = call.tensor("input");
  const bool is_double = given.dtype() == eagre::kFloat64;
  const Tensor input = given.to(is_double ? eagre::kFloat64 : eagre::kFloat32).contiguous();
  const Tensor result = eagre::empty(input.sizes(), input.options());
  const double decay = call.real("decay");
  const int64_t length = input.size(-1);
  const int64_t rows = length == 0 ? 0 : input.numel() / length;
  if (is_double) {
    smooth_rows(input.data_ptr<double>(), result.data_ptr<double>(), rows, length, decay);
  } else {
    smooth_rows(input.data_ptr<float>(), result.data_ptr<float>(), rows, length,
                static_cast<float>(decay));
  }
  return result.to(given.dtype());
}

// What reaches result[t] came from input[t] and those before it; so the gradient is the average of
// what comes after, which is the same operator backwards. Made of operators, it has gradients too.
OpResults grad(const GradCall& call) {
  return flip(ema(flip(call.grad(), {-1}), call.real("decay")), {-1});
}

// The operator is linear: the tangent goes the way of the value.
OpResults jvp(const JvpCall& call) { return ema(call.tangent("input"), call.real("decay")); }

// Dimensions but the last stand for themselves: the batch goes to the front.
BatchResults batch(const BatchCall& call) {
  const int64_t dim = call.batch_dim("input").value_or(0);
  return {ema(call.tensor("input").movedim(dim, 0), call.real("decay")), {0}};
}

}  // namespace

// load_library() calls this. After an error in it none of the operators is there.
void eagre_register_ops(eagre::OpLibrary& library) {
  library.register_op("filters::ema")
      .signature("(Tensor input, float decay=0.9) -> Tensor")
      .doc("The exponential moving average along the last dimension, which starts at zero.")
      .check(check)
      .meta([](const OpCall& call) { return eagre::metadata_of(call.tensor("input")); })
      .kernel("cpu", cpu_kernel)
      .grad(grad)
      .jvp(jvp)
      .batch(batch)
      .add();
}
