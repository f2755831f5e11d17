// interpolate, one dimension after the other; pixels and channels that change places.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/window.h>
#include <eagre/ops/adaptive_avg_pool1d.h>
#include <eagre/ops/adaptive_avg_pool2d.h>
#include <eagre/ops/adaptive_avg_pool3d.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/channel_shuffle.h>
#include <eagre/ops/clamp.h>
#include <eagre/ops/clone.h>
#include <eagre/ops/interpolate.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/permute.h>
#include <eagre/ops/pixel_shuffle.h>
#include <eagre/ops/pixel_unshuffle.h>
#include <eagre/ops/resample.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/round.h>

namespace eagre::ops {
namespace {

// How many spatial dimensions a mode is for; 0: any, -1: there is no such mode.
int64_t dimensions_of(std::string_view mode) {
  if (mode == "nearest" || mode == "nearest-exact" || mode == "area") return 0;
  if (mode == "linear") return 1;
  if (mode == "bilinear" || mode == "bicubic" || mode == "lanczos") return 2;
  return mode == "trilinear" ? 3 : -1;
}

void check_factor(const char* op, const char* argument, int64_t factor) {
  if (factor >= 1 && factor <= kMostOfWindow) return;
  invalid_argument(op, argument, "greater than zero, and less than 2^31", concat(factor));
}

// Elements of a dimension are shared by `parts`.
void check_divides(const char* op, const TensorBase& input, int64_t size, int64_t parts) {
  if (size % parts == 0) return;
  invalid_argument(op, "input", concat("of a size that is divisible by ", parts),
                   concat(size, " in shape ", input.sizes()));
}

void check_image(const char* op, const TensorBase& input) {
  if (input.dim() >= 3) return;
  invalid_argument(
      op, "input",
      concat("a tensor with at least 3 dimensions: ", op, " expects input with > 2 dims"),
      shape_text(input));
}

// Where nothing had to move, a result is a copy all the same.
TensorBase apart(const TensorBase& result, const TensorBase& input, CallSite at) {
  return result.get().storage == input.get().storage ? clone(result, at) : result;
}

DimVector counted(int64_t count) {
  DimVector dims;
  for (int64_t d = 0; d < count; ++d) dims.push_back(d);
  return dims;
}

// f(images) of images whose channels lie last in memory, with channels as their last dimension,
// where copies keep that order; nothing of other ones.
template <class F>
TensorBase with_channels_behind(const TensorBase& input, CallSite at, const F& f) {
  if (!suggests_channels_last(input.sizes(), input.strides())) return {};
  const int64_t last = input.dim() - 1;
  const TensorBase rows = f(movedim(input, Dims({1}), Dims({last}), at));
  return movedim(rows, Dims({last}), Dims({1}), at);
}

}  // namespace

TensorBase interpolate(const TensorBase& input, Dims size, std::string_view mode,
                       bool align_corners, bool antialias, double scale_d, double scale_h,
                       double scale_w, CallSite at) {
  const int64_t spatial = input.dim() - 2, wanted = dimensions_of(mode);
  if (wanted < 0 || spatial < 1 || spatial > 3 || (wanted > 0 && wanted != spatial)) {
    raise(
        ErrorKind::kUnimplemented,
        concat(
            "interpolate(): Input Error: argument 'mode' must be nearest, nearest-exact, area, or "
            "linear for 3D, bilinear, bicubic and lanczos for 4D, trilinear for 5D tensors, but "
            "got '",
            mode, "' for an 'input' with ", input.dim(), " dimensions"));
  }
  for (size_t d = 1; d < input.sizes().size(); ++d) {
    if (input.sizes()[d] != 0) continue;
    invalid_argument("interpolate", "input", "a tensor with elements, but for the size of a batch",
                     shape_text(input));
  }
  for (int64_t number : input.sizes()) {
    if (number <= kMostOfWindow) continue;
    invalid_argument("interpolate", "input", "shorter than 2^31 in each dimension",
                     shape_text(input));
  }
  if (mode == "lanczos" && align_corners) {
    invalid_argument("interpolate", "align_corners",
                     "False: Lanczos mode does not support align_corners=True", "True");
  }
  if (mode == "lanczos" && !antialias) {
    invalid_argument("interpolate", "antialias", "True: Lanczos mode requires antialias=True",
                     "False");
  }
  const DimVector sizes =
      window_argument("interpolate", "size", size, static_cast<size_t>(spatial), 1, {});
  if (mode == "area") {
    if (spatial == 1) return adaptive_avg_pool1d(input, Dims(sizes), at);
    if (spatial == 2) return adaptive_avg_pool2d(input, Dims(sizes), at);
    return adaptive_avg_pool3d(input, Dims(sizes), at);
  }
  const std::array<double, 3> scales = {scale_d, scale_h, scale_w};
  // Halves and bytes are rounded once, behind the last dimension.
  const bool is_half = input.dtype() == kFloat16 || input.dtype() == kBFloat16;
  const bool is_bytes = input.dtype() == kUInt8;
  TensorBase result = is_bytes || (is_half && spatial > 1) ? cast(input, kFloat32, at) : input;
  // The last first: rows are the longer, the later their number grows.
  for (int64_t i = spatial; i-- > 0;) {
    const auto d = static_cast<size_t>(i);
    result = resample(result, i - spatial, sizes[d], mode, align_corners, antialias,
                      scales[3 - static_cast<size_t>(spatial) + d], spatial, at);
  }
  if (is_bytes && mode != "nearest" && mode != "nearest-exact") {
    result = clamp(round(result, at), Scalar(0), Scalar(255), at);
  }
  return result.dtype() == input.dtype() ? result : cast(result, input.dtype(), at);
}

TensorBase pixel_shuffle(const TensorBase& input, int64_t upscale_factor, CallSite at) {
  check_image("pixel_shuffle", input);
  check_factor("pixel_shuffle", "upscale_factor", upscale_factor);
  const int64_t r = upscale_factor, lead = input.dim() - 3;
  const Dims sizes = input.sizes();
  const auto c = static_cast<size_t>(lead);
  check_divides("pixel_shuffle", input, sizes[c], r * r);
  if (input.dim() == 4 && r > 1) {
    const int64_t n = sizes[0], h = sizes[2], w = sizes[3], channels = sizes[1] / (r * r);
    const TensorBase images = with_channels_behind(input, at, [&](const TensorBase& pixels) {
      const TensorBase parts = reshape(pixels, DimVector({n, h, w, channels, r, r}), at);
      const TensorBase moved = permute(parts, DimVector({0, 1, 4, 2, 5, 3}), at);
      return reshape(moved, DimVector({n, h * r, w * r, channels}), at);
    });
    if (images.defined()) return apart(images, input, at);
  }
  DimVector parts = Dims(sizes.data(), c), order = counted(lead), result = parts;
  for (int64_t n : {sizes[c] / (r * r), r, r, sizes[c + 1], sizes[c + 2]}) parts.push_back(n);
  for (int64_t d : {0, 3, 1, 4, 2}) order.push_back(lead + d);
  for (int64_t n : {sizes[c] / (r * r), sizes[c + 1] * r, sizes[c + 2] * r}) result.push_back(n);
  return apart(reshape(permute(reshape(input, parts, at), order, at), result, at), input, at);
}

TensorBase pixel_unshuffle(const TensorBase& input, int64_t downscale_factor, CallSite at) {
  check_image("pixel_unshuffle", input);
  check_factor("pixel_unshuffle", "downscale_factor", downscale_factor);
  const int64_t r = downscale_factor, lead = input.dim() - 3;
  const Dims sizes = input.sizes();
  const auto c = static_cast<size_t>(lead);
  check_divides("pixel_unshuffle", input, sizes[c + 1], r);
  check_divides("pixel_unshuffle", input, sizes[c + 2], r);
  const int64_t height = sizes[c + 1] / r, width = sizes[c + 2] / r;
  if (input.dim() == 4 && r > 1) {
    const int64_t n = sizes[0], channels = sizes[1];
    const TensorBase images = with_channels_behind(input, at, [&](const TensorBase& pixels) {
      const TensorBase parts = reshape(pixels, DimVector({n, height, r, width, r, channels}), at);
      const TensorBase moved = permute(parts, DimVector({0, 1, 3, 5, 2, 4}), at);
      return reshape(moved, DimVector({n, height, width, channels * r * r}), at);
    });
    if (images.defined()) return apart(images, input, at);
  }
  DimVector parts = Dims(sizes.data(), c), order = counted(lead), result = parts;
  for (int64_t n : {sizes[c], height, r, width, r}) parts.push_back(n);
  for (int64_t d : {0, 2, 4, 1, 3}) order.push_back(lead + d);
  for (int64_t n : {sizes[c] * r * r, height, width}) result.push_back(n);
  return apart(reshape(permute(reshape(input, parts, at), order, at), result, at), input, at);
}

TensorBase channel_shuffle(const TensorBase& input, int64_t groups, CallSite at) {
  check_image("channel_shuffle", input);
  if (groups < 1) {
    invalid_argument("channel_shuffle", "groups",
                     "greater than zero: Number of groups to divide channels in must be positive",
                     concat(groups));
  }
  const Dims sizes = input.sizes();
  if (sizes[1] % groups != 0) {
    invalid_argument("channel_shuffle", "input",
                     concat("of a size that is divisible by ", groups,
                            ": Number of channels must be divisible by groups"),
                     concat(sizes[1], " channels in shape ", sizes));
  }
  TensorBase images = with_channels_behind(input, at, [&](const TensorBase& pixels) {
    DimVector parts = pixels.sizes(), places = counted(input.dim() + 1);
    parts.back() = groups;
    parts.push_back(sizes[1] / groups);
    std::swap(places[places.size() - 1], places[places.size() - 2]);
    return reshape(permute(reshape(pixels, parts, at), places, at), pixels.sizes(), at);
  });
  if (images.defined()) return images;
  DimVector parts = {sizes[0], groups, sizes[1] / groups}, order = counted(input.dim() + 1);
  for (size_t d = 2; d < sizes.size(); ++d) parts.push_back(sizes[d]);
  order[1] = 2;
  order[2] = 1;
  return reshape(permute(reshape(input, parts, at), order, at), sizes, at);
}

}  // namespace eagre::ops
