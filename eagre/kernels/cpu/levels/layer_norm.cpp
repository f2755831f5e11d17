// layer_norm over the last dimensions, and its gradients.
#include <eagre/kernels/cpu/levels/elementary.h>
#include <eagre/kernels/cpu/levels/inner_rows.h>
#include <eagre/kernels/cpu/levels/row_sums.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

// `count` rows of working space.
template <class T>
T* rows_of_room(int64_t count, int64_t length) {
  return static_cast<T*>(
      scratch(Scratch::kBlock, static_cast<size_t>(count * length + 1) * sizeof(T)));
}

// A tensor that may be absent, as one row; null if it is.
template <class T>
const T* optional_row(const TensorView& view, T* room) {
  return view.data == nullptr ? nullptr : InnerRows<T>(view, view.rank()).get(0, room);
}

// out, mean and rstd are contiguous.
template <class T>
void layer_norm(const TensorView& out, const TensorView& mean, const TensorView& rstd,
                const TensorView& input, const TensorView& weight, const TensorView& bias,
                int64_t normalized_rank, double eps) {
  if (input.numel == 0) return;
  const InnerRows<T> rows(input, normalized_rank);
  const int64_t n = rows.length();
  T* room = rows_of_room<T>(3, n);
  const T* factors = optional_row<T>(weight, room);
  const T* offsets = optional_row<T>(bias, room + n);
  for (int64_t row = 0; row < rows.count(); ++row) {
    const T* x = rows.get(row, room + 2 * n);
    T* to = out.as<T>() + row * n;
    const T center = fold_row<Add<T>>(x, 1, n, T{}) / static_cast<T>(n);
    const T spread = fold_row<AddSquares<T>>(x, 1, n, center) / static_cast<T>(n);
    const T scale = 1 / square_root(spread + static_cast<T>(eps));
    mean.as<T>()[row] = center;
    rstd.as<T>()[row] = scale;
    if (factors != nullptr && offsets != nullptr) {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - center) * scale * factors[i] + offsets[i];
      continue;
    }
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - center) * scale;
    for (int64_t i = 0; factors != nullptr && i < n; ++i) to[i] *= factors[i];
    for (int64_t i = 0; offsets != nullptr && i < n; ++i) to[i] += offsets[i];
  }
}

// Sums of rows in two steps, so that the error does not grow with their number.
template <class T>
class RowTotals {
 public:
  RowTotals(T* total, T* part, int64_t n) : total_(total), part_(part), n_(n) {
    for (int64_t i = 0; total != nullptr && i < n; ++i) total[i] = part[i] = 0;
  }
  template <class F>
  EAGRE_INLINE void add(F term) {
    if (total_ == nullptr) return;
#pragma GCC ivdep
    for (int64_t i = 0; i < n_; ++i) part_[i] += term(i);
    if (++pending_ == 64) flush();
  }
  void flush() {
    pending_ = 0;
    for (int64_t i = 0; total_ != nullptr && i < n_; ++i) {
      total_[i] += part_[i];
      part_[i] = 0;
    }
  }

 private:
  T* total_;
  T* part_;
  int64_t n_;
  int64_t pending_ = 0;
};

// The three gradients are contiguous; one whose data is null is not wanted.
template <class T>
void layer_norm_backward(const TensorView& grad_input, const TensorView& grad_weight,
                         const TensorView& grad_bias, const TensorView& g, const TensorView& input,
                         const TensorView& mean, const TensorView& rstd, const TensorView& weight,
                         int64_t normalized_rank) {
  const InnerRows<T> rows(input, normalized_rank);
  const InnerRows<T> grads(g, normalized_rank);
  const int64_t n = rows.length();
  T* room = rows_of_room<T>(6, n);
  const T* factors = optional_row<T>(weight, room);
  T* normalized = room + n;  // (x - mean) * rstd
  RowTotals<T> for_weight(grad_weight.as<T>(), room + 2 * n, n);
  RowTotals<T> for_bias(grad_bias.as<T>(), room + 3 * n, n);
  if (input.numel == 0) return;
  for (int64_t row = 0; row < rows.count(); ++row) {
    const T* x = rows.get(row, room + 4 * n);
    const T* grad = grads.get(row, room + 5 * n);
    const T center = mean.as<T>()[row], scale = rstd.as<T>()[row];
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) normalized[i] = (x[i] - center) * scale;
    for_weight.add([&](int64_t i) { return grad[i] * normalized[i]; });
    for_bias.add([&](int64_t i) { return grad[i]; });
    T* to = grad_input.as<T>();
    if (to == nullptr) continue;
    to += row * n;
    if (factors != nullptr) {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) to[i] = grad[i] * factors[i];
    } else {
      for (int64_t i = 0; i < n; ++i) to[i] = grad[i];
    }
    const T average = fold_row<Add<T>>(to, 1, n, T{}) / static_cast<T>(n);
    const T slope =
        sum_terms<T>(n, [&](int64_t i) { return to[i] * normalized[i]; }) / static_cast<T>(n);
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = scale * (to[i] - average - normalized[i] * slope);
  }
  for_weight.flush();
  for_bias.flush();
}

}  // namespace

void layer_norm_f32(const TensorView& out, const TensorView& mean, const TensorView& rstd,
                    const TensorView& input, const TensorView& weight, const TensorView& bias,
                    int64_t normalized_rank, double eps) {
  layer_norm<float>(out, mean, rstd, input, weight, bias, normalized_rank, eps);
}
void layer_norm_backward_f32(const TensorView& grad_input, const TensorView& grad_weight,
                             const TensorView& grad_bias, const TensorView& g,
                             const TensorView& input, const TensorView& mean,
                             const TensorView& rstd, const TensorView& weight,
                             int64_t normalized_rank) {
  layer_norm_backward<float>(grad_input, grad_weight, grad_bias, g, input, mean, rstd, weight,
                             normalized_rank);
}
void layer_norm_f64(const TensorView& out, const TensorView& mean, const TensorView& rstd,
                    const TensorView& input, const TensorView& weight, const TensorView& bias,
                    int64_t normalized_rank, double eps) {
  layer_norm<double>(out, mean, rstd, input, weight, bias, normalized_rank, eps);
}
void layer_norm_backward_f64(const TensorView& grad_input, const TensorView& grad_weight,
                             const TensorView& grad_bias, const TensorView& g,
                             const TensorView& input, const TensorView& mean,
                             const TensorView& rstd, const TensorView& weight,
                             int64_t normalized_rank) {
  layer_norm_backward<double>(grad_input, grad_weight, grad_bias, g, input, mean, rstd, weight,
                              normalized_rank);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
