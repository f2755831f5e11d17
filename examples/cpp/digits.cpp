// Trains a network of three layers on handwritten digits, 8×8 pixels each:
//
//     digits <file>
//
// The file holds a digit per line: 64 numbers from 0 to 16, then what it shows, with commas
// between.
// `./dev demo` makes it from the digits that scikit-learn ships. Ends with status 1 when the
// network has not learned.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <eagre/eagre.h>

using namespace eagre;

namespace {

constexpr int64_t kPixels = 64, kHidden = 64, kClasses = 10;
constexpr int64_t kBatch = 32, kEpochs = 30;
constexpr double kRate = 0.1;

struct Digits {
  Tensor pixels;  // [n, 64], from 0 to 1
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
  return {tensor(pixels).view({-1, kPixels}), tensor(labels)};
}

struct Layer {
  Tensor weight;
  Tensor bias;

  Layer(int64_t in, int64_t out)
      : weight((randn({out, in}) * std::sqrt(2.0 / static_cast<double>(in))).requires_grad_()),
        bias(zeros({out}, requires_grad())) {}
  Tensor operator()(const Tensor& x) const { return linear(x, weight, bias); }
};

struct Network {
  Layer first{kPixels, kHidden}, second{kHidden, kHidden}, last{kHidden, kClasses};

  Tensor operator()(const Tensor& x) const { return last(relu(second(relu(first(x))))); }
  std::vector<Tensor> parameters() const {
    return {first.weight, first.bias, second.weight, second.bias, last.weight, last.bias};
  }
};

double accuracy(const Network& network, const Digits& digits) {
  const NoGradGuard no_grad;
  const Tensor right = network(digits.pixels).argmax(1) == digits.labels;
  return right.sum().item<double>() / static_cast<double>(digits.labels.numel());
}

// One pass over the digits in a random order; returns the mean loss.
double train_epoch(const Network& network, const Digits& digits) {
  const int64_t count = digits.labels.numel();
  const Tensor order = randperm(count);
  double total = 0;
  for (int64_t start = 0; start + kBatch <= count; start += kBatch) {
    const Tensor chosen = order.narrow(0, start, kBatch);
    const Tensor loss = cross_entropy(network(digits.pixels.index_select(0, chosen)),
                                      digits.labels.index_select(0, chosen));
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
    std::fprintf(stderr, "usage: digits <file>\n");
    return 2;
  }
  manual_seed(0);
  const Digits all = read_digits(argv[1]);
  const int64_t count = all.labels.numel(), held_back = count / 5;
  const Digits training{all.pixels.slice(0, held_back), all.labels.slice(0, held_back)};
  const Digits test{all.pixels.slice(0, 0, held_back), all.labels.slice(0, 0, held_back)};
  std::printf("%ld digits to learn from, %ld to be tested on\n\n", training.labels.numel(),
              held_back);

  const Network network;
  for (int64_t epoch = 1; epoch <= kEpochs; ++epoch) {
    const double loss = train_epoch(network, training);
    if (epoch > 5 && epoch % 5 != 0) continue;
    const std::string bar(static_cast<size_t>(std::min(50.0, loss * 30)), '#');
    std::printf("epoch %2ld   test accuracy %5.1f %%   loss %.4f  %s\n", epoch,
                100 * accuracy(network, test), loss, bar.c_str());
  }
  const double result = accuracy(network, test);
  std::printf("\n%.1f %% of the digits it never saw are recognised\n", 100 * result);
  return result > 0.9 ? 0 : 1;
}
