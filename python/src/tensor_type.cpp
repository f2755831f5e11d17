// The Tensor type, put together from hand-written and generated parts.
#include "tensor_type.h"

#include <eagre/api/print.h>

#include "errors.h"
#include "tensor_class.h"
#include "tensor_index.h"
#include "tensor_lifetime.h"
#include "tensor_object.h"

namespace eagre::python {
namespace {

PyNumberMethods number_slots = {};
PyMappingMethods mapping_slots = {tensor_length, tensor_subscript, tensor_assign_subscript};

PyObject* represent(PyObject* self) {
  return guarded([&] {
    const std::string text = to_string(tensor_of(self));
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  });
}

Py_hash_t hash(PyObject* self) { return _Py_HashPointer(self); }

// Never freed: types live as long as the process.
PyMethodDef* all_methods() {
  auto& methods = *new std::vector<PyMethodDef>;
  for (const PyMethodDef* list :
       {kGeneratedMethods, kTensorMethods, kAutogradMethods, kClassMethods}) {
    for (; list->ml_name != nullptr; ++list) methods.push_back(*list);
  }
  methods.push_back({});
  return methods.data();
}

}  // namespace

PyTypeObject tensor_type = {
    .ob_base = PyVarObject_HEAD_INIT(&tensor_metaclass, 0)  //
                   .tp_name = "eagre.Tensor",
    .tp_basicsize = sizeof(PyTensor),
    .tp_dealloc = dealloc_tensor,
    .tp_repr = represent,
    .tp_as_number = &number_slots,
    .tp_as_mapping = &mapping_slots,
    .tp_hash = hash,
    .tp_setattro = set_tensor_attribute,
    .tp_as_buffer = &tensor_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A tensor. eagre.tensor(), eagre.randn() and others make one.",
    .tp_traverse = traverse_tensor,
    .tp_clear = clear_tensor,
    .tp_richcompare = compare_tensors,
    .tp_weaklistoffset = offsetof(PyTensor, weak_references),
    .tp_iter = tensor_iterator,
    .tp_getset = tensor_properties,
    .tp_dictoffset = offsetof(PyTensor, attributes),
    .tp_new = new_tensor_object,
    .tp_free = PyObject_GC_Del,
};

bool add_tensor_type(PyObject* module) {
  install_lifetime();
  if (PyType_Ready(&tensor_metaclass) != 0) return false;
  fill_number_conversions(number_slots);
  fill_operators(number_slots);
  tensor_type.tp_methods = all_methods();
  // NumPy then leaves `array * tensor` to the tensor instead of making an array of objects.
  const Ref attributes(PyDict_New());
  if (!attributes || PyDict_SetItemString(attributes.get(), "__array_ufunc__", Py_None) != 0) {
    return false;
  }
  tensor_type.tp_dict = Py_NewRef(attributes.get());
  if (PyType_Ready(&tensor_type) != 0) return false;
  // Programs may add methods of their own, as they do to PyTorch's.
  tensor_type.tp_flags &= ~Py_TPFLAGS_IMMUTABLETYPE;
  return PyModule_AddObjectRef(module, "_TensorMeta",
                               reinterpret_cast<PyObject*>(&tensor_metaclass)) == 0 &&
         PyModule_AddObjectRef(module, "Tensor", reinterpret_cast<PyObject*>(&tensor_type)) == 0;
}

}  // namespace eagre::python
