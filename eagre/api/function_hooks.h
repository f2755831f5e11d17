// Hooks around a node as libtorch's programs write them: classes with a call operator.
#pragma once

#include <cstdint>
#include <memory>

#include <eagre/api/function_context.h>
#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {

// Called with the gradients that go into a node; returns as many.
struct FunctionPreHook {
  virtual ~FunctionPreHook() = default;
  virtual variable_list operator()(const variable_list& gradients) = 0;
};

// Called with the gradients that a node made, and with those that it got; returns the former, or
// others in their place.
struct FunctionPostHook {
  virtual ~FunctionPostHook() = default;
  virtual variable_list operator()(const variable_list& outputs, const variable_list& inputs) = 0;
};

// What node->add_pre_hook() and add_post_hook() call. node->remove_hook() takes the number.
EAGRE_API uint64_t add_pre_hook_to(Node& node, std::unique_ptr<FunctionPreHook> hook);
EAGRE_API uint64_t add_post_hook_to(Node& node, std::unique_ptr<FunctionPostHook> hook);

}  // namespace eagre::autograd
