// Matrix products of tensors: vectors, batches and broadcasting, down to single products.
#pragma once

#include <algorithm>
#include <utility>

#include <eagre/core/tensor_view.h>
#include <eagre/kernels/cpu/blas.h>
#include <eagre/kernels/cpu/isa/gemm_planes.h>
#include <eagre/kernels/cpu/isa/product.h>

namespace eagre::kernels::cpu::EAGRE_ISA {
namespace {

// From here on there is work for many threads in one product.
constexpr int64_t kLargeProducts = 32 * kSharedProducts;

template <class T>
constexpr bool kHasPlanes = kIsComplex<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// The matrix in the last dimensions of a view; a vector is a row on the left, a column on the
// right.
template <class T>
Matrix<T> last_matrix(const TensorView& view, bool is_left) {
  const int64_t rank = view.rank();
  const auto* data = view.as<const T>();
  if (rank == 1) {
    return is_left ? Matrix<T>{data, 1, view.sizes[0], 0, view.strides[0]}
                   : Matrix<T>{data, view.sizes[0], 1, view.strides[0], 1};
  }
  return {data, view.sizes[rank - 2], view.sizes[rank - 1], view.strides[rank - 2],
          view.strides[rank - 1]};
}

// Where batch `index` (counted through the batch dimensions of the result) starts in `view`.
int64_t batch_offset(const TensorView& view, const int64_t* batch_sizes, int64_t batch_rank,
                     int64_t index) {
  const int64_t own = view.rank() - 2;
  int64_t offset = 0;
  for (int64_t d = 1; d <= batch_rank && d <= own; ++d) {
    const int64_t i = index % batch_sizes[batch_rank - d];
    index /= batch_sizes[batch_rank - d];
    if (view.sizes[own - d] != 1) offset += i * view.strides[own - d];
  }
  return offset;
}

// Batches on the left that follow each other as rows do are one tall matrix.
template <class T>
bool are_rows(const TensorView& left, const Matrix<T>& a) {
  int64_t stride = a.row_stride * a.rows;
  for (int64_t d = left.rank() - 3; d >= 0; --d) {
    if (left.sizes[d] != 1 && left.strides[d] != stride) return false;
    stride *= left.sizes[d];
  }
  return true;
}

// Is the product left to the BLAS of the user's choice, if there is one?
template <class T>
bool multiplied_by_blas(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b) {
  if constexpr (kHasBlas<T>) {
    if (a.rows * a.columns * b.columns < kLeastBlasProducts) return false;
    return multiply_with_blas({kBlasElement<T>,
                               a.rows,
                               b.columns,
                               a.columns,
                               c.data,
                               {a.data, a.row_stride, a.column_stride},
                               {b.data, b.row_stride, b.column_stride},
                               c.accumulate});
  }
  return false;
}

// `ahead`: the memory of the product that follows.
template <class T>
void multiply_any(const Target<T>& c, const Matrix<T>& a, const Matrix<T>& b,
                  const Ahead& ahead = {}) {
  const Matrix<T> turned{b.data, b.columns, b.rows, b.column_stride, b.row_stride};
  if constexpr (kHasPlanes<T>) {
    if (b.columns == 1 && (a.rows == 1 || a.row_stride != 1)) {
      return multiply_plane_vector(c.data, c.row_stride, a, b.data, b.row_stride);
    }
    if (a.rows == 1 && b.row_stride == 1) {
      return multiply_plane_vector(c.data, 1, turned, a.data, a.column_stride);
    }
    if (!multiplied_by_blas(c, a, b)) multiply_planes(c, a, b);
  } else {
    if (b.columns == 1) return multiply_vector(c.data, c.row_stride, c, a, b.data, b.row_stride);
    if (a.rows == 1) return multiply_vector(c.data, 1, c, turned, a.data, a.column_stride);
    if (!multiplied_by_blas(c, a, b)) multiply(c, a, b, ahead);
  }
}

// A matrix that lies in one piece is asked for ahead, unless it is the same again.
template <class T>
void add_ahead(Ahead& ahead, const Matrix<T>& m, const Matrix<T>& now) {
  const bool is_dense = (m.column_stride == 1 && m.row_stride == m.columns) ||
                        (m.row_stride == 1 && m.column_stride == m.rows);
  if (!is_dense || m.data == now.data) return;
  ahead.add(m.data, m.rows * m.columns * static_cast<int64_t>(sizeof(T)));
}

// `out` is contiguous. `accumulate` adds to what is there.
template <class T>
void matmul(const TensorView& out, const TensorView& left, const TensorView& right,
            bool accumulate = false) {
  Matrix<T> a = last_matrix<T>(left, true);
  const Matrix<T> b = last_matrix<T>(right, false);
  if (out.numel == 0) return;
  if (a.columns == 0) {  // sums of nothing
    if (accumulate) return;
    for (int64_t i = 0; i < out.numel; ++i) out.as<T>()[i] = T();
    return;
  }
  if (left.rank() > 2 && right.rank() <= 2 && are_rows(left, a)) {
    for (int64_t d = left.rank() - 3; d >= 0; --d) a.rows *= left.sizes[d];
  }
  const int64_t matrix_numel = a.rows * b.columns;
  const int64_t batches = out.numel / matrix_numel;
  const Target<T> target{.data = out.as<T>(), .row_stride = b.columns, .accumulate = accumulate};
  if (batches == 1) return multiply_any(target, a, b);
  const int64_t batch_rank = out.rank() - (left.rank() > 1) - (right.rank() > 1);
  const auto operands = [&](int64_t batch) {
    Matrix<T> a_batch = a;
    Matrix<T> b_batch = b;
    a_batch.data += batch_offset(left, out.sizes.data(), batch_rank, batch);
    b_batch.data += batch_offset(right, out.sizes.data(), batch_rank, batch);
    return std::pair(a_batch, b_batch);
  };
  const auto range = [&](int64_t begin, int64_t end) {
    auto next = operands(begin);
    for (int64_t batch = begin; batch < end; ++batch) {
      const auto now = next;
      Ahead ahead;
      if (batch + 1 < end) {
        next = operands(batch + 1);
        add_ahead(ahead, next.first, now.first);
        add_ahead(ahead, next.second, now.second);
        ahead.add(target.data + (batch + 1) * matrix_numel,
                  matrix_numel * static_cast<int64_t>(sizeof(T)));
      }
      Target<T> c = target;
      c.data += batch * matrix_numel;
      multiply_any(c, now.first, now.second, ahead);
    }
  };
  // Large products are shared one by one; of small ones a thread takes several that follow each
  // other, so that it can ask ahead.
  const int64_t products = matrix_numel * a.columns;
  if (products >= kLargeProducts) return range(0, batches);
  const int64_t several = batches / (2 * get_num_threads());
  parallel_for(0, batches, std::max(kSharedProducts / products + 1, several), range);
}

// A product of parts of matrices; the result lies somewhere in a larger one, so no BLAS is asked.
template <class T>
void product(const ProductParts& p) {
  const Matrix<T> a{static_cast<const T*>(p.a), p.rows, p.depth, p.a_row, p.a_column};
  const Matrix<T> b{static_cast<const T*>(p.b), p.depth, p.columns, p.b_row, p.b_column};
  const Target<T> c{static_cast<T*>(p.c), p.c_row, static_cast<T>(p.alpha), p.accumulate};
  if constexpr (kHasPlanes<T>) {
    multiply_planes(c, a, b);
  } else {
    multiply(c, a, b);
  }
}

// input @ weight.T + bias; the product is added to rows that hold the bias.
template <class T>
void affine(const TensorView& out, const TensorView& input, const TensorView& weight,
            const TensorView& bias) {
  const int64_t columns = weight.sizes[0];
  const int64_t bias_stride = bias.strides[0];
  T* row = out.as<T>();
  for (int64_t rest = out.numel; rest > 0; rest -= columns, row += columns) {
    if (bias_stride == 1) {
      std::memcpy(row, bias.data, static_cast<size_t>(columns) * sizeof(T));
      continue;
    }
    for (int64_t i = 0; i < columns; ++i) row[i] = bias.as<const T>()[i * bias_stride];
  }
  const int64_t sizes[] = {weight.sizes[1], weight.sizes[0]};
  const int64_t strides[] = {weight.strides[1], weight.strides[0]};
  TensorView turned = weight;
  turned.sizes = Dims(sizes, 2);
  turned.strides = Dims(strides, 2);
  matmul<T>(out, input, turned, true);
}

}  // namespace
}  // namespace eagre::kernels::cpu::EAGRE_ISA
