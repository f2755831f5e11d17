// cumsum along a dimension, from its beginning or its end.
#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/isa/row_walk.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// float is added up in double: errors would pile up along the row.
template <class T>
using RunningSum = std::conditional_t<std::is_same_v<T, float>, double, T>;

// Eight numbers of a row as double, and their sums: three steps instead of eight. The same with
// every isa.
template <class T, bool kReversed>
struct Eight {
  typedef T Stored
      __attribute__((vector_size(8 * sizeof(T))));          // NOLINT: `using` takes no attribute
  typedef double Vector __attribute__((vector_size(64)));   // NOLINT
  typedef int64_t Places __attribute__((vector_size(64)));  // NOLINT

  static EAGRE_INLINE void load(Vector& v, const T* from) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    v = __builtin_convertvector(stored, Vector);
    if constexpr (kReversed) v = __builtin_shuffle(v, Places{7, 6, 5, 4, 3, 2, 1, 0});
  }
  static EAGRE_INLINE void store(T* to, const Vector& v) {
    Vector turned = v;
    if constexpr (kReversed) turned = __builtin_shuffle(v, Places{7, 6, 5, 4, 3, 2, 1, 0});
    const Stored stored = __builtin_convertvector(turned, Stored);
    std::memcpy(to, &stored, sizeof stored);
  }
  // v[i] becomes the sum of v[0] to v[i].
  static EAGRE_INLINE void add_up(Vector& v) {
    const Vector zero{};
    v += __builtin_shuffle(v, zero, Places{8, 0, 1, 2, 3, 4, 5, 6});
    v += __builtin_shuffle(v, zero, Places{8, 9, 0, 1, 2, 3, 4, 5});
    v += __builtin_shuffle(v, zero, Places{8, 9, 10, 11, 0, 1, 2, 3});
  }
  // Adds the last number of v to every lane.
  static EAGRE_INLINE void add_last(Vector& sum, const Vector& v) {
    sum += __builtin_shuffle(v, Places{7, 7, 7, 7, 7, 7, 7, 7});
  }
};

// Long rows are cut into parts, whose sums give where each begins, so they may go to any thread.
// Where parts begin follows from the length of the row alone.
constexpr int64_t kScanPart = 4096;

template <class T, bool kReversed>
struct Scan {
  using Sum = RunningSum<T>;
  const T* from;
  T* to;
  int64_t n;

  int64_t at(int64_t i) const { return kReversed ? n - 1 - i : i; }
  // Where the eight numbers from i on begin.
  int64_t in_memory(int64_t i) const { return kReversed ? at(i + 7) : i; }

  Sum total(int64_t begin, int64_t end) const {
    Sum sums[8] = {};
    int64_t i = begin;
    if constexpr (std::is_same_v<Sum, double>) {
      using E = Eight<T, kReversed>;
      typename E::Vector all{}, v;
      for (; i + 8 <= end; i += 8) {
        E::load(v, from + in_memory(i));
        all += v;
      }
      std::memcpy(sums, &all, sizeof sums);
    }
    for (; i + 8 <= end; i += 8) {
      for (int64_t lane = 0; lane < 8; ++lane) sums[lane] += from[at(i + lane)];
    }
    for (; i < end; ++i) sums[0] += from[at(i)];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
  }

  void run(Sum sum, int64_t begin, int64_t end) const {
    int64_t i = begin;
    if constexpr (std::is_same_v<Sum, double>) {
      using E = Eight<T, kReversed>;
      // In every lane, so that from one eight to the next there is a single addition to wait for.
      typename E::Vector before = sum - typename E::Vector{};
      for (; i + 8 <= end; i += 8) {
        const int64_t first = in_memory(i);
        typename E::Vector v;
        E::load(v, from + first);
        E::add_up(v);
        const typename E::Vector result = v + before;
        E::add_last(before, v);
        E::store(to + first, result);
      }
      sum = before[0];
    }
    for (; i < end; ++i) {
      sum += from[at(i)];
      to[at(i)] = static_cast<T>(sum);
    }
  }

  void run_long() const {
    const int64_t parts = (n - 1) / kScanPart + 1;
    const auto end_of = [&](int64_t part) {
      return part == parts - 1 ? n : (part + 1) * kScanPart;
    };
    if (get_num_threads() == 1 || in_parallel_region()) {
      Sum start = 0;
      for (int64_t part = 0; part < parts; ++part) {  // read twice, the second time from the cache
        const Sum own = total(part * kScanPart, end_of(part));
        run(start, part * kScanPart, end_of(part));
        start += own;
      }
      return;
    }
    Sum* starts =
        static_cast<Sum*>(scratch(Scratch::kRow, static_cast<size_t>(parts) * sizeof(Sum)));
    share(parts, kScanPart, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        starts[part] = total(part * kScanPart, end_of(part));
      }
    });
    Sum sum = 0;
    for (int64_t part = 0; part < parts; ++part) {
      const Sum own = starts[part];
      starts[part] = sum;
      sum += own;
    }
    share(parts, kScanPart, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        run(starts[part], part * kScanPart, end_of(part));
      }
    });
  }
};

template <class T, bool kReversed>
void cumsum(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  RowWalk<T, 2>(views, dim).run([](T* const* rows, int64_t n) {
    const Scan<T, kReversed> scan{rows[1], rows[0], n};
    if (n > kScanPart) return scan.run_long();
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
