// What a binding is told when the last handle of a tensor goes that keeps its wrapper.
#include <vector>

#include <eagre/autograd/tape/autograd_meta.h>
#include <eagre/core/tensor_impl.h>

#include "cpp/support.h"

namespace eagre::test {
namespace {

TensorImpl* given_back = nullptr;

void give_back(TensorImpl& tensor) noexcept { given_back = &tensor; }

TEST(LanguageObject, IsGivenBackWithTheLastHandle) {
  set_give_back_to_language(give_back);
  int wrapper = 0;
  {
    const Tensor tensor = ones({3});
    autograd::autograd_meta(tensor.get());  // which whoever keeps a wrapper must make
    tensor.get().language_object.store(&wrapper);
    std::vector<Tensor> others(3, tensor);
    others.clear();
    EXPECT_EQ(given_back, nullptr);
  }
  ASSERT_NE(given_back, nullptr);
  // The tensor lives on, and its only count is for the wrapper.
  TensorBase again = TensorBase::adopt(given_back);
  EXPECT_EQ(again.get().refs.load(), 1U);
  EXPECT_EQ(again.numel(), 3);
  again.get().language_object.store(nullptr);
  given_back = nullptr;
  again = {};
  EXPECT_EQ(given_back, nullptr);
  set_give_back_to_language(nullptr);
}

}  // namespace
}  // namespace eagre::test
