// Geometry of views of all parts.
#include <cstdint>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/meta/view_geometry.h>

namespace eagre::dispatch::meta {

void check_view_count(const char* op, int64_t count) {
  constexpr int64_t kMost = int64_t{1} << 24;
  EAGRE_CHECK(count <= kMost, kOutOfMemory, op, "(): the result would be a list of ", count,
              " tensors; at most ", kMost, " are made at once. Hint: work on parts of the tensor");
}

std::vector<ViewGeometry> split(const char* op, const TensorImpl& input, Dims split_sizes,
                                int64_t dim) {
  const int64_t at = real_dim(op, input, dim);
  int64_t total = 0;
  bool good = true;
  for (int64_t size : split_sizes) {
    good = good && size >= 0 && !__builtin_add_overflow(total, size, &total);
  }
  if (!good || total != input.sizes()[at]) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "split_sizes",
                          concat("sizes that are not negative and add up to ", input.sizes()[at],
                                 ", the size of dimension ", at),
                          to_string(split_sizes)});
  }
  std::vector<ViewGeometry> views;
  int64_t start = 0;
  for (int64_t size : split_sizes) {
    views.push_back(narrow(op, input, at, start, size));
    start += size;
  }
  return views;
}

std::vector<ViewGeometry> unbind(const char* op, const TensorImpl& input, int64_t dim) {
  const int64_t at = real_dim(op, input, dim);
  check_view_count(op, input.sizes()[at]);
  std::vector<ViewGeometry> views;
  for (int64_t i = 0; i < input.sizes()[at]; ++i) views.push_back(select(op, input, at, i));
  return views;
}

}  // namespace eagre::dispatch::meta
