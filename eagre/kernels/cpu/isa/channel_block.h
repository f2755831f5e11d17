// As many channels as fill 64 bytes, next to each other for every pixel: what images are turned
// into where all channels of a pixel are wanted at once.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/vector.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// The same number with every isa, and so the same sums.
template <class T>
struct ChannelBlock {
  static constexpr int kCount = 64 / static_cast<int>(sizeof(T));
  typedef T Vector __attribute__((vector_size(64)));  // NOLINT: `using` takes no attribute

  static EAGRE_INLINE void load(Vector& v, const T* from) { std::memcpy(&v, from, sizeof(v)); }
  static EAGRE_INLINE void store(T* to, const Vector& v) { std::memcpy(to, &v, sizeof(v)); }

  // rows[i][j] becomes rows[j][i]: every step puts the lanes of two rows by turns.
  static EAGRE_INLINE void transpose(Vector* rows) {
    for (int step = 1; step < kCount; step *= 2) {
      Vector mixed[kCount];
      for (int i = 0; i < kCount / 2; ++i) {
        mix(mixed[2 * i], mixed[2 * i + 1], rows[i], rows[i + kCount / 2],
            std::make_integer_sequence<int, kCount>());
      }
      for (int i = 0; i < kCount; ++i) rows[i] = mixed[i];
    }
  }

 private:
  template <int... kLane>
  static EAGRE_INLINE void mix(Vector& low, Vector& high, const Vector& a, const Vector& b,
                               std::integer_sequence<int, kLane...>) {
    low = __builtin_shufflevector(a, b, (kLane / 2 + kLane % 2 * kCount)...);
    high = __builtin_shufflevector(a, b, (kLane / 2 + kCount / 2 + kLane % 2 * kCount)...);
  }
};

// Where the elements of a batch of images lie, which are row-major or have channels last.
template <class T>
struct ImagePlanes {
  T* data = nullptr;
  int64_t images = 0, channels = 0, pixels = 1;
  int64_t image_stride = 0, channel_stride = 0, pixel_stride = 0;

  explicit ImagePlanes(const TensorView& view) : data(static_cast<T*>(view.data)) {
    if (view.data == nullptr) return;
    images = view.sizes[0];
    channels = view.sizes[1];
    for (size_t d = 2; d < view.sizes.size(); ++d) pixels *= view.sizes[d];
    // Strides of dimensions of size 1 say nothing.
    const bool are_last = channels == 1 || view.strides[1] == 1;
    image_stride = channels * pixels;
    channel_stride = are_last ? 1 : pixels;
    pixel_stride = are_last ? channels : 1;
  }
  T* at(int64_t image, int64_t channel, int64_t pixel = 0) const {
    return data + image * image_stride + channel * channel_stride + pixel * pixel_stride;
  }
};

// `channels` (up to a block of them) of the pixels from `from` on; the block's others are zeros.
template <class T>
void pack_channels(T* to, const ImagePlanes<const T>& planes, const T* from, int64_t channels,
                   int64_t pixels) {
  using Block = ChannelBlock<T>;
  constexpr int kCount = Block::kCount;
  int64_t pixel = 0;
  if (planes.pixel_stride == 1) {
    for (; pixel + kCount <= pixels; pixel += kCount) {
      typename Block::Vector rows[kCount];
      for (int c = 0; c < kCount; ++c) {
        rows[c] = typename Block::Vector{};
        if (c < channels) Block::load(rows[c], from + c * planes.channel_stride + pixel);
      }
      Block::transpose(rows);
      for (int i = 0; i < kCount; ++i) Block::store(to + (pixel + i) * kCount, rows[i]);
    }
  }
  for (; pixel < pixels; ++pixel) {
    const T* const source = from + pixel * planes.pixel_stride;
    T* const target = to + pixel * kCount;
    if (channels == kCount && planes.channel_stride == 1) {
      std::memcpy(target, source, sizeof(T) * kCount);
      continue;
    }
    for (int64_t c = 0; c < kCount; ++c) {
      target[c] = c < channels ? source[c * planes.channel_stride] : T(0);
    }
  }
}

// Back.
template <class T>
void unpack_channels(T* to, const ImagePlanes<T>& planes, const T* from, int64_t channels,
                     int64_t pixels) {
  using Block = ChannelBlock<T>;
  constexpr int kCount = Block::kCount;
  int64_t pixel = 0;
  if (planes.pixel_stride == 1) {
    for (; pixel + kCount <= pixels; pixel += kCount) {
      typename Block::Vector rows[kCount];
      for (int i = 0; i < kCount; ++i) Block::load(rows[i], from + (pixel + i) * kCount);
      Block::transpose(rows);
      for (int c = 0; c < kCount; ++c) {
        if (c < channels) Block::store(to + c * planes.channel_stride + pixel, rows[c]);
      }
    }
  }
  for (; pixel < pixels; ++pixel) {
    const T* const source = from + pixel * kCount;
    T* const target = to + pixel * planes.pixel_stride;
    if (channels == kCount && planes.channel_stride == 1) {
      std::memcpy(target, source, sizeof(T) * kCount);
      continue;
    }
    for (int64_t c = 0; c < channels; ++c) target[c * planes.channel_stride] = source[c];
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
