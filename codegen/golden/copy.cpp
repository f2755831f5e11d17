// What the generator makes of the records, file after file; for review.

// ======== include/eagre/ops/copy.h
// copy: dispatch, and recording of the gradient. Generated from ops/copy.yaml:80; do not edit.
#pragma once

#include <optional>

#include <eagre/core/tensor_base.h>
#include <eagre/base/call_site.h>

namespace eagre::ops {

EAGRE_API void copy_(const TensorBase& input, const TensorBase& src, bool non_blocking,
                     CallSite at);

}  // namespace eagre::ops

// ======== python/copy_0.cpp
// The Python border of operators. Generated from the op records; do not edit.
#include <eagre/ops/copy.h>

#include "call/op_entry.h"

namespace eagre::python {

// ---- ops/copy.yaml:80 ----
namespace {
namespace copy_op {
constexpr Parameter kParameters[] = {
    {.name = "input", .aliases = "x a x1", .kind = ParameterKind::kTensor},
    {.name = "src", .kind = ParameterKind::kTensor},
    {.name = "non_blocking", .required = false, .kind = ParameterKind::kBool},
};
constexpr Signature kInplace{.op = "copy_", .parameters = {kParameters, 3}, .positional = 3};

PyObject* run(const Arguments& a) {
  const TensorBase& input = a.tensor(0);
  const TensorBase& src = a.tensor(1);
  const bool non_blocking = a.boolean(2, false);
  return call_inplace_op(
      a[0],
      [&](CallSite at) { within("copy_", [&] { return ops::copy_(input, src, non_blocking, at); });
                         }, input, src);
}
}  // namespace copy_op
}  // namespace

extern const PyMethodDef copy_0_functions[] = {
    {}};

extern const PyMethodDef copy_0_methods[] = {
    op_method<copy_op::kInplace, copy_op::run>(
        "copy_", "copy_($self, src, non_blocking=False)\n--\n\nWrites the values of `src` into this tensor: broadcast to its shape, as its dtype, on its device.\n\n>>> eagre.zeros(2).copy_(eagre.tensor([1, 2]))\ntensor([1., 2.])"),
    {}};

}  // namespace eagre::python
