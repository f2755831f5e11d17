// grid_sample: checks, and what changes when points move; grids of affine maps.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/options.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/add.h>
#include <eagre/ops/affine_grid.h>
#include <eagre/ops/affine_grid_generator.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/given_tensors.h>
#include <eagre/ops/grid_moved.h>
#include <eagre/ops/grid_moved_slope.h>
#include <eagre/ops/grid_moved_spread.h>
#include <eagre/ops/grid_points.h>
#include <eagre/ops/grid_sample.h>
#include <eagre/ops/grid_sampler.h>
#include <eagre/ops/grid_sampler_2d.h>
#include <eagre/ops/grid_sampler_3d.h>
#include <eagre/ops/grid_slope.h>
#include <eagre/ops/grid_spread.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/linspace.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/select.h>

namespace eagre::ops {
namespace {

// Pixels are counted by 32 bits, with room for places just outside.
constexpr int64_t kMostPixels = int64_t{1} << 30;

[[noreturn]] void refuse_pair(const char* op, const std::string& expected, const TensorBase& input,
                              const TensorBase& grid) {
  raise(ErrorKind::kInvalidArgument,
        concat(op, "(): ", expected, ", but got argument 'input' with sizes ", input.sizes(),
               " and 'grid' with sizes ", grid.sizes()));
}

// Images with `spatial` dimensions, or two or three if that is 0.
void check(const char* op, const TensorBase& input, const TensorBase& grid, int64_t spatial) {
  const int64_t rank = input.get(op, "input").key.rank;
  const bool has_rank = spatial == 0 ? rank == 4 || rank == 5 : rank == spatial + 2;
  if (!has_rank || grid.get(op, "grid").key.rank != rank) {
    refuse_pair(op,
                concat("expected ", spatial == 0 ? "4D or 5D" : concat(spatial + 2, "D"),
                       " input and grid with same number of dimensions"),
                input, grid);
  }
  if (input.dtype() != grid.dtype()) {
    raise(ErrorKind::kType,
          ArgumentProblem{op, "grid", concat("dtype ", input.dtype(), ", as 'input'"),
                          std::string(to_string(grid.dtype()))});
  }
  if (input.sizes()[0] != grid.sizes()[0]) {
    refuse_pair(op, "expected grid and input to have same batch size", input, grid);
  }
  if (grid.sizes()[static_cast<size_t>(rank - 1)] != rank - 2) {
    refuse_pair(op, concat("expected grid to have size ", rank - 2, " in last dimension"), input,
                grid);
  }
  check_devices(op, {{input, "input"}, {grid, "grid"}});
  int64_t pixels = 1;
  for (size_t d = 2; d < static_cast<size_t>(rank); ++d) {
    const int64_t size = input.sizes()[d];
    EAGRE_CHECK(size > 0, kInvalidArgument, op,
                "(): expected input to have non-empty spatial dimensions, but argument 'input' has "
                "sizes ",
                input.sizes());
    EAGRE_CHECK(size <= kMostPixels / pixels, kUnimplemented, op,
                "(): argument 'input' must have images of at most 2^30 pixels, but got shape ",
                input.sizes());
    pixels *= size;
  }
}

TensorBase sampled(const char* op, const TensorBase& input, const TensorBase& grid, int64_t mode,
                   int64_t padding, bool align_corners, CallSite at) {
  const Dims sizes = grid.sizes();
  const size_t spatial = sizes.size() - 2;
  DimVector shape = {input.sizes()[0], input.sizes()[1]}, order;
  int64_t count = 1;
  for (size_t d = 1; d <= spatial; ++d) {
    shape.push_back(sizes[d]);
    count *= sizes[d];
    order.push_back(0);
  }
  checked_numel(op, shape);
  const TensorBase points =
      reshape(grid, DimVector({sizes[0], count, static_cast<int64_t>(spatial)}), at);
  return grid_points(input, points, shape, mode, padding, align_corners, order,
                     static_cast<int64_t>(spatial), at);
}

TensorBase sampler(const char* op, const TensorBase& input, const TensorBase& grid, int64_t mode,
                   int64_t padding, bool align_corners, int64_t spatial, CallSite at) {
  check(op, input, grid, spatial);
  if (mode < 0 || mode > 2) {
    invalid_argument(op, "interpolation_mode", "0 (bilinear), 1 (nearest) or 2 (bicubic)",
                     concat(mode));
  }
  if (padding < 0 || padding > 2) {
    invalid_argument(op, "padding_mode", "0 (zeros), 1 (border) or 2 (reflection)",
                     concat(padding));
  }
  return sampled(op, input, grid, mode, padding, align_corners, at);
}

// The place of `text` among three names.
int64_t number_of(const char* argument, std::string_view text,
                  const std::array<std::string_view, 3>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return static_cast<int64_t>(i);
  }
  raise(ErrorKind::kInvalidArgument,
        concat("grid_sample(): expected ", argument, " to be '", names[0], "', '", names[1],
               "' or '", names[2], "': argument '", argument, "' is '", text, "'"));
}

bool corners(const char* op, std::optional<bool> align_corners) {
  if (!align_corners) {
    warn(concat(op,
                "(): argument 'align_corners' was left out and is taken as False; programs from "
                "before that was the default must give True"));
  }
  return align_corners.value_or(false);
}

// sum over k of f(k, the k-th number of each shift, as an image of one channel), in which f takes
// one more derivative along axis k.
template <class F>
TensorBase over_axes(const TensorBase& shift, Dims shape, Dims order, CallSite at, const F& f) {
  DimVector plane(shape);
  plane[1] = 1;
  TensorBase total;
  for (size_t k = 0; k < order.size(); ++k) {
    DimVector more(order);
    ++more[k];
    const TensorBase part =
        f(reshape(select(shift, -1, static_cast<int64_t>(k), at), plane, at), more);
    total = total.defined() ? add(total, part, 1, at) : part;
  }
  return total;
}

// The middles of pixels along a dimension.
TensorBase middles(const TensorBase& like, int64_t size, bool align_corners, CallSite at) {
  const auto options = TensorOptions(like.dtype()).device(like.device());
  double end = align_corners ? 1 : static_cast<double>(size - 1) / static_cast<double>(size);
  if (size == 1) end = 0;
  return linspace(-end, end, size, options, at);
}

TensorBase in_dtype(const TensorBase& tensor, DType dtype, CallSite at) {
  return tensor.dtype() == dtype ? tensor : cast(tensor, dtype, at);
}

TensorBase generated(const char* op, const TensorBase& theta, Dims size, bool align_corners,
                     CallSite at) {
  const int64_t spatial = static_cast<int64_t>(size.size()) - 2;
  if (theta.dim() != 3 || theta.sizes()[1] != spatial || theta.sizes()[2] != spatial + 1) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): Expected a batch of ", spatial, "D affine matrices of shape Nx", spatial,
                 "x", spatial + 1, " for size ", size, ": argument 'theta' has shape ",
                 theta.sizes()));
  }
  if (!is_floating_point(theta.dtype())) {
    raise(ErrorKind::kInvalidArgument,
          concat(op, "(): Expected theta to have floating point type: argument 'theta' is of ",
                 theta.dtype()));
  }
  for (int64_t number : size) {
    EAGRE_CHECK(number > 0, kInvalidArgument, op,
                "(): Expected non-zero, positive output size: argument 'size' is ", size);
  }
  if (size[0] != theta.sizes()[0]) {
    invalid_argument(op, "size", concat("of a batch of ", theta.sizes()[0], ", as 'theta'"),
                     concat(size));
  }
  DimVector result = {size[0]}, space(Dims(size.data() + 2, static_cast<size_t>(spatial)));
  for (int64_t number : space) result.push_back(number);
  result.push_back(spatial);
  checked_numel(op, result);
  // Of halves all is added up before it is rounded.
  const bool is_half = theta.dtype() == kFloat16 || theta.dtype() == kBFloat16;
  const DType dtype = is_half ? kFloat32 : theta.dtype();
  const TensorBase map = in_dtype(theta, dtype, at);
  const auto column = [&](int64_t j) {
    DimVector sizes(result.size(), 1);
    sizes[0] = size[0];
    sizes.back() = spatial;
    return reshape(select(map, 2, j, at), sizes, at);
  };
  // The column for 1, then of z, y and x times theirs: the sum broadcasts to all pixels only with
  // the last, so that nothing else is as large as the result.
  TensorBase sum = column(spatial);
  for (int64_t j = spatial - 1; j >= 0; --j) {
    const auto axis = static_cast<size_t>(spatial - 1 - j);
    DimVector line(result.size(), 1);
    line[axis + 1] = space[axis];
    const TensorBase along = in_dtype(middles(theta, space[axis], align_corners, at), dtype, at);
    sum = add(sum, mul(column(j), reshape(along, line, at), at), 1, at);
  }
  return in_dtype(sum, theta.dtype(), at);
}

}  // namespace

TensorBase grid_sample(const TensorBase& input, const TensorBase& grid, std::string_view mode,
                       std::string_view padding_mode, std::optional<bool> align_corners,
                       CallSite at) {
  const int64_t how = number_of("mode", mode, {"bilinear", "nearest", "bicubic"});
  const int64_t padding =
      number_of("padding_mode", padding_mode, {"zeros", "border", "reflection"});
  check("grid_sample", input, grid, 0);
  return sampled("grid_sample", input, grid, how, padding, corners("grid_sample", align_corners),
                 at);
}

TensorBase grid_sampler(const TensorBase& input, const TensorBase& grid, int64_t interpolation_mode,
                        int64_t padding_mode, bool align_corners, CallSite at) {
  return sampler("grid_sampler", input, grid, interpolation_mode, padding_mode, align_corners, 0,
                 at);
}

TensorBase grid_sampler_2d(const TensorBase& input, const TensorBase& grid,
                           int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
                           CallSite at) {
  return sampler("grid_sampler_2d", input, grid, interpolation_mode, padding_mode, align_corners, 2,
                 at);
}

TensorBase grid_sampler_3d(const TensorBase& input, const TensorBase& grid,
                           int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
                           CallSite at) {
  return sampler("grid_sampler_3d", input, grid, interpolation_mode, padding_mode, align_corners, 3,
                 at);
}

TensorBase grid_moved(const TensorBase& shift, const TensorBase& input, const TensorBase& points,
                      Dims shape, int64_t mode, int64_t padding, bool align_corners, Dims order,
                      int64_t spatial, CallSite at) {
  return over_axes(shift, shape, order, at, [&](const TensorBase& by, Dims more) {
    const TensorBase slope =
        grid_points(input, points, shape, mode, padding, align_corners, more, spatial, at);
    return mul(slope, by, at);
  });
}

TensorBase grid_moved_spread(const TensorBase& shift, const TensorBase& grad,
                             const TensorBase& points, Dims shape, int64_t mode, int64_t padding,
                             bool align_corners, Dims order, int64_t spatial, CallSite at) {
  return over_axes(shift, grad.sizes(), order, at, [&](const TensorBase& by, Dims more) {
    return grid_spread(mul(grad, by, at), points, shape, mode, padding, align_corners, more,
                       spatial, at);
  });
}

TensorBase grid_moved_slope(const TensorBase& shift, const TensorBase& grad,
                            const TensorBase& input, const TensorBase& points, int64_t mode,
                            int64_t padding, bool align_corners, Dims order, int64_t spatial,
                            CallSite at) {
  return over_axes(shift, grad.sizes(), order, at, [&](const TensorBase& by, Dims more) {
    return grid_slope(mul(grad, by, at), input, points, mode, padding, align_corners, more, spatial,
                      at);
  });
}

TensorBase affine_grid(const TensorBase& theta, Dims size, std::optional<bool> align_corners,
                       CallSite at) {
  EAGRE_CHECK(size.size() == 4 || size.size() == 5, kUnimplemented,
              "affine_grid(): only supports 4D and 5D sizes: argument 'size' is ", size);
  const bool aligned = corners("affine_grid", align_corners);
  if (aligned && std::any_of(size.begin() + 2, size.end(), [](int64_t n) { return n == 1; })) {
    warn(
        "affine_grid(): with 'align_corners' the one place of a dimension of size 1 is its middle");
  }
  return generated("affine_grid", theta, size, aligned, at);
}

TensorBase affine_grid_generator(const TensorBase& theta, Dims size, bool align_corners,
                                 CallSite at) {
  EAGRE_CHECK(size.size() == 4 || size.size() == 5, kInvalidArgument,
              "affine_grid_generator(): AffineGridGenerator needs 4d (spatial) or 5d (volumetric) "
              "inputs: argument 'size' is ",
              size);
  return generated("affine_grid_generator", theta, size, align_corners, at);
}

}  // namespace eagre::ops
