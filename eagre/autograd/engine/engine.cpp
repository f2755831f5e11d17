// Checks what the user asked of backward() and grad(), and runs it: on this stack, or on a fresh
// one when backward calls are nested too deeply for it.
#include <eagre/autograd/engine/engine.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include <eagre/autograd/engine/device_threads.h>
#include <eagre/autograd/engine/graph_task.h>
#include <eagre/autograd/engine/spare_stack.h>
#include <eagre/autograd/engine/validate.h>
#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/span.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/ops/full.h>
#include <eagre/dispatch/stream.h>

namespace eagre::autograd {
namespace {

constexpr uint32_t kMaxDepthOnOneStack = 60;

void run_on_fresh_stack(GraphTask& task) {
  struct Call {
    GraphTask& task;
    ThreadModes modes = thread_state.modes;
    CallSite site = thread_state.site;
    CurrentStreams streams = CurrentStreams::of_this_thread();
    DeviceThreadState threads = device_thread_state();
    std::exception_ptr failure = nullptr;
  } call{task};
  const auto work = [](void* given) {
    auto& [task, modes, site, streams, threads, failure] = *static_cast<Call*>(given);
    const ThreadModes own = std::exchange(thread_state.modes, modes);
    thread_state.site = site;
    thread_state.backward_depth = 1;
    streams.make_current();
    device_thread_state() = threads;
    try {
      task.run();
    } catch (...) {
      failure = std::current_exception();
    }
    thread_state.modes = own;
    thread_state.backward_depth = 0;
  };
  EAGRE_CHECK(run_on_spare_stack(work, &call), kAutograd,
              "backward() calls are nested too deeply: no thread can be made for another one. "
              "Hint: does a hook call backward() on the tensor it belongs to?");
  if (call.failure) std::rethrow_exception(call.failure);
}

void run(GraphTask& task) {
  if (thread_state.backward_depth >= kMaxDepthOnOneStack) return run_on_fresh_stack(task);
  struct Depth {
    Depth() { ++thread_state.backward_depth; }
    ~Depth() { --thread_state.backward_depth; }
  } depth;
  task.run();
}

// A gradient that is 1. At hand on the CPU: dispatch would take longer than all the rest of a small
// call.
TensorBase one(const GradientMetadata& meta) {
  if (!meta.device.is_cpu()) {
    return dispatch::full(meta.sizes, 1, TensorOptions(meta.dtype).device(meta.device));
  }
  TensorBase result =
      TensorBase::adopt(new_tensor(meta.sizes, meta.dtype, meta.device, "backward"));
  visit_dtype(meta.dtype, [&](auto element) {
    using T = decltype(element);
    *static_cast<T*>(result.get().data()) = Scalar(1).to<T>();
  });
  return result;
}

TensorBase first_gradient(const Edge& root, const TensorBase& given, size_t index) {
  if (given.defined() && fits(*root.node, root.slot, given.get())) return given;
  const GradientMetadata meta(root);
  const Dims sizes(meta.sizes);
  if (given.defined()) {
    EAGRE_CHECK(given.sizes() == sizes, kInvalidArgument, "Mismatch in shape: grad_output[", index,
                "] has a shape of ", given.sizes(), " and output[", index, "] has a shape of ",
                sizes);
    EAGRE_CHECK(is_complex(given.dtype()) == is_complex(meta.dtype), kAutograd,
                "For complex Tensors, both grad_output and output are required to have the same "
                "dtype: grad_output[",
                index, "] is ", given.dtype(), " and output[", index, "] is ", meta.dtype);
    return given;
  }
  EAGRE_CHECK(meta.numel() == 1, kAutograd,
              "grad can be implicitly created only for scalar outputs, but output[", index,
              "] has shape ", sizes, ". Hint: sum() it, or pass a gradient");
  EAGRE_CHECK(!is_complex(meta.dtype), kAutograd,
              "grad can be implicitly created only for real scalar outputs, but output[", index,
              "] is ", meta.dtype, ". Hint: take its abs(), or pass a gradient");
  return one(meta);
}

void add_roots(GraphTask& task, Span<Edge> roots, Span<const TensorBase> gradients) {
  EAGRE_CHECK(gradients.empty() || gradients.size() == roots.size(), kInvalidArgument, "got ",
              roots.size(), " tensors and ", gradients.size(), " gradients");
  for (size_t i = 0; i < roots.size(); ++i) {
    EAGRE_CHECK(static_cast<bool>(roots[i].node), kAutograd, "element ", i,
                " of tensors does not require grad and does not have a grad_fn");
    TensorBase gradient =
        first_gradient(roots[i], gradients.empty() ? TensorBase() : gradients[i], i);
    task.plan().add_root(std::move(roots[i]), std::move(gradient));
  }
}

}  // namespace

void backward_impl(Span<Edge> roots, Span<const TensorBase> gradients, Span<const Edge> inputs,
                   GradOptions options, CallSite at) {
  thread_state.site = at;
  if (options.create_graph) {
    warn_once("backward(create_graph=True)",
              "Using backward() with create_graph=True will create a reference cycle between the "
              "parameter and its gradient, which can cause a memory leak. Hint: use grad(), or "
              "reset .grad of the parameters after use to break the cycle");
  }
  GraphTask task({options.keep_graph, options.create_graph});
  add_roots(task, roots, gradients);
  for (const Edge& input : inputs) task.plan().require(input);
  run(task);
}

void grad_impl(Span<Edge> outputs, Span<const Edge> inputs, Span<const TensorBase> gradients,
               GradOptions options, Span<TensorBase> results, CallSite at) {
  thread_state.site = at;
  EAGRE_CHECK(!inputs.empty(), kInvalidArgument, "grad(): argument 'inputs' cannot be empty");
  GraphTask task({options.keep_graph, options.create_graph});
  add_roots(task, outputs, gradients);
  for (size_t i = 0; i < inputs.size(); ++i) {
    EAGRE_CHECK(static_cast<bool>(inputs[i].node), kAutograd,
                "One of the differentiated Tensors does not require grad: the one at index ", i);
    task.plan().capture(inputs[i], results[i]);
  }
  for (const Edge& edge : options.blocked) task.plan().block(edge);
  run(task);
  for (size_t i = 0; i < inputs.size(); ++i) {
    TensorBase& result = results[i];
    if (!result.defined() && options.materialize) {
      const GradientMetadata meta(inputs[i]);
      result = dispatch::full(meta.sizes, 0, TensorOptions(meta.dtype).device(meta.device));
      if (options.create_graph) set_requires_grad(result, true);  // as a computed one would
    }
    EAGRE_CHECK(result.defined() || options.allow_unused, kAutograd,
                "The differentiated Tensor at index ", i,
                " appears to not have been used in the graph. Set allow_unused=True if this is the "
                "desired behavior: its gradient is None then");
  }
}

}  // namespace eagre::autograd
