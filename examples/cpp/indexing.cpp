// Elements, rows and masks of a tensor, read and written in the ways C++ offers.
#include <cstdint>
#include <iostream>

#include <eagre/eagre.h>

int main() {
  using namespace eagre;
  using namespace eagre::indexing;

  const Tensor table = arange(12.0).reshape({3, 4});
  std::cout << "row 1:\n" << table[1] << '\n';
  std::cout << "every other column:\n" << table.index({Slice(), Slice(None, None, 2)}) << '\n';
  std::cout << "rows 2 and 0:\n" << table.index({tensor({2, 0})}) << '\n';

  // A view shares the memory; what is chosen by tensors is a copy.
  table[0].fill_(-1);
  table.index_put_({Ellipsis, 3}, tensor({30.0F, 70.0F, 110.0F}));
  table.index_put_({table < 0}, 0);
  std::cout << "changed:\n" << table << '\n';

  // An accessor reads and writes elements without a call per element. Type and rank are checked
  // once, when it is made; indices are not.
  const auto at = table.accessor<float, 2>();
  float trace = 0;
  for (int64_t i = 0; i < at.size(0); ++i) trace += at[i][i];
  at[2][0] = trace;

  const auto [largest, place] = table.max(1);
  std::cout << "trace " << trace << ", largest of each row:\n" << largest << '\n' << place << '\n';

  try {
    table.index({5});
  } catch (const Error& error) {
    std::cout << "refused: " << error.what() << '\n';
  }
}
