// Tuples of results; those with names are struct sequences, made when an operator is first used.
#include "call/results.h"

#include <structmember.h>  // PyMemberDef, before Python 3.12

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/span.h>
#include <eagre/core/tensor_list.h>

#include "call/arguments.h"
#include "call/method.h"
#include "call/tables.h"
#include "interpreter/errors.h"
#include "interpreter/object.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

// As PyTorch prints them: a line for each.
PyObject* represent(PyObject* self) {
  return guarded([&] {
    const PyTypeObject* type = Py_TYPE(self);
    Ref text(checked(PyUnicode_FromFormat("%s(", type->tp_name)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
      text =
          Ref(checked(PyUnicode_FromFormat("%U%s%s=%R", text.get(), i == 0 ? "\n" : ",\n",
                                           type->tp_members[i].name, PyTuple_GET_ITEM(self, i))));
    }
    return PyUnicode_FromFormat("%U)", text.get());
  });
}

PyTypeObject* make_type(const std::string& op, Span<const char* const> fields) {
  // The type keeps pointers to these for as long as the process lives.
  auto& name = *new std::string("eagre.return_types." + op);
  auto& members = *new std::vector<PyStructSequence_Field>;
  for (const char* field : fields) members.push_back({field, nullptr});
  members.push_back({nullptr, nullptr});
  PyStructSequence_Desc description = {name.c_str(), "Results of an operator.", members.data(),
                                       static_cast<int>(fields.size())};
  PyTypeObject* type = PyStructSequence_NewType(&description);
  if (type == nullptr) throw PythonError::take();
  type->tp_repr = represent;
  return type;
}

// Those that were made. Guarded by the GIL.
std::map<std::string, PyTypeObject*>& made_types() {
  static auto& types = *new std::map<std::string, PyTypeObject*>;
  return types;
}

PyTypeObject* type_of(const char* op, Span<const char* const> fields) {
  PyTypeObject*& type = made_types()[op];
  if (type == nullptr) type = make_type(op, fields);
  return type;
}

// The type of an operator of the table.
PyTypeObject* make_listed(const NamedResults& listed) {
  // The type keeps pointers to the names.
  auto& text = *new std::string(listed.fields);
  std::vector<const char*> names{text.data()};
  for (char& letter : text) {
    if (letter != ' ') continue;
    letter = '\0';
    names.push_back(&letter + 1);
  }
  return type_of(listed.op, {names.data(), names.size()});
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

namespace {

constexpr Parameter kNamedParameters[] = {{"op"}, {"fields"}, {"results"}};
constexpr Signature kNamed{"_named_results", kNamedParameters, 3};

// The same for functions that are written in Python.
PyObject* named_results(const Arguments& a) {
  const std::string op(a.text(0));
  const Ref fields(checked(PySequence_Tuple(a[1])));
  std::vector<const char*> names;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields.get()); ++i) {
    // Interned, names of fields live as long as the type.
    PyObject* name = Py_NewRef(PyTuple_GET_ITEM(fields.get(), i));
    PyUnicode_InternInPlace(&name);
    names.push_back(PyUnicode_AsUTF8(name));
    if (names.back() == nullptr) throw PythonError::take();
  }
  TensorVector results = a.tensors(2);
  EAGRE_CHECK(results.size() == names.size(), kInternal, op, "(): ", results.size(),
              " results for ", names.size(), " names");
  return wrap_named(op.c_str(), {names.data(), names.size()}, {results.data(), results.size()});
}

// For eagre.return_types: a dict of all types by name.
PyObject* result_types(PyObject*, PyObject*) {
  return guarded([] {
    for (const NamedResults* listed = kGeneratedResults; listed->op != nullptr; ++listed) {
      if (made_types().count(listed->op) == 0) make_listed(*listed);
    }
    Ref types(checked(PyDict_New()));
    for (const auto& [name, type] : made_types()) {
      if (PyDict_SetItemString(types.get(), name.c_str(), reinterpret_cast<PyObject*>(type)) != 0) {
        throw PythonError::take();
      }
    }
    return types.give();
  });
}

}  // namespace

const PyMethodDef kResultFunctions[] = {
    with_keywords<kNamed, named_results, false>("_named_results", nullptr),
    {"_result_types", result_types, METH_NOARGS, nullptr},
    {}};

}  // namespace eagre::python
