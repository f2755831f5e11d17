// randn: normal numbers by Box and Muller, four floats or two doubles from each Philox block.
#include <cmath>
#include <numbers>

#include <eagre/core/generator.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/philox.h>

namespace eagre::kernels::cpu::baseline {
namespace {

struct Pair {
  double first, second;
};

// Two independent normal numbers from two uniform ones; `u` must not be 0.
Pair box_muller(double u, double v) {
  const double radius = std::sqrt(-2.0 * std::log(u));
  const double angle = 2.0 * std::numbers::pi * v;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

double uniform32(uint32_t bits) { return (bits + 0.5) * 0x1p-32; }
double uniform53(uint32_t high, uint32_t low) {
  return (static_cast<double>((uint64_t{high} << 32 | low) >> 11) + 0.5) * 0x1p-53;
}

void normals(const scalar::PhiloxBits& bits, float* out) {
  const Pair a = box_muller(uniform32(bits.word[0]), uniform32(bits.word[1]));
  const Pair b = box_muller(uniform32(bits.word[2]), uniform32(bits.word[3]));
  out[0] = static_cast<float>(a.first);
  out[1] = static_cast<float>(a.second);
  out[2] = static_cast<float>(b.first);
  out[3] = static_cast<float>(b.second);
}

void normals(const scalar::PhiloxBits& bits, double* out) {
  const Pair a =
      box_muller(uniform53(bits.word[0], bits.word[1]), uniform53(bits.word[2], bits.word[3]));
  out[0] = a.first;
  out[1] = a.second;
}

template <class T, int kPerBlock>
void fill_normal(const TensorView& out, RandomStretch random) {
  T* data = out.as<T>();
  for (int64_t i = 0; i < out.numel; i += kPerBlock) {
    T block[kPerBlock];
    normals(scalar::philox(random.seed, random.start + static_cast<uint64_t>(i / kPerBlock)),
            block);
    for (int k = 0; k < kPerBlock && i + k < out.numel; ++k) data[i + k] = block[k];
  }
}

}  // namespace

void randn_f32(const TensorView& out, RandomStretch random) { fill_normal<float, 4>(out, random); }
void randn_f64(const TensorView& out, RandomStretch random) { fill_normal<double, 2>(out, random); }

}  // namespace eagre::kernels::cpu::baseline
