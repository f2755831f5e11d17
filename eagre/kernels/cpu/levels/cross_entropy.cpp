// cross_entropy of rows of scores against class numbers, without storing the logarithms of the
// probabilities: each row keeps only log(sum(exp)), from which the gradient is made.
#include <eagre/kernels/cpu/levels/elementary.h>
#include <eagre/kernels/cpu/levels/inner_rows.h>
#include <eagre/kernels/cpu/levels/row_sums.h>
#include <eagre/kernels/cpu/levels/share.h>
#include <eagre/kernels/cpu/targets.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
T* row_of_room(int64_t length) {
  return static_cast<T*>(scratch(Scratch::kBlock, static_cast<size_t>(length) * sizeof(T)));
}

// out and log_sum are contiguous; input is [rows, classes], target int64 [rows].
template <class T>
void cross_entropy(const TensorView& out, const TensorView& log_sum, const TensorView& input,
                   const TensorView& target, int64_t ignore_index) {
  const InnerRows<T> rows(input, 1);
  const int64_t n = rows.length();
  check_targets("cross_entropy", target, n, ignore_index);
  share(rows.count(), n, [&](int64_t begin, int64_t end) {
    T* room = row_of_room<T>(n);
    for (int64_t row = begin; row < end; ++row) {
      const T* x = rows.get(row, room);
      const T largest = fold_row<Largest<T>>(x, 1, n, T{});
      const T log_total = natural_log(fold_row<AddExp<T>>(x, 1, n, largest)) + largest;
      const int64_t wanted = target.as<const int64_t>()[row * target.strides[0]];
      log_sum.as<T>()[row] = log_total;
      out.as<T>()[row] = wanted == ignore_index ? 0 : log_total - x[bounded(wanted, n)];
    }
  });
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
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) to[i] = scalar::exp(x[i] - log_total) * grad;
      to[bounded(wanted, n)] -= grad;
    }
  });
}

}  // namespace

void cross_entropy_f32(const TensorView& out, const TensorView& log_sum, const TensorView& input,
                       const TensorView& target, int64_t ignore_index) {
  cross_entropy<float>(out, log_sum, input, target, ignore_index);
}
void cross_entropy_backward_f32(const TensorView& grad_input, const TensorView& g,
                                const TensorView& input, const TensorView& log_sum,
                                const TensorView& target, int64_t ignore_index) {
  cross_entropy_backward<float>(grad_input, g, input, log_sum, target, ignore_index);
}
void cross_entropy_f64(const TensorView& out, const TensorView& log_sum, const TensorView& input,
                       const TensorView& target, int64_t ignore_index) {
  cross_entropy<double>(out, log_sum, input, target, ignore_index);
}
void cross_entropy_backward_f64(const TensorView& grad_input, const TensorView& g,
                                const TensorView& input, const TensorView& log_sum,
                                const TensorView& target, int64_t ignore_index) {
  cross_entropy_backward<double>(grad_input, g, input, log_sum, target, ignore_index);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
