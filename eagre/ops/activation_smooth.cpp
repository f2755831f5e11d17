// softsign of complex numbers, and the second derivative of mish.
#include <eagre/base/call_site.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/abs.h>
#include <eagre/ops/add.h>
#include <eagre/ops/div.h>
#include <eagre/ops/mish_second.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/rsub.h>
#include <eagre/ops/sigmoid.h>
#include <eagre/ops/softplus.h>
#include <eagre/ops/softsign.h>
#include <eagre/ops/softsign_real.h>
#include <eagre/ops/square.h>
#include <eagre/ops/sub.h>
#include <eagre/ops/tanh.h>

namespace eagre::ops {

TensorBase softsign(const TensorBase& input, CallSite at) {
  if (!is_complex(input.dtype())) return softsign_real(input, at);
  return div(input, add(abs(input, at), 1, 1, at), at);
}

// With w = tanh(log(1 + e^x)), s = sigmoid(x): w' = s * (1 - w^2), s' = s * (1 - s), so
// (x * w)'' = 2 w' + x * w'' = s * (1 - w^2) * (2 + x * (1 - s - 2 w s)).
TensorBase mish_second(const TensorBase& grad, const TensorBase& input, CallSite at) {
  const TensorBase w = tanh(softplus(input, 1, 20, at), at);
  const TensorBase s = sigmoid(input, at);
  const TensorBase slope = mul(s, rsub(square(w, at), 1, 1, at), at);
  const TensorBase turn = sub(rsub(s, 1, 1, at), mul(w, s, at), 2, at);
  return mul(grad, mul(slope, add(mul(input, turn, at), 2, 1, at), at), at);
}

}  // namespace eagre::ops
