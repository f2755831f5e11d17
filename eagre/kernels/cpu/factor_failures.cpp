// The errors of factorizations, in PyTorch's words.
#include <eagre/kernels/cpu/factor_failures.h>

#include <cstdint>
#include <string>

#include <eagre/base/error.h>
#include <eagre/core/tensor_view.h>

namespace eagre::kernels::cpu {
namespace {

std::string failure(Factorization what, int32_t number) {
  switch (what) {
    case Factorization::kInverse:
      return concat("The diagonal element ", number,
                    " is zero, the inversion could not be completed because the input matrix is "
                    "singular.");
    case Factorization::kSolution: return "The solver failed because the input matrix is singular.";
    case Factorization::kCholesky:
      return concat(
          "The factorization could not be completed because the input is not positive-definite "
          "(the leading minor of order ",
          number, " is not positive-definite).");
    case Factorization::kLu: break;
  }
  return concat("U[", number, ",", number,
                "] is zero and using it on lu_solve would result in a division by zero. If you "
                "still want to perform the factorization, consider calling "
                "linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)");
}

const char* name_of(Factorization what) {
  switch (what) {
    case Factorization::kInverse: return "linalg_inv_ex";
    case Factorization::kSolution: return "linalg_solve_ex";
    case Factorization::kCholesky: return "linalg_cholesky_ex";
    case Factorization::kLu: break;
  }
  return "linalg_lu_factor_ex";
}

}  // namespace

void check_factored(Factorization what, const TensorView& info) {
  const auto* numbers = info.as<const int32_t>();
  for (int64_t i = 0; i < info.numel; ++i) {
    if (numbers[i] == 0) continue;
    const std::string which = info.rank() == 0 ? "" : concat("(Batch element ", i, "): ");
    raise(ErrorKind::kLinearAlgebra,
          concat(name_of(what), "(): ", which, failure(what, numbers[i])));
  }
}

}  // namespace eagre::kernels::cpu
