// make_dual() and unpack_dual(): tensors with tangents, made and taken apart.
#include <eagre/api/forward_ad.h>

#include <cstddef>
#include <cstdint>

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/dtype.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/ops/as_strided.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/full.h>
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
              "make_dual(): Trying to set a forward gradient that has a different dtype than that "
              "of the primal: expected ",
              value.key.dtype, ", got ", direction.key.dtype);
  EAGRE_CHECK(value.sizes() == direction.sizes(), kInvalidArgument,
              "make_dual(): Trying to set a forward gradient that has a different size than that "
              "of the primal: expected ",
              value.sizes(), ", got ", direction.sizes());
  EAGRE_CHECK(value.key.device == direction.key.device, kInvalidArgument,
              "make_dual(): Expected tangent on ", value.key.device, ", as the primal, got ",
              direction.key.device);
  EAGRE_CHECK(!tangent_of(tangent, level).defined(), kAutograd,
              "make_dual(): Setting a forward grad that itself has a forward gradient at the same "
              "level is not supported. Hint: unpack_dual() gives the tangent without");
  EAGRE_CHECK(!tangent_of(primal, level).defined(), kAutograd,
              "make_dual(): Making a dual Tensor based on a Tensor that already has a forward "
              "gradient at the same level is not supported. Hint: unpack_dual() gives it without");
}

// Do both lie alike, and no two elements of the first in one place? Then a view of the one is seen
// in the other by the same strides.
bool lie_alike(const TensorImpl& a, const TensorImpl& b) {
  for (size_t i = 0; i < a.key.rank && a.numel > 0; ++i) {
    if (a.sizes()[i] > 1 && a.strides()[i] != b.strides()[i]) return false;
  }
  return true;
}

bool is_expanded(const TensorImpl& tensor) {
  for (size_t i = 0; i < tensor.key.rank; ++i) {
    if (tensor.sizes()[i] > 1 && tensor.strides()[i] == 0) return true;
  }
  return false;
}

// The tangent in memory that has the holes of the primal, too.
TensorBase in_layout_of(const TensorImpl& primal, const TensorBase& tangent, CallSite at) {
  int64_t reach = 1;
  for (size_t i = 0; i < primal.key.rank; ++i) {
    reach += (primal.sizes()[i] - 1) * primal.strides()[i];
  }
  const auto options = TensorOptions(tangent.dtype()).device(tangent.device());
  const TensorBase memory = ops::full({reach}, 0, options, at);
  TensorBase same = ops::as_strided(memory, primal.sizes(), primal.strides(), 0, at);
  ops::copy_(same, tangent, false, at);
  return same;
}

}  // namespace

Tensor make_dual(const Tensor& primal, const Tensor& tangent, Level& level, CallSite at) {
  check_pair(primal, tangent, level);
  const SeenLevels below(level.outer());
  TensorBase dual = ops::view(primal, primal.sizes(), at);
  TensorBase direction = tangent;
  const TensorImpl& impl = dual.get();
  if (!lie_alike(impl, tangent.get()) && !is_expanded(impl) && !has_transform_meta(tangent.get())) {
    direction = in_layout_of(impl, tangent, at);
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
