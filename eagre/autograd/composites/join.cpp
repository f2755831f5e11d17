// Joining and filling, written with other operators.
#include <eagre/autograd/ops/cat.h>
#include <eagre/autograd/ops/cat_grad.h>
#include <eagre/autograd/ops/clone.h>
#include <eagre/autograd/ops/copy.h>
#include <eagre/autograd/ops/fill.h>
#include <eagre/autograd/ops/fill_tensor.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/repeat.h>
#include <eagre/autograd/ops/stack.h>
#include <eagre/autograd/ops/tile.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/zero.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>

namespace eagre::ops {

TensorVector cat_grad(const TensorBase& g, const ShapeList& sizes, int64_t dim, CallSite at) {
  TensorVector parts;
  parts.reserve(sizes.size());
  int64_t start = 0;
  for (const DimVector& size : sizes) {
    if (size.size() == 1 && size[0] == 0) {  // cat left it out, whatever the shape of the others
      parts.push_back(zeros(size, TensorOptions(g.dtype()).device(g.device()), at));
      continue;
    }
    const int64_t length = size[wrap_dim("cat", "dim", dim, static_cast<int64_t>(size.size()))];
    parts.push_back(narrow(g, dim, start, length, at));
    start += length;
  }
  return parts;
}

TensorBase stack(TensorList tensors, int64_t dim, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument,
              "stack(): argument 'tensors': expected at least one tensor, got an empty list");
  const Dims first = tensors[0].sizes();
  const int64_t place = wrap_dim("stack", "dim", dim, static_cast<int64_t>(first.size()) + 1);
  TensorVector rows;
  rows.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].sizes() != first) {
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"stack", "tensors", concat("tensors of one shape, ", first),
                            concat("shape ", tensors[i].sizes(), " at position ", i)});
    }
    rows.push_back(unsqueeze(tensors[i], place, at));
  }
  return cat(rows, place, at);
}

TensorBase tile(const TensorBase& input, Dims dims, CallSite at) {
  DimVector repeats;
  for (auto i = static_cast<int64_t>(dims.size()); i < input.dim(); ++i) repeats.push_back(1);
  for (int64_t count : dims) {
    if (count < 0) {
      const SiteScope scope(at);
      raise(ErrorKind::kInvalidArgument,
            ArgumentProblem{"tile", "dims", "numbers that are not negative", to_string(dims)});
    }
    repeats.push_back(count);
  }
  return repeat(input, repeats, at);
}

TensorBase fill_tensor(const TensorBase& input, const TensorBase& value, CallSite at) {
  TensorBase result = clone(input, at);
  const SiteScope scope(at);
  if (value.dim() != 0) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"fill", "value", "a number or a 0-dim tensor",
                          concat("shape ", value.sizes())});
  }
  copy_(result, value, false, at);
  return result;
}

void zero_(const TensorBase& input, CallSite at) { fill_(input, 0, at); }

}  // namespace eagre::ops
