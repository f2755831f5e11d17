// Checks what the user asked of backward() and grad(), and runs it: on this stack, or on a fresh
// one when backward calls are nested too deeply for it.
#include <eagre/autograd/engine.h>

#include <exception>
#include <utility>

#include <eagre/autograd/device_lanes.h>
#include <eagre/autograd/graph_task.h>
#include <eagre/autograd/spare_stack.h>
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
    LaneState lanes = lane_state();
    std::exception_ptr failure = nullptr;
  } call{task};
  const auto work = [](void* given) {
    auto& [task, modes, site, streams, lanes, failure] = *static_cast<Call*>(given);
    const ThreadModes own = std::exchange(thread_state.modes, modes);
    thread_state.site = site;
    thread_state.backward_depth = 1;
    streams.make_current();
    lane_state() = lanes;
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

TensorBase first_gradient(const TensorBase& root, const TensorBase& given, size_t index) {
  if (given.defined()) {
    EAGRE_CHECK(given.sizes() == root.sizes(), kInvalidArgument, "Mismatch in shape: grad_output[",
                index, "] has a shape of ", given.sizes(), " and output[", index,
                "] has a shape of ", root.sizes());
    return given;
  }
  EAGRE_CHECK(root.numel() == 1, kAutograd,
              "grad can be implicitly created only for scalar outputs, but output[", index,
              "] has shape ", root.sizes(), ". Hint: sum() it, or pass a gradient");
  EAGRE_CHECK(!is_complex(root.dtype()), kAutograd,
              "grad can be implicitly created only for real scalar outputs, but output[", index,
              "] is ", root.dtype(), ". Hint: take its abs(), or pass a gradient");
  return dispatch::full(root.sizes(), 1, TensorOptions(root.dtype()).device(root.device()));
}

void add_roots(GraphTask& task, Span<const TensorBase> roots, Span<const TensorBase> gradients) {
  EAGRE_CHECK(gradients.empty() || gradients.size() == roots.size(), kInvalidArgument, "got ",
              roots.size(), " tensors and ", gradients.size(), " gradients");
  for (size_t i = 0; i < roots.size(); ++i) {
    Edge edge = gradient_edge(roots[i]);
    EAGRE_CHECK(static_cast<bool>(edge.node), kAutograd, "element ", i,
                " of tensors does not require grad and does not have a grad_fn");
    task.add_root(std::move(edge),
                  first_gradient(roots[i], gradients.empty() ? TensorBase() : gradients[i], i));
  }
}

}  // namespace

void backward_impl(Span<const TensorBase> roots, Span<const TensorBase> gradients,
                   GradOptions options, CallSite at) {
  thread_state.site = at;
  GraphTask task({options.keep_graph, options.create_graph});
  add_roots(task, roots, gradients);
  run(task);
}

std::vector<TensorBase> grad_impl(Span<const TensorBase> outputs, Span<const TensorBase> inputs,
                                  Span<const TensorBase> gradients, GradOptions options,
                                  CallSite at) {
  thread_state.site = at;
  EAGRE_CHECK(!inputs.empty(), kInvalidArgument, "grad(): argument 'inputs' cannot be empty");
  GraphTask task({options.keep_graph, options.create_graph});
  add_roots(task, outputs, gradients);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Edge edge = gradient_edge(inputs[i]);
    EAGRE_CHECK(static_cast<bool>(edge.node), kAutograd,
                "One of the differentiated Tensors does not require grad: the one at index ", i);
    task.capture(edge, i);
  }
  run(task);
  for (size_t i = 0; i < inputs.size(); ++i) {
    EAGRE_CHECK(task.results()[i].defined() || options.allow_unused, kAutograd,
                "The differentiated Tensor at index ", i,
                " appears to not have been used in the graph. Hint: set allow_unused=True if this "
                "is what you want");
  }
  return std::move(task.results());
}

}  // namespace eagre::autograd
