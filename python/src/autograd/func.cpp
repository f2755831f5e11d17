// What eagre.func asks of eagre/api/func.h. Python takes structures apart and words complaints; a
// call that was recorded is kept there, as tuples of tensors that the garbage collector sees.
#include <eagre/api/func.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>

#include "autograd/randomness.h"
#include "autograd/saved_hooks.h"
#include "autograd/tables.h"
#include "autograd/tensor_function.h"
#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/site.h"
#include "types/tensor.h"
#include "types/tuple.h"

namespace eagre::python {
namespace {

PyObject* tuple_from(const Tensors& tensors) { return tensor_tuple(vector_of(tensors)).give(); }

constexpr Parameter kRecordParameters[] = {{"name"}, {"func"}, {"inputs"}};
constexpr Signature kRecord{"record", kRecordParameters, 3};

// The inputs as the function saw them, and whether derivatives are recorded too.
PyObject* record_call(const Arguments& a) {
  const std::string name(a.text(0));
  const func::RecordedCall call(name.c_str(), function_of(a[1]), list_of(a.tensors(2)),
                                CallSite::language_frame());
  return Py_BuildValue("(NN)", tuple_from(call.own), PyBool_FromLong(call.goes_on ? 1 : 0));
}

constexpr Parameter kGradientsParameters[] = {{"own"}, {"goes_on"}, {"outputs"}, {"weights"}};
constexpr Signature kGradients{"grad", kGradientsParameters, 4};

PyObject* gradients_of_call(const Arguments& a) {
  const func::RecordedCall call(list_of(a.tensors(0)), list_of(a.tensors(2)), a.boolean(1));
  const Tensors weights = list_of(a.tensors(3));
  const CallSite at = current_site();
  Tensors found;
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    found = call.gradients(weights, true, at);
  }
  return tuple_from(found);
}

constexpr Parameter kRowsParameters[] = {{"own"}, {"goes_on"}, {"output"}, {"chunk_size"}};
constexpr Signature kRows{"jacrev", kRowsParameters, 4};

PyObject* rows_of_call(const Arguments& a) {
  const func::RecordedCall call(list_of(a.tensors(0)), {}, a.boolean(1));
  const Tensor output = a.tensor(2);
  const std::optional<int64_t> chunk_size = a.optional_integer(3);
  const CallSite at = current_site();
  Tensors found;
  {
    const SavedHooksOfCall hooks;
    GilReleased released;
    found = call.rows(output, chunk_size, at);
  }
  return tuple_from(found);
}

// A result of a call whose derivatives are not recorded, as the caller sees it.
PyObject* forget_history(PyObject*, PyObject* tensor) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(is_tensor(tensor), kType, "expected a Tensor, but got ", describe_type(tensor));
    return wrap(func::RecordedCall({}, {}, false).outside_value(tensor_of(tensor)));
  });
}

constexpr Parameter kDirectionalParameters[] = {{"func"}, {"primals"}, {"tangents"}};
constexpr Signature kDirectional{"jvp", kDirectionalParameters, 3};

// Two tuples; None for a derivative of something that does not depend on the primals.
PyObject* directional(const Arguments& a) {
  const func::Directional found = func::directional(
      function_of(a[0]), list_of(a.tensors(1)), list_of(a.tensors(2)), CallSite::language_frame());
  return Py_BuildValue("(NN)", tuple_from(found.values), tuple_from(found.tangents));
}

constexpr Parameter kColumnsParameters[] = {{"func"}, {"inputs"}, {"randomness"}};
constexpr Signature kColumns{"jacfwd", kColumnsParameters, 3};

// A tuple of tuples: output by input.
PyObject* columns(const Arguments& a) {
  const func::Matrix found = func::columns(function_of(a[0]), list_of(a.tensors(1)),
                                           randomness_of(a.text(2)), CallSite::language_frame());
  return tuple_of(found.size(), [&](size_t i) { return tuple_from(found[i]); });
}

}  // namespace

const PyMethodDef kFuncFunctions[] = {
    with_keywords<kRecord, record_call, false>("_record_call", nullptr),
    with_keywords<kGradients, gradients_of_call, false>("_gradients_of_call", nullptr),
    with_keywords<kRows, rows_of_call, false>("_rows_of_call", nullptr),
    {"_forget_history", forget_history, METH_O, nullptr},
    with_keywords<kDirectional, directional, false>("_directional", nullptr),
    with_keywords<kColumns, columns, false>("_columns", nullptr),
    {}};

}  // namespace eagre::python
