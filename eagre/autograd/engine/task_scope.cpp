// The list of a thread's scopes.
#include <eagre/autograd/engine/task_scope.h>

#include <utility>

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {
namespace {

constinit thread_local TaskScope* innermost __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace

TaskScope::TaskScope(GraphTask& task, Node* const* node)
    : task_(task), node_(node), outer_(std::exchange(innermost, this)) {}
TaskScope::~TaskScope() { innermost = outer_; }

GraphTask* TaskScope::current_task() { return innermost == nullptr ? nullptr : &innermost->task_; }
Node* TaskScope::current_node() { return innermost == nullptr ? nullptr : *innermost->node_; }

}  // namespace eagre::autograd
