// argsort, which is sort without the values, and isin, which looks for elements among sorted ones.
#include <eagre/autograd/ops/any.h>
#include <eagre/autograd/ops/argsort.h>
#include <eagre/autograd/ops/cast.h>
#include <eagre/autograd/ops/eq.h>
#include <eagre/autograd/ops/flatten.h>
#include <eagre/autograd/ops/full.h>
#include <eagre/autograd/ops/isin.h>
#include <eagre/autograd/ops/isin_element.h>
#include <eagre/autograd/ops/isin_sorted.h>
#include <eagre/autograd/ops/isin_test_element.h>
#include <eagre/autograd/ops/logical_not.h>
#include <eagre/autograd/ops/sort.h>
#include <eagre/autograd/ops/unsqueeze.h>
#include <eagre/autograd/transforms/carried.h>
#include <eagre/base/error.h>
#include <eagre/core/promotion.h>
#include <eagre/dispatch/ops/sort.h>

namespace eagre::ops {

TensorBase argsort(const TensorBase& input, int64_t dim, bool descending, bool stable,
                   CallSite at) {
  wrap_dim("argsort", "dim", dim, input.dim());
  if (autograd::are_transformed(input)) return sort(input, dim, descending, stable, at)[1];
  return dispatch::sort(input, dim, descending, stable)[1];
}

namespace {

void check_searched(const char* argument, DType dtype) {
  if (dtype != kBool && !is_complex(dtype)) return;
  raise(ErrorKind::kUnimplemented,
        ArgumentProblem{"isin", argument, "integers or floating-point numbers", concat(dtype)});
}

TensorBase number_beside(const char* argument, const Scalar& number, const TensorBase& tensor,
                         CallSite at) {
  const SiteScope scope(at);
  check_searched(argument, dtype_of(number));
  return full(Dims(), number, TensorOptions(result_type(tensor, number)).device(tensor.device()),
              at);
}

}  // namespace

TensorBase isin(const TensorBase& elements, const TensorBase& test_elements,
                [[maybe_unused]] bool assume_unique, bool invert, CallSite at) {
  {
    const SiteScope scope(at);
    check_searched("elements", elements.dtype());
    check_searched("test_elements", test_elements.dtype());
  }
  const DType dtype = promote_types(elements.dtype(), test_elements.dtype());
  const TensorBase row = flatten(cast(test_elements, dtype, at), 0, -1, at);
  if (autograd::are_transformed(elements, test_elements)) {  // each sample has a row of its own
    const TensorBase found = any(eq(unsqueeze(elements, -1, at), row, at), -1, false, at);
    return invert ? logical_not(found, at) : found;
  }
  const TensorBase sorted = sort(row, 0, false, false, at)[0];
  return isin_sorted(cast(elements, dtype, at), sorted, invert, at);
}

TensorBase isin_test_element(const TensorBase& elements, const Scalar& test_element,
                             bool assume_unique, bool invert, CallSite at) {
  const TensorBase number = number_beside("test_element", test_element, elements, at);
  return isin(elements, number, assume_unique, invert, at);
}

TensorBase isin_element(const Scalar& element, const TensorBase& test_elements, bool assume_unique,
                        bool invert, CallSite at) {
  const TensorBase number = number_beside("element", element, test_elements, at);
  return isin(number, test_elements, assume_unique, invert, at);
}

}  // namespace eagre::ops
