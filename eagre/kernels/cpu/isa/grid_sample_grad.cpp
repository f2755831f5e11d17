// The gradients of grid_sample: for the images, gradients spread to the pixels that each point
// read; for the points, how results change when these move.
#include <cstddef>
#include <cstdint>

#include <eagre/core/shape.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/channel_block.h>
#include <eagre/kernels/cpu/isa/grid_axis.h>
#include <eagre/kernels/cpu/isa/grid_taps.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/vector.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

// Each of both gradients is wanted if it has memory.
template <class T>
struct GridGradients {
  ImagePlanes<T> image_grad;
  TensorView point_grad;
  ImagePlanes<const T> grad, input;
  GridCall<T> call;
  int64_t images, channels, pixels;

  bool wants_images() const { return image_grad.data != nullptr; }
  bool wants_points() const { return point_grad.data != nullptr; }
  T* point_at(int64_t image, int64_t point, int64_t axis) const {
    return point_grad.as<T>() + image * point_grad.strides[0] + point * point_grad.strides[1] +
           axis * point_grad.strides[2];
  }
};

// Blocks of channels. Each adds to memory of its own, and keeps its share of the gradient of
// points; these are summed in order, so the bits do not depend on who computed them.
template <class T, class Taps, int kAxes>
class BlockGradients {
  using Block = ChannelBlock<T>;
  using Vector = typename Block::Vector;
  static constexpr int kCount = Block::kCount;

 public:
  explicit BlockGradients(const GridGradients<T>& g)
      : g_(g), blocks_((g.channels - 1) / kCount + 1) {
    if (!g.wants_points()) return;
    const auto numbers = static_cast<size_t>(blocks_ * g.images * kAxes) * padded_points();
    parts_ = static_cast<T*>(scratch(Scratch::kSums, sizeof(T) * numbers));
  }

  void run() {
    share(g_.images * blocks_, g_.call.count * Taps::kTaps * 8, [&](int64_t begin, int64_t end) {
      for (int64_t task = begin; task < end; ++task) block(task / blocks_, task % blocks_);
    });
    if (g_.wants_points()) sum_parts();
  }

 private:
  // Whole tiles, so that all of them are written.
  size_t padded_points() const {
    return static_cast<size_t>((g_.call.count - 1) / kGridPoints + 1) * kGridPoints;
  }
  T* part(int64_t image, int64_t number, int axis) const {
    const int64_t row = (number * g_.images + image) * kAxes + axis;
    return parts_ + row * static_cast<int64_t>(padded_points());
  }
  T* image_room(Scratch use) const {
    return static_cast<T*>(scratch(use, sizeof(Vector) * static_cast<size_t>(g_.pixels)));
  }

  void block(int64_t image, int64_t number) {
    const int64_t first = number * kCount, points = g_.call.count;
    const int64_t channels = least_of(g_.channels - first, kCount);
    Taps& taps = Taps::of_thread();
    T* sums = nullptr;
    T* values = nullptr;
    if (g_.wants_images()) {
      sums = image_room(Scratch::kPanel);
      for (int64_t i = 0; i < g_.pixels * kCount; ++i) sums[i] = 0;
    }
    if (g_.wants_points() && Taps::kHasSlopes) {
      values = image_room(Scratch::kBlock);
      pack_channels(values, g_.input, g_.input.at(image, first), channels, g_.pixels);
    }
    for (int64_t start = 0; start < points; start += kGridPoints) {
      const int64_t count = least_of(points - start, kGridPoints);
      taps.compute(g_.call, image, start, count, g_.wants_points());
      alignas(64) T grads[kGridPoints * kCount];
      pack_channels(grads, g_.grad, g_.grad.at(image, first, start), channels, count);
      if (sums != nullptr) spread(taps, grads, count, sums);
      if (g_.wants_points()) point_parts(taps, grads, count, values, image, number, start);
    }
    if (sums == nullptr) return;
    unpack_channels(g_.image_grad.at(image, first), g_.image_grad, sums, channels, g_.pixels);
  }

  void spread(const Taps& taps, const T* grads, int64_t count, T* sums) {
    for (int64_t p = 0; p < count; ++p) {
      Vector grad;
      Block::load(grad, grads + p * kCount);
      for (int t = 0; t < Taps::kTaps; ++t) {
        const int64_t place = taps.places[t][p];
        if (place < 0) continue;
        Vector sum;
        Block::load(sum, sums + place * kCount);
        sum += grad * taps.weights[t][p];
        Block::store(sums + place * kCount, sum);
      }
    }
  }

  void point_parts(const Taps& taps, const T* grads, int64_t count, const T* values, int64_t image,
                   int64_t number, int64_t start) {
    alignas(64) T products[kAxes][kGridPoints * kCount];
    const Vector zeros{};
    for (int64_t p = 0; p < kGridPoints; ++p) {
      Vector changes[kAxes] = {};
      for (int t = 0; p < count && Taps::kHasSlopes && t < Taps::kTaps; ++t) {
        const int64_t place = taps.places[t][p];
        Vector value;
        Block::load(value,
                    place < 0 ? reinterpret_cast<const T*>(&zeros) : values + place * kCount);
        for (int k = 0; k < kAxes; ++k) changes[k] += value * taps.slopes[k][t][p];
      }
      Vector grad{};
      if (p < count) Block::load(grad, grads + p * kCount);
      for (int k = 0; k < kAxes; ++k) Block::store(products[k] + p * kCount, changes[k] * grad);
    }
    for (int k = 0; k < kAxes; ++k) {
      T* const to = part(image, number, k) + start;
      for (int p = 0; p < kGridPoints; p += kCount) {
        Vector rows[kCount];
        for (int i = 0; i < kCount; ++i) Block::load(rows[i], products[k] + (p + i) * kCount);
        Block::transpose(rows);
        for (int step = kCount / 2; step > 0; step /= 2) {
          for (int i = 0; i < step; ++i) rows[i] += rows[i + step];
        }
        Block::store(to + p, rows[0]);
      }
    }
  }

  void sum_parts() {
    share(g_.images, g_.call.count * kAxes * blocks_, [&](int64_t begin, int64_t end) {
      for (int64_t image = begin; image < end; ++image) {
        for (int k = 0; k < kAxes; ++k) {
          T* const sums = part(image, 0, k);
          for (int64_t b = 1; b < blocks_; ++b) {
            const T* const more = part(image, b, k);
#pragma GCC ivdep
            for (int64_t p = 0; p < g_.call.count; ++p) sums[p] += more[p];
          }
          for (int64_t p = 0; p < g_.call.count; ++p) *g_.point_at(image, p, k) = sums[p];
        }
      }
    });
  }

  const GridGradients<T>& g_;
  int64_t blocks_;
  T* parts_ = nullptr;
};

// Plane by plane, where images are large and points are few.
template <class T, class Taps>
void spread_planes(const GridGradients<T>& g) {
  const ImagePlanes<T>& out = g.image_grad;
  const int64_t work = g.pixels + g.call.count * Taps::kTaps * 4;
  share(g.images * g.channels, work, [&](int64_t begin, int64_t end) {
    Taps& taps = Taps::of_thread();
    for (int64_t task = begin; task < end; ++task) {
      const int64_t image = task / g.channels, channel = task % g.channels;
      T* const sums = out.at(image, channel);
      for (int64_t i = 0; i < g.pixels; ++i) sums[i * out.pixel_stride] = 0;
      for (int64_t start = 0; start < g.call.count; start += kGridPoints) {
        const int64_t count = least_of(g.call.count - start, kGridPoints);
        taps.compute(g.call, image, start, count, false);
        const T* const grads = g.grad.at(image, channel, start);
        for (int t = 0; t < Taps::kTaps; ++t) {
          for (int64_t p = 0; p < count; ++p) {
            const int64_t place = taps.places[t][p];
            if (place < 0) continue;
            sums[place * out.pixel_stride] += taps.weights[t][p] * grads[p * g.grad.pixel_stride];
          }
        }
      }
    }
  });
}

template <class T, class Taps, int kAxes>
void point_planes(const GridGradients<T>& g) {
  const int64_t tiles = (g.call.count - 1) / kGridPoints + 1, step = g.input.pixel_stride;
  const int64_t work = (g.channels + 4) * Taps::kTaps * kGridPoints * kAxes;
  share(g.images * tiles, work, [&](int64_t begin, int64_t end) {
    Taps& taps = Taps::of_thread();
    for (int64_t task = begin; task < end; ++task) {
      const int64_t image = task / tiles, start = task % tiles * kGridPoints;
      const int64_t count = least_of(g.call.count - start, kGridPoints);
      T sums[kAxes][kGridPoints] = {};
      taps.compute(g.call, image, start, count, true);
      for (int64_t c = 0; Taps::kHasSlopes && c < g.channels; ++c) {
        const T* const from = g.input.at(image, c);
        const T* const grads = g.grad.at(image, c, start);
        T scaled[kGridPoints] = {};
        for (int64_t p = 0; p < count; ++p) scaled[p] = grads[p * g.grad.pixel_stride];
        for (int t = 0; t < Taps::kTaps; ++t) {
          const int32_t* const places = taps.places[t];
          T values[kGridPoints];
          for (int p = 0; p < kGridPoints; ++p) {
            values[p] = places[p] < 0 ? T(0) : from[places[p] * step];
          }
          for (int k = 0; k < kAxes; ++k) {
            const T* const slopes = taps.slopes[k][t];
            for (int p = 0; p < kGridPoints; ++p) sums[k][p] += values[p] * scaled[p] * slopes[p];
          }
        }
      }
      for (int k = 0; k < kAxes; ++k) {
        for (int64_t p = 0; p < count; ++p) *g.point_at(image, start + p, k) = sums[k][p];
      }
    }
  });
}

// `input` is not read for the gradient of images, nor anything where there is no gradient.
template <class T>
void gradients(const TensorView& image_grad, const TensorView& point_grad, const TensorView& grad,
               const TensorView& input, const TensorView& points, Dims shape, int64_t mode,
               int64_t padding, bool align_corners, Dims order) {
  T* const images = image_grad.as<T>();
  if (points.sizes[1] == 0 || shape[0] == 0 || shape[1] == 0) {
    for (int64_t i = 0; images != nullptr && i < image_grad.numel; ++i) images[i] = 0;
    T* const rest = point_grad.as<T>();
    for (int64_t i = 0; rest != nullptr && i < point_grad.numel; ++i) rest[i] = 0;
    return;
  }
  const Dims sizes(shape.data() + 2, shape.size() - 2);
  GridGradients<T> g{ImagePlanes<T>(image_grad),
                     point_grad,
                     ImagePlanes<const T>(grad),
                     ImagePlanes<const T>(input),
                     GridCall<T>(sizes, points, padding, align_corners, order),
                     shape[0],
                     shape[1],
                     1};
  for (int64_t size : sizes) g.pixels *= size;
  const bool packs = pays_to_pack(g.channels, g.pixels, g.call.count);
  with_taps(sizes.size(), mode, [&](auto axes, auto each) {
    constexpr int kAxes = decltype(axes)::value;
    using Taps = GridTaps<T, kAxes, decltype(each)::value>;
    if (packs) return BlockGradients<T, Taps, kAxes>(g).run();
    if (g.wants_images()) spread_planes<T, Taps>(g);
    if (g.wants_points()) point_planes<T, Taps, kAxes>(g);
  });
}

}  // namespace

void grid_spread_f32(const TensorView& out, const TensorView& grad, const TensorView& points,
                     int64_t mode, int64_t padding, bool align_corners, Dims order) {
  gradients<float>(out, {}, grad, {}, points, out.sizes, mode, padding, align_corners, order);
}
void grid_slope_f32(const TensorView& out, const TensorView& grad, const TensorView& input,
                    const TensorView& points, int64_t mode, int64_t padding, bool align_corners,
                    Dims order) {
  gradients<float>({}, out, grad, input, points, input.sizes, mode, padding, align_corners, order);
}
void grid_points_fused_grad_f32(const TensorView& image_grad, const TensorView& point_grad,
                                const TensorView& grad, const TensorView& input,
                                const TensorView& points, int64_t mode, int64_t padding,
                                bool align_corners, Dims order) {
  gradients<float>(image_grad, point_grad, grad, input, points, input.sizes, mode, padding,
                   align_corners, order);
}
void grid_spread_f64(const TensorView& out, const TensorView& grad, const TensorView& points,
                     int64_t mode, int64_t padding, bool align_corners, Dims order) {
  gradients<double>(out, {}, grad, {}, points, out.sizes, mode, padding, align_corners, order);
}
void grid_slope_f64(const TensorView& out, const TensorView& grad, const TensorView& input,
                    const TensorView& points, int64_t mode, int64_t padding, bool align_corners,
                    Dims order) {
  gradients<double>({}, out, grad, input, points, input.sizes, mode, padding, align_corners, order);
}
void grid_points_fused_grad_f64(const TensorView& image_grad, const TensorView& point_grad,
                                const TensorView& grad, const TensorView& input,
                                const TensorView& points, int64_t mode, int64_t padding,
                                bool align_corners, Dims order) {
  gradients<double>(image_grad, point_grad, grad, input, points, input.sizes, mode, padding,
                    align_corners, order);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
