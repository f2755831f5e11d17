// A walk through the graph that ends at the first leaf which nobody named.
#include <eagre/autograd/transforms/dependence.h>

#include <cstddef>
#include <unordered_set>
#include <vector>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {
namespace {

class Reach {
 public:
  explicit Reach(TensorList leaves) {
    for (const TensorBase& leaf : leaves) seen_.insert(gradient_edge(leaf).node.get());
  }

  bool goes_further(TensorList results) {
    for (const TensorBase& result : results) enter(result);
    while (!found_ && !open_.empty()) {
      Node* node = open_.back();
      open_.pop_back();
      found_ = node->is_accumulate();
      for (size_t i = 0; i < node->edge_count(); ++i) enter(node->edges()[i]);
    }
    return found_;
  }

 private:
  void enter(const TensorBase& tensor) {
    if (!tensor.defined()) return;
    if (tensor.requires_grad()) enter(gradient_edge(tensor));
    const TransformMeta* meta = transform_meta_of(tensor.get());
    if (meta == nullptr) return;
    enter(meta->batch);
    const Tangent* tangent = meta->tangents.get();
    for (; tangent != nullptr; tangent = tangent->next.get()) enter(tangent->value);
  }
  void enter(const Edge& edge) {
    if (edge.node && seen_.insert(edge.node.get()).second) open_.push_back(edge.node.get());
  }

  bool found_ = false;
  std::unordered_set<const Node*> seen_;
  std::vector<Node*> open_;
};

}  // namespace

bool depend_on_others(TensorList results, TensorList leaves) {
  return Reach(leaves).goes_further(results);
}

}  // namespace eagre::autograd
