// Hooks around a node as libtorch's programs write them.
#include <eagre/api/function_hooks.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <eagre/api/autograd.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>

namespace eagre::autograd {
namespace {

variable_list public_tensors(const GradientList& list) { return {list.begin(), list.end()}; }
GradientList bare(const variable_list& list) { return {list.begin(), list.end()}; }

class BeforeNode final : public PreHook {
 public:
  explicit BeforeNode(std::unique_ptr<FunctionPreHook> hook) : hook_(std::move(hook)) {}
  std::optional<GradientList> call(const GradientList& gradients) override {
    return bare((*hook_)(public_tensors(gradients)));
  }

 private:
  std::unique_ptr<FunctionPreHook> hook_;
};

class AfterNode final : public PostHook {
 public:
  explicit AfterNode(std::unique_ptr<FunctionPostHook> hook) : hook_(std::move(hook)) {}
  std::optional<GradientList> call(const GradientList& results,
                                   const GradientList& gradients) override {
    return bare((*hook_)(public_tensors(results), public_tensors(gradients)));
  }

 private:
  std::unique_ptr<FunctionPostHook> hook_;
};

}  // namespace

uint64_t add_pre_hook_to(Node& node, std::unique_ptr<FunctionPreHook> hook) {
  return add_hook(node, HookKind::kBefore, std::make_shared<BeforeNode>(std::move(hook)));
}

uint64_t add_post_hook_to(Node& node, std::unique_ptr<FunctionPostHook> hook) {
  return add_hook(node, HookKind::kAfter, std::make_shared<AfterNode>(std::move(hook)));
}

}  // namespace eagre::autograd
