// Walking a graph and writing it down.
#include <eagre/autograd/tape/graph_text.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/autograd/tape/input_metadata.h>
#include <eagre/autograd/tape/node.h>
#include <eagre/base/error.h>
#include <eagre/base/site_table.h>
#include <eagre/core/device.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>

namespace eagre::autograd {
namespace {

// The nodes that a root reaches, numbered in the order of the walk.
struct Walk {
  explicit Walk(const Edge& root) {
    enter(root.node.get());
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t e = 0; e < nodes[i]->edge_count(); ++e) enter(nodes[i]->edges()[e].node.get());
    }
  }
  void enter(Node* node) {
    if (node != nullptr && ids.try_emplace(node, nodes.size()).second) nodes.push_back(node);
  }
  std::vector<Node*> nodes;
  std::unordered_map<const Node*, size_t> ids;
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result.push_back('\\');
    if (static_cast<unsigned char>(c) >= 0x20) {
      result.push_back(c);
    } else {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      result += code;
    }
  }
  return result;
}

struct Output {
  DType dtype;
  DimVector sizes;
  Device device;
};
Output output_of(const Node& node, size_t slot) {
  if (!node.is_accumulate()) {
    const InputMetadata& meta = node.input_metadata(slot);
    return {meta.dtype(), meta.sizes(), meta.device()};
  }
  const TensorImpl& leaf = static_cast<const AccumulateNode&>(node).leaf();
  return {leaf.key.dtype, DimVector(leaf.sizes()), leaf.key.device};
}

std::string site_of(const Node& node) {
  return node.is_accumulate() ? "" : escaped(describe_site(node.site()));
}

}  // namespace

std::string to_dot(const TensorBase& tensor) {
  const Edge root = gradient_edge(tensor);
  const Walk walk(root);
  std::string text = "digraph gradients {\n  node [shape=box];\n";
  for (Node* node : walk.nodes) {
    const size_t id = walk.ids.at(node);
    std::string label = escaped(node->name());
    for (size_t slot = 0; slot < node->slot_count(); ++slot) {
      const auto [dtype, sizes, device] = output_of(*node, slot);
      label += concat("\\n", dtype, " ", Dims(sizes), " ", device);
    }
    if (!node->is_accumulate()) label += concat("\\n", site_of(*node));
    text += concat("  n", id, " [label=\"", label, "\"];\n");
    for (size_t i = 0; i < node->edge_count(); ++i) {
      const Edge& edge = node->edges()[i];
      if (!edge.node) continue;
      text += concat("  n", id, " -> n", walk.ids.at(edge.node.get()), " [label=\"", i, "→",
                     edge.slot, "\"];\n");
    }
  }
  return text + "}\n";
}

std::string to_json(const TensorBase& tensor) {
  const Edge root = gradient_edge(tensor);
  const Walk walk(root);
  const auto edge_text = [&](const Edge& edge) {
    if (!edge.node) return std::string("null");
    return concat("{\"node\": ", walk.ids.at(edge.node.get()), ", \"slot\": ", edge.slot, "}");
  };
  std::string text = concat("{\"root\": ", edge_text(root), ", \"nodes\": [");
  for (Node* node : walk.nodes) {
    const size_t id = walk.ids.at(node);
    text += concat(
        id == 0 ? "" : ",", "\n  {\"id\": ", id, ", \"name\": \"", escaped(node->name()),
        "\", \"sequence\": ", node->is_accumulate() ? "null" : std::to_string(node->sequence()),
        ", \"site\": \"", site_of(*node), "\", \"outputs\": [");
    for (size_t slot = 0; slot < node->slot_count(); ++slot) {
      const auto [dtype, sizes, device] = output_of(*node, slot);
      text += concat(slot == 0 ? "" : ", ", "{\"dtype\": \"", dtype, "\", \"shape\": ", Dims(sizes),
                     ", \"device\": \"", device, "\"}");
    }
    text += "], \"next\": [";
    for (size_t i = 0; i < node->edge_count(); ++i) {
      text += concat(i == 0 ? "" : ", ", edge_text(node->edges()[i]));
    }
    text += "]}";
  }
  return text + "]}\n";
}

}  // namespace eagre::autograd
