// eagre.ops.my.op: a callable object per operator, and the functions that find them.
#include "call/custom_op.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/custom_op.h>
#include <eagre/api/op_signature.h>
#include <eagre/api/op_value.h>
#include <eagre/api/register_op.h>
#include <eagre/api/tensor.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_list.h>

#include "call/arguments.h"
#include "call/keywords.h"
#include "call/results.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"
#include "interpreter/site.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

static_assert(Arguments::kMax >= OpSignature::kMaxParameters);

// An operator with its signature as Arguments reads it. The texts are those of the record.
struct Binding {
  explicit Binding(Op found) : op(found) {
    const OpSignature& text = op.record().signature;
    size_t positional = 0;
    for (const OpParameter& parameter : text.parameters) {
      parameters.push_back({parameter.name.c_str(), nullptr, !parameter.has_default});
      positional += parameter.by_name_only ? 0 : 1;
    }
    for (const std::string& result : text.results) fields.push_back(result.c_str());
    signature = {op.name().c_str(), {parameters.data(), parameters.size()}, positional};
  }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;
  ~Binding() { forget_places(signature); }

  Op op;
  std::vector<Parameter> parameters;
  std::vector<const char*> fields;
  Signature signature = {};
};

struct PyCustomOp {
  PyObject_HEAD vectorcallfunc call;
  Binding* binding;
};
extern PyTypeObject custom_op_type;

const Binding& binding_of(PyObject* self) { return *reinterpret_cast<PyCustomOp*>(self)->binding; }

OpValue tensor_list(const TensorVector& tensors) {
  return std::vector<Tensor>(tensors.begin(), tensors.end());
}

OpValue converted(const Arguments& a, size_t i, const OpParameter& parameter) {
  if (a[i] == nullptr) return parameter.missing;
  if (a[i] == Py_None && parameter.may_be_none) return {};
  switch (parameter.type) {
    case ArgumentType::kTensor: return a.tensor(i);
    case ArgumentType::kTensors: return tensor_list(a.tensors(i));
    case ArgumentType::kInt: return a.integer(i);
    case ArgumentType::kFloat: return a.real(i);
    case ArgumentType::kBool: return a.boolean(i);
    case ArgumentType::kText: return a.text(i);
    case ArgumentType::kScalar: return a.scalar(i);
    case ArgumentType::kInts: return Dims(a.ints(i));
    case ArgumentType::kDType: return a.dtype(i);
  }
  return {};
}

// What a kernel does is not known, so it always runs without the lock.
OpResults run(const Binding& binding, std::vector<OpValue> values) {
  const CallSite at = current_site();
  const GilReleased released;
  return binding.op.call_with(std::move(values), at);
}

PyObject* call(PyObject* self, PyObject* const* args, size_t count, PyObject* names) {
  return guarded([&]() -> PyObject* {
    const Binding& binding = binding_of(self);
    const OpSignature& signature = binding.op.record().signature;
    const Arguments given(binding.signature, nullptr, args, PyVectorcall_NARGS(count), names);
    std::vector<OpValue> values;
    values.reserve(signature.parameters.size());
    for (size_t i = 0; i < signature.parameters.size(); ++i) {
      values.push_back(converted(given, i, signature.parameters[i]));
    }
    const OpResults results = run(binding, std::move(values));
    TensorVector tensors(results.begin(), results.end());
    if (signature.has_result_names) {
      return wrap_named(binding.signature.op, {binding.fields.data(), binding.fields.size()},
                        {tensors.data(), tensors.size()});
    }
    return tensors.size() == 1 ? wrap(std::move(tensors[0])) : wrap(std::move(tensors));
  });
}

PyObject* new_custom_op(Op op) {
  auto binding = std::make_unique<Binding>(op);
  auto* self = PyObject_New(PyCustomOp, &custom_op_type);
  if (self == nullptr) throw PythonError::take();
  self->call = call;
  self->binding = binding.release();
  return reinterpret_cast<PyObject*>(self);
}

void dealloc(PyObject* self) {
  delete reinterpret_cast<PyCustomOp*>(self)->binding;
  PyObject_Free(self);
}

PyObject* text_object(const std::string& text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

const std::string& op_name(PyObject* self) { return binding_of(self).op.name(); }

PyObject* get_name(PyObject* self, void*) {
  return text_object(op_name(self).substr(op_name(self).find("::") + 2));
}
PyObject* get_qualified_name(PyObject* self, void*) { return text_object(op_name(self)); }
PyObject* get_schema(PyObject* self, void*) {
  return text_object(op_name(self) + binding_of(self).op.record().signature.text);
}
PyObject* get_doc(PyObject* self, void*) {
  const OpRecord& record = binding_of(self).op.record();
  return text_object(
      concat(record.name, record.signature.text, record.doc.empty() ? "" : "\n\n", record.doc));
}
PyObject* represent(PyObject* self) {
  const Ref schema(get_schema(self, nullptr));
  return schema ? PyUnicode_FromFormat("<eagre operator %U>", schema.get()) : nullptr;
}

PyGetSetDef attributes[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"__doc__", get_doc, nullptr, nullptr, nullptr},
    {"name", get_qualified_name, nullptr, "The name with its namespace, as C++ has it.", nullptr},
    {"schema", get_schema, nullptr, "The name with the signature.", nullptr},
    {}};

PyTypeObject custom_op_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0)  //
                   .tp_name = "eagre.ops.Operator",
    .tp_basicsize = sizeof(PyCustomOp),
    .tp_dealloc = dealloc,
    .tp_vectorcall_offset = offsetof(PyCustomOp, call),
    .tp_repr = represent,
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_getset = attributes,
};

// --- functions ---

std::string text_of(PyObject* object) {
  const char* text = PyUnicode_AsUTF8(object);
  if (text == nullptr) throw PythonError::take();
  return text;
}

PyObject* find(PyObject*, PyObject* name) {
  return guarded([&] { return new_custom_op(find_op(text_of(name))); });
}

PyObject* names(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    Ref list(checked(PyList_New(0)));
    for (const std::string& name : registered_ops()) {
      const Ref text(checked(text_object(name)));
      if (PyList_Append(list.get(), text.get()) != 0) throw PythonError::take();
    }
    return list.give();
  });
}

PyObject* load(PyObject*, PyObject* path) {
  return guarded([&]() -> PyObject* {
    const std::string text = text_of(path);
    {
      const GilReleased released;
      load_library(text, CallSite::none());
    }
    Py_RETURN_NONE;
  });
}

}  // namespace

bool add_custom_op_type(PyObject* module) {
  if (PyType_Ready(&custom_op_type) != 0) return false;
  return PyModule_AddObjectRef(module, "_Operator", reinterpret_cast<PyObject*>(&custom_op_type)) ==
         0;
}

const PyMethodDef kCustomOpFunctions[] = {{"_find_op", find, METH_O, nullptr},
                                          {"_op_names", names, METH_NOARGS, nullptr},
                                          {"_load_library", load, METH_O, nullptr},
                                          {}};

}  // namespace eagre::python
