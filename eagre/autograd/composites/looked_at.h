// What composites must know of the elements themselves, before they can go on.
#pragma once

#include <eagre/base/call_site.h>
#include <eagre/core/tensor_base.h>

namespace eagre::ops {

// Are all elements of a bool tensor true? Of a batch, in all samples; of a meta tensor, yes.
bool all_true(const TensorBase& truths, CallSite at);

// A tensor of one element as a number. That of a batch is an error, as it is many.
int64_t as_integer(const TensorBase& number, CallSite at);

}  // namespace eagre::ops
