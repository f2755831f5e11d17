// Derivatives of Python functions by the functions of eagre/api: products with Jacobians and
// Hessians, these matrices, and the comparison with differences of values.
#include <cstddef>

#include <eagre/api/functional.h>
#include <eagre/api/gradcheck.h>
#include <eagre/api/gradcheck_options.h>
#include <eagre/base/call_site.h>

#include "autograd/tables.h"
#include "autograd/tensor_function.h"
#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "interpreter/site.h"
#include "types/tuple.h"

namespace eagre::python {
namespace {

namespace functional = autograd::functional;
constexpr Parameter kProductParameters[] = {
    {"func"}, {"inputs"}, {"v"}, {"create_graph"}, {"strict"}};

using ProductFunction = functional::Product (*)(const functional::TensorFunction&, const Tensors&,
                                                const Tensors&, functional::Options, CallSite);

// A pair of tuples: what the function returned, and the product.
PyObject* product(const Arguments& a, ProductFunction compute) {
  functional::Options options;
  options.create_graph = a.boolean(3);
  options.strict = a.boolean(4);
  const Tensors v = a.has(2) ? list_of(a.tensors(2)) : Tensors();
  const functional::Product found =
      compute(function_of(a[0]), list_of(a.tensors(1)), v, options, current_site());
  const Ref outputs = tensor_tuple(vector_of(found.outputs));
  const Ref products = tensor_tuple(vector_of(found.product));
  return PyTuple_Pack(2, outputs.get(), products.get());
}

constexpr Signature kVjp{"vjp", kProductParameters, 5};
constexpr Signature kJvp{"jvp", kProductParameters, 5};
constexpr Signature kVhp{"vhp", kProductParameters, 5};
constexpr Signature kHvp{"hvp", kProductParameters, 5};
PyObject* vjp(const Arguments& a) { return product(a, functional::vjp); }
PyObject* jvp(const Arguments& a) { return product(a, functional::jvp); }
PyObject* vhp(const Arguments& a) { return product(a, functional::vhp); }
PyObject* hvp(const Arguments& a) { return product(a, functional::hvp); }

constexpr Parameter kMatrixParameters[] = {{"func"},   {"inputs"},    {"create_graph"},
                                           {"strict"}, {"vectorize"}, {"forward"}};

using MatrixFunction = functional::Matrix (*)(const functional::TensorFunction&, const Tensors&,
                                              functional::Options, CallSite);

// A tuple of tuples.
PyObject* matrix(const Arguments& a, MatrixFunction compute) {
  functional::Options options;
  options.create_graph = a.boolean(2);
  options.strict = a.boolean(3);
  options.vectorize = a.boolean(4);
  if (a.boolean(5)) options.strategy = functional::Strategy::kForward;
  const functional::Matrix found =
      compute(function_of(a[0]), list_of(a.tensors(1)), options, current_site());
  Ref rows(checked(PyTuple_New(static_cast<Py_ssize_t>(found.size()))));
  for (size_t i = 0; i < found.size(); ++i) {
    PyTuple_SET_ITEM(rows.get(), static_cast<Py_ssize_t>(i),
                     tensor_tuple(vector_of(found[i])).give());
  }
  return rows.give();
}

constexpr Signature kJacobian{"jacobian", kMatrixParameters, 6};
constexpr Signature kHessian{"hessian", kMatrixParameters, 6};
PyObject* jacobian(const Arguments& a) { return matrix(a, functional::jacobian); }
PyObject* hessian(const Arguments& a) { return matrix(a, functional::hessian); }

constexpr Parameter kCheckParameters[] = {{"func"},
                                          {"inputs"},
                                          {"eps"},
                                          {"atol"},
                                          {"rtol"},
                                          {"nondet_tol"},
                                          {"check_undefined_grad"},
                                          {"check_grad_dtypes"},
                                          {"check_batched_grad"},
                                          {"check_batched_forward_grad"},
                                          {"check_forward_ad"},
                                          {"check_backward_ad"},
                                          {"fast_mode"},
                                          {"grad_outputs"},
                                          {"gen_non_contig_grad_outputs"}};
constexpr Signature kCheck{"gradcheck", kCheckParameters, 15};
constexpr Signature kSecondCheck{"gradgradcheck", kCheckParameters, 15};

autograd::GradcheckOptions check_options(const Arguments& a) {
  autograd::GradcheckOptions options;
  options.eps = a.real(2);
  options.atol = a.real(3);
  options.rtol = a.real(4);
  options.nondet_tol = a.real(5);
  options.check_undefined_grad = a.boolean(6);
  options.check_grad_dtypes = a.boolean(7);
  options.check_batched_grad = a.boolean(8);
  options.check_batched_forward_grad = a.boolean(9);
  // Of the second derivatives: forward mode, or backward, through backward.
  options.check_forward_ad = options.check_fwd_over_rev = a.boolean(10);
  options.check_backward_ad = options.check_rev_over_rev = a.boolean(11);
  options.fast_mode = a.boolean(12);
  options.gen_non_contig_grad_outputs = a.boolean(14);
  return options;
}

// None, or what is wrong.
template <class Check>
PyObject* finding(const Check& check) {
  try {
    check();
  } catch (const autograd::GradcheckError& error) {
    return PyUnicode_FromString(error.what());
  }
  Py_RETURN_NONE;
}

PyObject* gradcheck(const Arguments& a) {
  return finding([&] {
    autograd::gradcheck(function_of(a[0]), list_of(a.tensors(1)), check_options(a), current_site());
  });
}
PyObject* gradgradcheck(const Arguments& a) {
  const Tensors grad_outputs = a.has(13) ? list_of(a.tensors(13)) : Tensors();
  return finding([&] {
    autograd::gradgradcheck(function_of(a[0]), list_of(a.tensors(1)), grad_outputs,
                            check_options(a), current_site());
  });
}

}  // namespace

const PyMethodDef kFunctionalFunctions[] = {
    with_keywords<kVjp, vjp, false>("_functional_vjp", nullptr),
    with_keywords<kJvp, jvp, false>("_functional_jvp", nullptr),
    with_keywords<kVhp, vhp, false>("_functional_vhp", nullptr),
    with_keywords<kHvp, hvp, false>("_functional_hvp", nullptr),
    with_keywords<kJacobian, jacobian, false>("_functional_jacobian", nullptr),
    with_keywords<kHessian, hessian, false>("_functional_hessian", nullptr),
    with_keywords<kCheck, gradcheck, false>("_gradcheck", nullptr),
    with_keywords<kSecondCheck, gradgradcheck, false>("_gradgradcheck", nullptr),
    {}};

}  // namespace eagre::python
