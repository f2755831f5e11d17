// The backward calls that a thread is in, innermost first.
#pragma once

#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

class GraphTask;

// While in scope, this thread works for the task. `node` is where the node that runs is kept.
class TaskScope {
 public:
  TaskScope(GraphTask& task, Node* const* node);
  ~TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  // Of the innermost call that this thread works for, or null.
  static GraphTask* current_task();
  static Node* current_node();

 private:
  GraphTask& task_;
  Node* const* node_;
  TaskScope* outer_;
};

}  // namespace eagre::autograd
