// What code that runs inside of a backward call (hooks, custom functions) may ask and tell it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

// Calls `callback` in the thread that called backward(), after all its gradients. It belongs to the
// innermost call, is dropped when that fails, and may queue more. Outside of a call: an error.
EAGRE_API void queue_callback(std::function<void()> callback);

// Paddle's final hook: called once, at the end of the backward call that runs now, else of the next
// one of this thread; dropped when that fails.
EAGRE_API void add_backward_final_hook(std::function<void()> hook);

// A number that no other call has; -1 outside.
EAGRE_API int64_t current_graph_task_id();
// The node that this thread runs, or null.
EAGRE_API IntrusivePtr<Node> current_node();
// Will the graph be run again? True outside of a call.
EAGRE_API bool current_graph_task_keeps_graph();
// Do only the ways to some inputs run, as in grad() and backward(inputs)? False outside of a call.
EAGRE_API bool current_graph_task_is_partial();
// Does a gradient reach this node in the call? False outside of one.
EAGRE_API bool current_graph_task_reaches(Node& node);
// The nodes of the call in the order in which they run, those that have run first. An error outside
// of a call, and when the threads of devices take part, as there is no one order then.
EAGRE_API std::vector<IntrusivePtr<Node>> current_graph_task_execution_order();

}  // namespace eagre::autograd
