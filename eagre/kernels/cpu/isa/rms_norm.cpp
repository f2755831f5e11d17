// rms_norm: rows divided by the root of the mean of their squares.
#include <cstdint>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/inner_rows.h>
#include <eagre/kernels/cpu/isa/row_sums.h>
#include <eagre/kernels/cpu/isa/row_vectors.h>
#include <eagre/kernels/cpu/isa/share.h>
#include <eagre/kernels/cpu/scratch.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
T* room_for(Scratch use, int64_t count, int64_t length) {
  return static_cast<T*>(scratch(use, static_cast<size_t>(count * length + 1) * sizeof(T)));
}

template <class T>
const T* weights_of(const TensorView& view, T* room) {
  return view.data == nullptr ? nullptr : InnerRows<T>(view, view.rank()).get(0, room);
}

// Writes the row divided by its root, times `factors` if there are any; gives the inverse root.
template <class T>
T scale_row(T* to, const T* x, const T* factors, int64_t n, T eps) {
  T scale = 0;
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    using Row = RowVectors<T, vectors>;
    const Row values(x, n);
    const T squares = values.map([](auto v) { return v * v; }).template fold<scalar::Sum<T>>();
    scale = 1 / square_root(squares / static_cast<T>(n) + eps);
    const Row scaled = values.map([=](auto v) { return v * scale; });
    if (factors == nullptr) return scaled.store(to);
    scaled.map(Row(factors, n), [](auto a, auto b) { return a * b; }).store(to);
  });
  if (is_short) return scale;
  const T squares = fold_row<scalar::SumOfSquares<T>>(x, 1, n, T{});
  scale = 1 / square_root(squares / static_cast<T>(n) + eps);
  if (factors == nullptr) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = x[i] * scale;
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = x[i] * scale * factors[i];
  }
  return scale;
}

// One row's part of the gradients below; `own` adds up those for the weight.
template <class T>
void row_gradient(T* to, T* own, const T* grad, const T* x, const T* factors, int64_t n, T scale) {
  const auto product = [](auto a, auto b) { return a * b; };
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    using Row = RowVectors<T, vectors>;
    const Row values(x, n), g(grad, n);
    const Row scaled = values.map([=](auto v) { return v * scale; });
    Row(own, n).map(g.map(scaled, product), [](auto a, auto b) { return a + b; }).store(own);
    const Row weighted = factors == nullptr ? g : g.map(Row(factors, n), product);
    const T along = weighted.map(values, product).template fold<scalar::Sum<T>>();
    const T slope = scale * scale * along / static_cast<T>(n);
    weighted.map(values, [=](auto a, auto b) { return scale * (a - b * slope); }).store(to);
  });
  if (is_short) return;
  const T along = factors == nullptr
                      ? sum_terms<T>(n, [&](int64_t i) { return grad[i] * x[i]; })
                      : sum_terms<T>(n, [&](int64_t i) { return grad[i] * factors[i] * x[i]; });
  const T slope = scale * scale * along / static_cast<T>(n);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const T weighted = factors == nullptr ? grad[i] : grad[i] * factors[i];
    own[i] += grad[i] * (x[i] * scale);
    to[i] = scale * (weighted - x[i] * slope);
  }
}

template <class T>
void rms_norm(const TensorView& out, const TensorView& rstd, const TensorView& input,
              const TensorView& weight, int64_t inner_rank, double eps) {
  if (input.numel == 0) return;
  const InnerRows<T> rows(input, inner_rank);
  const int64_t n = rows.length();
  const T* factors = weights_of<T>(weight, room_for<T>(Scratch::kPanel, 1, n));
  share(rows.count(), n, [&](int64_t begin, int64_t end) {
    T* room = room_for<T>(Scratch::kBlock, 1, n);
    for (int64_t row = begin; row < end; ++row) {
      rstd.as<T>()[row] =
          scale_row(out.as<T>() + row * n, rows.get(row, room), factors, n, static_cast<T>(eps));
    }
  });
}

// For the input s * (g' - x * s^2 * mean(g' * x)), with s = rstd and g' the gradient times the
// weight; for the weight the sum over rows of g * x * s. Rows are taken in stretches, whose sums
// are added up in order: where they are cut depends on shapes alone.
template <class T>
void rms_norm_backward(const TensorView& grad_input, const TensorView& grad_weight,
                       const TensorView& g, const TensorView& input, const TensorView& rstd,
                       const TensorView& weight, int64_t inner_rank) {
  const InnerRows<T> rows(input, inner_rank);
  const InnerRows<T> grads(g, inner_rank);
  const int64_t n = rows.length(), count = rows.count();
  T* total = grad_weight.as<T>();
  for (int64_t i = 0; i < n; ++i) total[i] = 0;
  if (input.numel == 0) return;
  const T* factors = weights_of<T>(weight, room_for<T>(Scratch::kPanel, 1, n));
  constexpr int64_t kMostStretches = 64, kLeastRows = 16;
  const int64_t wanted = (count - 1) / kMostStretches + 1;
  const int64_t stretch = wanted < kLeastRows ? kLeastRows : wanted;
  const int64_t stretches = (count - 1) / stretch + 1;
  T* sums = room_for<T>(Scratch::kSums, stretches, n);
  share(stretches, stretch * n, [&](int64_t begin, int64_t end) {
    T* room = room_for<T>(Scratch::kBlock, 2, n);
    for (int64_t s = begin; s < end; ++s) {
      T* own = sums + s * n;
      for (int64_t i = 0; i < n; ++i) own[i] = 0;
      for (int64_t row = s * stretch; row < count && row < (s + 1) * stretch; ++row) {
        row_gradient(grad_input.as<T>() + row * n, own, grads.get(row, room + n),
                     rows.get(row, room), factors, n, rstd.as<T>()[row]);
      }
    }
  });
  for (int64_t s = 0; s < stretches; ++s) {
    for (int64_t i = 0; i < n; ++i) total[i] += sums[s * n + i];
  }
}

}  // namespace

void rms_norm_f32(const TensorView& out, const TensorView& rstd, const TensorView& input,
                  const TensorView& weight, int64_t inner_rank, double eps) {
  rms_norm<float>(out, rstd, input, weight, inner_rank, eps);
}
void rms_norm_f64(const TensorView& out, const TensorView& rstd, const TensorView& input,
                  const TensorView& weight, int64_t inner_rank, double eps) {
  rms_norm<double>(out, rstd, input, weight, inner_rank, eps);
}
void rms_norm_backward_f32(const TensorView& grad_input, const TensorView& grad_weight,
                           const TensorView& g, const TensorView& input, const TensorView& rstd,
                           const TensorView& weight, int64_t inner_rank) {
  rms_norm_backward<float>(grad_input, grad_weight, g, input, rstd, weight, inner_rank);
}
void rms_norm_backward_f64(const TensorView& grad_input, const TensorView& grad_weight,
                           const TensorView& g, const TensorView& input, const TensorView& rstd,
                           const TensorView& weight, int64_t inner_rank) {
  rms_norm_backward<double>(grad_input, grad_weight, g, input, rstd, weight, inner_rank);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
