// Settings and statistics of the CPU runtime.
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/memory_stats.h>
#include <eagre/kernels/cpu/isa.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/gil.h"
#include "interpreter/object.h"
#include "runtime/tables.h"

namespace eagre::python {
namespace {

// --- threads ---

constexpr Parameter kCountParameters[] = {{"count"}};
constexpr Signature kSetNumThreads{"set_num_threads", kCountParameters, 1};
PyObject* change_num_threads(const Arguments& a) {
  set_num_threads(a.integer(0));
  Py_RETURN_NONE;
}
PyObject* num_threads(PyObject*, PyObject*) {
  return guarded([] { return PyLong_FromLong(get_num_threads()); });
}

PyObject* cpu_isa(PyObject*, PyObject*) {
  return PyUnicode_FromString(
      std::string(kernels::cpu::to_string(kernels::cpu::current_isa())).c_str());
}

// --- flags ---

std::string text_of(PyObject* object) {
  const char* text = PyUnicode_AsUTF8(object);
  if (text == nullptr) throw PythonError::take();
  return text;
}

std::string flag_name(const char* function, PyObject* name) {
  EAGRE_CHECK(PyUnicode_Check(name), kType, function,
              "(): the name of a flag must be a str, but got ", describe_type(name));
  return text_of(name);
}

FlagValue flag_value(const std::string& name, PyObject* object) {
  if (PyBool_Check(object)) return object == Py_True;
  if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
  if (PyUnicode_Check(object)) return text_of(object);
  int64_t number = 0;
  EAGRE_CHECK(to_integer(object, number), kType, "set_flags(): flag '", name,
              "' must be a bool, an int, a float or a str, but got ", describe_type(object));
  return number;
}

PyObject* set_flags_from_dict(PyObject*, PyObject* dict) {
  return guarded([&]() -> PyObject* {
    EAGRE_CHECK(PyDict_Check(dict), kType,
                "set_flags(): argument 'flags' must be a dict of names and values, but got ",
                describe_type(dict));
    std::vector<std::pair<std::string, FlagValue>> settings;
    Py_ssize_t position = 0;
    PyObject *name = nullptr, *value = nullptr;
    while (PyDict_Next(dict, &position, &name, &value) != 0) {
      std::string text = flag_name("set_flags", name);
      FlagValue setting = flag_value(text, value);
      settings.emplace_back(std::move(text), std::move(setting));
    }
    set_flags(settings);
    Py_RETURN_NONE;
  });
}

PyObject* flag_by_name(PyObject*, PyObject* name) {
  return guarded([&]() -> PyObject* {
    const FlagValue value = get_flag(flag_name("get_flags", name));
    if (const auto* flag = std::get_if<bool>(&value)) return PyBool_FromLong(*flag);
    if (const auto* number = std::get_if<int64_t>(&value)) return PyLong_FromLongLong(*number);
    if (const auto* number = std::get_if<double>(&value)) return PyFloat_FromDouble(*number);
    return PyUnicode_FromString(std::get<std::string>(value).c_str());
  });
}

PyObject* flag_docs(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    Ref dict(checked(PyDict_New()));
    for (const FlagInfo& flag : list_flags()) {
      const Ref doc(checked(PyUnicode_FromString(flag.doc)));
      if (PyDict_SetItemString(dict.get(), flag.name, doc.get()) != 0) throw PythonError::take();
    }
    return dict.give();
  });
}

// --- memory ---

PyObject* memory_stats_dict(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    const cpu::MemoryStats stats = cpu::memory_stats();
    const std::pair<const char*, int64_t> rows[] = {{"allocated", stats.allocated},
                                                    {"peak_allocated", stats.peak_allocated},
                                                    {"reserved", stats.reserved},
                                                    {"peak_reserved", stats.peak_reserved},
                                                    {"cached", stats.cached},
                                                    {"allocations", stats.allocations},
                                                    {"frees", stats.frees},
                                                    {"cache_hits", stats.cache_hits},
                                                    {"out_of_memory", stats.out_of_memory}};
    Ref dict(checked(PyDict_New()));
    for (const auto& [name, value] : rows) {
      const Ref number(checked(PyLong_FromLongLong(value)));
      if (PyDict_SetItemString(dict.get(), name, number.get()) != 0) throw PythonError::take();
    }
    return dict.give();
  });
}

PyObject* reset_peaks(PyObject*, PyObject*) {
  cpu::reset_peak_memory_stats();
  Py_RETURN_NONE;
}

PyObject* drop_cache(PyObject*, PyObject*) {
  return guarded([]() -> PyObject* {
    {
      GilReleased released;
      cpu::empty_cache();
    }
    Py_RETURN_NONE;
  });
}

constexpr Parameter kLimitParameters[] = {{"bytes"}};
constexpr Signature kSetMemoryLimit{"set_memory_limit", kLimitParameters, 1};
PyObject* change_memory_limit(const Arguments& a) {
  cpu::set_memory_limit(a.has(0) ? a.integer(0) : 0);
  Py_RETURN_NONE;
}

}  // namespace

const PyMethodDef kRuntimeFunctions[] = {
    with_keywords<kSetNumThreads, change_num_threads, false>(
        "set_num_threads",
        "set_num_threads(count): how many threads an operator may use on the CPU"),
    {"get_num_threads", num_threads, METH_NOARGS,
     "get_num_threads(): how many threads an operator may use on the CPU"},
    {"_cpu_isa", cpu_isa, METH_NOARGS, nullptr},
    {"_set_flags", set_flags_from_dict, METH_O, nullptr},
    {"_get_flag", flag_by_name, METH_O, nullptr},
    {"_flag_docs", flag_docs, METH_NOARGS, nullptr},
    {"_memory_stats", memory_stats_dict, METH_NOARGS, nullptr},
    {"_reset_peak_memory_stats", reset_peaks, METH_NOARGS, nullptr},
    {"_empty_cache", drop_cache, METH_NOARGS, nullptr},
    with_keywords<kSetMemoryLimit, change_memory_limit, false>("_set_memory_limit", nullptr),
    {}};

}  // namespace eagre::python
