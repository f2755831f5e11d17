// The Tensor type, put together from hand-written and generated parts.
#include "tensor_type.h"

#include <eagre/api/print.h>

#include "errors.h"
#include "legacy_constructor.h"
#include "tensor_index.h"
#include "tensor_object.h"

namespace eagre::python {
namespace {

PyNumberMethods number_slots = {};
PySequenceMethods sequence_slots = {.sq_contains = tensor_contains};
PyMappingMethods mapping_slots = {tensor_length, tensor_subscript, tensor_assign_subscript};

PyObject* represent(PyObject* self) {
  return guarded([&] {
    const std::string text = to_string(tensor_of(self));
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  });
}

PyObject* construct(PyTypeObject*, PyObject* args, PyObject* keywords) {
  return guarded([&] { return wrap(tensor_from_constructor(args, keywords)); });
}

Py_hash_t hash(PyObject* self) { return _Py_HashPointer(self); }

// Never freed: types live as long as the process.
PyMethodDef* all_methods() {
  auto& methods = *new std::vector<PyMethodDef>;
  for (const PyMethodDef* list : {kGeneratedMethods, kTensorMethods, kAutogradMethods}) {
    for (; list->ml_name != nullptr; ++list) methods.push_back(*list);
  }
  methods.push_back({});
  return methods.data();
}

}  // namespace

PyTypeObject tensor_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "eagre.Tensor",
    .tp_basicsize = sizeof(PyTensor),
    .tp_dealloc = dealloc_tensor,
    .tp_repr = represent,
    .tp_as_number = &number_slots,
    .tp_as_sequence = &sequence_slots,
    .tp_as_mapping = &mapping_slots,
    .tp_hash = hash,
    .tp_as_buffer = &tensor_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = "A tensor. eagre.tensor(), eagre.randn() and others make one.",
    .tp_richcompare = compare_tensors,
    .tp_iter = tensor_iterator,
    .tp_getset = tensor_properties,
    .tp_new = construct,
};

bool add_tensor_type(PyObject* module) {
  fill_number_conversions(number_slots);
  fill_operators(number_slots);
  tensor_type.tp_methods = all_methods();
  // NumPy then leaves `array * tensor` to the tensor instead of making an array of it.
  const Ref attributes(PyDict_New()), priority(PyLong_FromLong(1000));
  if (!attributes || !priority ||
      PyDict_SetItemString(attributes.get(), "__array_priority__", priority.get()) != 0) {
    return false;
  }
  tensor_type.tp_dict = Py_NewRef(attributes.get());
  return PyType_Ready(&tensor_type) == 0 &&
         PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(&tensor_type)) == 0;
}

}  // namespace eagre::python
