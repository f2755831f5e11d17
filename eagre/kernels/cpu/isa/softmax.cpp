// softmax and log_softmax along a dimension, and their gradients from the results.
#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/row_sums.h>
#include <eagre/kernels/cpu/isa/row_vectors.h>
#include <eagre/kernels/cpu/isa/row_walk.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
void softmax_row(T* out, const T* input, int64_t n) {
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    const RowVectors<T, vectors> x(input, n);
    const T largest = x.template fold<scalar::Largest<T>>();
    const auto powers = x.map_numbers([=](T value) { return scalar::exp(value - largest); });
    const T factor = 1 / powers.template fold<scalar::Sum<T>>();
    powers.map([=](auto power) { return power * factor; }).store(out);
  });
  if (is_short) return;
  const T largest = fold_row<scalar::Largest<T>>(input, 1, n, T{});
  T sum = 0;
  constexpr int64_t kBlock = kFoldBlock<T>;
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t count = n - first < kBlock ? n - first : kBlock;
#pragma GCC ivdep
    for (int64_t i = 0; i < count; ++i) out[first + i] = scalar::exp(input[first + i] - largest);
    sum += fold_leaf<scalar::Sum<T>, T>(out + first, count, T{});
  }
  const T factor = 1 / sum;
  for (int64_t i = 0; i < n; ++i) out[i] *= factor;
}

template <class T>
void log_softmax_row(T* out, const T* input, int64_t n) {
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    const RowVectors<T, vectors> x(input, n);
    const T largest = x.template fold<scalar::Largest<T>>();
    const auto powers = x.map_numbers([=](T value) { return scalar::exp(value - largest); });
    const T log_sum = natural_log(powers.template fold<scalar::Sum<T>>());
    x.map([=](auto value) { return value - largest - log_sum; }).store(out);
  });
  if (is_short) return;
  const T largest = fold_row<scalar::Largest<T>>(input, 1, n, T{});
  const T log_sum = natural_log(fold_row<scalar::SumOfExp<T>>(input, 1, n, largest));
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i] = input[i] - largest - log_sum;
}

template <class T>
void softmax_backward_row(T* to, const T* grad, const T* y, int64_t n) {
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    const RowVectors<T, vectors> g(grad, n), result(y, n);
    const T sum =
        g.map(result, [](auto a, auto b) { return a * b; }).template fold<scalar::Sum<T>>();
    result.map(g, [=](auto a, auto b) { return a * (b - sum); }).store(to);
  });
  if (is_short) return;
  const T sum = sum_terms<T>(n, [&](int64_t i) { return grad[i] * y[i]; });
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) to[i] = y[i] * (grad[i] - sum);
}

template <class T>
void log_softmax_backward_row(T* to, const T* grad, const T* y, int64_t n) {
  const bool is_short = in_vectors<T>(n, [&](auto vectors) {
    const RowVectors<T, vectors> g(grad, n), result(y, n);
    const T sum = g.template fold<scalar::Sum<T>>();
    const auto powers = result.map_numbers([](T value) { return scalar::exp(value); });
    g.map(powers, [=](auto a, auto power) { return a - power * sum; }).store(to);
  });
  if (is_short) return;
  const T sum = fold_row<scalar::Sum<T>>(grad, 1, n, T{});
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) to[i] = grad[i] - scalar::exp(y[i]) * sum;
}

// Few rows, one after the other in memory: finding the way through larger tensors would cost more
// than the rest.
constexpr int64_t kFew = 256;

template <int kViews>
bool are_few_rows(const TensorView* const (&views)[kViews], int64_t dim) {
  const TensorView& out = *views[0];
  const int64_t rank = out.rank();
  if (out.numel > kFew || out.numel == 0 || rank == 0) return false;
  if (dim != -1 && dim != rank - 1) return false;
  int64_t count = 1;
  for (int64_t d = rank; d-- > 0;) {
    for (const TensorView* view : views) {
      if (view->strides[d] != count) return false;
    }
    count *= out.sizes[d];
  }
  return true;
}

// f(rows, n) for every row; see RowWalk.
template <class T, int kViews, class F>
void walk_rows(const TensorView* const (&views)[kViews], int64_t dim, F f) {
  if (!are_few_rows(views, dim)) return RowWalk<T, kViews>(views, dim).run(f);
  const int64_t n = views[0]->sizes[views[0]->rank() - 1];
  for (int64_t first = 0; first < views[0]->numel; first += n) {
    T* rows[kViews];
    for (int v = 0; v < kViews; ++v) rows[v] = views[v]->template as<T>() + first;
    f(rows, n);
  }
}

// Keeps a loop of a few steps from becoming vector code, whose beginning and end would be longer.
EAGRE_INLINE void stay_scalar(int64_t& i) { asm("" : "+r"(i)); }

template <class Op, class T>
EAGRE_INLINE T fold_few(const T* data, int64_t n) {
  T result = Op::kIdentity;
  for (int64_t i = 0; i < n; stay_scalar(++i)) result = Op::combine(result, data[i]);
  return result;
}

// Rows that are shorter than a vector: exp() of all of them at once. The same numbers as
// softmax_row() makes.
template <class T>
void softmax_tiny(T* out, const T* input, int64_t numel, int64_t n) {
  for (int64_t row = 0; row < numel; row += n) {
    const T largest = fold_few<scalar::Largest<T>>(input + row, n);
    for (int64_t i = row; i < row + n; stay_scalar(++i)) out[i] = input[i] - largest;
  }
#pragma GCC ivdep
  for (int64_t i = 0; i < numel; ++i) out[i] = scalar::exp(out[i]);
  for (int64_t row = 0; row < numel; row += n) {
    const T factor = 1 / fold_few<scalar::Sum<T>>(out + row, n);
    for (int64_t i = row; i < row + n; stay_scalar(++i)) out[i] *= factor;
  }
}

// The same of log_softmax_row().
template <class T>
void log_softmax_tiny(T* out, const T* input, int64_t numel, int64_t n) {
  T largest[kFew], powers[kFew], log_sums[kFew];
  const int64_t rows = numel / n;
  for (int64_t row = 0; row < rows; ++row) {
    largest[row] = fold_few<scalar::Largest<T>>(input + row * n, n);
    for (int64_t i = row * n; i < (row + 1) * n; stay_scalar(++i)) {
      powers[i] = input[i] - largest[row];
    }
  }
#pragma GCC ivdep
  for (int64_t i = 0; i < numel; ++i) powers[i] = scalar::exp(powers[i]);
  for (int64_t row = 0; row < rows; ++row) {
    log_sums[row] = fold_few<scalar::Sum<T>>(powers + row * n, n);
  }
#pragma GCC ivdep
  for (int64_t row = 0; row < rows; ++row) log_sums[row] = natural_log(log_sums[row]);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = row * n; i < (row + 1) * n; stay_scalar(++i)) {
      out[i] = input[i] - largest[row] - log_sums[row];
    }
  }
}

template <class T>
void softmax(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  if (are_few_rows(views, dim)) {
    const int64_t n = out.sizes[out.rank() - 1];
    if (n < 8) return softmax_tiny(out.as<T>(), input.as<T>(), out.numel, n);
  }
  walk_rows<T>(views, dim, [](T* const* rows, int64_t n) { softmax_row<T>(rows[0], rows[1], n); });
}

template <class T>
void log_softmax(const TensorView& out, const TensorView& input, int64_t dim) {
  const TensorView* const views[] = {&out, &input};
  if (are_few_rows(views, dim)) {
    const int64_t n = out.sizes[out.rank() - 1];
    if (n < 8) return log_softmax_tiny(out.as<T>(), input.as<T>(), out.numel, n);
  }
  walk_rows<T>(views, dim,
               [](T* const* rows, int64_t n) { log_softmax_row<T>(rows[0], rows[1], n); });
}

template <class T>
void softmax_backward(const TensorView& out, const TensorView& g, const TensorView& result,
                      int64_t dim) {
  const TensorView* const views[] = {&out, &g, &result};
  walk_rows<T>(views, dim, [](T* const* rows, int64_t n) {
    softmax_backward_row<T>(rows[0], rows[1], rows[2], n);
  });
}

template <class T>
void log_softmax_backward(const TensorView& out, const TensorView& g, const TensorView& result,
                          int64_t dim) {
  const TensorView* const views[] = {&out, &g, &result};
  walk_rows<T>(views, dim, [](T* const* rows, int64_t n) {
    log_softmax_backward_row<T>(rows[0], rows[1], rows[2], n);
  });
}

}  // namespace

void softmax_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  softmax<float>(out, input, dim);
}
void softmax_backward_f32(const TensorView& out, const TensorView& g, const TensorView& result,
                          int64_t dim) {
  softmax_backward<float>(out, g, result, dim);
}
void log_softmax_f32(const TensorView& out, const TensorView& input, int64_t dim) {
  log_softmax<float>(out, input, dim);
}
void log_softmax_backward_f32(const TensorView& out, const TensorView& g, const TensorView& result,
                              int64_t dim) {
  log_softmax_backward<float>(out, g, result, dim);
}
void softmax_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  softmax<double>(out, input, dim);
}
void softmax_backward_f64(const TensorView& out, const TensorView& g, const TensorView& result,
                          int64_t dim) {
  softmax_backward<double>(out, g, result, dim);
}
void log_softmax_f64(const TensorView& out, const TensorView& input, int64_t dim) {
  log_softmax<double>(out, input, dim);
}
void log_softmax_backward_f64(const TensorView& out, const TensorView& g, const TensorView& result,
                              int64_t dim) {
  log_softmax_backward<double>(out, g, result, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
