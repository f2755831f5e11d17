// var, std and logsumexp over some dimensions: a first fold gives each result its mean or largest
// value, a second one folds the distances from it.
#include <optional>

#include <eagre/kernels/cpu/isa/elementary.h>
#include <eagre/kernels/cpu/isa/fold.h>
#include <eagre/kernels/scalar/log.h>
#include <eagre/kernels/scalar/reduce_ops.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

template <class T>
void fill(const TensorView& out, T value) {
  T* result = out.as<T>();
  for (int64_t i = 0; i < out.numel; ++i) result[i] = value;
}

template <class T>
T* context_of(const Cell<T>& cell, size_t rows = 1) {
  const size_t bytes = rows * static_cast<size_t>(cell.width) * sizeof(T);
  return static_cast<T*>(scratch(Scratch::kPanel, bytes));
}

// kMore: on top of what the results are.
template <class T, bool kRoot, bool kMore = false>
void variance(const TensorView& out, const TensorView& input, const OptionalDims& dims,
              double correction) {
  if (input.numel == 0) return fill(out, std::numeric_limits<T>::quiet_NaN());
  const auto count = static_cast<double>(input.numel / out.numel);
  // Too few elements for the correction: 0 / 0 or x / 0, as the formula says.
  const T divisor = static_cast<T>(count > correction ? count - correction : 0);
  for_each_cell(Reduction(input, reduced_dims(input, dims)), input.as<const T>(),
                [&](const Cell<T>& cell) {
                  T* result = out.as<T>() + cell.out;
                  T* means = context_of(cell, kMore ? 2 : 1);
                  T* squares = kMore ? means + cell.width : result;
                  fold<scalar::Sum<T>>(means, cell, means);
                  for (int64_t j = 0; j < cell.width; ++j) means[j] /= static_cast<T>(count);
                  fold<scalar::SumOfSquares<T>>(squares, cell, means);
                  for (int64_t j = 0; j < cell.width; ++j) {
                    squares[j] /= divisor;
                    if (kMore) result[j] += squares[j];
                    if (kRoot) result[j] = square_root(result[j]);
                  }
                });
}

// The variances of the real and of the imaginary parts, added.
template <class T, bool kRoot>
void complex_variance(const TensorView& out, const TensorView& input, const OptionalDims& dims,
                      double correction) {
  int64_t strides[kMaxDims];
  for (size_t d = 0; d < input.strides.size(); ++d) strides[d] = 2 * input.strides[d];
  TensorView part = input;
  part.strides = {strides, input.strides.size()};
  variance<T, false>(out, part, dims, correction);
  part.data = part.as<T>() + 1;
  variance<T, kRoot, true>(out, part, dims, correction);
}

template <class T>
void logsumexp(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (input.numel == 0) return fill(out, -kInfinity);
  for_each_cell(
      Reduction(input, reduced_dims(input, dims)), input.as<const T>(), [&](const Cell<T>& cell) {
        T* result = out.as<T>() + cell.out;
        T* largest = context_of(cell);
        fold<scalar::Largest<T>>(largest, cell, largest);
        // inf - inf would be NaN.
        for (int64_t j = 0; j < cell.width; ++j) {
          largest[j] = largest[j] == kInfinity || largest[j] == -kInfinity ? 0 : largest[j];
        }
        fold<scalar::SumOfExp<T>>(result, cell, largest);
        for (int64_t j = 0; j < cell.width; ++j) result[j] = natural_log(result[j]) + largest[j];
      });
}

// Shifted by the largest real part, which decides how large e^z is.
template <class T>
void complex_logsumexp(const TensorView& out, const TensorView& input, const OptionalDims& dims) {
  using Number = Complex<T>;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (input.numel == 0) return fill(out, Number(-kInfinity));
  for_each_cell(Reduction(input, reduced_dims(input, dims)), input.as<const Number>(),
                [&](const Cell<Number>& cell) {
                  const int64_t depth = cell.reduced.numel();
                  Number* result = out.as<Number>() + cell.out;
                  for (int64_t j = 0; j < cell.width; ++j) {
                    poll_interrupt(depth);
                    const Number* column = cell.data + j;
                    T largest = -kInfinity;
                    for (int64_t i = 0; i < depth; ++i) {
                      const T real = column[cell.reduced.offset(i)].real;
                      largest = scalar::Largest<T>::combine(largest, real);
                    }
                    if (largest == kInfinity || largest == -kInfinity) largest = 0;
                    Complex<double> sum;
                    for (int64_t i = 0; i < depth; ++i) {
                      const Number z = column[cell.reduced.offset(i)];
                      sum += Complex<double>(scalar::exp(Number(z.real - largest, z.imag)));
                    }
                    result[j] = Number(scalar::log(sum)) + Number(largest);
                  }
                });
}

}  // namespace

void logsumexp_c64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  complex_logsumexp<float>(out, input, dim);
}
void logsumexp_c128(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  complex_logsumexp<double>(out, input, dim);
}
void var_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim,
             std::optional<double> correction, bool) {
  variance<float, false>(out, input, dim, correction.value_or(1));
}
void std_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim,
             std::optional<double> correction, bool) {
  variance<float, true>(out, input, dim, correction.value_or(1));
}
void logsumexp_f32(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  logsumexp<float>(out, input, dim);
}
void var_c64(const TensorView& out, const TensorView& input, const OptionalDims& dim,
             std::optional<double> correction, bool) {
  complex_variance<float, false>(out, input, dim, correction.value_or(1));
}
void std_c64(const TensorView& out, const TensorView& input, const OptionalDims& dim,
             std::optional<double> correction, bool) {
  complex_variance<float, true>(out, input, dim, correction.value_or(1));
}
void var_c128(const TensorView& out, const TensorView& input, const OptionalDims& dim,
              std::optional<double> correction, bool) {
  complex_variance<double, false>(out, input, dim, correction.value_or(1));
}
void std_c128(const TensorView& out, const TensorView& input, const OptionalDims& dim,
              std::optional<double> correction, bool) {
  complex_variance<double, true>(out, input, dim, correction.value_or(1));
}
void var_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim,
             std::optional<double> correction, bool) {
  variance<double, false>(out, input, dim, correction.value_or(1));
}
void std_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim,
             std::optional<double> correction, bool) {
  variance<double, true>(out, input, dim, correction.value_or(1));
}
void logsumexp_f64(const TensorView& out, const TensorView& input, const OptionalDims& dim, bool) {
  logsumexp<double>(out, input, dim);
}

}  // namespace eagre::kernels::cpu::EAGRE_ISA
