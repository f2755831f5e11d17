// What the generator makes of the records, file after file; for review.

// ======== include/eagre/autograd/ops/copy.h
// copy: dispatch, and recording of the gradient. Generated from ops/binary.yaml:434; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API void copy_(const TensorBase& input, const TensorBase& src, bool non_blocking, CallSite at);

}  // namespace eagre::ops

// ======== python/binary_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/autograd/ops/copy.h>

#include "op_call.h"

// ---- ops/binary.yaml:434 ----
namespace eagre::python {
namespace {

namespace copy_op {

constexpr Parameter kParameters[] = {
    {"input", "x", true, ParameterKind::kTensor, false},
    {"src", nullptr, true, ParameterKind::kTensor, false},
    {"non_blocking", nullptr, false, ParameterKind::kBool, false},
};

constexpr Signature kInplace{"copy_", {kParameters, 3}, 3, -1};

PyObject* run_inplace(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const TensorBase& src = a.tensor(1);
  const bool non_blocking = a.boolean(2, false);
  return call_inplace_op(
      a[0], [&](CallSite at) { within("copy_", [&] { return ops::copy_(input, src, non_blocking, at); }); }, input, src);
}

}  // namespace copy_op

}  // namespace

PyObject* copy_inplace(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  if (call_is_taken_over<false>(self, args, count, names)) [[unlikely]]
    return override_method("copy_", self, args, count, names);
  return guarded([&] { return copy_op::run_inplace(Arguments(copy_op::kInplace, self, args, count, names)); });
}

}  // namespace eagre::python
