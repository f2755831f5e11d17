// Small Python types around values: dtype, device, memory_format, Size, Generator, Stream, Event.
#pragma once

#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/shape.h>

#include "object.h"

namespace eagre::python {

// One object per dtype for the life of the process; borrowed.
PyObject* dtype_object(DType dtype);
// Numbers that may be negative?
inline bool is_signed(DType dtype) {
  const bool is_unsigned =
      dtype == kUInt8 || dtype == kUInt16 || dtype == kUInt32 || dtype == kUInt64;
  return dtype != kBool && !is_unsigned;
}
// True if the object is a dtype, or one of the classes bool, int, float, complex that stand for
// one.
bool to_dtype(PyObject* object, DType& out);

PyObject* new_device_object(Device device);
// True if the object is a device; a string is parsed, which raises for an unknown one.
bool to_device(PyObject* object, Device& out);

bool to_memory_format(PyObject* object, MemoryFormat& out);

// The layout of all tensors; borrowed.
PyObject* strided_layout();
bool is_layout(PyObject* object);

// A tuple that prints as eagre.Size([2, 3]).
PyObject* new_size(Dims dims);

// Null if the object is no Generator.
Generator* to_generator(PyObject* object);
PyObject* new_default_generator();
// A seed from an int of 64 bits, with or without a sign; negative ones wrap around.
uint64_t to_seed(PyObject* number);

bool is_stream(PyObject* object);

bool add_dtypes(PyObject* module);
bool add_device_type(PyObject* module);
bool add_memory_formats(PyObject* module);
bool add_layouts(PyObject* module);
bool add_size_type(PyObject* module);
bool add_generator_type(PyObject* module);
bool add_stream_types(PyObject* module);

}  // namespace eagre::python
