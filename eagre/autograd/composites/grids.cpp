// Tensors in shapes that they have together: grids, choices, repetitions.
#include <eagre/autograd/composites/looked_at.h>
#include <eagre/autograd/ops/arange.h>
#include <eagre/autograd/ops/broadcast_tensors.h>
#include <eagre/autograd/ops/broadcast_to.h>
#include <eagre/autograd/ops/cartesian_prod.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/clone_format.h>
#include <eagre/autograd/ops/combinations.h>
#include <eagre/autograd/ops/cumsum.h>
#include <eagre/autograd/ops/expand.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/flip.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/ge.h>
#include <eagre/autograd/ops/index_select.h>
#include <eagre/autograd/ops/meshgrid.h>
#include <eagre/autograd/ops/narrow.h>
#include <eagre/autograd/ops/new_empty.h>
#include <eagre/autograd/ops/place.h>
#include <eagre/autograd/ops/pow.h>
#include <eagre/autograd/ops/repeat_interleave.h>
#include <eagre/autograd/ops/repeat_interleave_by.h>
#include <eagre/autograd/ops/repeat_interleave_counts.h>
#include <eagre/autograd/ops/reshape.h>
#include <eagre/autograd/ops/scatter_add.h>
#include <eagre/autograd/ops/stack.h>
#include <eagre/autograd/ops/sum.h>
#include <eagre/autograd/ops/to_device.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/ops/vander.h>
#include <eagre/autograd/ops/view.h>
#include <eagre/autograd/ops/zeros.h>
#include <eagre/base/error.h>
#include <eagre/base/thread_state.h>
#include <eagre/core/memory_format.h>

namespace eagre::ops {
namespace {

[[noreturn]] void refuse(const char* op, const char* argument, std::string expected,
                         std::string got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, argument, std::move(expected), std::move(got)});
}

void check_vector(const char* op, const char* argument, const TensorBase& tensor) {
  if (tensor.get(op, argument).key.rank == 1) return;
  refuse(op, argument, "a vector (1 dimension)", concat("shape ", tensor.sizes()));
}

TensorBase from_host(const std::vector<int64_t>& values, const TensorBase& like, CallSite at) {
  const DimVector sizes{static_cast<int64_t>(values.size())};
  const TensorBase made = TensorBase::adopt(new_tensor(sizes, kInt64, Device()));
  std::copy(values.begin(), values.end(), made.data_ptr<int64_t>());
  return to_device(made, like.device(), at);
}

}  // namespace

// --- broadcasting ---

TensorBase broadcast_to(const TensorBase& input, Dims size, CallSite at) {
  return expand(input, size, at);
}

TensorVector broadcast_tensors(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  DimVector shape;
  for (const TensorBase& tensor : tensors) {
    shape = broadcast_shapes("broadcast_tensors", shape, tensor.sizes());
  }
  TensorVector result;
  for (const TensorBase& tensor : tensors) result.push_back(expand(tensor, shape, at));
  return result;
}

TensorVector meshgrid(TensorList tensors, std::optional<std::string_view> indexing, CallSite at) {
  const SiteScope scope(at);
  EAGRE_CHECK(!tensors.empty(), kInvalidArgument, "meshgrid(): expects a non-empty TensorList");
  if (indexing && *indexing != "ij" && *indexing != "xy") {
    refuse("meshgrid", "indexing", "'ij' or 'xy'", concat("'", *indexing, "'"));
  }
  const size_t rank = tensors.size();
  const bool swaps = indexing == "xy" && rank >= 2;
  const auto place = [&](size_t i) { return swaps && i < 2 ? 1 - i : i; };
  DimVector shape(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    if (tensors[i].dim() > 1) {
      refuse("meshgrid", "tensors", "tensors of 0 or 1 dimension",
             concat("shape ", tensors[i].sizes(), " at position ", i));
    }
    if (tensors[i].dtype() != tensors[0].dtype()) {
      refuse("meshgrid", "tensors", concat("one dtype, ", tensors[0].dtype()),
             concat(tensors[i].dtype(), " at position ", i));
    }
    shape[place(i)] = tensors[i].numel();
  }
  TensorVector grids;
  for (size_t i = 0; i < rank; ++i) {
    DimVector line(rank, 1);
    line[place(i)] = tensors[i].numel();
    grids.push_back(expand(reshape(tensors[i], line, at), shape, at));
  }
  return grids;
}

TensorBase cartesian_prod(TensorList tensors, CallSite at) {
  const SiteScope scope(at);
  for (const TensorBase& tensor : tensors) check_vector("cartesian_prod", "tensors", tensor);
  if (tensors.size() == 1) return tensors[0];
  TensorVector columns = meshgrid(tensors, "ij", at);
  for (TensorBase& column : columns) column = flatten(column, 0, -1, at);
  return stack(columns, 1, at);
}

// --- choices ---

namespace {

// The next choice of places in order; false after the last one.
bool go_on(DimVector& places, int64_t count, bool with_replacement) {
  const auto r = static_cast<int64_t>(places.size());
  for (int64_t i = r - 1; i >= 0; --i) {
    const int64_t last = with_replacement ? count - 1 : count - r + i;
    if (places[i] == last) continue;
    ++places[i];
    for (int64_t k = i + 1; k < r; ++k) places[k] = places[k - 1] + (with_replacement ? 0 : 1);
    return true;
  }
  return false;
}

}  // namespace

TensorBase combinations(const TensorBase& input, int64_t r, bool with_replacement, CallSite at) {
  const SiteScope scope(at);
  check_vector("combinations", "input", input);
  if (r < 0) refuse("combinations", "r", "a number that is not negative", concat(r));
  constexpr int64_t kMost = int64_t{1} << 16;
  if (r > kMost) refuse("combinations", "r", concat("at most ", kMost), concat(r));
  if (r == 0) return new_empty(input, {0}, {}, at);
  const int64_t count = input.numel();
  std::vector<int64_t> chosen;
  if (with_replacement ? count > 0 : count >= r) {
    DimVector places(static_cast<size_t>(r));
    for (int64_t i = 0; i < r && !with_replacement; ++i) places[i] = i;
    do {
      chosen.insert(chosen.end(), places.begin(), places.end());
    } while (go_on(places, count, with_replacement));
  }
  const DimVector sizes{static_cast<int64_t>(chosen.size()) / r, r};
  return reshape(index_select(input, 0, from_host(chosen, input, at), at), sizes, at);
}

TensorBase vander(const TensorBase& x, std::optional<int64_t> N, bool increasing, CallSite at) {
  const SiteScope scope(at);
  check_vector("vander", "x", x);
  const int64_t count = N.value_or(x.numel());
  if (count < 0) refuse("vander", "N", "a number that is not negative", concat(count));
  const TensorBase powers = arange(count, TensorOptions(kInt64).device(x.device()), at);
  return pow(unsqueeze(x, -1, at), increasing ? powers : flip(powers, {0}, at), at);
}

// --- repetitions ---

namespace {

// For each element its number, as often as it is to be repeated.
TensorBase repeated_places(const TensorBase& counts, std::optional<int64_t> output_size,
                           CallSite at) {
  const char* const op = "repeat_interleave";
  if (counts.dtype() != kInt64 && counts.dtype() != kInt32) {
    refuse(op, "repeats", "a tensor of int64 or int32", concat(counts.dtype()));
  }
  EAGRE_CHECK(all_true(ge(counts, 0, at), at), kInvalidArgument,
              "repeat_interleave(): argument 'repeats': repeats can not be negative");
  const TensorBase ends = cumsum(counts, 0, kInt64, at);
  const int64_t total = as_integer(sum(counts, {}, false, {}, at), at);
  if (output_size && *output_size != total) {
    refuse(op, "output_size", concat(total, ", the sum of 'repeats'"), concat(*output_size));
  }
  const TensorOptions options = TensorOptions(kInt64).device(counts.device());
  const TensorBase starts = zeros({total + 1}, options, at);
  const TensorBase steps = scatter_add(starts, 0, ends, full(ends.sizes(), 1, options, at), at);
  return narrow(cumsum(steps, 0, {}, at), 0, 0, total, at);
}

}  // namespace

TensorBase repeat_interleave_counts(const TensorBase& repeats, std::optional<int64_t> output_size,
                                    CallSite at) {
  const SiteScope scope(at);
  check_vector("repeat_interleave", "repeats", repeats);
  return cast(repeated_places(repeats, output_size, at), repeats.dtype(), at);
}

TensorBase repeat_interleave_by(const TensorBase& input, const TensorBase& repeats,
                                std::optional<int64_t> dim, std::optional<int64_t> output_size,
                                CallSite at) {
  const SiteScope scope(at);
  const char* const op = "repeat_interleave";
  const bool is_flat = !dim || input.dim() == 0;
  if (dim) wrap_dim(op, "dim", *dim, input.dim());
  const TensorBase x = is_flat ? flatten(input, 0, -1, at) : input;
  const int64_t d = is_flat ? 0 : wrap_dim(op, "dim", *dim, input.dim());
  if (repeats.dim() > 1) {
    refuse(op, "repeats", "a 0-dim tensor or a vector", concat("shape ", repeats.sizes()));
  }
  if (repeats.numel() != 1 && repeats.numel() != x.sizes()[d]) {
    refuse(op, "repeats", concat("one number for each of the ", x.sizes()[d], " elements"),
           concat(repeats.numel()));
  }
  const TensorBase counts = expand(reshape(repeats, {-1}, at), {x.sizes()[d]}, at);
  return index_select(x, d, repeated_places(counts, output_size, at), at);
}

TensorBase repeat_interleave(const TensorBase& input, int64_t repeats, std::optional<int64_t> dim,
                             std::optional<int64_t> output_size, CallSite at) {
  const SiteScope scope(at);
  const char* const op = "repeat_interleave";
  if (repeats < 0) refuse(op, "repeats", "a number that is not negative", concat(repeats));
  const int64_t given = dim ? wrap_dim(op, "dim", *dim, input.dim()) : 0;
  const TensorBase x = dim && input.dim() > 0 ? input : flatten(input, 0, -1, at);
  DimVector spread;
  DimVector sizes = x.sizes();
  for (int64_t d = 0; d < x.dim(); ++d) {
    spread.push_back(x.sizes()[d]);
    if (d == given) spread.push_back(repeats);
  }
  sizes[given] *= repeats;
  if (output_size && *output_size != sizes[given]) {
    refuse(op, "output_size", concat(sizes[given]), concat(*output_size));
  }
  checked_numel(op, spread);
  const TensorBase repeated = expand(unsqueeze(x, given + 1, at), spread, at);
  return view(clone_format(repeated, MemoryFormat::kContiguous, at), sizes, at);
}

}  // namespace eagre::ops
