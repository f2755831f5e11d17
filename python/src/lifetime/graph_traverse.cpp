// What the collector sees of the graph. A tensor or node belongs to the object that asks if all
// holds on it come from there; what others hold too may be reached from elsewhere, and then nothing
// behind it is garbage.
#include "lifetime/graph_traverse.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/hooks.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/node_extras.h>
#include <eagre/autograd/tape/saved_tensor.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

#include "interpreter/compat.h"
#include "interpreter/held.h"
#include "lifetime/attributes.h"
#include "lifetime/saved_tensor_visitor.h"
#include "types/tensor.h"

namespace eagre::python {
namespace {

using autograd::Node;
using autograd::NodeExtras;

autograd::AutogradMeta* autograd_meta_of(const TensorImpl& tensor) {
  return static_cast<autograd::AutogradMeta*>(tensor.autograd.load(std::memory_order_acquire));
}

// Of the node that the gradient of this tensor flows to.
NodeExtras* extras_of(const TensorImpl& tensor) {
  if (tensor.grad_node != nullptr) return static_cast<Node*>(tensor.grad_node)->extras();
  autograd::AutogradMeta* meta = autograd_meta_of(tensor);
  return meta == nullptr ? nullptr : meta->accumulate.extras();
}

template <class F>
void for_extras(const NodeExtras* extras, const F& f) {
  if (extras == nullptr) return;
  if (const autograd::HookTable* hooks = extras->hooks.load(std::memory_order_acquire)) {
    for (size_t kind = 0; kind < autograd::HookTable::kKinds; ++kind) {
      const auto list = hooks->list(static_cast<autograd::HookKind>(kind));
      if (list == nullptr) continue;
      for (const auto& registered : *list) {
        if (void* object = registered.hook->language_object()) f(static_cast<PyObject*>(object));
      }
    }
  }
  if (extras->user_data != nullptr) f(static_cast<Held*>(extras->user_data.get())->get());
}

ObjectHeldBy object_held_by = nullptr;

// How many hold a node. Only classes that derive from it may ask.
struct CountedNode : Node {
  static uint32_t holders(const Node& node) {
    return (node.*(&CountedNode::refs_)).load(std::memory_order_acquire);
  }
};

// A leaf without hooks whose gradient is a plain tensor: most parameters.
bool leads_nowhere(const TensorImpl& tensor) {
  if (tensor.grad_node != nullptr || extras_of(tensor) != nullptr) return false;
  autograd::AutogradMeta* meta = autograd_meta_of(tensor);
  const TensorBase grad = meta == nullptr ? TensorBase() : meta->grad_handle();
  return !grad.defined() ||
         (grad.get().grad_node == nullptr && grad.get().language_object.load() == nullptr);
}

enum class Look : uint8_t { kOwned, kWhole };

// What the second look of this collection has passed: all behind it was shown, which is enough
// once. Under the GIL.
std::unordered_set<const void*>& followed() {
  static auto& instance = *new std::unordered_set<const void*>;
  return instance;
}

// A walk from one tensor or node along all holds of the graph. It goes on behind something when it
// has met all holds on it, or, if it looks at the whole graph, at once.
class GraphWalk final : private SavedTensorVisitor {
 public:
  explicit GraphWalk(Look look) : is_whole_(look == Look::kWhole) {}

  // False if the graph is too large to be looked at in each collection.
  bool from(TensorImpl& tensor) {
    start_ = &tensor;
    see_behind(tensor);
    return walk();
  }
  bool from(Node& node) {
    see_behind(node);
    return walk();
  }
  std::vector<PyObject*> take_found() { return std::move(found_); }
  const std::vector<const void*>& passed() const { return passed_; }
  bool holds_its_start() const { return holds_its_start_; }

 private:
  static constexpr size_t kMostMet = size_t{1} << 16;

  struct Met {
    uint32_t holds = 0;
    uint32_t ours = 0;  // handles in kept_alive_
  };

  bool walk() {
    while (!nodes_.empty() || !tensors_.empty()) {
      if (!is_whole_ && met_.size() > kMostMet) return false;
      if (!nodes_.empty()) {
        Node* node = nodes_.back();
        nodes_.pop_back();
        see_behind(*node);
        continue;
      }
      TensorImpl* tensor = tensors_.back();
      tensors_.pop_back();
      if (PyTensor* wrapper = wrapper_of(*tensor)) see_wrapper(*wrapper, tensor == start_);
      if (tensor == start_) {
        holds_its_start_ = true;
      } else {
        see_behind(*tensor);
      }
    }
    return true;
  }

  static PyTensor* wrapper_of(const TensorImpl& tensor) {
    return static_cast<PyTensor*>(tensor.language_object.load(std::memory_order_acquire));
  }
  static bool is_kept(const PyTensor& wrapper) {
    return wrapper.kept.load(std::memory_order_acquire) != nullptr;
  }

  // The tensor holds a wrapper that it keeps, which shows its attributes itself. Any other holds
  // the tensor, and shows nothing as long as this graph does too; in the second look it must.
  void see_wrapper(PyTensor& wrapper, bool is_start) {
    auto* object = reinterpret_cast<PyObject*>(&wrapper);
    const bool may_be_in_use = !is_kept(wrapper) || Py_REFCNT(object) != 1;
    if (!is_start && may_be_in_use) wrapper.shows_graph |= !is_whole_;
    if (is_kept(wrapper)) {
      found_.push_back(object);
    } else if (!is_start) {
      traverse_attributes(object, remember, this);
    }
  }
  static int remember(PyObject* object, void* walk) {
    static_cast<GraphWalk*>(walk)->found_.push_back(object);
    return 0;
  }

  void meet(Node* node) {
    if (node == nullptr) return;
    if (node->is_accumulate()) return meet(&static_cast<autograd::AccumulateNode*>(node)->leaf());
    const uint32_t holds = ++met_[node].holds;
    if (is_whole_ ? holds == 1 : holds == CountedNode::holders(*node)) nodes_.push_back(node);
  }
  void meet(TensorImpl* tensor, uint32_t ours = 0) {
    if (tensor == nullptr) return;
    Met& met = met_[tensor];
    ++met.holds;
    met.ours += ours;
    // A wrapper that the collector does not ask now may be in use, and lead here; also one that is
    // kept, by way of a weak reference.
    PyTensor* wrapper = wrapper_of(*tensor);
    auto* object = reinterpret_cast<PyObject*>(wrapper);
    const bool is_asked = wrapper != nullptr && compat::is_in_collection(object);
    const bool may_be_in_use = wrapper != nullptr && !is_asked && Py_REFCNT(object) != 1;
    if (!is_whole_ && may_be_in_use && is_kept(*wrapper)) return;
    const uint32_t of_wrapper = is_asked && !is_kept(*wrapper) ? 1 : 0;
    const uint32_t all = tensor->refs.load(std::memory_order_acquire) - met.ours - of_wrapper;
    if (is_whole_ ? met.holds == 1 : met.holds == all) tensors_.push_back(tensor);
  }

  bool pass(const void* item) {
    if (is_whole_) return followed().insert(item).second;
    passed_.push_back(item);
    return true;
  }
  void see_behind(TensorImpl& tensor) {
    if (!pass(&tensor)) return;
    if (tensor.grad_node != nullptr) {
      meet(static_cast<Node*>(tensor.grad_node));
    } else {
      for_extras(extras_of(tensor), [&](PyObject* object) { found_.push_back(object); });
    }
    if (autograd::AutogradMeta* meta = autograd_meta_of(tensor)) meet_handle(meta->grad_handle());
  }
  void see_behind(Node& node) {
    if (!pass(&node)) return;
    for_extras(node.extras(), [&](PyObject* object) { found_.push_back(object); });
    if (PyObject* object = object_held_by(node)) found_.push_back(object);
    for (size_t i = 0; i < node.edge_count(); ++i) meet(node.edges()[i].node.get());
    node.visit_saved(*this);
  }

  // Another thread's backward may let go of it meanwhile.
  void meet_handle(TensorBase handle) {
    kept_alive_.push_back(std::move(handle));
    meet(kept_alive_.back().impl(), 1);
  }
  using SavedTensorVisitor::see;
  void see(const char*, autograd::SavedTensor& saved) override { meet_handle(saved.kept().value); }

  bool is_whole_;
  TensorImpl* start_ = nullptr;
  bool holds_its_start_ = false;
  std::unordered_map<const void*, Met> met_;
  std::vector<Node*> nodes_;
  std::vector<TensorImpl*> tensors_;
  std::vector<TensorBase> kept_alive_;
  std::vector<const void*> passed_;
  std::vector<PyObject*> found_;
};

// What was shown in the first look of this collection. Under the GIL.
class Reported {
 public:
  // False if another object has shown a part of it.
  bool add(PyObject* object, const std::vector<const void*>& passed) {
    if (objects_.count(object) != 0) clear();  // asked again: it is another look
    objects_.insert(object);
    for (const void* item : passed) {
      if (passed_.count(item) != 0) return false;
    }
    passed_.insert(passed.begin(), passed.end());
    return true;
  }
  void clear() {
    objects_.clear();
    passed_.clear();
  }

 private:
  std::unordered_set<PyObject*> objects_;
  std::unordered_set<const void*> passed_;
};
Reported& reported() {
  static auto& instance = *new Reported;
  return instance;
}

int traverse_all(const std::vector<PyObject*>& found, visitproc visit, void* arg) {
  for (PyObject* object : found) Py_VISIT(object);
  return 0;
}

template <class Start>
int traverse_whole(Start& start, visitproc visit, void* arg) {
  GraphWalk walk(Look::kWhole);
  walk.from(start);
  return traverse_all(walk.take_found(), visit, arg);
}

}  // namespace

void set_object_held_by(ObjectHeldBy function) { object_held_by = function; }

// Shown nothing, for want of memory, the collector takes everything for held.
OwnedGraph::OwnedGraph(PyTensor& wrapper) {
  followed().clear();
  if (leads_nowhere(wrapper.tensor.get())) return;
  try {
    GraphWalk walk(Look::kOwned);
    if (!walk.from(wrapper.tensor.get())) return;
    holds_its_start_ = walk.holds_its_start();
    // What is behind a kept wrapper belongs to those that hold its tensor.
    const bool is_kept = wrapper.kept.load(std::memory_order_acquire) != nullptr;
    const bool is_alone = wrapper.tensor.get().refs.load(std::memory_order_acquire) == 1;
    if (!holds_its_start_ && (is_kept || !is_alone)) return;
    if (!reported().add(reinterpret_cast<PyObject*>(&wrapper), walk.passed())) {
      holds_its_start_ = false;
      return;
    }
    found_ = walk.take_found();
    wrapper.shows_graph |= !found_.empty();
  } catch (const std::bad_alloc&) {  // NOLINT: see above
  }
}

OwnedGraph::OwnedGraph(Node& node, PyObject* object) {
  followed().clear();
  try {
    GraphWalk walk(Look::kOwned);
    if (walk.from(node) && reported().add(object, walk.passed())) found_ = walk.take_found();
  } catch (const std::bad_alloc&) {  // NOLINT: see above
  }
}

void forget_reported() {
  reported().clear();
  followed().clear();
}

int OwnedGraph::traverse(visitproc visit, void* arg) const {
  return traverse_all(found_, visit, arg);
}

int traverse_whole_graph(TensorImpl& tensor, visitproc visit, void* arg) {
  return traverse_whole(tensor, visit, arg);
}
int traverse_whole_graph(Node& node, visitproc visit, void* arg) {
  return traverse_whole(node, visit, arg);
}

int traverse_node_of(const TensorImpl& tensor, visitproc visit, void* arg) {
  std::vector<PyObject*> found;
  for_extras(extras_of(tensor), [&](PyObject* object) { found.push_back(object); });
  return traverse_all(found, visit, arg);
}

void clear_held_by(TensorImpl& tensor) {
  const auto held = TensorBase::share(&tensor);  // what goes may have been all that held it
  const bool is_own = tensor.grad_node == nullptr || tensor.grad_node->is_held_once();
  if (NodeExtras* extras = is_own ? extras_of(tensor) : nullptr) {
    if (autograd::HookTable* hooks = extras->hooks.load(std::memory_order_acquire)) {
      hooks->remove_all();
    }
    extras->user_data.reset();
  }
  if (autograd::AutogradMeta* meta = autograd_meta_of(tensor)) {
    TensorBase none;
    meta->swap_grad(none);
  }
  drop_released();
}

}  // namespace eagre::python
