// Degrees and radians, and the gradient of atan2.
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/as_floating.h>
#include <eagre/ops/atan2_grad.h>
#include <eagre/ops/deg2rad.h>
#include <eagre/ops/div.h>
#include <eagre/ops/eq.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/rad2deg.h>
#include <eagre/ops/square.h>
#include <eagre/ops/where.h>

namespace eagre::ops {

TensorBase atan2_grad(const TensorBase& grad, const TensorBase& input, const TensorBase& other,
                      CallSite at) {
  const TensorBase squared = add(square(input, at), square(other, at), 1, at);
  return where(eq(squared, 0, at), 0, div(grad, squared, at), at);
}

namespace {

TensorBase scaled_angle(const char* op, const TensorBase& input, double factor, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!is_complex(input.dtype()), kUnimplemented, op,
              "(): complex numbers are not angles, but the input is of ", input.dtype());
  return mul(as_floating(input, at), factor, at);
}

}  // namespace

TensorBase deg2rad(const TensorBase& input, CallSite at) {
  return scaled_angle("deg2rad", input, 0.017453292519943295, at);
}

TensorBase rad2deg(const TensorBase& input, CallSite at) {
  return scaled_angle("rad2deg", input, 57.29577951308232, at);
}

}  // namespace eagre::ops
