// Results up to each element of a dimension: the loops of `kernel: {scan: …}`.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <eagre/core/complex.h>
#include <eagre/kernels/cpu/index_walk.h>
#include <eagre/kernels/cpu/isa/row_walk.h>
#include <eagre/kernels/cpu/scratch.h>
#include <eagre/kernels/scalar/scan_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// Eight numbers of a row as double, and what they come to: three steps instead of eight. The same
// with every isa.
template <class T, class Op>
struct Eight {
  typedef T Stored
      __attribute__((vector_size(8 * sizeof(T))));          // NOLINT: `using` takes no attribute
  typedef double Vector __attribute__((vector_size(64)));   // NOLINT
  typedef int64_t Places __attribute__((vector_size(64)));  // NOLINT

  static EAGRE_INLINE void load(Vector& v, const T* from) {
    Stored stored;
    std::memcpy(&stored, from, sizeof stored);
    v = __builtin_convertvector(stored, Vector);
    if constexpr (Op::kReversed) v = __builtin_shuffle(v, Places{7, 6, 5, 4, 3, 2, 1, 0});
  }
  static EAGRE_INLINE void store(T* to, const Vector& v) {
    Vector turned = v;
    if constexpr (Op::kReversed) turned = __builtin_shuffle(v, Places{7, 6, 5, 4, 3, 2, 1, 0});
    const Stored stored = __builtin_convertvector(turned, Stored);
    std::memcpy(to, &stored, sizeof stored);
  }
  // v[i] becomes the result of v[0] to v[i].
  static EAGRE_INLINE void join_up(Vector& v) {
    const Vector none = Op::kIdentity - Vector{};
    Op::join(v, __builtin_shuffle(v, none, Places{8, 0, 1, 2, 3, 4, 5, 6}));
    Op::join(v, __builtin_shuffle(v, none, Places{8, 9, 0, 1, 2, 3, 4, 5}));
    Op::join(v, __builtin_shuffle(v, none, Places{8, 9, 10, 11, 0, 1, 2, 3}));
  }
  // Joins the last number of v to every lane.
  static EAGRE_INLINE void join_last(Vector& state, const Vector& v) {
    Op::join(state, __builtin_shuffle(v, Places{7, 7, 7, 7, 7, 7, 7, 7}));
  }
};

// Long rows are cut into parts, whose results give where each begins, so they may go to any thread.
// Where parts begin follows from the length of the row alone.
constexpr int64_t kScanPart = 4096;

template <class T, class Op>
struct RowScan {
  using State = typename Op::State;
  const T* from;
  T* to;
  int64_t n;

  int64_t at(int64_t i) const { return Op::kReversed ? n - 1 - i : i; }
  // Where the eight numbers from i on begin.
  int64_t in_memory(int64_t i) const { return Op::kReversed ? at(i + 7) : i; }

  State total(int64_t begin, int64_t end) const {
    State lanes[8];
    for (State& lane : lanes) lane = Op::kIdentity;
    int64_t i = begin;
    if constexpr (std::is_same_v<State, double>) {
      using E = Eight<T, Op>;
      typename E::Vector all = Op::kIdentity - typename E::Vector{}, v;
      for (; i + 8 <= end; i += 8) {
        E::load(v, from + in_memory(i));
        Op::join(all, v);
      }
      std::memcpy(lanes, &all, sizeof lanes);
    }
    for (; i + 8 <= end; i += 8) {
      for (int64_t lane = 0; lane < 8; ++lane) Op::join(lanes[lane], State(from[at(i + lane)]));
    }
    for (; i < end; ++i) Op::join(lanes[0], State(from[at(i)]));
    for (int64_t half = 4; half >= 1; half /= 2) {
      for (int64_t lane = 0; lane < half; ++lane) Op::join(lanes[lane], lanes[lane + half]);
    }
    return lanes[0];
  }

  void run(State state, int64_t begin, int64_t end) const {
    int64_t i = begin;
    if constexpr (std::is_same_v<State, double>) {
      using E = Eight<T, Op>;
      // In every lane, so that from one eight to the next there is a single addition to wait for.
      typename E::Vector before = state - typename E::Vector{};
      for (; i + 8 <= end; i += 8) {
        const int64_t first = in_memory(i);
        typename E::Vector v;
        E::load(v, from + first);
        E::join_up(v);
        typename E::Vector result = before;
        Op::join(result, v);
        E::join_last(before, v);
        E::store(to + first, result);
      }
      state = before[0];
    }
    for (; i < end; ++i) {
      Op::join(state, State(from[at(i)]));
      to[at(i)] = static_cast<T>(state);
    }
  }

  void run_long() const {
    const int64_t parts = (n - 1) / kScanPart + 1;
    const auto end_of = [&](int64_t part) {
      return part == parts - 1 ? n : (part + 1) * kScanPart;
    };
    if (get_num_threads() == 1 || in_parallel_region()) {
      State start = Op::kIdentity;
      for (int64_t part = 0; part < parts; ++part) {  // read twice, the second time from the cache
        const State own = total(part * kScanPart, end_of(part));
        run(start, part * kScanPart, end_of(part));
        Op::join(start, own);
      }
      return;
    }
    auto* starts =
        static_cast<State*>(scratch(Scratch::kRow, static_cast<size_t>(parts) * sizeof(State)));
    share(parts, kScanPart, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        starts[part] = total(part * kScanPart, end_of(part));
      }
    });
    State state = Op::kIdentity;
    for (int64_t part = 0; part < parts; ++part) {
      const State own = starts[part];
      starts[part] = state;
      Op::join(state, own);
    }
    share(parts, kScanPart, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        run(starts[part], part * kScanPart, end_of(part));
      }
    });
  }
};

template <class T, class Op>
void scan_rows(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  RowWalk<T, 2>(views, dim).run([](T* const* rows, int64_t n) {
    const RowScan<T, Op> scan{rows[1], rows[0], n};
    if (n > kScanPart) return scan.run_long();
    scan.run(Op::kIdentity, 0, n);
  });
}

// The places of elements: of two, which comes first is `op`'s to say.
template <class T, class Op>
void scan_places(const Op& op, const TensorView& out, const TensorView& input, int64_t dim) {
  if (out.numel == 0) return;
  const Along along(input.sizes, dim);
  const T* data = input.as<const T>();
  auto* result = out.as<int64_t>();
  const int64_t n = along.size, inner = along.inner;
  parallel_for(0, along.outer, 32768 / (n * inner) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t outer = begin; outer < end; ++outer) {
      const T* from = data + outer * n * inner;
      int64_t* to = result + outer * n * inner;
      std::fill_n(to, inner, int64_t{0});
      for (int64_t i = 1; i < n; ++i) {  // row by row, so that memory is read in order
        for (int64_t j = 0; j < inner; ++j) {
          const int64_t best = to[(i - 1) * inner + j];
          const bool taken = op.takes_over(from[i * inner + j], from[best * inner + j]);
          to[i * inner + j] = taken ? i : best;
        }
      }
    }
  });
}

template <template <class> class Op, class T, class... Given>
void scan(const TensorView& out, const TensorView& input, int64_t dim, Given... given) {
  if constexpr (Op<T>::kPlaces) {
    scan_places<T>(Op<T>(given...), out, input, dim);
  } else {
    scan_rows<T, Op<T>>(out, input, dim);
  }
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
