// Windows of images as columns, and back: elements of the padded image, by their places.
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/window.h>
#include <eagre/ops/add.h>
#include <eagre/ops/arange.h>
#include <eagre/ops/col2im.h>
#include <eagre/ops/constant_pad_nd.h>
#include <eagre/ops/im2col.h>
#include <eagre/ops/index_add.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/new_zeros.h>
#include <eagre/ops/reshape.h>

namespace eagre::ops {
namespace {

// What users call them, and what messages say.
constexpr const char *kUnfold = "unfold", *kFold = "fold";

// Of one of the two dimensions.
struct Side {
  Window window;
  int64_t size, count;  // of the image, and of windows

  int64_t padded() const { return size + 2 * window.padding; }
};

struct Sides {
  Side height, width;

  Sides(const char* op, Dims image, Dims kernel_size, Dims dilation, Dims padding, Dims stride) {
    const DimVector kernels = window_argument(op, "kernel_size", kernel_size, 2, 1, {});
    const DimVector dilations = window_argument(op, "dilation", dilation, 2, 1, DimVector{1});
    const DimVector paddings = window_argument(op, "padding", padding, 2, 0, DimVector{0});
    const DimVector strides = window_argument(op, "stride", stride, 2, 1, DimVector{1});
    const auto side = [&](size_t i) {
      const Window window{kernels[i], strides[i], paddings[i], dilations[i]};
      return Side{window, image[i], count_windows(op, image[i], window, false)};
    };
    height = side(0);
    width = side(1);
    checked_numel(op, {height.padded(), width.padded()});
    checked_numel(op, {window_size(op), columns(op)});
    checked_numel(op, {height.window.kernel, width.window.kernel, height.count, width.count});
  }
  int64_t window_size(const char* op) const {
    return checked_numel(op, {height.window.kernel, width.window.kernel});
  }
  int64_t columns(const char* op) const { return checked_numel(op, {height.count, width.count}); }
  DimVector padding() const {
    return {width.window.padding, width.window.padding, height.window.padding,
            height.window.padding};
  }
};

// Where the elements of windows are, in units of `unit`: [element, window].
TensorBase places_along(const Side& side, int64_t unit, Device device, CallSite at) {
  const TensorOptions options = TensorOptions(kInt64).device(device);
  const TensorBase elements =
      mul(arange(side.window.kernel, options, at), side.window.dilation * unit, at);
  const TensorBase windows = mul(arange(side.count, options, at), side.window.stride * unit, at);
  return add(reshape(elements, {side.window.kernel, 1}, at), windows, 1, at);
}

// In the order of columns: element, then window.
TensorBase places(const Sides& sides, Device device, CallSite at) {
  const Side &h = sides.height, &w = sides.width;
  const TensorBase rows = places_along(h, w.padded(), device, at);
  const TensorBase columns = places_along(w, 1, device, at);
  const TensorBase all = add(reshape(rows, {h.window.kernel, 1, h.count, 1}, at),
                             reshape(columns, {1, w.window.kernel, 1, w.count}, at), 1, at);
  return reshape(all, {-1}, at);
}

}  // namespace

TensorBase im2col(const TensorBase& input, Dims kernel_size, Dims dilation, Dims padding,
                  Dims stride, CallSite at) {
  const Dims sizes = input.get(kUnfold, "input").sizes();
  const size_t lead = sizes.size() - 2;
  if (sizes.size() != 3 && sizes.size() != 4) {
    invalid_argument(kUnfold, "input", "a tensor with 3 or 4 dimensions", shape_text(input));
  }
  for (size_t d = sizes.size() - 3; d < sizes.size(); ++d) {
    if (sizes[d] != 0) continue;
    invalid_argument(kUnfold, "input", "a tensor with elements, but for the size of a batch",
                     shape_text(input));
  }
  const Sides sides(kUnfold, Dims(sizes.data() + lead, 2), kernel_size, dilation, padding, stride);
  const DimVector outer = Dims(sizes.data(), lead);
  DimVector flat = outer, result = outer;
  flat.push_back(sides.height.padded() * sides.width.padded());
  result.back() = checked_numel(kUnfold, {sizes[lead - 1], sides.window_size(kUnfold)});
  result.push_back(sides.columns(kUnfold));
  checked_numel(kUnfold, result);
  const TensorBase image = reshape(constant_pad_nd(input, sides.padding(), 0, at), flat, at);
  return reshape(index_select(image, -1, places(sides, input.device(), at), at), result, at);
}

TensorBase col2im(const TensorBase& input, Dims output_size, Dims kernel_size, Dims dilation,
                  Dims padding, Dims stride, CallSite at) {
  const Dims sizes = input.get(kFold, "input").sizes();
  if (sizes.size() != 2 && sizes.size() != 3) {
    invalid_argument(kFold, "input", "a tensor with 2 or 3 dimensions", shape_text(input));
  }
  const DimVector size = window_argument(kFold, "output_size", output_size, 2, 1, {});
  const Sides sides(kFold, size, kernel_size, dilation, padding, stride);
  const size_t lead = sizes.size() - 2;
  const int64_t elements = sides.window_size(kFold), columns = sides.columns(kFold);
  if (sizes[lead] % elements != 0 || sizes[lead] == 0) {
    invalid_argument(
        kFold, "input",
        concat("divisible by the product of kernel_size, ", elements, ", in dimension ", lead),
        shape_text(input));
  }
  if (sizes[lead + 1] != columns) {
    invalid_argument(kFold, "input",
                     concat("of size ", columns, ", the number of windows, in its last dimension"),
                     shape_text(input));
  }
  // Of the batch, if there is one, and channels; then these.
  const auto shape = [&](std::initializer_list<int64_t> more) {
    DimVector all;
    if (lead == 1) all.push_back(sizes[0]);
    all.push_back(sizes[lead] / elements);
    for (int64_t number : more) all.push_back(number);
    return all;
  };
  const DimVector image = shape({sides.height.padded(), sides.width.padded()});
  checked_numel(kFold, image);
  const TensorBase sums = index_add(
      new_zeros(input, shape({sides.height.padded() * sides.width.padded()}), {}, at), -1,
      places(sides, input.device(), at), reshape(input, shape({elements * columns}), at), 1, at);
  DimVector border = sides.padding();
  for (int64_t& number : border) number = -number;
  return constant_pad_nd(reshape(sums, image, at), border, 0, at);
}

}  // namespace eagre::ops
