// Random fills: uniform numbers and normal numbers, plain ([0, 1); mean 0 and variance 1) or
// scaled. Halves are made of floats.
//
// Contract: `out` is contiguous; element i is a function of (seed, start + i / N) and i % N alone,
// where N numbers (four floats or two doubles) come from one Philox block. So results are the same
// for any number of threads and with every isa, and a stretch of `numel` numbers is enough, also
// for complex ones: a block has two of them, or one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

#include <eagre/base/thread_pool.h>
#include <eagre/core/can_hold.h>
#include <eagre/core/generator.h>
#include <eagre/core/half.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/normal.h>
#include <eagre/kernels/scalar/philox.h>
#include <eagre/kernels/scalar/uniform.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
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

// x · factor + start, rounded twice with every isa.
struct Scaled {
  double factor, start;

  template <class T>
  void operator()(T* data, int64_t count) const {
    const auto times = static_cast<T>(factor), plus = static_cast<T>(start);
    for (int64_t i = 0; i < count; ++i) data[i] = data[i] * times + plus;
  }
};

// The number of type S that comes before x, which is finite.
template <class S>
double before(S x) {
  if constexpr (std::is_floating_point_v<S>) {
    return std::nextafter(x, -std::numeric_limits<S>::infinity());
  } else {
    const auto value = static_cast<float>(x);
    S result;
    result.bits = static_cast<uint16_t>(value > 0 ? x.bits - 1 : value < 0 ? x.bits + 1 : 0x8001);
    return static_cast<double>(static_cast<float>(result));
  }
}

// Numbers in [from, to) of type S from those in [0, 1): rounding up to the upper bound, which S
// does often if it has few digits, stops at the number before it.
template <class S>
struct Between {
  double width, low, last;

  Between(double from, double to) {
    using T = std::conditional_t<std::is_floating_point_v<S>, S, float>;
    const S first(static_cast<T>(from)), end(static_cast<T>(to));
    low = static_cast<double>(static_cast<T>(first));
    const auto high = static_cast<double>(static_cast<T>(end));
    width = std::min(high - low, largest_finite<T>());
    last = std::max(low, before(end));
  }

  template <class T>
  void operator()(T* data, int64_t count) const {
    const auto times = static_cast<T>(width), plus = static_cast<T>(low);
    const auto most = static_cast<T>(last);
    for (int64_t i = 0; i < count; ++i) {
      const T value = data[i] * times + plus;
      data[i] = value < most ? value : most;
    }
  }
};

constexpr int64_t kGrain = 32768;

// Elements [begin, end) of the whole, of which `begin` is the first of a Philox block.
template <class Kind>
void make_stretch(typename Kind::T* here, RandomStretch random, int64_t begin, int64_t end) {
  constexpr int64_t kPerBlock = Kind::kPerBlock;
  const uint64_t first = random.start + static_cast<uint64_t>(begin / kPerBlock);
  const int64_t blocks = (end - begin) / kPerBlock;
#pragma GCC ivdep
  for (int64_t i = 0; i < blocks; ++i) {
    Kind::make(scalar::philox(random.seed, first + static_cast<uint64_t>(i)), here + i * kPerBlock);
  }
  const int64_t done = blocks * kPerBlock;
  if (done == end - begin) return;
  typename Kind::T last[kPerBlock];
  Kind::make(scalar::philox(random.seed, first + static_cast<uint64_t>(blocks)), last);
  for (int64_t i = done; i < end - begin; ++i) here[i] = last[i - done];
}

// `after(data, count)` runs on each chunk while it is near.
template <class Kind, class After = AsIs>
void fill(const TensorView& out, RandomStretch random, const After& after = {}) {
  using T = typename Kind::T;
  T* data = out.as<T>();
  parallel_for(0, out.numel, kGrain, [&](int64_t begin, int64_t end) {
    make_stretch<Kind>(data + begin, random, begin, end);
    after(data + begin, end - begin);
  });
}

template <class S>
void fill_halves(const TensorView& out, double from, double to, RandomStretch random) {
  constexpr int64_t kPiece = 512;
  const Between<S> after(from, to);
  S* data = out.as<S>();
  parallel_for(0, out.numel, kGrain, [&](int64_t begin, int64_t end) {
    float piece[kPiece];
    for (int64_t i = begin; i < end; i += kPiece) {
      const int64_t count = std::min(kPiece, end - i);
      make_stretch<UniformF32>(piece, random, i, i + count);
      after(piece, count);
      for (int64_t j = 0; j < count; ++j) data[i + j] = S(piece[j]);
    }
  });
}

// The parts of complex numbers, two for each.
TensorView parts_of(const TensorView& out) {
  TensorView parts = out;
  parts.numel *= 2;
  return parts;
}

}  // namespace

void normal_f32(const TensorView& out, double mean, double std, RandomStretch random) {
  fill<NormalF32>(out, random, Scaled{std, mean});
}
void normal_f64(const TensorView& out, double mean, double std, RandomStretch random) {
  fill<NormalF64>(out, random, Scaled{std, mean});
}
// Both parts together vary by `std`.
void normal_c64(const TensorView& out, double mean, double std, RandomStretch random) {
  fill<NormalF32>(parts_of(out), random, Scaled{std * std::numbers::sqrt2 / 2, mean});
}
void normal_c128(const TensorView& out, double mean, double std, RandomStretch random) {
  fill<NormalF64>(parts_of(out), random, Scaled{std * std::numbers::sqrt2 / 2, mean});
}

void uniform_f32(const TensorView& out, RandomStretch random) { fill<UniformF32>(out, random); }
void uniform_f64(const TensorView& out, RandomStretch random) { fill<UniformF64>(out, random); }
void uniform_f16(const TensorView& out, RandomStretch random) {
  fill_halves<Half>(out, 0, 1, random);
}
void uniform_bf16(const TensorView& out, RandomStretch random) {
  fill_halves<BFloat16>(out, 0, 1, random);
}
void uniform_c64(const TensorView& out, RandomStretch random) {
  fill<UniformF32>(parts_of(out), random);
}
void uniform_c128(const TensorView& out, RandomStretch random) {
  fill<UniformF64>(parts_of(out), random);
}
void randn_f32(const TensorView& out, RandomStretch random) { fill<NormalF32>(out, random); }
void randn_f64(const TensorView& out, RandomStretch random) { fill<NormalF64>(out, random); }
void randn_c64(const TensorView& out, RandomStretch random) { normal_c64(out, 0, 1, random); }
void randn_c128(const TensorView& out, RandomStretch random) { normal_c128(out, 0, 1, random); }

void uniform_between_f32(const TensorView& out, double from, double to, RandomStretch random) {
  fill<UniformF32>(out, random, Between<float>(from, to));
}
void uniform_between_f64(const TensorView& out, double from, double to, RandomStretch random) {
  fill<UniformF64>(out, random, Between<double>(from, to));
}
void uniform_between_f16(const TensorView& out, double from, double to, RandomStretch random) {
  fill_halves<Half>(out, from, to, random);
}
void uniform_between_bf16(const TensorView& out, double from, double to, RandomStretch random) {
  fill_halves<BFloat16>(out, from, to, random);
}
void uniform_between_c64(const TensorView& out, double from, double to, RandomStretch random) {
  uniform_between_f32(parts_of(out), from, to, random);
}
void uniform_between_c128(const TensorView& out, double from, double to, RandomStretch random) {
  uniform_between_f64(parts_of(out), from, to, random);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
