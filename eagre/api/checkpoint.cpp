// A checkpoint is a pair of hooks on saved tensors. pack() keeps a number in place of the tensor;
// the first unpack() of a backward call runs the segment again, with hooks that keep everything in
// the order in which it is saved, and the numbers find their tensors there.
#include <eagre/api/checkpoint.h>

#include <exception>
#include <mutex>

#include <eagre/api/autograd.h>
#include <eagre/api/functions.h>
#include <eagre/autograd/current_task.h>
#include <eagre/autograd/recording.h>
#include <eagre/autograd/transforms/carried.h>
#include <eagre/autograd/transforms/remembered_levels.h>
#include <eagre/base/error.h>
#include <eagre/core/generator.h>

namespace eagre::autograd {
namespace {

using functional::TensorFunction;
using functional::Tensors;

// The inputs of a segment, saved as a node would: hooks of an outer checkpoint get them too, so
// that a nested one does not hold what the outer one gave up.
class SegmentInputs final : public Node {
 public:
  explicit SegmentInputs(const Tensors& inputs) : Node(0, 0) {
    for (const Tensor& input : inputs) {
      requires_grad_.push_back(input.defined() && input.requires_grad());
    }
    saved_.save_input(inputs);
  }
  std::string_view name() const override { return "Checkpoint"; }
  void apply(BackwardCall&) override {}

  // Fresh leaves with the values of the inputs.
  Tensors leaves() {
    Tensors result;
    for (size_t i = 0; i < saved_.size(); ++i) {
      const Tensor input = saved_.saved(i).look(*this, "an input");
      if (!input.defined()) {
        result.push_back(input);
        continue;
      }
      const Tensor leaf = without_history(input);  // but with what it carries for transforms
      result.push_back(requires_grad_[i] ? leaf.requires_grad_() : leaf);
    }
    return result;
  }

 private:
  SavedTensors saved_;
  std::vector<bool> requires_grad_;
};

struct Look {
  DimVector sizes;
  DType dtype;
  Device device;
  explicit Look(const TensorBase& tensor)
      : sizes(tensor.sizes()), dtype(tensor.dtype()), device(tensor.device()) {}
  bool operator==(const Look& other) const {
    return Dims(sizes) == Dims(other.sizes) && dtype == other.dtype && device == other.device;
  }
};
std::string to_string(const Look& look) {
  return concat(look.dtype, " of shape ", Dims(look.sizes), " on ", look.device);
}

struct EverythingIsThere : std::exception {};  // ends the second forward

// Keeps what the second forward saves.
class Collector final : public PackHooks {
 public:
  Collector(size_t wanted, bool stops) : wanted_(wanted), stops_(stops) {}
  TensorBase pack(const TensorBase& tensor) override {
    collected.push_back(tensor);
    if (stops_ && collected.size() == wanted_) throw EverythingIsThere();
    return {};
  }
  TensorBase unpack(const TensorBase&) override {
    raise(ErrorKind::kAutograd,
          "checkpoint(): the function calls backward() on its own graph, which cannot be computed "
          "again. Hint: leave that part out of the checkpoint");
  }
  TensorVector collected;

 private:
  size_t wanted_;
  bool stops_;
};

class Segment final : public PackHooks {
 public:
  Segment(TensorFunction function, const Tensors& inputs, const CheckpointOptions& options)
      : function_(std::move(function)),
        options_(options),
        random_(default_generator().get_state()),
        inputs_(IntrusivePtr<SegmentInputs>::adopt(new SegmentInputs(inputs))) {}

  TensorBase pack(const TensorBase& tensor) override {
    const std::lock_guard lock(mutex_);
    looks_.emplace_back(tensor);
    return full({}, static_cast<int64_t>(looks_.size() - 1), kInt64);
  }

  TensorBase unpack(const TensorBase& packed) override {
    const auto index = static_cast<size_t>(Tensor(packed).item<int64_t>());
    const std::lock_guard lock(mutex_);
    const int64_t call = current_graph_task_id();
    if (call == -1 || call != call_ || !again_[index].defined()) run_again();
    call_ = call;
    // Given up here: who needs it twice in a call gets it twice computed.
    return std::move(again_[index]);
  }

 private:
  void run_again() {
    again_.clear();
    const auto collector = std::make_shared<Collector>(looks_.size(), options_.early_stop);
    const Tensors leaves = inputs_->leaves();
    {
      const RememberedLevels::Scope levels(levels_);
      const RandomScope random(options_.preserve_rng_state ? &random_ : nullptr);
      const AutoGradMode recording(true);
      const SavedTensorHookScope scope(collector);
      try {
        function_(leaves);
      } catch (const EverythingIsThere&) {  // NOLINT: the usual end
      }
    }
    check(collector->collected);
    again_ = std::move(collector->collected);
  }

  void check(const TensorVector& collected) const {
    EAGRE_CHECK(collected.size() == looks_.size(), kAutograd,
                "checkpoint(): A different number of tensors was saved during the original forward "
                "and recomputation: ",
                looks_.size(), " and ", collected.size(),
                levels_.have_lost_tangents()
                    ? ". It ran in forward mode, whose tangents are gone. Hint: call backward() "
                      "before the end of the dual level, or of jvp()"
                    : ". Hint: the function must do the same each time it is called");
    if (!options_.determinism_check) return;
    for (size_t i = 0; i < collected.size(); ++i) {
      const Look now(collected[i]);
      EAGRE_CHECK(now == looks_[i], kAutograd,
                  "checkpoint(): Recomputed values have different metadata than during the forward "
                  "pass: saved tensor ",
                  i, " was ", looks_[i], " and is ", now);
    }
  }

  // The default generator as it was in forward, and afterwards as it is now.
  class RandomScope {
   public:
    explicit RandomScope(const Generator::State* state) : is_set_(state != nullptr) {
      if (!is_set_) return;
      before_ = default_generator().get_state();
      default_generator().set_state(*state);
    }
    ~RandomScope() {
      if (is_set_) default_generator().set_state(before_);
    }
    RandomScope(const RandomScope&) = delete;
    RandomScope& operator=(const RandomScope&) = delete;

   private:
    bool is_set_;
    Generator::State before_{};
  };

  const TensorFunction function_;
  const CheckpointOptions options_;
  const Generator::State random_;
  const IntrusivePtr<SegmentInputs> inputs_;
  const RememberedLevels levels_;
  std::mutex mutex_;  // of what follows
  std::vector<Look> looks_;
  TensorVector again_;
  int64_t call_ = -1;
};

}  // namespace

Tensors checkpoint(const TensorFunction& function, const Tensors& inputs,
                   const CheckpointOptions& options) {
  if (!GradMode::is_enabled()) return function(inputs);
  const auto segment = std::make_shared<Segment>(function, inputs, options);
  const SavedTensorHookScope scope(segment);
  return function(inputs);
}

Tensor checkpoint(const functional::SingleFunction& function, const Tensor& input,
                  const CheckpointOptions& options) {
  return checkpoint(functional::as_list(function), Tensors{input}, options)[0];
}

}  // namespace eagre::autograd
