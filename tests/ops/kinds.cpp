// Operators with arguments and results of every kind, and with faults, for the tests of languages.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <eagre/eagre.h>

namespace {

using eagre::GradCall;
using eagre::OpCall;
using eagre::OpResults;
using eagre::Tensor;

// A sum to which every argument adds digits of its own.
OpResults describe(const OpCall& call) {
  double sum = static_cast<double>(call.integer("n")) + call.scalar("number").to<double>();
  for (const Tensor& tensor : call.tensors("list")) sum += tensor.item<double>();
  for (const int64_t size : call.ints("sizes")) sum += static_cast<double>(size);
  sum += call.boolean("flag") ? 100 : 0;
  sum += 1000.0 * static_cast<double>(call.text("mode").size());
  sum += call.tensor("maybe").defined() ? 10000 : 0;
  sum += call.has("limit") ? call.real("limit") : 0;
  return eagre::full({}, sum, eagre::dtype(call.dtype("to")));
}

OpResults throws(const OpCall& call) {
  const std::string& what = call.text("what");
  const std::string text = "the kernel's own " + what;
  if (what == "runtime_error") throw std::runtime_error(text);
  if (what == "invalid_argument") throw std::invalid_argument(text);
  if (what == "out_of_range") throw std::out_of_range(text);
  return eagre::zeros({2}) + eagre::zeros({3});
}

// A fault to order.
OpResults faulty(const OpCall& call) {
  const std::string& what = call.text("what");
  const Tensor pair = eagre::zeros({2});
  if (what == "two") return {pair, pair};
  if (what == "undefined") return Tensor();
  if (what == "meta") return eagre::empty({2}, eagre::device(eagre::kMeta));
  if (what == "type") return call.tensor("what");
  if (what == "name") return call.tensor("why");
  if (what == "position") return call.tensor(1);
  return eagre::zeros({3});
}

std::vector<eagre::TensorMetadata> faulty_meta(const OpCall& call) {
  return std::vector<eagre::TensorMetadata>(call.text("what") == "two metas" ? 2 : 1,
                                            {{2}, eagre::kFloat32});
}

OpResults halves(const OpCall& call) {
  return {call.tensor("input") / 2, call.tensor("input") / 2};
}

}  // namespace

void eagre_register_ops(eagre::OpLibrary& library) {
  library.register_op("kinds::describe")
      .signature(
          "(Tensor[] list, int n, *, bool flag=False, str mode='', Scalar number=0, "
          "int[] sizes=[], dtype to=float32, Tensor? maybe=None, float? limit=None) -> Tensor")
      .kernel("cpu", describe)
      .no_grad()
      .add();
  library.register_op("kinds::throws")
      .signature("(str what) -> Tensor")
      .kernel("cpu", throws)
      .add();
  library.register_op("kinds::halves")
      .signature("(Tensor input) -> (Tensor low, Tensor high)")
      .kernel("cpu", halves)
      .grad([](const GradCall& call) -> OpResults {
        return (call.grad("low") + call.grad("high")) / 2;
      })
      .add();
  library.register_op("kinds::twins")
      .signature("(Tensor input) -> (Tensor, Tensor)")
      .kernel("cpu", halves)
      .add();
  library.register_op("kinds::kernel")
      .signature("(str what) -> Tensor")
      .meta(faulty_meta)
      .kernel("cpu", faulty)
      .add();
  library.register_op("kinds::elsewhere")
      .signature("(Tensor input) -> Tensor")
      .kernel("attic", halves)
      .add();
  library.register_op("kinds::limit")
      .signature("(float? limit=None) -> Tensor")
      .kernel("cpu", [](const OpCall& call) { return eagre::full({}, call.real("limit")); })
      .add();
  const auto doubled = [](const OpCall& call) { return call.tensor("input") * 2; };
  library.register_op("kinds::twins_sum")
      .signature("(Tensor input) -> Tensor")
      .kernel("cpu", doubled)
      .add();
  library.register_op("kinds::unsaved")
      .signature("(Tensor input) -> Tensor")
      .kernel("cpu", doubled)
      .grad([](const GradCall& call) { return call.tensor("input"); })
      .add();
  library.register_op("kinds::bad_gradient")
      .signature("(Tensor input) -> Tensor")
      .kernel("cpu", [](const OpCall& call) { return call.tensor(0) * 2; })
      .grad([](const GradCall& call) -> OpResults {
        return {call.grad(), call.grad()};
      })
      .add();
}
