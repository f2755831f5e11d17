// Shapes of padded tensors.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/error.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

[[noreturn]] void bad_pad(const char* op, std::string expected, std::string got) {
  raise(ErrorKind::kInvalidArgument,
        ArgumentProblem{op, "pad", std::move(expected), std::move(got)});
}

// One dimension; what is taken away must be there.
int64_t padded_size(const char* op, int64_t size, int64_t before, int64_t after, Dims pad) {
  int64_t kept = size, result = size;
  const bool overflows = (before < 0 && __builtin_add_overflow(kept, before, &kept)) ||
                         (after < 0 && __builtin_add_overflow(kept, after, &kept)) ||
                         __builtin_add_overflow(result, before, &result) ||
                         __builtin_add_overflow(result, after, &result);
  if (overflows || kept < 0 || result < 0) {
    bad_pad(op, concat("numbers that leave a size of at least 0, and less than 2^63, of ", size),
            to_string(pad));
  }
  return result;
}

}  // namespace

DimVector padded_sizes(const char* op, const TensorImpl& input, Dims pad) {
  DimVector sizes = input.sizes();
  if (pad.size() % 2 != 0) {
    bad_pad(op, "a list of even length (Padding length must be divisible by 2)",
            concat(pad.size(), " numbers"));
  }
  if (pad.size() > 2 * sizes.size()) {
    bad_pad(op, concat("no longer than twice the number of dimensions, ", sizes.size()),
            concat(pad.size(), " numbers"));
  }
  for (size_t i = 0; i < pad.size(); i += 2) {
    int64_t& size = sizes[sizes.size() - 1 - i / 2];
    size = padded_size(op, size, pad[i], pad[i + 1], pad);
  }
  checked_numel(op, sizes);
  return sizes;
}

DimVector pad_with(const char* op, const TensorImpl& input, Dims pad, const Scalar& value) {
  if (!value.fits(input.key.dtype)) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{op, "value", concat("a number that ", input.key.dtype, " can hold"),
                          text_of(value)});
  }
  return padded_sizes(op, input, pad);
}

DimVector pad_edges(const char* op, const TensorImpl& input, Dims pad, std::string_view mode) {
  const Dims sizes = input.sizes();
  DimVector result = padded_sizes(op, input, pad);
  for (size_t i = 0; i < pad.size(); i += 2) {
    const size_t d = sizes.size() - 1 - i / 2;
    const int64_t size = sizes[d], before = pad[i], after = pad[i + 1];
    const int64_t most = mode == "reflect" ? size - 1 : mode == "circular" ? size : INT64_MAX;
    if (before > most || after > most) {
      bad_pad(op,
              concat("at most ", most, " in dimension ", d, " of size ", size, " with mode '", mode,
                     "' (Padding size should be less than the corresponding input dimension, and "
                     "not wrap around more than once)"),
              to_string(pad));
    }
    if (mode != "circular" && result[d] < 1) {
      bad_pad(op, concat("numbers that leave at least one element in dimension ", d),
              concat(pad, " for a tensor of shape ", sizes));
    }
  }
  return result;
}

}  // namespace eagre::dispatch::meta
