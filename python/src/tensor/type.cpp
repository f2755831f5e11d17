// The Tensor type, put together from hand-written and generated parts.
#include "tensor/type.h"

#include <cstddef>
#include <string>
#include <vector>

#include <eagre/api/print.h>

#include "call/torch_function.h"
#include "interop/numpy.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "lifetime/wrapper.h"
#include "tensor/class.h"
#include "tensor/index.h"
#include "tensor/number.h"
#include "tensor/overridable_slots.h"
#include "tensor/parts.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

PyNumberMethods number_slots = {};
PySequenceMethods sequence_slots = {.sq_contains = tensor_contains};
PyMappingMethods mapping_slots = {tensor_length, tensor_subscript, tensor_assign_subscript};

// What stands before the parenthesis: a class may say it, for itself but not for those that derive
// from it.
std::string printed_name(PyTypeObject* type) {
  PyObject* said = PyDict_GetItemString(type->tp_dict, "_printed_name");
  const Ref name(said != nullptr ? Py_NewRef(said) : PyType_GetName(type));
  const char* text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name.get()) : nullptr;
  return text != nullptr ? text : throw PythonError::take();
}

// "tensor(…" under another name; its further lines are indented to stand below the first.
std::string renamed(const std::string& text, const std::string& name) {
  constexpr size_t kOldWidth = sizeof("tensor") - 1;
  std::string result = name + text.substr(kOldWidth);
  for (size_t i = 0; (i = result.find('\n', i)) != std::string::npos; ++i) {
    if (result.compare(i + 1, kOldWidth, std::string(kOldWidth, ' ')) != 0) continue;
    result.replace(i + 1, kOldWidth, name.size(), ' ');
  }
  return result;
}

PyObject* represent(PyObject* self) {
  return guarded([&] {
    std::string text = to_string(tensor_of(self));
    if (!is_exact_tensor(self)) text = renamed(text, printed_name(Py_TYPE(self)));
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  });
}

Py_hash_t hash(PyObject* self) { return _Py_HashPointer(self); }

// Never freed: types live as long as the process.
PyMethodDef* all_methods() {
  auto& methods = *new std::vector<PyMethodDef>;
  const auto add = [&](const PyMethodDef* list) {
    for (; list->ml_name != nullptr; ++list) methods.push_back(*list);
  };
  for (const PyMethodDef* list : generated_methods()) add(list);
  for (const PyMethodDef* list :
       {kTensorMethods, kAutogradMethods, kClassMethods, kOverrideMethods}) {
    add(list);
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
    .tp_as_sequence = &sequence_slots,
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
  make_overridable(tensor_type);
  // NumPy then leaves `array * tensor` to the tensor instead of making an array of it.
  const Ref attributes(PyDict_New()), priority(PyLong_FromLong(1000));
  if (!attributes || !priority ||
      PyDict_SetItemString(attributes.get(), "__array_priority__", priority.get()) != 0) {
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
