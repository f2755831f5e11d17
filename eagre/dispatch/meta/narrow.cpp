// The geometry of narrow.
#include <eagre/base/error.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {

ViewGeometry narrow(const char* op, const TensorImpl& input, int64_t dim, int64_t start,
                    int64_t length) {
  const int64_t at = wrap_dim(op, "dim", dim, input.key.rank);
  EAGRE_CHECK(input.key.rank > 0, kInvalidArgument, op, "(): a 0-dim tensor has no dimension");
  const int64_t size = input.sizes()[at];
  if (start < -size || start > size) {
    raise(ErrorKind::kIndex, ArgumentProblem{op, "start", concat("from ", -size, " to ", size),
                                             std::to_string(start)});
  }
  const int64_t first = start < 0 ? start + size : start;
  if (length < 0 || length > size - first) {
    raise(
        ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "length", concat("from 0 to ", size - first), std::to_string(length)});
  }
  ViewGeometry view{input.sizes(), input.strides(), input.offset};
  view.sizes[at] = length;
  if (length != 0) view.offset += first * view.strides[at];
  return view;
}

}  // namespace eagre::dispatch::meta
