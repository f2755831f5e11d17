// cumsum along a dimension, from its beginning or its end.
#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/row_walk.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// float is added up in double: errors would pile up along the row.
template <class T>
using RunningSum = std::conditional_t<std::is_same_v<T, float>, double, T>;

// Long rows are cut into parts, whose sums give where each begins: parts may go to any thread, and
// several sums that run side by side take hardly longer than one. Where parts begin follows from
// the length of the row alone.
constexpr int64_t kScanPart = 2048, kScanChains = 4, kLongScan = 2 * kScanPart;

template <class T, bool kReversed>
struct Scan {
  using Sum = RunningSum<T>;
  const T* from;
  T* to;
  int64_t n;

  int64_t at(int64_t i) const { return kReversed ? n - 1 - i : i; }

  Sum total(int64_t begin, int64_t end) const {
    Sum sums[8] = {};
    int64_t i = begin;
    for (; i + 8 <= end; i += 8) {
      for (int64_t lane = 0; lane < 8; ++lane) sums[lane] += from[at(i + lane)];
    }
    for (; i < end; ++i) sums[0] += from[at(i)];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
  }

  void run(Sum sum, int64_t begin, int64_t end) const {
    for (int64_t i = begin; i < end; ++i) {
      sum += from[at(i)];
      to[at(i)] = static_cast<T>(sum);
    }
  }

  // kScanChains whole parts from `begin` on.
  void run_chains(const Sum* starts, int64_t begin) const {
    Sum sums[kScanChains];
    for (int64_t c = 0; c < kScanChains; ++c) sums[c] = starts[c];
    for (int64_t i = begin; i < begin + kScanPart; ++i) {
#pragma GCC unroll 4
      for (int64_t c = 0; c < kScanChains; ++c) {
        sums[c] += from[at(i + c * kScanPart)];
        to[at(i + c * kScanPart)] = static_cast<T>(sums[c]);
      }
    }
  }

  void run_long() const {
    const int64_t parts = (n - 1) / kScanPart + 1;
    Sum* starts =
        static_cast<Sum*>(scratch(Scratch::kRow, static_cast<size_t>(parts) * sizeof(Sum)));
    share(parts, kScanPart, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin; part < end; ++part) {
        const int64_t last = (part + 1) * kScanPart;
        starts[part] = total(part * kScanPart, last < n ? last : n);
      }
    });
    Sum sum = 0;
    for (int64_t part = 0; part < parts; ++part) {
      const Sum own = starts[part];
      starts[part] = sum;
      sum += own;
    }
    const int64_t groups = (parts - 1) / kScanChains + 1;
    share(groups, kScanPart * kScanChains, [&](int64_t begin, int64_t end) {
      for (int64_t part = begin * kScanChains; part < end * kScanChains && part < parts;) {
        const int64_t first = part * kScanPart;
        if (first + kScanChains * kScanPart <= n) {
          run_chains(starts + part, first);
          part += kScanChains;
          continue;
        }
        run(starts[part], first, first + kScanPart < n ? first + kScanPart : n);
        ++part;
      }
    });
  }
};

template <class T, bool kReversed>
void cumsum(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  RowWalk<T, 2>(views, dim).run([](T* const* rows, int64_t n) {
    const Scan<T, kReversed> scan{rows[1], rows[0], n};
    if (n >= kLongScan) return scan.run_long();
    scan.run(0, 0, n);
  });
}

}  // namespace

void cumsum_i32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<int32_t, false>(out, input, dim);
}
void cumsum_i64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<int64_t, false>(out, input, dim);
}
void cumsum_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<float, false>(out, input, dim);
}
void cumsum_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<double, false>(out, input, dim);
}
void cumsum_c64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<float>, false>(out, input, dim);
}
void cumsum_c128(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<double>, false>(out, input, dim);
}
void reversed_cumsum_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<float, true>(out, input, dim);
}
void reversed_cumsum_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<double, true>(out, input, dim);
}
void reversed_cumsum_c64(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<float>, true>(out, input, dim);
}
void reversed_cumsum_c128(const TensorView& out, const TensorView& input, int64_t dim) {
  cumsum<Complex<double>, true>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
