// Finding the elements that are not 0: places first, coordinates from them.
#include <eagre/dispatch/nonzero.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/small_vector.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/storage.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/core/tensor_list.h>
#include <eagre/dispatch/transfer.h>

namespace eagre::dispatch {
namespace {

constexpr int64_t kGrain = 32768;

TensorBase integers(Dims sizes) { return TensorBase::adopt(new_tensor(sizes, kInt64, Device())); }

TensorBase places_on_cpu(const char* op, const TensorBase& tensor) {
  EAGRE_CHECK(!tensor.device().is_meta(), kInvalidArgument, op,
              "(): the shape of the result depends on the elements, but a tensor on the device "
              "'meta' has none");
  EAGRE_CHECK(tensor.get().key.kind != TensorKind::kBatched, kAutograd, op,
              "(): vmap: the shape of the result depends on the elements, so it would differ from "
              "sample to sample. Hint: where(mask, x, other) keeps the shape; or use the mask "
              "outside of vmap()");
  const TensorBase here = as_contiguous(as_dtype(on_device(tensor, Device()), kBool));
  const auto* data = static_cast<const uint8_t*>(here.data_ptr());
  const int64_t numel = here.numel();
  const int64_t chunks = (numel + kGrain - 1) / kGrain;
  SmallVector<int64_t, 8> starts(static_cast<size_t>(chunks) + 1);
  parallel_for(0, numel, kGrain, [&](int64_t begin, int64_t end) {
    int64_t count = 0;
    for (int64_t i = begin; i < end; ++i) count += static_cast<int64_t>(data[i] != 0);
    starts[static_cast<size_t>(begin / kGrain) + 1] = count;
  });
  for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  TensorBase places = integers({starts.back()});
  auto* out = static_cast<int64_t*>(places.data_ptr());
  parallel_for(0, numel, kGrain, [&](int64_t begin, int64_t end) {
    // One after the other without branches: what is not counted is written over.
    int64_t* next = out + starts[static_cast<size_t>(begin / kGrain)];
    int64_t* const stop = out + starts[static_cast<size_t>(begin / kGrain) + 1];
    for (int64_t i = begin; i < end && next != stop; ++i) {
      *next = i;
      next += static_cast<int64_t>(data[i] != 0);
    }
  });
  return places;
}

// Writes the coordinate in each dimension at out + place × `step` + dimension × `pitch`.
void coordinates(const TensorBase& places, Dims sizes, int64_t* out, int64_t step, int64_t pitch) {
  const auto* from = static_cast<const int64_t*>(places.data_ptr());
  parallel_for(0, places.numel(), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = from[i];
      for (size_t d = sizes.size(); d-- > 0;) {
        out[i * step + static_cast<int64_t>(d) * pitch] = rest % sizes[d];
        rest /= sizes[d];
      }
    }
  });
}

}  // namespace

TensorBase nonzero_places(const char* op, const TensorBase& tensor) {
  return on_device(places_on_cpu(op, tensor), tensor.device());
}

TensorBase nonzero(const char* op, const TensorBase& tensor) {
  const TensorBase places = places_on_cpu(op, tensor);
  if (tensor.dim() == 1) {  // places are the coordinates
    const DimVector column{places.numel(), 1};
    const int64_t strides[] = {1, 1};
    IntrusivePtr<Storage> memory = IntrusivePtr<Storage>::share(places.get().storage);
    const TensorBase result =
        TensorBase::adopt(new_tensor_on(std::move(memory), column, strides, kInt64));
    return on_device(result, tensor.device());
  }
  const TensorBase result = integers({places.numel(), tensor.dim()});
  coordinates(places, tensor.sizes(), static_cast<int64_t*>(result.data_ptr()), tensor.dim(), 1);
  return on_device(result, tensor.device());
}

TensorVector nonzero_by_dimension(const char* op, const TensorBase& tensor) {
  const TensorBase places = places_on_cpu(op, tensor);
  if (tensor.dim() == 1) return {on_device(places, tensor.device())};
  const int64_t count = places.numel();
  TensorBase all = integers({tensor.dim(), count});
  coordinates(places, tensor.sizes(), static_cast<int64_t*>(all.data_ptr()), 1, count);
  all = on_device(all, tensor.device());
  TensorVector columns;
  const int64_t one[] = {1};
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    columns.push_back(TensorBase::adopt(new_view(all.get(), {count}, one, d * count)));
  }
  return columns;
}

}  // namespace eagre::dispatch
