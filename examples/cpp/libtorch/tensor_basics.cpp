// A program for libtorch, tensors: making them, their properties, arithmetic, views, conversions.
// Only its include is another.
#include <eagre/torch.h>

#include <cstdint>
#include <iostream>
#include <vector>

int main() {
  torch::manual_seed(1);

  torch::Tensor zeros = torch::zeros({2, 3});
  torch::Tensor random = torch::rand({2, 3}, torch::TensorOptions()
                                                 .dtype(torch::kFloat64)
                                                 .layout(torch::kStrided)
                                                 .device(torch::kCPU)
                                                 .requires_grad(false));
  at::Tensor numbers = torch::tensor({{1, 2, 3}, {4, 5, 6}}, torch::dtype(torch::kFloat32));
  torch::Tensor like = torch::ones_like(numbers);
  TORCH_CHECK(random.scalar_type() == at::kDouble, "expected doubles, got ", random.dtype());
  TORCH_CHECK(zeros.sizes() == at::IntArrayRef({2, 3}));
  std::cout << "sizes " << numbers.sizes() << ", " << numbers.numel() << " elements of "
            << numbers.itemsize() << " bytes, stride " << numbers.stride(0) << '\n';

  // Functions, methods and operators, also in place.
  torch::Tensor sum = numbers + like * 2;
  sum.sub_(1).mul_(torch::full({}, 0.5));
  std::cout << "sum\n" << sum << '\n';
  auto [values, places] = numbers.max(/*dim=*/1);
  std::cout << "greatest " << values << " at " << places << '\n';
  std::cout << "deviation by column " << numbers.std(0) << '\n';

  // Views share memory, and what is written to one is seen by all.
  torch::Tensor row = numbers[0];
  row += 10;
  numbers.select(1, 2) = torch::zeros({2});
  numbers[1][0] = -1;
  std::cout << "written through views\n" << numbers << '\n';

  // Memory of the program.
  std::vector<float> data = {1, 2, 3, 4};
  torch::Tensor shared = torch::from_blob(data.data(), {2, 2}, torch::kFloat32);
  shared.fill_(7);
  auto elements = shared.accessor<float, 2>();
  elements[1][1] = 8;
  std::cout << "data " << data[0] << ", " << data[3] << '\n';

  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::kCUDA;
  torch::Tensor moved = shared.to(device, torch::kInt64, /*non_blocking=*/true);
  std::cout << "total " << moved.sum().item<int64_t>() << '\n';
  return 0;
}
