// cross_entropy of rows of scores against class numbers, without storing the logarithms of the
// probabilities: each row keeps only log(sum(exp)), from which the gradient is made.
#include <eagre/core/loss_reduction.h>
#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/inner_rows.h>
#include <eagre/kernels/cpu/isa/row_sums.h>
#include <eagre/kernels/cpu/isa/row_vectors.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/isa/short_rows.h>
#include <eagre/kernels/cpu/targets.h>
#include <eagre/kernels/scalar/log.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
T* row_of_room(int64_t length) {
  return static_cast<T*>(scratch(Scratch::kBlock, static_cast<size_t>(length) * sizeof(T)));
}

// log(sum(exp)) of rows [begin, end).
template <class T>
void log_sums_of_short_rows(T* log_sums, const InnerRows<T>& rows, int64_t begin, int64_t end) {
  constexpr int kCount = ShortRows<T>::kCount;
  for (int64_t first = begin; first < end; first += kCount) {
    ShortRows<T> group(rows, first, end);
    T largest[kCount], totals[kCount];
    group.template fold_in_order<scalar::Largest<T>>(largest);
    group.map([&](T x, int w) { return scalar::exp(x - largest[w]); });
    group.template fold<scalar::Sum<T>>(totals);
#pragma GCC ivdep
    for (int w = 0; w < kCount; ++w) totals[w] = scalar::log(totals[w]) + largest[w];
    std::memcpy(log_sums + first, totals, static_cast<size_t>(group.count()) * sizeof(T));
  }
}

// The same for rows that are neither so short nor long, one after the other but for the logarithms.
template <class T, int kVectors>
void log_sums_in_vectors(T* log_sums, const InnerRows<T>& rows, int64_t begin, int64_t end) {
  constexpr int64_t kCount = 16;  // rows, of which logarithms are taken together
  const int64_t n = rows.length();
  T room[kFoldLanes<T>], largest[kCount], totals[kCount] = {};
  for (int64_t first = begin; first < end; first += kCount) {
    const int64_t count = end - first < kCount ? end - first : kCount;
    for (int64_t w = 0; w < count; ++w) {
      const RowVectors<T, kVectors> x(rows.get(first + w, room), n);
      const T top = x.template fold<scalar::Largest<T>>();
      largest[w] = top;
      totals[w] = x.map_numbers([=](T value) {
                     return scalar::exp(value - top);
                   }).template fold<scalar::Sum<T>>();
    }
#pragma GCC ivdep
    for (int w = 0; w < kCount; ++w) totals[w] = scalar::log(totals[w]);
    for (int64_t w = 0; w < count; ++w) log_sums[first + w] = totals[w] + largest[w];
  }
}

template <class T>
void log_sums_of_rows(T* log_sums, const InnerRows<T>& rows, int64_t begin, int64_t end) {
  const int64_t n = rows.length();
  if (n > 0 && n <= ShortRows<T>::kLongest) {
    return log_sums_of_short_rows(log_sums, rows, begin, end);
  }
  const bool are_short = in_vectors<T>(
      n, [&](auto vectors) { log_sums_in_vectors<T, vectors>(log_sums, rows, begin, end); });
  if (are_short) return;
  T* room = row_of_room<T>(n);
  for (int64_t row = begin; row < end; ++row) {
    const T* x = rows.get(row, room);
    const T largest = fold_row<scalar::Largest<T>>(x, 1, n, T{});
    log_sums[row] = natural_log(fold_row<scalar::SumOfExp<T>>(x, 1, n, largest)) + largest;
  }
}

// How many rows count. Raises if the target of one is no class.
int64_t count_targets(const TensorView& target, int64_t classes, int64_t ignore_index) {
  const auto* values = target.as<const int64_t>();
  const int64_t stride = target.strides[0];
  int64_t counted = 0;
  bool good = true;
  for (int64_t row = 0; row < target.numel; ++row) {
    const int64_t wanted = values[row * stride];
    const bool counts = wanted != ignore_index;
    good &= !counts | (static_cast<uint64_t>(wanted) < static_cast<uint64_t>(classes));
    counted += counts ? 1 : 0;
  }
  if (!good) check_targets("cross_entropy", target, classes, ignore_index);
  return counted;
}

// loss, log_sum and count are contiguous; input is [rows, classes], target int64 [rows].
template <class T>
void cross_entropy(const TensorView& loss, const TensorView& log_sum, const TensorView& count,
                   const TensorView& input, const TensorView& target, int64_t ignore_index,
                   LossReduction reduction) {
  const InnerRows<T> rows(input, 1);
  const int64_t n = rows.length();
  const auto counted = static_cast<T>(count_targets(target, n, ignore_index));
  T* losses = loss.as<T>();
  if (reduction != LossReduction::kNone) {
    losses = static_cast<T*>(
        scratch(Scratch::kPanel, static_cast<size_t>(rows.count() + 1) * sizeof(T)));
  }
  share(rows.count(), n, [&](int64_t begin, int64_t end) {
    log_sums_of_rows(log_sum.as<T>(), rows, begin, end);
    for (int64_t row = begin; row < end; ++row) {
      const int64_t wanted = target.as<const int64_t>()[row * target.strides[0]];
      const bool counts = wanted != ignore_index;
      losses[row] = counts ? log_sum.as<T>()[row] - rows.at(row, scalar::bounded(wanted, n)) : 0;
    }
  });
  *count.as<T>() = counted;
  if (reduction == LossReduction::kNone) return;
  const T total = rows.count() == 0 ? 0 : fold_row<scalar::Sum<T>>(losses, 1, rows.count(), T{});
  *loss.as<T>() = reduction == LossReduction::kMean ? total / counted : total;
}

// to = exp(x - less) * factor; in whole vectors to the end, as rows may be short.
template <class T>
void scaled_exp(T* to, const T* x, int64_t n, T less, T factor) {
  using L = Lanes<T>;
  for (int64_t i = 0; i < n; i += L::kCount) {
    const int count = n - i < L::kCount ? static_cast<int>(n - i) : L::kCount;
    T lanes[L::kCount];
    L::store(lanes, L::load_first(x + i, count));
#pragma GCC ivdep
    for (int lane = 0; lane < L::kCount; ++lane) {
      lanes[lane] = scalar::exp(lanes[lane] - less) * factor;
    }
    L::store_first(to + i, L::load(lanes), count);
  }
}

// grad_input is contiguous; g has one number per row.
template <class T>
void cross_entropy_backward(const TensorView& grad_input, const TensorView& g,
                            const TensorView& input, const TensorView& log_sum,
                            const TensorView& target, int64_t ignore_index) {
  const InnerRows<T> rows(input, 1);
  const int64_t n = rows.length();
  check_targets("cross_entropy_backward", target, n, ignore_index);
  share(rows.count(), n, [&](int64_t begin, int64_t end) {
    T* room = row_of_room<T>(n);
    for (int64_t row = begin; row < end; ++row) {
      const int64_t wanted = target.as<const int64_t>()[row * target.strides[0]];
      T* to = grad_input.as<T>() + row * n;
      if (wanted == ignore_index) {
        for (int64_t i = 0; i < n; ++i) to[i] = 0;
        continue;
      }
      const T* x = rows.get(row, room);
      const T grad = g.as<T>()[row * g.strides[0]], log_total = log_sum.as<T>()[row];
      scaled_exp(to, x, n, log_total, grad);
      to[scalar::bounded(wanted, n)] -= grad;
    }
  });
}

}  // namespace

void cross_entropy_f32(const TensorView& loss, const TensorView& log_sum, const TensorView& count,
                       const TensorView& input, const TensorView& target, int64_t ignore_index,
                       int64_t reduction) {
  cross_entropy<float>(loss, log_sum, count, input, target, ignore_index,
                       static_cast<LossReduction>(reduction));
}
void cross_entropy_backward_f32(const TensorView& grad_input, const TensorView& g,
                                const TensorView& input, const TensorView& log_sum,
                                const TensorView& target, int64_t ignore_index) {
  cross_entropy_backward<float>(grad_input, g, input, log_sum, target, ignore_index);
}
void cross_entropy_f64(const TensorView& loss, const TensorView& log_sum, const TensorView& count,
                       const TensorView& input, const TensorView& target, int64_t ignore_index,
                       int64_t reduction) {
  cross_entropy<double>(loss, log_sum, count, input, target, ignore_index,
                        static_cast<LossReduction>(reduction));
}
void cross_entropy_backward_f64(const TensorView& grad_input, const TensorView& g,
                                const TensorView& input, const TensorView& log_sum,
                                const TensorView& target, int64_t ignore_index) {
  cross_entropy_backward<double>(grad_input, g, input, log_sum, target, ignore_index);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
