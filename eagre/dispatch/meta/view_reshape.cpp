// Geometry of views with other sizes or dtypes.
#include <cstddef>
#include <cstdint>

#include <eagre/base/error.h>
#include <eagre/base/export.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

// Sizes that do not fit as they are: one may be -1, else they are an error.
EAGRE_NOINLINE void complete_size(const char* op, Dims size, int64_t numel, DimVector& result) {
  int64_t known = 1;
  int64_t unknown = -1;
  bool good = size.size() <= static_cast<size_t>(kMaxDims);
  for (size_t i = 0; i < size.size(); ++i) {
    if (size[i] == -1 && unknown < 0) {
      unknown = static_cast<int64_t>(i);
    } else {
      good = good && size[i] >= 0 && !__builtin_mul_overflow(known, size[i], &known);
    }
  }
  if (good && unknown >= 0) {
    EAGRE_CHECK(known != 0 || numel != 0, kInvalidArgument, op,
                "(): cannot reshape tensor of 0 elements into shape ", size,
                " because the unspecified dimension size -1 can be any value and is ambiguous. "
                "Hint: write the size you mean");
    good = known != 0 && numel % known == 0;
    if (good) {
      result[unknown] = numel / known;
      return;
    }
  }
  int64_t inferred = 0;
  for (int64_t each : size) inferred += each == -1 ? 1 : 0;
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): argument 'size': shape '", size, "' is invalid for input of size ", numel,
               inferred > 1 ? ": only one dimension can be inferred (given as -1)"
                            : ". Hint: the sizes must multiply to that; one may be -1"));
}

// `result` is a copy of `size`.
EAGRE_INLINE void infer_size(const char* op, Dims size, int64_t numel, DimVector& result) {
  int64_t product = 1;
  bool good = size.size() <= static_cast<size_t>(kMaxDims);
  for (int64_t s : size) good &= s >= 0 && !__builtin_mul_overflow(product, s, &product);
  if (!good || product != numel) [[unlikely]]
    complete_size(op, size, numel, result);
}

}  // namespace

DimVector infer_size(const char* op, Dims size, int64_t numel) {
  DimVector result(size);
  infer_size(op, size, numel, result);
  return result;
}

bool view_strides(const TensorImpl& input, Dims size, DimVector& strides) {
  strides.resize_for_overwrite(size.size());
  if (input.numel == 0 || input.is_contiguous()) {
    contiguous_strides(size, strides.data());
    return true;
  }
  // Stretches of the old dimensions that lie in memory as one are cut into new ones, from the end.
  const Dims old_sizes = input.sizes();
  const Dims old_strides = input.strides();
  auto next = static_cast<int64_t>(size.size()) - 1;
  int64_t base = old_strides.back();
  int64_t old_count = 1;
  int64_t new_count = 1;
  for (int64_t d = input.key.rank - 1; d >= 0; --d) {
    old_count *= old_sizes[d];
    const bool ends = d == 0 || (old_sizes[d - 1] != 1 && old_strides[d - 1] != old_count * base);
    if (!ends) continue;
    while (next >= 0 && (new_count < old_count || size[next] == 1)) {
      strides[next] = new_count * base;
      new_count *= size[next];
      --next;
    }
    if (new_count != old_count) return false;
    if (d > 0) {
      base = old_strides[d - 1];
      old_count = 1;
      new_count = 1;
    }
  }
  return next == -1;
}

ViewGeometry view(const char* op, const TensorImpl& input, Dims size) {
  ViewGeometry view{size, {}, input.offset};
  infer_size(op, size, input.numel, view.sizes);
  if (input.is_contiguous()) [[likely]] {
    view.strides.resize_for_overwrite(size.size());
    contiguous_strides(view.sizes, view.strides.data());
    return view;
  }
  EAGRE_CHECK(view_strides(input, view.sizes, view.strides), kInvalidArgument, op,
              "(): view size is not compatible with input tensor's size and stride: shape ",
              input.sizes(), " with strides ", input.strides(), " cannot be seen as ",
              Dims(view.sizes),
              " without a copy. Use .reshape(...) instead, which copies where it must");
  return view;
}

ViewGeometry view(const char* op, const TensorImpl& input, DType dtype) {
  ViewGeometry view{input.sizes(), input.strides(), input.offset, dtype};
  const auto from = static_cast<int64_t>(element_size(input.key.dtype));
  const auto to = static_cast<int64_t>(element_size(dtype));
  if (from == to) return view;
  EAGRE_CHECK(input.key.rank > 0, kInvalidArgument, op, "(): self.dim() cannot be 0 to view ",
              input.key.dtype, " as ", dtype, " (different element sizes)");
  EAGRE_CHECK(view.strides.back() == 1, kInvalidArgument, op,
              "(): self.stride(-1) must be 1: elements of ", input.key.dtype, " can be seen as ",
              dtype, " only where the last dimension has stride 1, but got shape ", input.sizes(),
              " and strides ", input.strides());
  const size_t last = view.sizes.size() - 1;
  if (from > to) {
    const int64_t ratio = from / to;
    view.sizes[last] *= ratio;
    view.offset *= ratio;
    for (size_t i = 0; i < last; ++i) view.strides[i] *= ratio;
    checked_numel(op, view.sizes);
    return view;
  }
  const int64_t ratio = to / from;
  const auto check_multiple = [&](int64_t value, const char* name) {
    EAGRE_CHECK(value % ratio == 0, kInvalidArgument, op, "(): ", name, " must be divisible by ",
                ratio, " to view ", input.key.dtype, " as ", dtype,
                " (different element sizes), but got ", value, ": shape ", input.sizes(),
                ", strides ", input.strides(), " and offset ", input.offset);
  };
  check_multiple(view.sizes[last], "self.size(-1)");
  check_multiple(view.offset, "self.storage_offset()");
  for (size_t i = 0; i < last; ++i) {
    if (view.sizes[i] != 1) check_multiple(view.strides[i], "self.stride()");
  }
  view.sizes[last] /= ratio;
  view.offset /= ratio;
  for (size_t i = 0; i < last; ++i) view.strides[i] /= ratio;
  return view;
}

ViewGeometry view_as_real(const char* op, const TensorImpl& input) {
  EAGRE_CHECK(is_complex(input.key.dtype), kType, op,
              "(): argument 'input' must be a complex tensor, but got ", input.key.dtype);
  ViewGeometry view{input.sizes(), input.strides(), 2 * input.offset, real_dtype(input.key.dtype)};
  for (int64_t& stride : view.strides) stride *= 2;
  view.sizes.push_back(2);
  view.strides.push_back(1);
  checked_numel(op, view.sizes);
  return view;
}

ViewGeometry view_as_complex(const char* op, const TensorImpl& input) {
  const DType dtype = input.key.dtype;
  EAGRE_CHECK(is_floating_point(dtype) && real_dtype(complex_dtype(dtype)) == dtype, kType, op,
              "(): argument 'input' must be a float16, float32 or float64 tensor, but got ", dtype);
  const size_t rank = input.key.rank;
  const auto check = [&](bool good, const char* rule) {
    EAGRE_CHECK(good, kInvalidArgument, op, "(): ", rule, ", but got shape ", input.sizes(),
                ", strides ", input.strides(), " and offset ", input.offset,
                ". Hint: the last dimension holds the 2 parts of a number, side by side");
  };
  check(rank > 0, "Input tensor must have one or more dimensions");
  check(input.sizes().back() == 2, "Tensor must have a last dimension of size 2");
  if (input.numel != 0) {  // else strides lead nowhere
    check(input.strides().back() == 1, "Tensor must have a last dimension with stride 1");
    for (size_t i = 0; i + 1 < rank; ++i) {
      check(input.sizes()[i] == 1 || input.strides()[i] % 2 == 0,
            "Tensor must have a stride divisible by 2 for all but last dimension");
    }
    check(input.offset % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  }
  ViewGeometry view{{}, {}, input.offset / 2, complex_dtype(dtype)};
  for (size_t i = 0; i + 1 < rank; ++i) {
    view.sizes.push_back(input.sizes()[i]);
    view.strides.push_back(input.strides()[i] / 2);
  }
  return view;
}

}  // namespace eagre::dispatch::meta
