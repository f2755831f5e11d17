// index and index_put: masks become coordinates, values broadcast; then one operator does the rest.
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/index.h>
#include <eagre/autograd/ops/index_accumulate.h>
#include <eagre/autograd/ops/index_clear.h>
#include <eagre/autograd/ops/index_grad.h>
#include <eagre/autograd/ops/index_put.h>
#include <eagre/autograd/ops/index_put_inplace.h>
#include <eagre/autograd/ops/index_set.h>
#include <eagre/autograd/ops/index_tensors.h>
#include <eagre/autograd/ops/squeeze.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/autograd/recording.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/nonzero.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::ops {
namespace {

bool is_mask(const TensorBase& index) {
  return index.defined() && (index.dtype() == kBool || index.dtype() == kUInt8);
}

void check_mask(const char* op, const TensorBase& input, size_t first, const TensorBase& mask) {
  const Dims sizes = input.sizes();
  const Dims wanted = mask.sizes();
  bool fits = first + wanted.size() <= sizes.size();
  for (size_t i = 0; fits && i < wanted.size(); ++i) fits = wanted[i] == sizes[first + i];
  if (fits) return;
  raise(ErrorKind::kIndex, ArgumentProblem{op, "indices",
                                           concat("a mask that fits the tensor of shape ", sizes,
                                                  " from dimension ", first, " on"),
                                           concat("a mask of shape ", wanted)});
}

// The tensor that is indexed and the coordinates, one for each of its first dimensions.
struct Coordinates {
  TensorBase input;
  TensorVector indices;

  Coordinates(const char* op, const TensorBase& tensor, TensorList given, CallSite at)
      : input(tensor) {
    for (const TensorBase& index : given) {
      if (!is_mask(index)) {
        indices.push_back(index);
      } else if (index.dim() == 0) {
        // A single truth is a new dimension, of which one or nothing is taken.
        input = unsqueeze(input, static_cast<int64_t>(indices.size()), at);
        const TensorBase places = dispatch::nonzero_places(op, index);
        indices.push_back(places);
      } else {
        check_mask(op, input, indices.size(), index);
        for (TensorBase& column : dispatch::nonzero_by_dimension(op, index)) {
          indices.push_back(std::move(column));
        }
      }
    }
  }
};

// Indices may come from the CPU, whatever device the tensor is on.
bool are_elsewhere(const TensorBase& input, TensorList indices) {
  if (input.device().is_cpu()) return false;
  for (const TensorBase& index : indices) {
    if (index.defined() && index.device().is_cpu()) return true;
  }
  return false;
}

TensorVector beside(const TensorBase& input, TensorList indices) {
  TensorVector moved;
  moved.reserve(indices.size());
  for (const TensorBase& index : indices) {
    const bool stays = !index.defined() || !index.device().is_cpu();
    moved.push_back(stays ? index : dispatch::on_device(index, input.device()));
  }
  return moved;
}

// Masks, or values that have to be broadcast, are the exception.
bool has_mask(TensorList indices) {
  for (const TensorBase& index : indices) {
    if (is_mask(index)) return true;
  }
  return false;
}

TensorBase fitted(const TensorBase& input, TensorList indices, const TensorBase& values,
                  CallSite at) {
  if (values.numel() == 1) return values;
  const DimVector shape = dispatch::meta::index_tensors("index_put", input.get(), indices);
  if (values.sizes() == Dims(shape) || !is_expandable_to(values.sizes(), shape)) return values;
  return expand(values, shape, at);
}

void put(const TensorBase& input, TensorList indices, const TensorBase& values, bool accumulate,
         CallSite at) {
  const SiteScope scope(at);
  const TensorBase ready = fitted(input, indices, values, at);
  if (accumulate) return index_accumulate_(input, indices, ready, at);
  index_set_(input, indices, ready, at);
}

}  // namespace

TensorBase index(const TensorBase& input, TensorList indices, CallSite at) {
  if (are_elsewhere(input, indices)) return index(input, beside(input, indices), at);
  if (!has_mask(indices)) return index_tensors(input, indices, at);
  const SiteScope scope(at);
  const Coordinates found("index", input, indices, at);
  return index_tensors(found.input, found.indices, at);
}

TensorBase index_grad(const TensorBase& g, Dims size, TensorList indices, CallSite at) {
  const TensorBase start = zeros(size, TensorOptions(g.dtype()).device(g.device()), at);
  return index_accumulate(start, indices, g, at);
}

TensorBase index_clear(const TensorBase& input, TensorList indices, CallSite at) {
  const TensorOptions options = TensorOptions(input.dtype()).device(input.device());
  return index_set(input, indices, zeros({}, options, at), at);
}

TensorBase index_put(const TensorBase& input, TensorList indices, const TensorBase& values,
                     bool accumulate, CallSite at) {
  if (are_elsewhere(input, indices)) {
    return index_put(input, beside(input, indices), values, accumulate, at);
  }
  const SiteScope scope(at);
  const Coordinates found("index_put", input, indices, at);
  const TensorBase ready = fitted(found.input, found.indices, values, at);
  TensorBase result = accumulate ? index_accumulate(found.input, found.indices, ready, at)
                                 : index_set(found.input, found.indices, ready, at);
  // Dimensions that single truths added.
  for (int64_t more = found.input.dim() - input.dim(); more > 0; --more) {
    for (int64_t d = 0; d < result.dim(); ++d) {
      if (d < input.dim() && result.sizes()[d] == input.sizes()[d]) continue;
      result = squeeze(result, d, at);
      break;
    }
  }
  return result;
}

void index_put_inplace_(const TensorBase& input, TensorList indices, const TensorBase& values,
                        bool accumulate, CallSite at) {
  if (are_elsewhere(input, indices)) {
    return index_put_inplace_(input, beside(input, indices), values, accumulate, at);
  }
  if (!has_mask(indices)) return put(input, indices, values, accumulate, at);
  const SiteScope scope(at);
  {
    const Coordinates found("index_put", input, indices, at);
    if (found.input.is_same(input)) return put(input, found.indices, values, accumulate, at);
  }
  // A single truth: what is written to is not the tensor itself, which must get the history.
  const TensorBase result = index_put(input, indices, values, accumulate, at);
  autograd::assign_result("index_put_", input, result, at);
}

}  // namespace eagre::ops
