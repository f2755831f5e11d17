// copy_: a write between any two tensors, recorded. By hand, because it has no kernel of its own:
// it may cross dtypes and devices.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/recording.h>
#include <eagre/autograd/tape/saved_visitor.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/tape/view_history.h>
#include <eagre/autograd/tape/write_watch.h>
#include <eagre/autograd/transforms/writing.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/base/thread_state.h>
#include <eagre/base/warn.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>
#include <eagre/dispatch/ops/full.h>
#include <eagre/dispatch/output.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/cast.h>
#include <eagre/ops/copy.h>
#include <eagre/ops/copy_number.h>
#include <eagre/ops/fill.h>
#include <eagre/ops/to_device.h>

namespace eagre::ops {
namespace {

// Nothing of the old values (input 0) is left: their gradient is zero.
class CopyNode final : public autograd::Node {
 public:
  explicit CopyNode(uint32_t site) : Node(2, site) {}

  std::string name() const override { return "CopyBackwards"; }
  void apply(autograd::BackwardCall& call) override {
    TensorBase g = std::move(call.grad(0));
    if (!g.defined()) return;
    if (call.wants(0)) {
      call.set(0, dispatch::full(g.sizes(), 0, TensorOptions(g.dtype()).device(g.device())));
    }
    if (!call.wants(1)) return;
    const CallSite at = CallSite::of_id(site());
    if (g.device() != device_) g = to_device(g, device_, at);
    if (g.dtype() != dtype_) g = cast(g, dtype_, at);
    call.set(1, std::move(g));
  }
  void visit_saved(autograd::SavedVisitor& visitor) override {
    visitor.see("src_device", device_);
    visitor.see("src_dtype", dtype_);
  }

  Device device_;
  DType dtype_ = kFloat32;
};

}  // namespace

void copy_number_(const TensorBase& input, const Scalar& src, bool, CallSite at) {
  fill_(input, src, at);
}

void copy_(const TensorBase& input, const TensorBase& src, bool, CallSite at) {
  const SiteScope scope(at);
  TensorImpl& target = input.get();
  const Dims sizes = src.get().sizes();
  if (!is_expandable_to(sizes, target.sizes())) {
    raise(ErrorKind::kInvalidArgument,
          ArgumentProblem{"copy_", "src", concat("a shape that broadcasts to ", target.sizes()),
                          to_string(sizes)});
  }
  dispatch::check_written("copy_", target);
  if (is_complex(src.dtype()) && !is_complex(target.key.dtype)) {
    warn_once("copy_ of complex numbers",
              "copy_(): complex numbers are written to a real tensor, which discards their "
              "imaginary parts. Hint: say so with .real");
  }
  IntrusivePtr<CopyNode> node;
  if (autograd::should_record(input, src) && is_differentiable(target.key.dtype)) {
    autograd::check_inplace("copy_", input);
    node = IntrusivePtr<CopyNode>::adopt(new CopyNode(at.intern()));
    node->device_ = src.device();
    node->dtype_ = src.dtype();
    autograd::connect(*node, 0, input);
    autograd::connect(*node, 1, src);
  }
  const bool transformed = autograd::are_transformed(input, src);
  if (transformed) [[unlikely]] {
    autograd::before_write(input);
    autograd::copy_batch(input, src, at);
  } else if (!input.is_same(src)) {
    autograd::before_write(input);
    const TensorBase values = dispatch::shared_with(input, src) ? dispatch::copy_of(src) : src;
    const auto expanded = dispatch::meta::expand("copy_", values.get(), target.sizes());
    dispatch::copy_into(target, dispatch::meta::view_of(values.get(), expanded));
  }
  autograd::note_write(input, "copy_()", at);
  if (node) autograd::rebase_history(std::move(node), target);
  if (transformed) autograd::copy_tangents(input, src, at);
}

}  // namespace eagre::ops
