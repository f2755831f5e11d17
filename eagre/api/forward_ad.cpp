// make_dual() and unpack_dual(): tensors with tangents, made and taken apart.
#include <eagre/api/forward_ad.h>

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/empty_strided.h>
#include <eagre/ops/view.h>

namespace eagre::autograd::forward_ad {
namespace {

Level& innermost_dual(const char* op) {
  for (Level* level = innermost_level(); level != nullptr; level = level->outer()) {
    if (level->is_dual()) return *level;
  }
  raise(ErrorKind::kAutograd,
        concat(op,
               "(): Trying to create a dual Tensor for forward AD but no level exists, make "
               "sure to enter a DualLevel (dual_level()) first"));
}

void check_pair(const Tensor& primal, const Tensor& tangent, Level& level) {
  const TensorImpl& value = primal.get("make_dual", "tensor");
  const TensorImpl& direction = tangent.get("make_dual", "tangent");
  EAGRE_CHECK(
      is_differentiable(value.key.dtype), kInvalidArgument,
      "make_dual(): Expected primal to be floating point or complex, but got: ", value.key.dtype);
  EAGRE_CHECK(is_differentiable(direction.key.dtype), kInvalidArgument,
              "make_dual(): Expected tangent to be floating point or complex, but got: ",
              direction.key.dtype);
  EAGRE_CHECK(value.key.dtype == direction.key.dtype, kInvalidArgument,
              "make_dual(): Expected tangent of dtype ", value.key.dtype, ", as the primal, got ",
              direction.key.dtype);
  EAGRE_CHECK(value.sizes() == direction.sizes(), kInvalidArgument,
              "make_dual(): Expected tangent to have the same size as the primal, ", value.sizes(),
              ", got ", direction.sizes());
  EAGRE_CHECK(value.key.device == direction.key.device, kInvalidArgument,
              "make_dual(): Expected tangent on ", value.key.device, ", as the primal, got ",
              direction.key.device);
  EAGRE_CHECK(!tangent_of(tangent, level).defined(), kAutograd,
              "make_dual(): Expected a tangent that has no forward gradient at the same level");
  EAGRE_CHECK(!tangent_of(primal, level).defined(), kAutograd,
              "make_dual(): the tensor has a tangent at this level already. Hint: unpack_dual() "
              "gives it without");
}

}  // namespace

Tensor make_dual(const Tensor& primal, const Tensor& tangent, Level& level, CallSite at) {
  check_pair(primal, tangent, level);
  const SeenLevels below(level.outer());
  TensorBase dual = ops::view(primal, primal.sizes(), at);
  TensorBase direction = tangent;
  // Views of the dual see the tangent through the same strides.
  const TensorImpl& impl = dual.get();
  if (tangent.strides() != primal.strides() && impl.is_dense() &&
      !has_transform_meta(tangent.get())) {
    const auto options = TensorOptions(tangent.dtype()).device(tangent.device());
    direction = ops::empty_strided(impl.sizes(), impl.strides(), options, at);
    ops::copy_(direction, tangent, false, at);
  }
  set_tangent(dual, level, direction);
  return dual;
}

Tensor make_dual(const Tensor& primal, const Tensor& tangent, CallSite at) {
  return make_dual(primal, tangent, innermost_dual("make_dual"), at);
}

Unpacked unpack_dual(const Tensor& tensor, Level& level) {
  const TensorBase tangent = tangent_of(tensor, level);
  const SeenLevels below(level.outer());
  if (!tangent.defined()) return {tensor, {}};
  const Tensor primal = ops::view(tensor, tensor.sizes(), CallSite::none());
  set_tangent(primal, level, {});
  return {primal, tangent};
}

Unpacked unpack_dual(const Tensor& tensor) {
  tensor.get("unpack_dual", "tensor");
  return unpack_dual(tensor, innermost_dual("unpack_dual"));
}

ForwardMode::ForwardMode(bool enabled) : was_off_(thread_state.modes.tangents_off) {
  thread_state.modes.tangents_off = !enabled;
}

}  // namespace eagre::autograd::forward_ad
