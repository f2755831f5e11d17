// Tuples of results; those with names are struct sequences, made when an operator is first used.
#include "results.h"

#include <map>
#include <string>
#include <vector>

#include "errors.h"

namespace eagre::python {
namespace {

PyTypeObject* make_type(const std::string& op, Span<const char* const> fields) {
  // The type keeps pointers to these for as long as the process lives.
  auto& name = *new std::string("eagre.return_types." + op);
  auto& members = *new std::vector<PyStructSequence_Field>;
  for (const char* field : fields) members.push_back({field, nullptr});
  members.push_back({nullptr, nullptr});
  PyStructSequence_Desc description = {name.c_str(), "Results of an operator.", members.data(),
                                       static_cast<int>(fields.size())};
  return reinterpret_cast<PyTypeObject*>(
      checked(reinterpret_cast<PyObject*>(PyStructSequence_NewType(&description))));
}

// Guarded by the GIL.
PyTypeObject* type_of(const char* op, Span<const char* const> fields) {
  static auto& types = *new std::map<std::string, PyTypeObject*>;
  PyTypeObject*& type = types[op];
  if (type == nullptr) type = make_type(op, fields);
  return type;
}

}  // namespace

PyObject* wrap(TensorVector tensors) {
  Ref tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(tensors.size()))));
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), checked(wrap(std::move(tensors[i]))));
  }
  return tuple.give();
}

PyObject* wrap_named(const char* op, Span<const char* const> fields, Span<TensorBase> results) {
  Ref tuple(checked(PyStructSequence_New(type_of(op, fields))));
  for (size_t i = 0; i < results.size(); ++i) {
    PyStructSequence_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                              checked(wrap(std::move(results[i]))));
  }
  return tuple.give();
}

}  // namespace eagre::python
