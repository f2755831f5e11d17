// What is drawn from a block of random bits: uniform numbers, normal numbers, words of 64 bits.
#pragma once

#include <cstdint>

#include <eagre/kernels/scalar/host_device.h>
#include <eagre/kernels/scalar/normal.h>
#include <eagre/kernels/scalar/philox.h>
#include <eagre/kernels/scalar/uniform.h>

namespace eagre::scalar {

// Numbers in [0, 1).
template <class T>
struct UniformDraw;

template <>
struct UniformDraw<float> {
  using Number = float;
  static constexpr int kPerBlock = 4;
  EAGRE_SCALAR void draw(const PhiloxBits& bits, float* out) {
    for (int k = 0; k < 4; ++k) out[k] = uniform_f32(bits.word[k]);
  }
};

template <>
struct UniformDraw<double> {
  using Number = double;
  static constexpr int kPerBlock = 2;
  EAGRE_SCALAR void draw(const PhiloxBits& bits, double* out) {
    out[0] = uniform_f64(bits.word[0], bits.word[1]);
    out[1] = uniform_f64(bits.word[2], bits.word[3]);
  }
};

// Of mean 0 and variance 1.
template <class T>
struct NormalDraw;

template <>
struct NormalDraw<float> {
  using Number = float;
  static constexpr int kPerBlock = 4;
  EAGRE_SCALAR void draw(const PhiloxBits& bits, float* out) {
    const auto a = normal_f32(bits.word[0], bits.word[1]);
    const auto b = normal_f32(bits.word[2], bits.word[3]);
    out[0] = a.first;
    out[1] = a.second;
    out[2] = b.first;
    out[3] = b.second;
  }
};

template <>
struct NormalDraw<double> {
  using Number = double;
  static constexpr int kPerBlock = 2;
  EAGRE_SCALAR void draw(const PhiloxBits& bits, double* out) {
    const auto a = normal_f64(bits.word[0], bits.word[1], bits.word[2], bits.word[3]);
    out[0] = a.first;
    out[1] = a.second;
  }
};

struct WordDraw {
  using Number = uint64_t;
  static constexpr int kPerBlock = 2;
  EAGRE_SCALAR void draw(const PhiloxBits& bits, uint64_t* out) {
    out[0] = uint64_t{bits.word[0]} << 32 | bits.word[1];
    out[1] = uint64_t{bits.word[2]} << 32 | bits.word[3];
  }
};

}  // namespace eagre::scalar
