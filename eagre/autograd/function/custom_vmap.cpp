// Tensors of custom functions under vmap: from batches to samples and back.
#include <eagre/autograd/function/custom_vmap.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_list.h>
#include <eagre/ops/div.h>
#include <eagre/ops/movedim.h>
#include <eagre/ops/mul.h>
#include <eagre/ops/sum.h>

namespace eagre::autograd {
namespace {

bool is_sample(const TensorBase& tensor, const Level& level) {
  const TransformMeta* meta = tensor.defined() ? transform_meta_of(tensor.get()) : nullptr;
  return meta != nullptr && meta->batch_level.get() == &level;
}

// All samples, counted by dimension `dim`.
TensorBase batch_along(const TensorBase& sample, int64_t dim, Level& level, CallSite at) {
  TensorBase batch = whole_batch(sample, level);
  if (dim == 0) return batch;
  const SeenLevels below(level.outer());
  return ops::movedim(batch, 0, dim, at);
}

TensorBase sum_over_samples(const TensorBase& gradient, Level& level, CallSite at) {
  const bool differs = is_sample(gradient, level);
  const TensorBase batch = differs ? whole_batch(gradient, level) : gradient;
  const SeenLevels below(level.outer());
  if (!differs) return ops::mul(batch, level.batch_size(), at);
  return ops::sum(batch, 0, false, std::nullopt, at);
}

}  // namespace

TensorVector batches_of(const TensorVector& samples, const Level& level, BatchDims& dims) {
  TensorVector batches = samples;
  dims.assign(samples.size(), std::nullopt);
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!is_sample(samples[i], level)) continue;
    const TransformMeta& meta = *transform_meta_of(samples[i].get());
    batches[i] = meta.batch;
    dims[i] = meta.batch_dim;
  }
  return batches;
}

void carry_batch(const TensorBase& sample, const TensorBase& batch, int64_t dim, Level& level) {
  TransformMeta& meta = make_transform_meta(sample.get());
  if (meta.batch_level.get() == &level && meta.batch.is_same(batch)) return;
  batched_view(sample, batch, level);
  meta.batch_dim = dim;
}

ReopenedLayers::ReopenedLayers(const BatchLayers& layers, CallSite at) : layers_(layers), at_(at) {
  for (const BatchLayer& layer : layers) {
    scopes_.push_back(std::make_unique<LevelScope>(Level::batch(layer.size, layer.randomness)));
  }
}

ReopenedLayers::~ReopenedLayers() {
  while (!scopes_.empty()) scopes_.pop_back();  // the innermost first
}

TensorVector ReopenedLayers::samples(TensorVector batches, BatchDims BatchLayer::*dims) const {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const BatchDims& places = layers_[i].*dims;
    for (size_t t = 0; t < batches.size(); ++t) {
      const BatchDim place = places[t];
      if (place && batches[t].defined()) {
        batches[t] = batched(std::move(batches[t]), *place, level(i));
      }
    }
  }
  return batches;
}

TensorVector ReopenedLayers::gradient_samples(TensorVector gradients) const {
  for (size_t i = 0; i < layers_.size(); ++i) {
    const SeenLevels below(level(i).outer());
    for (size_t t = 0; t < gradients.size(); ++t) {
      TensorBase& gradient = gradients[t];
      if (!gradient.defined()) continue;
      const BatchDim place = layers_[i].outputs[t];
      gradient = place ? batched(std::move(gradient), *place, level(i))
                       : ops::div(gradient, layers_[i].size, at_);
    }
  }
  return gradients;
}

TensorVector ReopenedLayers::gradient_batches(TensorVector gradients) const {
  for (size_t i = layers_.size(); i-- > 0;) {
    for (size_t t = 0; t < gradients.size(); ++t) {
      if (!gradients[t].defined()) continue;
      const BatchDim dim = layers_[i].inputs[t];
      gradients[t] = dim ? batch_along(gradients[t], *dim, level(i), at_)
                         : sum_over_samples(gradients[t], level(i), at_);
    }
  }
  return gradients;
}

TensorVector ReopenedLayers::tangent_batches(TensorVector tangents, const char* function) const {
  for (size_t i = layers_.size(); i-- > 0;) {
    for (size_t t = 0; t < tangents.size(); ++t) {
      if (!tangents[t].defined()) continue;
      const BatchDim dim = layers_[i].outputs[t];
      EAGRE_CHECK(dim || !is_sample(tangents[t], level(i)), kAutograd, function,
                  ": jvp returned a tangent that differs from sample to sample for output ", t,
                  ", which is the same for all");
      if (dim) tangents[t] = batch_along(tangents[t], *dim, level(i), at_);
    }
  }
  return tangents;
}

}  // namespace eagre::autograd
