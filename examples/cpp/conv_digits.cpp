// Trains a small convolutional network on handwritten digits, 8×8 pixels each:
//
//     conv_digits <file>
//
// The file holds a digit per line: 64 numbers from 0 to 16, then what it shows, with commas
// between; `./dev demo` makes it. Ends with status 1 when the network has not learned.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <eagre/eagre.h>

using namespace eagre;

namespace {

constexpr int64_t kSide = 8, kPixels = kSide * kSide, kChannels = 16, kClasses = 10;
constexpr int64_t kBatch = 32, kEpochs = 8;
constexpr double kRate = 0.1;

struct Digits {
  Tensor pixels;  // [n, 1, 8, 8], from 0 to 1
  Tensor labels;  // [n]
};

Digits read_digits(const char* path) {
  std::ifstream file(path);
  std::vector<float> pixels;
  std::vector<int64_t> labels;
  std::string number;
  for (int64_t i = 0; std::getline(file, number, (i + 1) % (kPixels + 1) == 0 ? '\n' : ','); ++i) {
    if (i % (kPixels + 1) == kPixels) {
      labels.push_back(std::stol(number));
    } else {
      pixels.push_back(std::stof(number) / 16);
    }
  }
  return {tensor(pixels).view({-1, 1, kSide, kSide}), tensor(labels)};
}

Tensor weights(std::vector<int64_t> shape) {
  int64_t inputs = 1;
  for (size_t i = 1; i < shape.size(); ++i) inputs *= shape[i];
  return (randn(shape) * std::sqrt(2.0 / static_cast<double>(inputs))).requires_grad_();
}

// A convolution, normalized by batches.
struct Block {
  Tensor kernel, weight, bias, running_mean, running_var;

  Block(int64_t in, int64_t out)
      : kernel(weights({out, in, 3, 3})),
        weight(ones({out}, requires_grad())),
        bias(zeros({out}, requires_grad())),
        running_mean(zeros({out})),
        running_var(ones({out})) {}
  Tensor operator()(const Tensor& x, bool training) const {
    const Tensor convolved = conv2d(x, kernel, {}, 1, 1);
    return relu(batch_norm(convolved, weight, bias, running_mean, running_var, training, 0.1));
  }
};

struct Network {
  Block first{1, kChannels}, second{kChannels, 2 * kChannels};
  Tensor weight = weights({kClasses, 2 * kChannels});
  Tensor bias = zeros({kClasses}, requires_grad());

  Tensor operator()(const Tensor& x, bool training) const {
    const Tensor half = max_pool2d(first(x, training), 2);
    const Tensor channels = adaptive_avg_pool2d(second(half, training), 1).flatten(1);
    return linear(channels, weight, bias);
  }
  std::vector<Tensor> parameters() const {
    return {first.kernel,  first.weight, first.bias, second.kernel,
            second.weight, second.bias,  weight,     bias};
  }
};

double accuracy(const Network& network, const Digits& digits) {
  const NoGradGuard no_grad;
  const Tensor right = network(digits.pixels, false).argmax(1) == digits.labels;
  return right.sum().item<double>() / static_cast<double>(digits.labels.numel());
}

// One pass over the digits in a random order; returns the mean loss.
double train_epoch(const Network& network, const Digits& digits) {
  const int64_t count = digits.labels.numel();
  const Tensor order = randperm(count);
  double total = 0;
  for (int64_t start = 0; start + kBatch <= count; start += kBatch) {
    const Tensor chosen = order.narrow(0, start, kBatch);
    const Tensor scores = network(digits.pixels.index_select(0, chosen), true);
    const Tensor loss = cross_entropy(scores, digits.labels.index_select(0, chosen));
    loss.backward();
    total += loss.item<double>();
    const NoGradGuard no_grad;
    for (const Tensor& parameter : network.parameters()) {
      parameter.sub_(parameter.grad(), kRate);
      parameter.set_grad(Tensor());
    }
  }
  const int64_t batches = count / kBatch;
  return total / static_cast<double>(batches);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: conv_digits <file>\n");
    return 2;
  }
  manual_seed(0);
  const Digits all = read_digits(argv[1]);
  const int64_t count = all.labels.numel(), held_back = count / 5;
  const Digits training{all.pixels.slice(0, held_back), all.labels.slice(0, held_back)};
  const Digits test{all.pixels.slice(0, 0, held_back), all.labels.slice(0, 0, held_back)};
  const Network network;
  for (int64_t epoch = 1; epoch <= kEpochs; ++epoch) {
    const double loss = train_epoch(network, training);
    std::printf("epoch %ld  loss %.4f  held out %.1f %%\n", epoch, loss,
                100 * accuracy(network, test));
  }
  const double result = accuracy(network, test);
  std::printf("%.1f %% of %ld held-out digits are right\n", 100 * result, held_back);
  return result > 0.9 ? 0 : 1;
}
