// A tensor kept for backward under libtorch's name.
#include <eagre/api/saved_variable.h>

#include <memory>
#include <string>
#include <utility>

#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/tensor_base.h>

namespace eagre::autograd {
namespace {

// libtorch's hooks keep what they packed themselves.
class OwnHooks final : public PackHooks {
 public:
  explicit OwnHooks(std::unique_ptr<SavedVariableHooks> hooks) : hooks_(std::move(hooks)) {}
  TensorBase pack(const TensorBase& tensor) override {
    hooks_->call_pack_hook(tensor);
    return {};
  }
  TensorBase unpack(const TensorBase& /*packed*/) override { return hooks_->call_unpack_hook(); }

 private:
  std::unique_ptr<SavedVariableHooks> hooks_;
};

// Messages name the node that a tensor was saved for.
class NoNode final : public Node {
 public:
  NoNode() : Node(0, 0) {}
  std::string name() const override { return "SavedVariable"; }
  void apply(BackwardCall& /*call*/) override {}
};

}  // namespace

SavedVariable::SavedVariable() : saved_(std::make_unique<SavedTensor>()) {}
SavedVariable::SavedVariable(const Tensor& variable, bool is_output, bool /*is_inplace_on_view*/)
    : SavedVariable() {
  if (!variable.defined()) return;
  is_output ? saved_->save_output(variable) : saved_->save_input(variable);
}
SavedVariable::~SavedVariable() = default;
SavedVariable::SavedVariable(SavedVariable&&) noexcept = default;
SavedVariable& SavedVariable::operator=(SavedVariable&&) noexcept = default;

Tensor SavedVariable::unpack(IntrusivePtr<Node> saved_for) const {
  EAGRE_CHECK(!is_dropped_, kAutograd,
              "unpack(): the saved tensor was dropped by reset_data(), as it is when a graph has "
              "been freed. Specify retain_graph=True to run a graph again");
  if (!saved_for) saved_for = IntrusivePtr<NoNode>::adopt(new NoNode);
  return saved_->look(*saved_for, "variable");
}

void SavedVariable::register_hooks(std::unique_ptr<SavedVariableHooks> hooks) {
  saved_->register_hooks(std::make_shared<OwnHooks>(std::move(hooks)));
}

void SavedVariable::reset_data() {
  saved_ = std::make_unique<SavedTensor>();
  is_dropped_ = true;
}

}  // namespace eagre::autograd
