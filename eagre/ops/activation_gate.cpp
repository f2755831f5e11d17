// glu: a product with the sigmoid of a gate.
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/gated.h>
#include <eagre/ops/glu.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/narrow.h>

namespace eagre::ops {

TensorBase glu(const TensorBase& input, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  if (input.dim() == 0) invalid_argument("glu", "input", "two halves", "a 0-dim tensor");
  const int64_t along = wrap_dim("glu", "dim", dim, input.dim());
  const int64_t size = input.size(along);
  if (size % 2 != 0) {
    invalid_argument("glu", "input", concat("an even size in dimension ", along),
                     shape_text(input));
  }
  return gated(narrow(input, along, 0, size / 2, at), narrow(input, along, size / 2, size / 2, at),
               at);
}

}  // namespace eagre::ops
