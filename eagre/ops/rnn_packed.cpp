// pack_padded_sequence and pad_packed_sequence: which rows of one are which of the other.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <eagre/base/call_site.h>
#include <eagre/base/error.h>
#include <eagre/core/dtype.h>
#include <eagre/core/memory_format.h>
#include <eagre/core/options.h>
#include <eagre/core/scalar.h>
#include <eagre/core/shape.h>
#include <eagre/core/tensor_base.h>
#include <eagre/core/tensor_impl.h>
#include <eagre/dispatch/devices.h>
#include <eagre/dispatch/transfer.h>
#include <eagre/ops/empty.h>
#include <eagre/ops/full.h>
#include <eagre/ops/index_copy.h>
#include <eagre/ops/index_select.h>
#include <eagre/ops/invalid_argument.h>
#include <eagre/ops/pack_padded_sequence.h>
#include <eagre/ops/pad_packed_sequence.h>
#include <eagre/ops/reshape.h>
#include <eagre/ops/rnn_batch_sizes.h>

namespace eagre::ops {
namespace {

TensorBase vector_of(Dims values) {
  const auto count = static_cast<int64_t>(values.size());
  TensorBase made =
      empty(Dims(&count, 1), MemoryFormat::kContiguous, TensorOptions(kInt64), CallSite::none());
  std::copy(values.begin(), values.end(), made.data_ptr<int64_t>());
  return made;
}

// The number of a row (step, sequence) in a tensor that has all of them.
struct Rows {
  int64_t steps, batch;
  bool batch_first;

  int64_t at(int64_t step, int64_t sequence) const {
    return batch_first ? sequence * steps + step : step * batch + sequence;
  }
};

// Where the rows of packed sequences are among all, on the device of `model`.
TensorBase places(const Rows& rows, Dims batch_sizes, int64_t total, const TensorBase& model) {
  TensorBase made =
      empty(Dims(&total, 1), MemoryFormat::kContiguous, TensorOptions(kInt64), CallSite::none());
  auto* next = made.data_ptr<int64_t>();
  for (size_t t = 0; t < batch_sizes.size(); ++t) {
    for (int64_t n = 0; n < batch_sizes[t]; ++n) *next++ = rows.at(static_cast<int64_t>(t), n);
  }
  return dispatch::on_device(made, model.device());
}

DimVector with_rows(int64_t rows, Dims element) {
  DimVector sizes({rows});
  for (const int64_t size : element) sizes.push_back(size);
  return sizes;
}

}  // namespace

DimVector host_integers(const char* op, const char* argument, const TensorBase& tensor) {
  const TensorImpl& impl = tensor.get(op, argument);
  if (impl.key.kind == TensorKind::kBatched) dispatch::raise_batched(op);
  EAGRE_CHECK(impl.key.rank == 1 && tensor.dtype() == kInt64, kInvalidArgument, op, "(): '",
              argument, "' argument should be a 1D CPU int64 tensor, but got ", impl.key.rank, "D ",
              to_string(tensor.dtype()), " tensor");
  const TensorBase here = dispatch::as_contiguous(dispatch::on_device(tensor, Device()));
  return Dims(here.data_ptr<int64_t>(), static_cast<size_t>(here.numel()));
}

DimVector checked_batch_sizes(const char* op, const TensorBase& batch_sizes, int64_t rows) {
  const DimVector sizes = host_integers(op, "batch_sizes", batch_sizes);
  EAGRE_CHECK(!sizes.empty(), kInvalidArgument, op,
              "(): Expected sequence length to be larger than 0 in RNN: argument 'batch_sizes' "
              "must have a number for each step, but got none");
  int64_t total = 0, before = sizes[0];
  for (const int64_t size : sizes) {
    if (size <= 0 || size > before) {
      invalid_argument(op, "batch_sizes",
                       "positive numbers that never grow: batch_sizes should "
                       "be in decreasing order",
                       concat(size, " behind ", before));
    }
    // No more than there are rows before, so this cannot overflow.
    total += std::min(size, rows + 1 - total);
    before = size;
  }
  if (total != rows) {
    invalid_argument(op, "batch_sizes",
                     concat("numbers that add up to the ", rows, " rows of data"),
                     concat(total > rows ? "more than that" : concat("a sum of ", total)));
  }
  return sizes;
}

std::array<TensorBase, 2> pack_padded_sequence(const TensorBase& input, const TensorBase& lengths,
                                               bool batch_first, CallSite at) {
  constexpr const char* kOp = "pack_padded_sequence";
  if (input.get(kOp, "input").key.rank < 2) {
    invalid_argument(kOp, "input", "a tensor of at least 2 dimensions, steps and sequences",
                     shape_text(input));
  }
  const int64_t batch = input.sizes()[batch_first ? 0 : 1];
  const int64_t steps = input.sizes()[batch_first ? 1 : 0];
  const DimVector each = host_integers(kOp, "lengths", lengths);
  EAGRE_CHECK(input.numel() > 0, kInvalidArgument, kOp, "(): Cannot pack empty tensors. Got ",
              shape_text(input));
  EAGRE_CHECK(static_cast<int64_t>(each.size()) == batch, kInvalidArgument, kOp,
              "(): Expected `len(lengths)` to be equal to batch_size, but got ", each.size(),
              " (batch_size=", batch, ")");
  for (size_t n = 0; n < each.size(); ++n) {
    EAGRE_CHECK(each[n] > 0, kInvalidArgument, kOp,
                "(): Length of all samples has to be greater than 0, but found an element in "
                "'lengths' that is <= 0: ",
                each[n]);
    EAGRE_CHECK(n == 0 || each[n] <= each[n - 1], kInvalidArgument, kOp,
                "(): `lengths` array must be sorted in decreasing order when `enforce_sorted` is "
                "True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or "
                "pack_sequence; got ",
                each[n], " behind ", each[n == 0 ? 0 : n - 1]);
  }
  if (each[0] > steps) {
    invalid_argument(kOp, "lengths", concat("numbers from 1 to ", steps), concat(each[0]));
  }
  DimVector batch_sizes;
  int64_t total = 0, active = batch;
  for (int64_t t = 0; t < each[0]; ++t) {
    while (each[static_cast<size_t>(active - 1)] <= t) --active;
    batch_sizes.push_back(active);
    total += active;
  }
  const Dims element(input.sizes().data() + 2, input.sizes().size() - 2);
  const TensorBase all = reshape(input, with_rows(steps * batch, element), at);
  const Rows rows{steps, batch, batch_first};
  return {index_select(all, 0, places(rows, batch_sizes, total, input), at),
          vector_of(batch_sizes)};
}

std::array<TensorBase, 2> pad_packed_sequence(const TensorBase& data, const TensorBase& batch_sizes,
                                              bool batch_first, const Scalar& padding_value,
                                              int64_t total_length, CallSite at) {
  constexpr const char* kOp = "pad_packed_sequence";
  if (data.get(kOp, "data").key.rank < 1) {
    invalid_argument(kOp, "data", "a tensor of at least 1 dimension", shape_text(data));
  }
  const DimVector sizes = checked_batch_sizes(kOp, batch_sizes, data.sizes()[0]);
  const auto longest = static_cast<int64_t>(sizes.size());
  EAGRE_CHECK(total_length <= 0 || total_length >= longest, kInvalidArgument, kOp,
              "(): Expected total_length to be at least the length of the longest sequence in "
              "input, but got total_length=",
              total_length, " and max sequence length being ", longest);
  const Rows rows{total_length > 0 ? total_length : longest, sizes[0], batch_first};
  const Dims element(data.sizes().data() + 1, data.sizes().size() - 1);
  DimVector padded({batch_first ? rows.batch : rows.steps, batch_first ? rows.steps : rows.batch});
  for (const int64_t size : element) padded.push_back(size);
  checked_numel(kOp, padded);
  checked_numel(kOp, DimVector({rows.steps, rows.batch}));  // elements may have no numbers
  const auto options = TensorOptions(data.dtype()).device(data.device());
  const TensorBase padding =
      full(with_rows(rows.steps * rows.batch, element), padding_value, options, at);
  const TensorBase all =
      index_copy(padding, 0, places(rows, sizes, data.sizes()[0], data), data, at);
  DimVector lengths;
  for (int64_t n = 0; n < rows.batch; ++n) lengths.push_back(0);
  for (const int64_t size : sizes) {
    for (int64_t n = 0; n < size; ++n) ++lengths[static_cast<size_t>(n)];
  }
  return {reshape(all, padded, at), vector_of(lengths)};
}

}  // namespace eagre::ops
