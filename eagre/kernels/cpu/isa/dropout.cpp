// The mask of dropout: which elements stay, and what they are multiplied by.
//
// Contract: `out` is contiguous; element i is a function of (seed, start + i / 4) and i % 4 alone,
// so results are the same for any number of threads and with every isa.
#include <eagre/base/thread_pool.h>
#include <eagre/core/generator.h>
#include <eagre/core/tensor_view.h>
#include <eagre/kernels/scalar/philox.h>
#include <eagre/kernels/scalar/uniform.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
void dropout_mask(const TensorView& out, double p, RandomStretch random) {
  constexpr int64_t kGrain = 32768;
  T* data = out.as<T>();
  const T factor = p < 1 ? static_cast<T>(1 / (1 - p)) : T{0};
  const auto limit = static_cast<float>(p);
  parallel_for(0, out.numel, kGrain, [&](int64_t begin, int64_t end) {
    const uint64_t first = random.start + static_cast<uint64_t>(begin / 4);
    const int64_t blocks = (end - begin) / 4;
    T* here = data + begin;
#pragma GCC ivdep
    for (int64_t i = 0; i < blocks; ++i) {
      const scalar::PhiloxBits bits = scalar::philox(random.seed, first + static_cast<uint64_t>(i));
      for (int k = 0; k < 4; ++k) {
        here[4 * i + k] = scalar::uniform_f32(bits.word[k]) < limit ? T{0} : factor;
      }
    }
    if (4 * blocks == end - begin) return;
    const scalar::PhiloxBits last =
        scalar::philox(random.seed, first + static_cast<uint64_t>(blocks));
    for (int64_t i = 4 * blocks; i < end - begin; ++i) {
      here[i] = scalar::uniform_f32(last.word[i - 4 * blocks]) < limit ? T{0} : factor;
    }
  });
}

}  // namespace

void dropout_mask_f32(const TensorView& out, double p, RandomStretch random) {
  dropout_mask<float>(out, p, random);
}
void dropout_mask_f64(const TensorView& out, double p, RandomStretch random) {
  dropout_mask<double>(out, p, random);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
