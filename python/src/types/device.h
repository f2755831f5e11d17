// eagre.device: the Python objects of devices.
#pragma once

#include <eagre/core/device.h>

#include "interpreter/object.h"

namespace eagre::python {

PyObject* new_device_object(Device device);
// True if the object is a device; a string is parsed, which raises for an unknown one.
bool to_device(PyObject* object, Device& out);

bool add_device_type(PyObject* module);

}  // namespace eagre::python
