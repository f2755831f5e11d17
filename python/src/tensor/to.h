// Tensor.to: another dtype, another device, or both.
#pragma once

#include "call/arguments.h"

namespace eagre::python {

extern const Signature kTo;
PyObject* to(const Arguments& a);

// The tensor itself where nothing changes.
PyObject* convert(const TensorBase& input, std::optional<DType> dtype, std::optional<Device> device,
                  MemoryFormat format = MemoryFormat::kPreserve);

}  // namespace eagre::python
