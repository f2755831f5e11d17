// Products of parts of matrices, for kernels that are made of such. They are compiled once per
// type, in matmul_*.cpp.
#pragma once

#include <cstdint>

namespace eagre::kernels::cpu::EAGRE_ISA {

// c += alpha * a @ b, or c = alpha * a @ b. Rows of c are contiguous, strides are in elements.
struct ProductParts {
  void* c;
  int64_t c_row;
  const void* a;
  int64_t a_row, a_column;
  const void* b;
  int64_t b_row, b_column;
  int64_t rows, columns, depth;
  double alpha;
  bool accumulate;
};

void product_f32(const ProductParts& parts);
void product_f64(const ProductParts& parts);
void product_c64(const ProductParts& parts);
void product_c128(const ProductParts& parts);

}  // namespace eagre::kernels::cpu::EAGRE_ISA
