// Backward: the public functions of the reverse mode.
#pragma once

#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>

namespace eagre::autograd {

struct GradOptions {
  bool keep_graph = false;    // "retain_graph"
  bool create_graph = false;  // record the gradients too
  bool allow_unused = false;
  bool materialize = false;       // zeros for inputs that were not used
  Span<const Edge> blocked = {};  // where no gradient may flow ("no_grad_vars"); for grad() only
};

// Adds the gradients of `roots`, which are moved from, to .grad of the leaves they depend on; if
// `inputs` are given, only what leads to them runs. A gradient may be undefined for a root of one
// element: then it is 1.
EAGRE_API void backward_impl(Span<Edge> roots, Span<const TensorBase> gradients,
                             Span<const Edge> inputs, GradOptions options, CallSite at);

// The gradients of `outputs`, which are moved from, with respect to `inputs`; leaves are not
// touched. `results` has room for one of each input: undefined for one that was not used, which is
// an error unless allowed.
EAGRE_API void grad_impl(Span<Edge> outputs, Span<const Edge> inputs,
                         Span<const TensorBase> gradients, GradOptions options,
                         Span<TensorBase> results, CallSite at);

}  // namespace eagre::autograd
