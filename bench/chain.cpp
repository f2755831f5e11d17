// A long chain: `chain <nodes>` runs backward and release on a thread with a 256 KB stack.
//
// Prints the seconds for build, backward, release after backward, and release of a chain that
// never saw backward (its saved tensors are still there). Twice the nodes must take twice the time
// in every column; recursion anywhere would end the process. The seconds are user time: what the
// kernel needs for gigabytes of fresh pages varies several-fold on virtual machines.

#include "peer.h"

#include <pthread.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

namespace {

using lib::Tensor;

constexpr std::size_t kStackBytes = std::size_t{256} * 1024;

struct Seconds {
  double build, backward, release, release_unused;
};

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

template <class Body>
double seconds(Body body) {
  const double start = user_seconds();
  body();
  return user_seconds() - start;
}

Tensor build_chain(const Tensor& x, const Tensor& w, long nodes) {
  Tensor y = x;
  for (long i = 0; i < nodes; ++i) y = y * w;
  return y;
}

Seconds measure(long nodes) {
  const Tensor x = lib::full({1}, 1.0).requires_grad_();
  const Tensor w = lib::full({1}, 1.0).requires_grad_();
  Seconds result{};
  Tensor y;
  result.build = seconds([&] { y = build_chain(x, w, nodes); });
  result.backward = seconds([&] { y.backward(); });
  result.release = seconds([&] { y = Tensor(); });
  y = build_chain(x, w, nodes);
  result.release_unused = seconds([&] { y = Tensor(); });
  return result;
}

struct Job {
  long nodes;
  Seconds result;
};

void* run_job(void* argument) {
  auto* job = static_cast<Job*>(argument);
  job->result = measure(job->nodes);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  Job job{argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0, {}};
  if (job.nodes <= 0) {
    std::fprintf(stderr, "usage: chain <nodes>\n");
    return 2;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  if (pthread_attr_setstacksize(&attributes, kStackBytes) != 0 ||
      pthread_create(&thread, &attributes, run_job, &job) != 0) {
    std::fprintf(stderr, "chain: cannot start a thread with a 256 KB stack\n");
    return 1;
  }
  pthread_join(thread, nullptr);
  std::printf("build %.6f backward %.6f release %.6f release_unused %.6f\n", job.result.build,
              job.result.backward, job.result.release, job.result.release_unused);
  return 0;
}
