// A program for libtorch, indexing: reading and writing parts of a tensor. Only its include is
// another.
#include <eagre/torch.h>

#include <iostream>

using torch::indexing::Ellipsis;
using torch::indexing::None;
using torch::indexing::Slice;

int main() {
  auto t = torch::arange(24).view({2, 3, 4});
  std::cout << "number " << t.index({1, 2, 3}).item<int>() << ", last " << t[-1][-1][-1].item<int>()
            << '\n';
  std::cout << "slice " << t.index({0, Slice(1, None), Slice(None, None, 2)}).sizes() << '\n';
  std::cout << "ellipsis " << t.index({"...", 0}).sizes() << ' ' << t.index({Ellipsis, 0}).sizes()
            << '\n';
  std::cout << "new dimension " << t.index({Slice(), None}).sizes() << '\n';
  std::cout << "by tensors " << t.index({torch::tensor({1, 0}), torch::tensor({2, 2}), 1}) << '\n';
  std::cout << "by mask " << t.index({t > 20}) << '\n';

  auto f = torch::zeros({3, 3});
  f.index_put_({0}, 1);
  f.index_put_({Slice(), 2}, torch::tensor({7.0, 8.0, 9.0}));
  f.index_put_({torch::tensor({1, 1}), torch::tensor({0, 0})}, torch::ones({2}),
               /*accumulate=*/true);
  f[2][1] = 5;
  f.index({Slice(0, 2), 1}) = -1;
  std::cout << "written\n" << f << '\n';
  try {
    f.index({5});
  } catch (const c10::Error& error) {
    std::cout << "refused: " << error.what() << '\n';
  }
  return 0;
}
