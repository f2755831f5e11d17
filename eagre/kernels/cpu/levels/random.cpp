// Random fills: uniform numbers and normal numbers, plain ([0, 1); mean 0 and variance 1) or
// scaled.
//
// Contract: `out` is contiguous; element i is a function of (seed, start + i / N) and i % N alone,
// where N numbers (four floats or two doubles) come from one Philox block. So results are the same
// for any number of threads and at every level, and a stretch of `numel` numbers is enough.
#include <cstdint>

#include <eagre/base/thread_pool.h>
#include <eagre/core/generator.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/normal.h>
#include <eagre/kernels/scalar/philox.h>
#include <eagre/kernels/scalar/uniform.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

using scalar::PhiloxBits;

struct UniformF32 {
  using T = float;
  static constexpr int kPerBlock = 4;
  static void make(const PhiloxBits& bits, float* out) {
    for (int k = 0; k < 4; ++k) out[k] = scalar::uniform_f32(bits.word[k]);
  }
};

struct UniformF64 {
  using T = double;
  static constexpr int kPerBlock = 2;
  static void make(const PhiloxBits& bits, double* out) {
    out[0] = scalar::uniform_f64(bits.word[0], bits.word[1]);
    out[1] = scalar::uniform_f64(bits.word[2], bits.word[3]);
  }
};

struct NormalF32 {
  using T = float;
  static constexpr int kPerBlock = 4;
  static void make(const PhiloxBits& bits, float* out) {
    const auto a = scalar::normal_f32(bits.word[0], bits.word[1]);
    const auto b = scalar::normal_f32(bits.word[2], bits.word[3]);
    out[0] = a.first;
    out[1] = a.second;
    out[2] = b.first;
    out[3] = b.second;
  }
};

struct NormalF64 {
  using T = double;
  static constexpr int kPerBlock = 2;
  static void make(const PhiloxBits& bits, double* out) {
    const auto a = scalar::normal_f64(bits.word[0], bits.word[1], bits.word[2], bits.word[3]);
    out[0] = a.first;
    out[1] = a.second;
  }
};

struct AsIs {
  template <class T>
  void operator()(T*, int64_t) const {}
};

// x · factor + start, rounded twice at every level.
struct Scaled {
  double factor, start;

  template <class T>
  void operator()(T* data, int64_t count) const {
    const auto times = static_cast<T>(factor), plus = static_cast<T>(start);
    for (int64_t i = 0; i < count; ++i) data[i] = data[i] * times + plus;
  }
};

// `after(data, count)` runs on each chunk while it is near.
template <class Kind, class After = AsIs>
void fill(const TensorView& out, RandomStretch random, const After& after = {}) {
  using T = typename Kind::T;
  constexpr int64_t kGrain = 32768, kPerBlock = Kind::kPerBlock;
  T* data = out.as<T>();
  parallel_for(0, out.numel, kGrain, [&](int64_t begin, int64_t end) {
    const uint64_t first = random.start + static_cast<uint64_t>(begin / kPerBlock);
    const int64_t blocks = (end - begin) / kPerBlock;
    T* here = data + begin;
#pragma GCC ivdep
    for (int64_t i = 0; i < blocks; ++i) {
      Kind::make(scalar::philox(random.seed, first + static_cast<uint64_t>(i)),
                 here + i * kPerBlock);
    }
    T last[kPerBlock];
    const int64_t done = blocks * kPerBlock;
    if (done != end - begin) {
      Kind::make(scalar::philox(random.seed, first + static_cast<uint64_t>(blocks)), last);
      for (int64_t i = done; i < end - begin; ++i) here[i] = last[i - done];
    }
    after(here, end - begin);
  });
}

}  // namespace

void uniform_f32(const TensorView& out, RandomStretch random) { fill<UniformF32>(out, random); }
void uniform_f64(const TensorView& out, RandomStretch random) { fill<UniformF64>(out, random); }
void randn_f32(const TensorView& out, RandomStretch random) { fill<NormalF32>(out, random); }
void randn_f64(const TensorView& out, RandomStretch random) { fill<NormalF64>(out, random); }

void uniform_between_f32(const TensorView& out, double from, double to, RandomStretch random) {
  fill<UniformF32>(out, random, Scaled{to - from, from});
}
void uniform_between_f64(const TensorView& out, double from, double to, RandomStretch random) {
  fill<UniformF64>(out, random, Scaled{to - from, from});
}
void normal_f32(const TensorView& out, double mean, double std, RandomStretch random) {
  fill<NormalF32>(out, random, Scaled{std, mean});
}
void normal_f64(const TensorView& out, double mean, double std, RandomStretch random) {
  fill<NormalF64>(out, random, Scaled{std, mean});
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
