// Shapes of layers of recurrent networks. What users pass is checked by the operators above these.
#include <array>
#include <cstdint>

#include <eagre/core/rnn_kind.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/meta/meta.h>

namespace eagre::dispatch::meta {
namespace {

const DimVector kNone({0});

int64_t cell_size(const TensorImpl& hidden, const TensorBase& cell) {
  return cell.defined() ? cell.sizes()[1] : hidden.sizes()[1];
}

}  // namespace

std::array<DimVector, 5> rnn_layer(const char* op, const TensorImpl& input,
                                   const TensorImpl& hidden, const TensorBase& cell, int64_t kind) {
  const int64_t rows = input.sizes()[0], size = cell_size(hidden, cell);
  const auto known = static_cast<RnnKind>(kind);
  const DimVector gates = {rows, gate_count(known) * size}, kept = {rows, size};
  checked_numel(op, gates);
  const bool keeps = !is_plain(known);
  return {DimVector({rows, hidden.sizes()[1]}), hidden.sizes(),
          cell.defined() ? DimVector(cell.sizes()) : kNone, keeps ? gates : kNone,
          keeps ? kept : kNone};
}

std::array<DimVector, 7> rnn_layer_backward(const char*, const TensorImpl& output,
                                            const TensorImpl& hidden, const TensorBase& cell,
                                            const TensorBase& w_hr, int64_t kind) {
  const int64_t rows = output.sizes()[0], size = cell_size(hidden, cell);
  const auto known = static_cast<RnnKind>(kind);
  const DimVector gates = {rows, gate_count(known) * size}, whole = {rows, size};
  return {gates,
          known == RnnKind::kGru ? gates : kNone,
          hidden.sizes(),
          cell.defined() ? DimVector(cell.sizes()) : kNone,
          output.sizes(),
          w_hr.defined() ? DimVector(output.sizes()) : kNone,
          w_hr.defined() ? whole : kNone};
}

std::array<DimVector, 2> rnn_weight_grads(const char*, const TensorImpl& gate_grads,
                                          const TensorImpl& input, const TensorImpl& before) {
  const int64_t rows = gate_grads.sizes()[1];
  return {DimVector({rows, input.sizes()[1]}), DimVector({rows, before.sizes()[1]})};
}

}  // namespace eagre::dispatch::meta
