// layer_norm over the last dimensions, and its gradients.
#include <utility>

#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/inner_rows.h>
#include <eagre/kernels/cpu/isa/row_sums.h>
#include <eagre/kernels/cpu/isa/row_vectors.h>
#include <eagre/kernels/cpu/isa/share.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// `count` rows that all threads read.
template <class T>
T* shared_rows(int64_t count, int64_t length) {
  return static_cast<T*>(
      scratch(Scratch::kPanel, static_cast<size_t>(count * length + 1) * sizeof(T)));
}

// `count` rows of working space of this thread.
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

// What is done to all rows: one times `factors` and plus `offsets`, each of which may be null.
template <class T>
struct Normalization {
  const T* factors;
  const T* offsets;
  T eps;

  // Writes the row, and gives its mean and the inverse of its deviation.
  std::pair<T, T> row(T* to, const T* x, int64_t n) const {
    T center = 0, scale = 0;
    const bool is_short = in_vectors<T>(n, [&](auto vectors) {
      const RowVectors<T, vectors> values(x, n);
      const auto count = static_cast<T>(n);
      const T rough = values.template fold<scalar::Sum<T>>() / count;
      const auto near = values.map([=](auto value) { return value - rough; });
      center = rough + near.template fold<scalar::Sum<T>>() / count;
      auto distances = values.map([=](auto value) { return value - center; });
      const auto squares = distances.map([](auto distance) { return distance * distance; });
      scale = scale_of(squares.template fold<scalar::Sum<T>>() / count);
      distances = distances.map([=](auto distance) { return distance * scale; });
      const auto with = [&](const T* numbers, auto f) {
        if (numbers != nullptr) distances = distances.map(RowVectors<T, vectors>(numbers, n), f);
      };
      with(factors, [](auto a, auto b) { return a * b; });
      with(offsets, [](auto a, auto b) { return a + b; });
      distances.store(to);
    });
    if (is_short) return {center, scale};
    const T rough = fold_row<scalar::Sum<T>>(x, 1, n, T{}) / static_cast<T>(n);
    // What the first sum has lost: rows of equal numbers become exactly 0.
    center = rough + fold_row<scalar::SumOfDistances<T>>(x, 1, n, rough) / static_cast<T>(n);
    scale = scale_of(fold_row<scalar::SumOfSquares<T>>(x, 1, n, center) / static_cast<T>(n));
    if (factors != nullptr && offsets != nullptr) {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - center) * scale * factors[i] + offsets[i];
      return {center, scale};
    }
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - center) * scale;
    for (int64_t i = 0; factors != nullptr && i < n; ++i) to[i] *= factors[i];
    for (int64_t i = 0; offsets != nullptr && i < n; ++i) to[i] += offsets[i];
    return {center, scale};
  }

 private:
  T scale_of(T spread) const { return 1 / square_root(spread + eps); }
};

// out, mean and rstd are contiguous.
template <class T>
void layer_norm(const TensorView& out, const TensorView& mean, const TensorView& rstd,
                const TensorView& input, const TensorView& weight, const TensorView& bias,
                int64_t normalized_rank, double eps) {
  if (input.numel == 0) return;
  const InnerRows<T> rows(input, normalized_rank);
  const int64_t n = rows.length();
  T* shared = shared_rows<T>(2, n);
  const Normalization<T> normalize{optional_row<T>(weight, shared),
                                   optional_row<T>(bias, shared + n), static_cast<T>(eps)};
  share(rows.count(), n, [&](int64_t begin, int64_t end) {
    T* room = rows_of_room<T>(1, n);
    for (int64_t row = begin; row < end; ++row) {
      const auto [center, scale] = normalize.row(out.as<T>() + row * n, rows.get(row, room), n);
      mean.as<T>()[row] = center;
      rstd.as<T>()[row] = scale;
    }
  });
}

// scale * (g' - mean(g') - normalized * mean(g' * normalized)) with g' = grad * factors.
template <class T>
void input_gradient(T* to, const T* grad, const T* x, const T* factors, int64_t n, T center,
                    T scale) {
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    using Row = RowVectors<T, vectors>;
    const auto product = [](auto a, auto b) { return a * b; };
    const auto count = static_cast<T>(n);
    Row g(grad, n);
    if (factors != nullptr) g = g.map(Row(factors, n), product);
    const T average = g.template fold<scalar::Sum<T>>() / count;
    const Row normal = Row(x, n).map([=](auto value) { return (value - center) * scale; });
    const T slope = g.map(normal, product).template fold<scalar::Sum<T>>() / count;
    g.map(normal, [=](auto a, auto b) { return scale * (a - average - b * slope); }).store(to);
  });
  if (is_short) return;
  if (factors != nullptr) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) to[i] = grad[i] * factors[i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = grad[i];
  }
  const T average = fold_row<scalar::Sum<T>>(to, 1, n, T{}) / static_cast<T>(n);
  const T slope = sum_terms<T>(n, [&](int64_t i) { return to[i] * ((x[i] - center) * scale); }) /
                  static_cast<T>(n);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    to[i] = scale * (to[i] - average - (x[i] - center) * scale * slope);
  }
}

template <class T>
void layer_norm_grad_input(const TensorView& grad_input, const TensorView& g,
                           const TensorView& input, const TensorView& mean, const TensorView& rstd,
                           const TensorView& weight, int64_t normalized_rank) {
  if (input.numel == 0) return;
  const InnerRows<T> rows(input, normalized_rank);
  const InnerRows<T> grads(g, normalized_rank);
  const int64_t n = rows.length();
  const T* factors = optional_row<T>(weight, shared_rows<T>(1, n));
  share(rows.count(), n, [&](int64_t begin, int64_t end) {
    T* room = rows_of_room<T>(2, n);
    for (int64_t row = begin; row < end; ++row) {
      input_gradient<T>(grad_input.as<T>() + row * n, grads.get(row, room), rows.get(row, room + n),
                        factors, n, mean.as<T>()[row], rstd.as<T>()[row]);
    }
  });
}

// The sum over rows of grad * normalized, in two steps so that the error does not grow with their
// number. Threads share the columns.
template <class T>
void layer_norm_grad_weight(const TensorView& grad_weight, const TensorView& g,
                            const TensorView& input, const TensorView& mean, const TensorView& rstd,
                            int64_t normalized_rank) {
  constexpr int64_t kTile = 512, kRows = 64;
  const InnerRows<T> rows(input, normalized_rank);
  const InnerRows<T> grads(g, normalized_rank);
  const int64_t n = rows.length();
  T* total = grad_weight.as<T>();
  for (int64_t i = 0; i < n; ++i) total[i] = 0;
  if (input.numel == 0) return;
  share((n - 1) / kTile + 1, kTile * rows.count(), [&](int64_t begin, int64_t end) {
    T* room = rows_of_room<T>(2, n);
    const int64_t first = begin * kTile, last = end * kTile < n ? end * kTile : n;
    for (int64_t at = first; at < last; at += kTile) {
      const int64_t width = last - at < kTile ? last - at : kTile;
      for (int64_t start = 0; start < rows.count(); start += kRows) {
        T part[kTile] = {};
        for (int64_t row = start; row < rows.count() && row < start + kRows; ++row) {
          const T* x = rows.get(row, room + n) + at;
          const T* grad = grads.get(row, room) + at;
          const T center = mean.as<T>()[row], scale = rstd.as<T>()[row];
#pragma GCC ivdep
          for (int64_t i = 0; i < width; ++i) part[i] += grad[i] * ((x[i] - center) * scale);
        }
        for (int64_t i = 0; i < width; ++i) total[at + i] += part[i];
      }
    }
  });
}

}  // namespace

void layer_norm_f32(const TensorView& out, const TensorView& mean, const TensorView& rstd,
                    const TensorView& input, const TensorView& weight, const TensorView& bias,
                    int64_t normalized_rank, double eps) {
  layer_norm<float>(out, mean, rstd, input, weight, bias, normalized_rank, eps);
}
void layer_norm_grad_input_f32(const TensorView& grad_input, const TensorView& g,
                               const TensorView& input, const TensorView& mean,
                               const TensorView& rstd, const TensorView& weight,
                               int64_t normalized_rank) {
  layer_norm_grad_input<float>(grad_input, g, input, mean, rstd, weight, normalized_rank);
}
void layer_norm_grad_weight_f32(const TensorView& grad_weight, const TensorView& g,
                                const TensorView& input, const TensorView& mean,
                                const TensorView& rstd, int64_t normalized_rank) {
  layer_norm_grad_weight<float>(grad_weight, g, input, mean, rstd, normalized_rank);
}
void layer_norm_f64(const TensorView& out, const TensorView& mean, const TensorView& rstd,
                    const TensorView& input, const TensorView& weight, const TensorView& bias,
                    int64_t normalized_rank, double eps) {
  layer_norm<double>(out, mean, rstd, input, weight, bias, normalized_rank, eps);
}
void layer_norm_grad_input_f64(const TensorView& grad_input, const TensorView& g,
                               const TensorView& input, const TensorView& mean,
                               const TensorView& rstd, const TensorView& weight,
                               int64_t normalized_rank) {
  layer_norm_grad_input<double>(grad_input, g, input, mean, rstd, weight, normalized_rank);
}
void layer_norm_grad_weight_f64(const TensorView& grad_weight, const TensorView& g,
                                const TensorView& input, const TensorView& mean,
                                const TensorView& rstd, int64_t normalized_rank) {
  layer_norm_grad_weight<double>(grad_weight, g, input, mean, rstd, normalized_rank);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
