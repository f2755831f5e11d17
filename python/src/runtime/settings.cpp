// Settings that hold for the whole program: defaults, the random seed, plug-ins of devices.
#include <cstddef>
#include <string>

#include <eagre/base/error.h>
#include <eagre/base/warn.h>
#include <eagre/core/current_device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/dispatch/plugin.h>

#include "call/arguments.h"
#include "call/method.h"
#include "interpreter/errors.h"
#include "interpreter/site.h"
#include "runtime/tables.h"
#include "types/device.h"
#include "types/dtype.h"
#include "types/generator.h"

namespace eagre::python {
namespace {

PyObject* seed(PyObject*, PyObject* number) {
  return guarded([&] {
    manual_seed(to_seed(number));
    return Py_XNewRef(default_generator_object());
  });
}

std::string text_argument(const Arguments& a, size_t i) {
  if (!PyUnicode_Check(a[i])) a.wrong_type(i, "a str");
  const char* text = PyUnicode_AsUTF8(a[i]);
  if (text == nullptr) throw PythonError::take();
  return text;
}

PyObject* get_default_dtype(PyObject*, PyObject*) {
  return Py_NewRef(dtype_object(default_dtype()));
}

PyObject* get_default_device(PyObject*, PyObject*) { return new_device_object(default_device()); }

constexpr Parameter kDeviceParameters[] = {{"device"}};
constexpr Signature kSetDefaultDevice{"set_default_device", kDeviceParameters, 1};
PyObject* change_default_device(const Arguments& a) {
  set_default_device(a.has(0) ? a.device(0) : Device());
  Py_RETURN_NONE;
}

constexpr Parameter kDTypeParameters[] = {{"d"}};
constexpr Signature kSetDefaultDType{"set_default_dtype", kDTypeParameters, 1};
PyObject* change_default_dtype(const Arguments& a) {
  set_default_dtype(a.dtype(0));
  Py_RETURN_NONE;
}

constexpr Parameter kPluginParameters[] = {{"path"}};
constexpr Signature kLoadPlugin{"load_device_plugin", kPluginParameters, 1};
PyObject* load_plugin(const Arguments& a) {
  const LoadedPlugin plugin = load_device_plugin(text_argument(a, 0));
  if (!plugin.refused.empty()) {
    warn(concat("load_device_plugin(): kernels of '", plugin.device_name,
                "' were refused: ", plugin.refused));
  }
  return new_device_object(Device(plugin.device_name));
}

PyObject* change_warn_always(PyObject*, PyObject* always) {
  if (!PyBool_Check(always)) {
    PyErr_Format(PyExc_TypeError, "set_warn_always(): expected a bool, but got %s",
                 Py_TYPE(always)->tp_name);
    return nullptr;
  }
  set_warn_always(always == Py_True);
  Py_RETURN_NONE;
}
PyObject* is_warn_always(PyObject*, PyObject*) { return PyBool_FromLong(warns_always() ? 1 : 0); }

PyObject* tell_package_folder(PyObject*, PyObject* folder) {
  const char* text = PyUnicode_AsUTF8(folder);
  if (text == nullptr) return nullptr;
  set_package_folder(text);
  Py_RETURN_NONE;
}

}  // namespace

const PyMethodDef kSettingsFunctions[] = {
    {"manual_seed", seed, METH_O, "manual_seed(seed): starts the random numbers of this seed"},
    {"get_default_dtype", get_default_dtype, METH_NOARGS,
     "get_default_dtype(): the dtype of Python floats"},
    with_keywords<kSetDefaultDType, change_default_dtype, false>(
        "set_default_dtype", "set_default_dtype(d): the dtype of Python floats from now on"),
    {"get_default_device", get_default_device, METH_NOARGS,
     "get_default_device(): where this thread makes new tensors"},
    with_keywords<kSetDefaultDevice, change_default_device, false>(
        "set_default_device", "set_default_device(device): where this thread makes new tensors"),
    with_keywords<kLoadPlugin, load_plugin, false>(
        "load_device_plugin",
        "load_device_plugin(path): loads a device from a shared library and returns it"),
    {"set_warn_always", change_warn_always, METH_O,
     "set_warn_always(b): whether warnings that come once come every time"},
    {"is_warn_always_enabled", is_warn_always, METH_NOARGS,
     "is_warn_always_enabled(): do warnings that come once come every time?"},
    {"_set_package_folder", tell_package_folder, METH_O, nullptr},
    {}};

}  // namespace eagre::python
