// Images sampled at points: sums of a few pixels with weights.
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

// Block by block of channels, whose pixels lie next to each other.
template <class T, class Taps>
void sample_blocks(const ImagePlanes<T>& out, const ImagePlanes<const T>& input,
                   const GridCall<T>& call) {
  using Block = ChannelBlock<T>;
  using Vector = typename Block::Vector;
  constexpr int kCount = Block::kCount;
  const int64_t blocks = (input.channels - 1) / kCount + 1, points = call.count;
  share(input.images * blocks, points * Taps::kTaps * 4, [&](int64_t begin, int64_t end) {
    T* const pixels = static_cast<T*>(
        scratch(Scratch::kBlock, sizeof(Vector) * static_cast<size_t>(input.pixels)));
    Taps& taps = Taps::of_thread();
    const Vector zeros{};
    for (int64_t task = begin; task < end; ++task) {
      const int64_t image = task / blocks, first = task % blocks * kCount;
      const int64_t channels = least_of(input.channels - first, kCount);
      pack_channels(pixels, input, input.at(image, first), channels, input.pixels);
      for (int64_t start = 0; start < points; start += kGridPoints) {
        const int64_t count = least_of(points - start, kGridPoints);
        taps.compute(call, image, start, count, false);
        alignas(64) T sums[kGridPoints * kCount];
        for (int64_t p = 0; p < count; ++p) {
          Vector sum{};
          for (int t = 0; t < Taps::kTaps; ++t) {
            const int64_t place = taps.places[t][p];
            Vector value;
            Block::load(value,
                        place < 0 ? reinterpret_cast<const T*>(&zeros) : pixels + place * kCount);
            sum += value * taps.weights[t][p];
          }
          Block::store(sums + p * kCount, sum);
        }
        unpack_channels(out.at(image, first, start), out, sums, channels, count);
      }
    }
  });
}

// Channel by channel, where images are large and points are few.
template <class T, class Taps>
void sample_planes(const ImagePlanes<T>& out, const ImagePlanes<const T>& input,
                   const GridCall<T>& call) {
  const int64_t tiles = (call.count - 1) / kGridPoints + 1, step = input.pixel_stride;
  const int64_t work = (input.channels + 4) * Taps::kTaps * kGridPoints;
  share(input.images * tiles, work, [&](int64_t begin, int64_t end) {
    Taps& taps = Taps::of_thread();
    for (int64_t task = begin; task < end; ++task) {
      const int64_t image = task / tiles, start = task % tiles * kGridPoints;
      const int64_t count = least_of(call.count - start, kGridPoints);
      taps.compute(call, image, start, count, false);
      for (int64_t c = 0; c < input.channels; ++c) {
        const T* const from = input.at(image, c);
        T sums[kGridPoints] = {};
        for (int t = 0; t < Taps::kTaps; ++t) {
          const int32_t* const places = taps.places[t];
          const T* const weights = taps.weights[t];
          if (taps.are_inside && step == 1) {
#pragma GCC ivdep
            for (int p = 0; p < kGridPoints; ++p) sums[p] += weights[p] * from[places[p]];
          } else {
            for (int p = 0; p < kGridPoints; ++p) {
              const T value = places[p] < 0 ? T(0) : from[places[p] * step];
              sums[p] += weights[p] * value;
            }
          }
        }
        T* const to = out.at(image, c, start);
        for (int64_t p = 0; p < count; ++p) to[p * out.pixel_stride] = sums[p];
      }
    }
  });
}

template <class T>
void grid_sample(const TensorView& out, const TensorView& input, const TensorView& points,
                 int64_t mode, int64_t padding, bool align_corners, Dims order) {
  if (out.numel == 0) return;
  const ImagePlanes<T> target(out);
  const ImagePlanes<const T> source(input);
  const Dims sizes(input.sizes.data() + 2, input.sizes.size() - 2);
  const GridCall<T> call(sizes, points, padding, align_corners, order);
  const bool packs = pays_to_pack(source.channels, source.pixels, call.count);
  with_taps(sizes.size(), mode, [&](auto axes, auto each) {
    using Taps = GridTaps<T, decltype(axes)::value, decltype(each)::value>;
    if (packs) {
      sample_blocks<T, Taps>(target, source, call);
    } else {
      sample_planes<T, Taps>(target, source, call);
    }
  });
}

}  // namespace

void grid_sample_f32(const TensorView& out, const TensorView& input, const TensorView& points,
                     int64_t mode, int64_t padding, bool align_corners, Dims order) {
  grid_sample<float>(out, input, points, mode, padding, align_corners, order);
}
void grid_sample_f64(const TensorView& out, const TensorView& input, const TensorView& points,
                     int64_t mode, int64_t padding, bool align_corners, Dims order) {
  grid_sample<double>(out, input, points, mode, padding, align_corners, order);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
