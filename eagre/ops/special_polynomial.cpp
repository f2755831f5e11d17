// Polynomials of one number, of several degrees.
#include <eagre/base/call_site.h>
#include <eagre/core/scalar.h>
#include <eagre/core/tensor_base.h>
#include <eagre/ops/operand_to_tensor.h>
#include <eagre/ops/special_chebyshev_polynomial_t.h>
#include <eagre/ops/special_chebyshev_polynomial_t_number.h>
#include <eagre/ops/special_chebyshev_polynomial_u.h>
#include <eagre/ops/special_chebyshev_polynomial_u_number.h>
#include <eagre/ops/special_chebyshev_polynomial_v.h>
#include <eagre/ops/special_chebyshev_polynomial_v_number.h>
#include <eagre/ops/special_chebyshev_polynomial_w.h>
#include <eagre/ops/special_chebyshev_polynomial_w_number.h>
#include <eagre/ops/special_hermite_polynomial_h.h>
#include <eagre/ops/special_hermite_polynomial_h_number.h>
#include <eagre/ops/special_hermite_polynomial_he.h>
#include <eagre/ops/special_hermite_polynomial_he_number.h>
#include <eagre/ops/special_laguerre_polynomial_l.h>
#include <eagre/ops/special_laguerre_polynomial_l_number.h>
#include <eagre/ops/special_legendre_polynomial_p.h>
#include <eagre/ops/special_legendre_polynomial_p_number.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_t.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_t_number.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_u.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_u_number.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_v.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_v_number.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_w.h>
#include <eagre/ops/special_shifted_chebyshev_polynomial_w_number.h>

namespace eagre::ops {

TensorBase special_chebyshev_polynomial_t_number(const Scalar& x, const TensorBase& n,
                                                 CallSite at) {
  return special_chebyshev_polynomial_t(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_chebyshev_polynomial_u_number(const Scalar& x, const TensorBase& n,
                                                 CallSite at) {
  return special_chebyshev_polynomial_u(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_chebyshev_polynomial_v_number(const Scalar& x, const TensorBase& n,
                                                 CallSite at) {
  return special_chebyshev_polynomial_v(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_chebyshev_polynomial_w_number(const Scalar& x, const TensorBase& n,
                                                 CallSite at) {
  return special_chebyshev_polynomial_w(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_shifted_chebyshev_polynomial_t_number(const Scalar& x, const TensorBase& n,
                                                         CallSite at) {
  return special_shifted_chebyshev_polynomial_t(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_shifted_chebyshev_polynomial_u_number(const Scalar& x, const TensorBase& n,
                                                         CallSite at) {
  return special_shifted_chebyshev_polynomial_u(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_shifted_chebyshev_polynomial_v_number(const Scalar& x, const TensorBase& n,
                                                         CallSite at) {
  return special_shifted_chebyshev_polynomial_v(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_shifted_chebyshev_polynomial_w_number(const Scalar& x, const TensorBase& n,
                                                         CallSite at) {
  return special_shifted_chebyshev_polynomial_w(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_hermite_polynomial_h_number(const Scalar& x, const TensorBase& n, CallSite at) {
  return special_hermite_polynomial_h(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_hermite_polynomial_he_number(const Scalar& x, const TensorBase& n, CallSite at) {
  return special_hermite_polynomial_he(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_laguerre_polynomial_l_number(const Scalar& x, const TensorBase& n, CallSite at) {
  return special_laguerre_polynomial_l(operand_to_tensor(x, n, at), n, at);
}

TensorBase special_legendre_polynomial_p_number(const Scalar& x, const TensorBase& n, CallSite at) {
  return special_legendre_polynomial_p(operand_to_tensor(x, n, at), n, at);
}

}  // namespace eagre::ops
