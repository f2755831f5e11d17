// The rules of custom operators, and what happens without.
#include <eagre/api/op_transforms.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <eagre/api/functions.h>
#include <eagre/api/op_record.h>
#include <eagre/api/op_value.h>
#include <eagre/api/tensor.h>
#include <eagre/autograd/tape/level.h>
#include <eagre/autograd/tape/transform_meta.h>
#include <eagre/autograd/tape/transformed_tensor.h>
#include <eagre/autograd/transforms/forward_mode.h>
#include <eagre/autograd/transforms/vmap.h>
#include <eagre/base/error.h>
#include <eagre/base/warn.h>

namespace eagre {
namespace {

std::vector<Tensor> sample_by_sample(const OpCall& call, const std::vector<Tensor>& inputs,
                                     const autograd::BatchCall& batch,
                                     const std::function<OpResults(const OpCall&)>& one) {
  const std::string& name = call.op().name;
  warn_once("loop over a batch: " + name,
            concat(name,
                   "() has no batch rule: vmap() calls it once for every sample, which is "
                   "slow. Hint: register it with batch()"));
  std::vector<std::vector<Tensor>> columns(call.op().signature.results.size());
  for (int64_t n = 0; n < batch.size(); ++n) {
    std::vector<Tensor> samples;
    samples.reserve(inputs.size());
    for (const Tensor& input : inputs) samples.emplace_back(batch.sample(input, n));
    const OpResults results = one(call.with_tensors(samples));
    for (size_t i = 0; i < columns.size(); ++i) columns[i].push_back(results[i]);
  }
  std::vector<Tensor> outputs;
  outputs.reserve(columns.size());
  for (const std::vector<Tensor>& column : columns) {
    outputs.emplace_back(batch.result(stack(column, 0)));
  }
  return outputs;
}

}  // namespace

std::vector<Tensor> run_batch(const OpCall& call, const std::vector<Tensor>& inputs,
                              autograd::Level& level,
                              const std::function<OpResults(const OpCall&)>& one) {
  const OpRecord& op = call.op();
  const autograd::BatchCall batch(op.name.c_str(), &level, call.site());
  if (!op.batch) return sample_by_sample(call, inputs, batch, one);
  std::vector<Tensor> batches = inputs;
  std::vector<BatchDim> dims(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!batch.is_batched(inputs[i])) continue;
    const autograd::TransformMeta& meta = *autograd::transform_meta_of(inputs[i].get());
    batches[i] = meta.batch;
    dims[i] = meta.batch_dim;
  }
  const BatchResults made =
      op.batch(BatchCall(call.with_tensors(batches), dims, level.batch_size()));
  const size_t wanted = op.signature.results.size();
  EAGRE_CHECK(made.results.size() == wanted && made.dims.size() == wanted, kInvalidArgument,
              "the batch rule of ", op.name, "() returned ", made.results.size(), " tensors and ",
              made.dims.size(), " dimensions, but there are ", wanted, " results in ",
              op.signature.text);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < wanted; ++i) {
    const Tensor& result = made.results[i];
    const BatchDim dim = made.dims[i];
    EAGRE_CHECK(result.defined(), kInvalidArgument, "the batch rule of ", op.name,
                "() returned an undefined tensor as '", op.signature.results[i], "'");
    const bool is_there =
        !dim || (*dim >= 0 && *dim < result.dim() && result.size(*dim) == level.batch_size());
    EAGRE_CHECK(is_there, kInvalidArgument, "the batch rule of ", op.name,
                "() says that dimension ", *dim, " of '", op.signature.results[i], "' counts ",
                level.batch_size(), " samples, but the tensor has shape ", result.sizes());
    outputs.push_back(dim ? Tensor(autograd::batched(result, *dim, level)) : result);
  }
  return outputs;
}

void give_tangents(const OpCall& call, const std::vector<Tensor>& inputs,
                   const std::vector<Tensor>& results) {
  const OpRecord& op = call.op();
  const autograd::TransformedInputs arguments{TensorList(inputs)};
  autograd::for_dual_levels(arguments, [&](autograd::Level& level) {
    if (op.has_no_grad) return;
    EAGRE_CHECK(op.jvp, kUnimplemented, op.name,
                "(): it has no jvp rule, so it cannot be used in forward mode. Hint: register it "
                "with jvp()");
    std::vector<Tensor> tangents;
    tangents.reserve(inputs.size());
    for (const Tensor& input : inputs) tangents.emplace_back(autograd::tangent_of(input, level));
    const OpResults made = op.jvp(JvpCall(call, results, tangents));
    EAGRE_CHECK(made.size() == results.size(), kInvalidArgument, "the jvp rule of ", op.name,
                "() returned ", made.size(), " tangents, but there are ", results.size(),
                " results in ", op.signature.text);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!made[i].defined()) continue;
      EAGRE_CHECK(made[i].sizes() == results[i].sizes(), kInvalidArgument, "the jvp rule of ",
                  op.name, "() returned a tangent of shape ", made[i].sizes(), " for '",
                  op.signature.results[i], "' of shape ", results[i].sizes());
      autograd::give_tangent(results[i], arguments, level, made[i], call.site());
    }
  });
}

}  // namespace eagre
