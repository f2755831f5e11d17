// eagre.tensor() and eagre.from_numpy().
#include <eagre/base/error.h>

#include "call/arguments.h"
#include "call/method.h"
#include "call/overrides.h"
#include "interpreter/errors.h"
#include "tensor/data.h"
#include "tensor/tables.h"
#include "types/array.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

constexpr Parameter kTensorParameters[] = {{"data"},
                                           {"dtype", nullptr, false},
                                           {"device", nullptr, false},
                                           {"requires_grad", nullptr, false},
                                           {"layout", nullptr, false},
                                           {"pin_memory", nullptr, false}};
constexpr Signature kTensor{"tensor", kTensorParameters, 1};

PyObject* tensor(const Arguments& a) { return wrap(tensor_from_data(a[0], a.options(1))); }

// Modes see the call, but no class is asked: whatever it is, its values become a tensor of ours.
PyObject* call_tensor(PyObject* module, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (modes_take_over()) [[unlikely]]
    return override_function(kTensor.op, args, count, names);
  return bind_and_call<kTensor, tensor, false, Overridable::kNo>(module, args, count, names);
}

PyObject* from_numpy(PyObject*, PyObject* array) {
  return guarded([&] {
    if (!is_array_like(array)) {
      raise(ErrorKind::kType,
            ArgumentProblem{"from_numpy", "ndarray", "a NumPy array", describe_type(array),
                            "eagre.tensor() takes numbers and lists"});
    }
    return wrap(share_array(array));
  });
}

}  // namespace

const PyMethodDef kCreationFunctions[] = {
    method("tensor", call_tensor,
           "tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)\n\n"
           "A tensor with a copy of `data`: a number, nested lists, an array or a tensor."),
    {"from_numpy", from_numpy, METH_O, "from_numpy(ndarray): a tensor on the memory of the array"},
    {}};

}  // namespace eagre::python
