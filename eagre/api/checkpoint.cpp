// A checkpoint is a pair of hooks on saved tensors. pack() keeps a number in place of the tensor;
// the first unpack() of a backward call runs the segment again, with hooks that keep everything in
// the order in which it is saved, and the numbers find their tensors there.
#include <eagre/api/checkpoint.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <eagre/api/functional.h>
#include <eagre/api/functions.h>
#include <eagre/autograd/engine/current_task.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/autograd/tape/saved_tensors.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/remembered_levels.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/generator.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {

using functional::TensorFunction;
using functional::Tensors;

// What one run saved, for one backward call or for a group of them.
struct FoundTensors {
  std::mutex mutex;
  TensorVector tensors;  // undefined where it was given up
};

// By the number of a segment.
class CheckpointGroup {
 public:
  std::mutex mutex;
  std::map<uint64_t, std::shared_ptr<FoundTensors>> found;
};

namespace {

thread_local std::shared_ptr<CheckpointGroup> current_group;

// The inputs of a segment, saved as a node would: hooks of an outer checkpoint get them too, so
// that a nested one does not hold what the outer one gave up.
class SegmentInputs final : public Node {
 public:
  explicit SegmentInputs(const Tensors& inputs) : Node(0, 0) { saved_.save_input(inputs); }
  std::string name() const override { return "Checkpoint"; }
  void apply(BackwardCall&) override {}

  Tensors tensors() {
    Tensors result;
    for (size_t i = 0; i < saved_.size(); ++i) {
      result.push_back(saved_.saved(i).look(*this, "an input"));
    }
    return result;
  }

 private:
  SavedTensors saved_;
};

SavedLook look_of(const TensorBase& tensor) {
  return {DimVector(tensor.sizes()), tensor.dtype(), tensor.device()};
}
bool is_same(const SavedLook& a, const SavedLook& b) {
  return Dims(a.sizes) == Dims(b.sizes) && a.dtype == b.dtype && a.device == b.device;
}
std::string to_string(const SavedLook& look) {
  return concat(look.dtype, " of shape ", Dims(look.sizes), " on ", look.device);
}

// Keeps what the second run saves. A backward call inside of the function needs some of it.
class Collector final : public PackHooks {
 public:
  Collector(CheckpointedFunction& function, size_t wanted, bool stops)
      : function_(function), wanted_(wanted), stops_(stops) {}
  TensorBase pack(const TensorBase& tensor) override {
    if (collected.size() == wanted_) {
      function_.refuse({CheckpointProblem::Kind::kMore, wanted_, wanted_ + 1});
    }
    function_.note_saved(tensor, true);
    // Without history, which leads to nodes that hold this collector; a leaf is itself.
    collected.push_back(tensor.is_leaf() ? tensor : without_history(tensor));
    if (stops_ && collected.size() == wanted_) function_.stop();
    return tensor;
  }
  TensorBase unpack(const TensorBase& packed) override { return packed; }
  TensorVector collected;

 private:
  CheckpointedFunction& function_;
  size_t wanted_;
  bool stops_;
};

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

// Read unpack() first. No lock is held while the function runs.
class Segment final : public CheckpointSegment, public std::enable_shared_from_this<Segment> {
 public:
  Segment(std::shared_ptr<CheckpointedFunction> function, const Tensors& inputs,
          const CheckpointOptions& options)
      : function_(std::move(function)),
        options_(options),
        random_(default_generator().get_state()),
        inputs_(IntrusivePtr<SegmentInputs>::adopt(new SegmentInputs(inputs))) {}

  void complete() override { is_complete_.store(true, std::memory_order_release); }

  TensorBase pack(const TensorBase& tensor) override {
    function_->note_saved(tensor, false);
    int64_t index = 0;
    {
      const std::lock_guard lock(mutex_);
      index = static_cast<int64_t>(looks_.size());
      looks_.push_back(look_of(tensor));
    }
    return full({}, index, TensorOptions(kInt64).device(Device()));
  }

  TensorBase unpack(const TensorBase& packed) override {
    const auto index = static_cast<size_t>(Tensor(packed).item<int64_t>());
    const std::shared_ptr<CheckpointGroup> group = current_group;
    const int64_t call = current_graph_task_id();
    if (group == nullptr && call == -1) return run_again()[index];  // somebody looks at the graph
    std::shared_ptr<FoundTensors> found = known(group.get(), call);
    if (found == nullptr) found = keep(group.get(), call, run_again());
    TensorBase tensor = take(*found, index);
    if (tensor.defined()) return tensor;
    if (!function_->may_use_twice()) {
      CheckpointProblem problem{CheckpointProblem::Kind::kUsedTwice};
      problem.is_shared = group != nullptr;
      function_->refuse(problem);
    }
    return take(*keep(group.get(), call, run_again()), index);
  }

 private:
  // Given up here, so that memory is free as soon as it can be.
  static TensorBase take(FoundTensors& found, size_t index) {
    const std::lock_guard lock(found.mutex);
    return index < found.tensors.size() ? std::move(found.tensors[index]) : TensorBase();
  }

  std::shared_ptr<FoundTensors> known(CheckpointGroup* group, int64_t call) {
    if (group != nullptr) {
      const std::lock_guard lock(group->mutex);
      const auto place = group->found.find(number_);
      return place == group->found.end() ? nullptr : place->second;
    }
    const std::lock_guard lock(mutex_);
    const auto place = found_.find(call);
    return place == found_.end() ? nullptr : place->second;
  }

  std::shared_ptr<FoundTensors> keep(CheckpointGroup* group, int64_t call, TensorVector tensors) {
    auto found = std::make_shared<FoundTensors>();
    found->tensors = std::move(tensors);
    if (group != nullptr) {
      const std::lock_guard lock(group->mutex);
      group->found[number_] = found;
      return found;
    }
    bool is_new = false;
    {
      const std::lock_guard lock(mutex_);
      is_new = found_.insert_or_assign(call, found).second;
    }
    // What nobody needed ends with the call.
    if (is_new) queue_callback([self = weak_from_this(), call] { forget(self.lock(), call); });
    return found;
  }

  static void forget(const std::shared_ptr<Segment>& segment, int64_t call) {
    if (segment == nullptr) return;
    std::shared_ptr<FoundTensors> dropped;
    const std::lock_guard lock(segment->mutex_);
    const auto place = segment->found_.find(call);
    if (place == segment->found_.end()) return;
    dropped = std::move(place->second);
    segment->found_.erase(place);
  }

  TensorVector run_again() {
    size_t wanted = 0;
    {
      const std::lock_guard lock(mutex_);
      wanted = looks_.size();
    }
    // In the midst of forward, the function itself calls backward: it must not get there again.
    const bool stops = options_.early_stop || !is_complete_.load(std::memory_order_acquire);
    const auto collector = std::make_shared<Collector>(*function_, wanted, stops);
    const Tensors inputs = inputs_->tensors();
    {
      const RememberedLevels::Scope levels(levels_);
      const RandomScope random(options_.preserve_rng_state ? &random_ : nullptr);
      const AutoGradMode recording(true);
      const SavedTensorHookScope scope(collector);
      function_->run_again(inputs);
    }
    check(collector->collected);
    return std::move(collector->collected);
  }

  void check(const TensorVector& collected) {
    CheckpointProblem problem{CheckpointProblem::Kind::kNumber};
    {
      const std::lock_guard lock(mutex_);
      problem.first = looks_.size();
      problem.second = collected.size();
      const bool looks = options_.determinism_check && problem.first == problem.second;
      for (size_t i = 0; looks && i < collected.size(); ++i) {
        const SavedLook now = look_of(collected[i]);
        if (!is_same(now, looks_[i])) problem.differences.push_back({i, looks_[i], now});
      }
    }
    if (!problem.differences.empty()) problem.kind = CheckpointProblem::Kind::kLooks;
    problem.has_lost_tangents = levels_.have_lost_tangents();
    if (problem.first != problem.second || !problem.differences.empty()) function_->refuse(problem);
  }

  static uint64_t next_number() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  const std::shared_ptr<CheckpointedFunction> function_;
  const CheckpointOptions options_;
  const Generator::State random_;
  const IntrusivePtr<SegmentInputs> inputs_;
  const RememberedLevels levels_;
  const uint64_t number_ = next_number();
  std::atomic<bool> is_complete_{false};
  std::mutex mutex_;  // of what follows
  std::vector<SavedLook> looks_;
  std::map<int64_t, std::shared_ptr<FoundTensors>> found_;  // by backward call
};

// --- functions of C++ ---

struct EverythingIsThere : std::exception {};

class ListFunction final : public CheckpointedFunction {
 public:
  ListFunction(TensorFunction function, const Tensors& inputs) : function_(std::move(function)) {
    for (const Tensor& input : inputs) {
      requires_grad_.push_back(input.defined() && input.requires_grad());
    }
  }

  // With fresh leaves.
  void run_again(const Tensors& inputs) override {
    Tensors leaves;
    for (size_t i = 0; i < inputs.size(); ++i) {
      // Without history, but with what it carries for transforms.
      const Tensor leaf = inputs[i].defined() ? Tensor(without_history(inputs[i])) : inputs[i];
      leaves.push_back(requires_grad_[i] ? leaf.requires_grad_() : leaf);
    }
    try {
      function_(leaves);
    } catch (const EverythingIsThere&) {  // NOLINT: the usual end
    }
  }
  void stop() override { throw EverythingIsThere(); }
  bool may_use_twice() const override { return true; }

  void refuse(const CheckpointProblem& problem) override {
    if (problem.kind == CheckpointProblem::Kind::kLooks) {
      const CheckpointProblem::Difference& difference = problem.differences[0];
      raise(ErrorKind::kAutograd,
            concat("checkpoint(): Recomputed values have different metadata than during the "
                   "forward pass: saved tensor ",
                   difference.index, " was ", to_string(difference.first), " and is ",
                   to_string(difference.second)));
    }
    raise(ErrorKind::kAutograd,
          concat("checkpoint(): A different number of tensors was saved during the original "
                 "forward and recomputation: ",
                 problem.first, " and ", problem.second,
                 problem.has_lost_tangents
                     ? ". It ran in forward mode, whose tangents are gone. Hint: call backward() "
                       "before the end of the dual level, or of jvp()"
                     : ". Hint: the function must do the same each time it is called"));
  }

 private:
  TensorFunction function_;
  std::vector<bool> requires_grad_;
};

}  // namespace

std::shared_ptr<CheckpointGroup> new_checkpoint_group() {
  return std::make_shared<CheckpointGroup>();
}

std::shared_ptr<CheckpointGroup> set_checkpoint_group(std::shared_ptr<CheckpointGroup> group) {
  return std::exchange(current_group, std::move(group));
}

std::shared_ptr<CheckpointSegment> CheckpointSegment::make(
    std::shared_ptr<CheckpointedFunction> function, const Tensors& inputs,
    const CheckpointOptions& options) {
  return std::make_shared<Segment>(std::move(function), inputs, options);
}

Tensors checkpoint(const TensorFunction& function, const Tensors& inputs,
                   const CheckpointOptions& options) {
  if (!GradMode::is_enabled()) return function(inputs);
  const auto segment =
      CheckpointSegment::make(std::make_shared<ListFunction>(function, inputs), inputs, options);
  const SavedTensorHookScope scope(segment);
  Tensors results = function(inputs);
  segment->complete();
  return results;
}

Tensor checkpoint(const functional::SingleFunction& function, const Tensor& input,
                  const CheckpointOptions& options) {
  return checkpoint(functional::as_list(function), Tensors{input}, options)[0];
}

}  // namespace eagre::autograd
