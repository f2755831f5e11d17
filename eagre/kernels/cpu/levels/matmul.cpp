// Batched matrix product: four rows of the result at a time, the inner loop over its columns. Every
// element is summed in the order of k, so all levels give the same bits.
#include <cstdint>
#include <memory>

#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu::EAGRE_LEVEL {
namespace {

template <class T>
struct Matrix {
  T* data;
  int64_t rows, columns, row_stride, column_stride;
};

template <class T, int kRows>
void multiply_rows(T* out, const Matrix<const T>& a, const Matrix<const T>& b, int64_t row) {
  const int64_t n = b.columns;
  T* c = out + row * n;
  for (int64_t j = 0; j < kRows * n; ++j) c[j] = 0;
  for (int64_t k = 0; k < a.columns; ++k) {
    T factor[kRows];
    for (int r = 0; r < kRows; ++r) {
      factor[r] = a.data[(row + r) * a.row_stride + k * a.column_stride];
    }
    const T* b_row = b.data + k * b.row_stride;
#pragma GCC ivdep
    for (int64_t j = 0; j < n; ++j) {
      const T value = b_row[j];
      for (int r = 0; r < kRows; ++r) c[r * n + j] += factor[r] * value;
    }
  }
}

// out is row-major; b has column_stride 1.
template <class T>
void multiply(T* out, const Matrix<const T>& a, const Matrix<const T>& b) {
  int64_t row = 0;
  for (; row + 4 <= a.rows; row += 4) multiply_rows<T, 4>(out, a, b, row);
  for (; row < a.rows; ++row) multiply_rows<T, 1>(out, a, b, row);
}

template <class T>
void pack_rows(T* packed, const Matrix<const T>& b) {
  for (int64_t k = 0; k < b.rows; ++k) {
    for (int64_t j = 0; j < b.columns; ++j) {
      packed[k * b.columns + j] = b.data[k * b.row_stride + j * b.column_stride];
    }
  }
}

// The matrix in the last dimensions of a view; a vector is a row on the left, a column on the
// right.
template <class T>
Matrix<const T> last_matrix(const TensorView& view, bool is_left) {
  const int64_t rank = view.rank();
  const auto* data = view.as<const T>();
  if (rank == 1) {
    return is_left ? Matrix<const T>{data, 1, view.sizes[0], 0, view.strides[0]}
                   : Matrix<const T>{data, view.sizes[0], 1, view.strides[0], 1};
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

// `out` is contiguous.
template <class T>
void matmul(const TensorView& out, const TensorView& left, const TensorView& right) {
  const Matrix<const T> a = last_matrix<T>(left, true);
  const Matrix<const T> b = last_matrix<T>(right, false);
  const int64_t matrix_numel = a.rows * b.columns;
  if (matrix_numel == 0 || out.numel == 0) return;
  const int64_t matrix_dims = (left.rank() > 1) + (right.rank() > 1);
  const int64_t batch_rank = out.rank() - matrix_dims;
  const bool packs = b.column_stride != 1 && b.columns != 1;
  // new[] and not make_unique: that is a template with linkage of its own.
  std::unique_ptr<T[]> packed(packs ? new T[b.rows * b.columns] : nullptr);
  for (int64_t batch = 0; batch < out.numel / matrix_numel; ++batch) {
    Matrix<const T> a_batch = a;
    Matrix<const T> b_batch = b;
    a_batch.data += batch_offset(left, out.sizes.data(), batch_rank, batch);
    b_batch.data += batch_offset(right, out.sizes.data(), batch_rank, batch);
    if (packs) {
      pack_rows(packed.get(), b_batch);
      b_batch = {packed.get(), b.rows, b.columns, b.columns, 1};
    }
    multiply(out.as<T>() + batch * matrix_numel, a_batch, b_batch);
  }
}

}  // namespace

void matmul_i32(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<int32_t>(out, input, other);
}
void matmul_i64(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<int64_t>(out, input, other);
}
void matmul_f32(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<float>(out, input, other);
}
void matmul_f64(const TensorView& out, const TensorView& input, const TensorView& other) {
  matmul<double>(out, input, other);
}

}  // namespace eagre::kernels::cpu::EAGRE_LEVEL
