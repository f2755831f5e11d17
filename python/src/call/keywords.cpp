// Keywords by their texts, and a table of those that were looked up.
#include "call/keywords.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "call/signature.h"
#include "call/take_until.h"
#include "interpreter/errors.h"

namespace eagre::python {
namespace {

// A program calls with the same few keywords again and again, and the interpreter has one object of
// each. Comparing texts, for every parameter in front of the one that is meant, took longer than
// small operators do.
struct Found {
  PyObject* keyword;  // held, so that no other object has its address
  const Signature* signature;
  int place;
};
constexpr size_t kFound = 512;
Found table[kFound];  // guarded by the interpreter's lock

Found& entry(PyObject* keyword, const Signature& signature) {
  const auto mixed = (reinterpret_cast<uintptr_t>(keyword) >> 4) * 31 +
                     (reinterpret_cast<uintptr_t>(&signature) >> 4);
  return table[mixed % kFound];
}

bool is_named(PyObject* keyword, const Parameter& parameter) {
  if (PyUnicode_CompareWithASCIIString(keyword, parameter.name) == 0) return true;
  if (parameter.aliases == nullptr) return false;
  const char* text = PyUnicode_AsUTF8(keyword);
  if (text == nullptr) throw PythonError::take();
  for (std::string_view rest = parameter.aliases; !rest.empty();) {
    if (take_until(rest, ' ') == text) return true;
  }
  return false;
}

int look_up(PyObject* keyword, const Signature& signature) {
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    if (is_named(keyword, signature.parameters[i])) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

int place_of(PyObject* keyword, const Signature& signature) {
  Found& known = entry(keyword, signature);
  if (known.keyword == keyword && known.signature == &signature) return known.place;
  const int place = look_up(keyword, signature);
  if (PyUnicode_CheckExact(keyword) && PyUnicode_CHECK_INTERNED(keyword)) {
    Py_XSETREF(known.keyword, Py_NewRef(keyword));
    known.signature = &signature;
    known.place = place;
  }
  return place;
}

void forget_places(const Signature& signature) {
  for (Found& known : table) {
    if (known.signature == &signature) known.signature = nullptr;
  }
}

}  // namespace eagre::python
