// Custom functions in nested vmaps and dual levels, from the outermost to the innermost.
#include <eagre/autograd/function/custom_transforms.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <eagre/autograd/function/custom_function.h>
#include <eagre/autograd/function/custom_vmap.h>
#include <eagre/autograd/tape/grad_mode.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/base/intrusive_ptr.h>
#include <eagre/core/dtype.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>

namespace eagre::autograd {
namespace {

// The tensors of a call as one layer sees them.
struct Layer {
  TensorVector inputs;
  TensorVector outputs;
  CustomMarks marks;
  Level* seen = nullptr;  // the innermost level of the layer
};

bool share_memory(const TensorBase& a, const TensorBase& b) {
  return a.defined() && b.defined() && a.get().storage == b.get().storage;
}

void check_jvp(const CustomCall& call, const TensorVector& inputs) {
  EAGRE_CHECK(call.has_jvp() || !TransformedInputs(TensorList(inputs)).are_dual(), kUnimplemented,
              "Trying to use forward AD with ", call.name(),
              " that does not support it because it has not been implemented yet. You must "
              "implement the jvp function for custom autograd.Function to use it with forward "
              "mode AD.");
}

// Tangents for the results of one layer, at one dual level.
class LayerTangents {
 public:
  LayerTangents(CustomCall& call, const Layer& layer, const TensorVector& made,
                const BatchLayers& inside, CallSite at)
      : call_(call), layer_(layer), made_(made), inside_(inside), at_(at) {}

  void give(Level& level) {
    const TensorVector given = tangents_of_inputs(level);
    std::vector<uint32_t> versions;
    for (const TensorBase& tangent : given) {
      versions.push_back(tangent.defined() ? tangent.version() : 0);
    }
    const TensorVector results = run_jvp(given);
    const TransformedInputs inputs{TensorList(layer_.inputs)};
    for (size_t i = 0; i < results.size(); ++i) {
      const TensorBase& output = layer_.outputs[i];
      if (!output.defined() || !eagre::is_differentiable(output.dtype()) ||
          contains(layer_.marks.non_differentiable, made_[i])) {
        EAGRE_CHECK(!results[i].defined(), kAutograd, call_.name(),
                    ": jvp returned a gradient at position ", i,
                    ", but the corresponding forward output is not a differentiable Tensor. You "
                    "should return None at that position instead");
        continue;
      }
      if (contains(layer_.marks.dirty, made_[i])) {
        check_written(i, results[i], given, versions);
        continue;
      }
      if (results[i].defined()) check_like(i, results[i]);
      if (!is_view_of_input(i)) {
        give_tangent(output, inputs, level, results[i], at_);
        continue;
      }
      check_view(i, results[i], given);
      set_tangent(output, level, results[i]);
    }
  }

 private:
  static bool contains(const TensorVector& tensors, const TensorBase& wanted) {
    return std::any_of(tensors.begin(), tensors.end(),
                       [&](const TensorBase& tensor) { return tensor.is_same(wanted); });
  }
  bool is_view_of_input(size_t i) const {
    return std::any_of(layer_.inputs.begin(), layer_.inputs.end(), [&](const TensorBase& input) {
      return share_memory(input, layer_.outputs[i]);
    });
  }

  bool is_viewed(const TensorBase& input) const {
    return std::any_of(layer_.outputs.begin(), layer_.outputs.end(),
                       [&](const TensorBase& output) { return share_memory(input, output); });
  }
  TensorBase tangent_for(const TensorBase& input, TensorBase known, Level& level) const {
    if (known.defined() || !layer_.marks.materialize) return known;
    return tangent_or_zeros(input, level, at_);
  }

  TensorVector tangents_of_inputs(Level& level) const {
    TensorVector tangents;
    for (const TensorBase& input : layer_.inputs) {
      if (!input.defined() || !eagre::is_differentiable(input.dtype())) {
        tangents.emplace_back();
      } else if (contains(layer_.marks.dirty, input)) {
        tangents.push_back(written_tangent(input, level, at_));
      } else if (is_viewed(input)) {
        tangents.push_back(tangent_for(input, own_tangent(input, level, at_), level));
      } else {
        tangents.push_back(tangent_for(input, tangent_of(input, level), level));
      }
    }
    return tangents;
  }

  TensorVector run_jvp(const TensorVector& tangents) {
    const CustomMarks& marks = layer_.marks;
    const ReopenedLayers layers(inside_, at_);
    const TensorVector saved = layers.samples(marks.to_save_forward, &BatchLayer::saved_forward);
    TensorVector results = call_.jvp(saved, layers.samples(tangents, &BatchLayer::inputs));
    EAGRE_CHECK(results.size() == made_.size(), kAutograd, call_.name(),
                ": jvp returned an incorrect number of tangents (expected ", made_.size(),
                ", one for every output of forward, got ", results.size(), ")");
    return layers.tangent_batches(std::move(results), call_.name().c_str());
  }

  void check_like(size_t i, const TensorBase& tangent) const {
    const TensorBase& output = layer_.outputs[i];
    EAGRE_CHECK(tangent.sizes() == output.sizes(), kAutograd, call_.name(),
                ": jvp returned a tangent of shape ", tangent.sizes(), " for output ", i,
                " of shape ", output.sizes());
    EAGRE_CHECK(tangent.dtype() == output.dtype(), kAutograd, call_.name(),
                ": jvp returned a tangent of dtype ", tangent.dtype(), " for output ", i,
                " of dtype ", output.dtype());
  }

  // `versions`: of the tangents before jvp ran.
  void check_written(size_t i, const TensorBase& tangent, const TensorVector& given,
                     const std::vector<uint32_t>& versions) const {
    for (size_t j = 0; j < given.size(); ++j) {
      if (!layer_.inputs[j].is_same(made_[i])) continue;
      EAGRE_CHECK(share_memory(tangent, given[j]) && given[j].version() != versions[j], kAutograd,
                  call_.name(),
                  ": An inplace custom Function is not modifying the forward mode gradients "
                  "inplace: forward writes input ",
                  j, " and returns it as output ", i,
                  ", so jvp must write its tangent and return that");
    }
  }

  void check_view(size_t i, const TensorBase& tangent, const TensorVector& given) const {
    for (size_t j = 0; j < given.size(); ++j) {
      if (!share_memory(layer_.inputs[j], layer_.outputs[i])) continue;
      const bool is_view = tangent.defined() && tangent.is_view() && !tangent.is_same(given[j]);
      const char* what = !is_view             ? ""
                         : given[j].is_view() ? " of the same base as the given"
                                              : " of the given";
      EAGRE_CHECK(is_view && share_memory(tangent, given[j]), kAutograd, call_.name(),
                  ": A custom Function's forward is returning a view (or an input as-is) but the "
                  "jvp is not returning a view",
                  what, is_view ? " grad input" : "", ": output ", i, " shares memory with input ",
                  j,
                  ", so the tangent of the one must be the same view of the tangent of the other");
    }
  }

  CustomCall& call_;
  const Layer& layer_;
  const TensorVector& made_;  // the results as forward returned them
  const BatchLayers& inside_;
  CallSite at_;
};

ShapeList sizes_of(const TensorVector& tensors) {
  ShapeList sizes(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].defined()) sizes[i] = DimVector(tensors[i].sizes());
  }
  return sizes;
}

// What the layer outside of `level` sees, and where its tensors have their samples.
Layer outside_of(const Layer& layer, const Level& level, BatchLayer& batch) {
  batch.size = level.batch_size();
  batch.randomness = level.randomness();
  Layer outer;
  BatchDims unused;
  outer.seen = level.outer();
  outer.inputs = batches_of(layer.inputs, level, batch.inputs);
  outer.outputs = batches_of(layer.outputs, level, batch.outputs);
  outer.marks.to_save = batches_of(layer.marks.to_save, level, batch.saved);
  outer.marks.to_save_forward = batches_of(layer.marks.to_save_forward, level, batch.saved_forward);
  outer.marks.dirty = batches_of(layer.marks.dirty, level, unused);
  outer.marks.non_differentiable = batches_of(layer.marks.non_differentiable, level, unused);
  outer.marks.materialize = layer.marks.materialize;
  outer.marks.materialize_non_differentiable = layer.marks.materialize_non_differentiable;
  outer.marks.is_pure_view = layer.marks.is_pure_view;
  return outer;
}

}  // namespace

Level* batch_level_of(const TensorVector& tensors) {
  return TransformedInputs(TensorList(tensors)).batch_level();
}

bool carry_transforms(const TensorVector& tensors) { return are_transformed(TensorList(tensors)); }

void check_transforms(const CustomCall& call, const TensorVector& inputs, BatchRule rule) {
  check_jvp(call, inputs);
  Level* const level = batch_level_of(inputs);
  if (level == nullptr) return;
  EAGRE_CHECK(rule != BatchRule::kNone, kAutograd, "You tried to vmap over ", call.name(),
              ", but it does not have vmap support. Please override and implement the vmap "
              "staticmethod or set generate_vmap_rule=True.");
  if (rule == BatchRule::kOwn) return;  // which deals with what is outside by itself
  const SeenLevels below(level->outer());
  BatchDims dims;
  check_transforms(call, batches_of(inputs, *level, dims), rule);
}

void note_transformed_needs(const TensorVector& inputs, std::vector<bool>& needs) {
  for (const TensorBase& input : inputs) {
    bool is_needed = false;
    for (TensorBase tensor = input; tensor.defined() && GradMode::is_enabled();) {
      is_needed = is_needed || tensor.requires_grad();
      const TransformMeta* meta = transform_meta_of(tensor.get());
      if (meta == nullptr || !meta->batch_level) break;
      tensor = TensorBase(meta->batch);
    }
    needs.push_back(is_needed);
  }
}

void finish_transformed(CustomCall& call, const TensorVector& inputs, TensorVector& outputs,
                        const CustomMarks& marks, BatchRule rule, CallSite at) {
  std::vector<Layer> layers{{inputs, outputs, marks, innermost_level()}};  // the innermost first
  std::vector<Level*> levels;                                              // between them
  BatchLayers batches;                                                     // likewise
  while (rule == BatchRule::kGenerated) {
    const SeenLevels seen(layers.back().seen);
    TensorVector all = layers.back().inputs;
    all.insert(all.end(), layers.back().outputs.begin(), layers.back().outputs.end());
    Level* const level = batch_level_of(all);
    if (level == nullptr) break;
    levels.push_back(level);
    layers.push_back(outside_of(layers.back(), *level, batches.emplace_back()));
  }
  const std::string node_name = call.name() + "Backward";
  for (size_t i = layers.size(); i-- > 0;) {
    Layer& layer = layers[i];
    const bool is_outermost = i + 1 == layers.size();
    const SeenLevels seen(layer.seen);
    const TensorVector made = layer.outputs;
    BatchLayers inside(batches.begin(), batches.begin() + static_cast<ptrdiff_t>(i));
    std::reverse(inside.begin(), inside.end());
    const IntrusivePtr<CustomNode> node = call.make_node(layer.inputs, made.size());
    if (node && !inside.empty()) node->set_layers(inside, sizes_of(inputs));
    finish_custom(node, node_name.c_str(), layer.inputs, layer.outputs, layer.marks, at,
                  is_outermost);
    for (size_t o = 0; !is_outermost && o < made.size(); ++o) {
      const BatchDim dim = batches[i].outputs[o];
      if (dim) carry_batch(layer.outputs[o], layers[i + 1].outputs[o], *dim, *levels[i]);
    }
    for_dual_levels(TransformedInputs(TensorList(layer.inputs)), [&](Level& level) {
      LayerTangents(call, layer, made, inside, at).give(level);
    });
  }
  outputs = std::move(layers.front().outputs);
}

CustomBatch::CustomBatch(Level& level, const TensorVector& inputs)
    : level_(level),
      inputs_(inputs),
      batches_(batches_of(inputs, level, dims_)),
      below_(level.outer()) {}

TensorVector CustomBatch::samples(const std::string& function, TensorVector outputs,
                                  const BatchDims& dims) const {
  EAGRE_CHECK(outputs.size() == dims.size(), kAutograd, function, ": vmap returned ",
              outputs.size(), " outputs, but ", dims.size(), " batch dimensions of them");
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!dims[i] || !outputs[i].defined()) continue;
    const int64_t rank = outputs[i].dim();
    EAGRE_CHECK(*dims[i] >= -rank && *dims[i] < rank, kAutograd, function,
                ": vmap says that output ", i, " has its samples in dimension ", *dims[i],
                ", but it has ", rank, " dimensions");
    const int64_t dim = *dims[i] < 0 ? *dims[i] + rank : *dims[i];
    EAGRE_CHECK(outputs[i].sizes()[static_cast<size_t>(dim)] == size(), kAutograd, function,
                ": vmap says that output ", i, " has its samples in dimension ", dim,
                ", whose size is ", outputs[i].sizes()[static_cast<size_t>(dim)],
                ", but there are ", size(), " samples");
    // An input that comes back is the same sample.
    size_t same = 0;
    while (same < inputs_.size() && !(batches_[same].is_same(outputs[i]) && dims_[same] == dim)) {
      ++same;
    }
    outputs[i] = same < inputs_.size() ? inputs_[same] : batched(outputs[i], dim, level_);
  }
  return outputs;
}

}  // namespace eagre::autograd
