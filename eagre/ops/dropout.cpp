// dropout: a product with a mask.
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/dropout.h>
#include <eagre/ops/dropout_mask.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/mul.h>

namespace eagre::ops {

TensorBase dropout(const TensorBase& input, double p, bool training, CallSite at) {
  if (!(p >= 0 && p <= 1)) {
    invalid_argument("dropout", "p", "a probability from 0 to 1", concat(p));
  }
  if (!training || p == 0) return input;
  return mul(input, dropout_mask(input, p, nullptr, at), at);
}

}  // namespace eagre::ops
