// Inverses of tensors, and equations with them, as of matrices.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/linalg_inv.h>
#include <eagre/ops/linalg_solve.h>
#include <eagre/ops/linalg_tensorinv.h>
#include <eagre/ops/linalg_tensorsolve.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/reshape.h>

namespace eagre::ops {
namespace {

int64_t product(Dims sizes, size_t first, size_t last) {
  int64_t numel = 1;
  for (size_t d = first; d < last; ++d) numel *= sizes[d];
  return numel;
}

}  // namespace

TensorBase linalg_tensorinv(const TensorBase& input, int64_t ind, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_tensorinv";
  const Dims sizes = input.get(op, "input").sizes();
  EAGRE_CHECK(ind > 0, kInvalidArgument, op,
              "(): Expected a strictly positive integer for 'ind', but got ", ind);
  const size_t rank = sizes.size(), first = std::min(static_cast<size_t>(ind), rank);
  const int64_t rows = product(sizes, 0, first), columns = product(sizes, first, rank);
  EAGRE_CHECK(rows == columns, kInvalidArgument, op,
              "(): Expected input to satisfy the requirement prod(input.shape[ind:]) == "
              "prod(input.shape[:ind]), but got ",
              columns, " != ", rows);
  DimVector result(Dims(sizes.data() + first, rank - first));
  for (size_t d = 0; d < first; ++d) result.push_back(sizes[d]);
  const int64_t matrix[] = {rows, columns};
  return reshape(linalg_inv(reshape(input, Dims(matrix, 2), at), at), result, at);
}

TensorBase linalg_tensorsolve(const TensorBase& input, const TensorBase& other,
                              const OptionalDims& dims, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "linalg_tensorsolve";
  input.get(op, "input");
  TensorBase moved = input;
  if (dims.given()) {
    DimVector ends;
    const auto count = static_cast<int64_t>(dims.values().size());
    for (int64_t i = 0; i < count; ++i) ends.push_back(input.dim() - count + i);
    moved = movedim(input, dims.values(), Dims(ends), at);
  }
  const Dims sizes = moved.sizes();
  const size_t first = std::min(static_cast<size_t>(other.get(op, "other").key.rank), sizes.size());
  const DimVector result(Dims(sizes.data() + first, sizes.size() - first));
  const int64_t columns = product(sizes, first, sizes.size()), rows = other.numel();
  EAGRE_CHECK(columns == rows && product(sizes, 0, first) == rows, kInvalidArgument, op,
              "(): Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
              "prod(self.shape[:other.ndim]), but got ",
              columns, " != ", product(sizes, 0, first));
  const int64_t matrix[] = {rows, columns}, vector[] = {rows};
  const TensorBase solution = linalg_solve(reshape(moved, Dims(matrix, 2), at),
                                           reshape(other, Dims(vector, 1), at), true, at);
  return reshape(solution, result, at);
}

}  // namespace eagre::ops
