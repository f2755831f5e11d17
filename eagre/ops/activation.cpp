// Choices between kinds of gelu, and its second derivative; softmin.
#include <cstdint>
#include <optional>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/gelu.h>
#include <eagre/ops/gelu_approximate.h>
#include <eagre/ops/gelu_tanh.h>
#include <eagre/ops/gelu_tanh_second.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/neg.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/sigmoid.h>
#include <eagre/ops/softmax.h>
#include <eagre/ops/softmin.h>
#include <eagre/ops/square.h>

namespace eagre::ops {

TensorBase gelu_approximate(const TensorBase& input, std::string_view approximate, CallSite at) {
  if (approximate == "none") return gelu(input, at);
  if (approximate == "tanh") return gelu_tanh(input, at);
  const SiteScope scope(at);
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{"gelu", "approximate", "'none' or 'tanh'", concat("'", approximate, "'")});
}

// With s = sigmoid(v) and v = x * (a + b * x * x): (x * s)'' = s' * (2 + x * (1 - 2 s) * v') +
// x * s * (1 - s) * v'', where s' = s * (1 - s) * v'.
TensorBase gelu_tanh_second(const TensorBase& grad, const TensorBase& input, CallSite at) {
  constexpr double kA = 1.5957691216057307, kB = 0.07135481627260025;
  const TensorBase squared = square(input, at);
  const TensorBase v = mul(input, add(mul(squared, kB, at), kA, 1, at), at);
  const TensorBase slope = add(mul(squared, 3 * kB, at), kA, 1, at);
  const TensorBase s = sigmoid(v, at);
  const TensorBase bell = mul(s, rsub(s, 1, 1, at), at);
  const TensorBase turn = mul(mul(input, rsub(s, 1, 2, at), at), slope, at);
  const TensorBase first = mul(slope, add(turn, 2, 1, at), at);
  const TensorBase second = mul(squared, 6 * kB, at);
  return mul(grad, mul(bell, add(first, second, 1, at), at), at);
}

TensorBase softmin(const TensorBase& input, int64_t dim, std::optional<DType> dtype, CallSite at) {
  return softmax(neg(input, at), dim, dtype, at);
}

}  // namespace eagre::ops
