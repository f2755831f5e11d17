// Backward: the public functions of the reverse mode.
#pragma once

#include <vector>

#include <eagre/autograd/node.h>
#include <eagre/base/call_site.h>

namespace eagre::autograd {

struct GradOptions {
  bool keep_graph = false;    // "retain_graph"
  bool create_graph = false;  // record the gradients too; implies keep_graph for the caller
  bool allow_unused = false;
};

// Adds the gradients of `roots` to .grad of the leaves they depend on. A gradient may be undefined
// for a root of one element: then it is 1.
EAGRE_API void backward_impl(Span<const TensorBase> roots, Span<const TensorBase> gradients,
                             GradOptions options, CallSite at);

// The gradients of `outputs` with respect to `inputs`; leaves are not touched. Undefined for an
// input that was not used, which is an error unless allowed.
EAGRE_API std::vector<TensorBase> grad_impl(Span<const TensorBase> outputs,
                                            Span<const TensorBase> inputs,
                                            Span<const TensorBase> gradients, GradOptions options,
                                            CallSite at);

}  // namespace eagre::autograd
