// The library that the flag `blas` names: found, checked, called. Nothing is linked.
#include <eagre/kernels/cpu/blas.h>

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <eagre/base/error.h>
#include <eagre/base/flags.h>
#include <eagre/base/fork.h>
#include <eagre/base/log.h>
#include <eagre/base/thread_pool.h>
#include <eagre/core/complex.h>

namespace eagre::kernels::cpu {
namespace {

// The numbers are those of the C interface.
constexpr int kRowMajor = 101, kAsItIs = 111, kTransposed = 112;

// cblas_?gemm; Number is float, double, or const void* for the complex ones.
template <class Int, class Number>
using Gemm = void(int, int, int, Int, Int, Int, Number, const void*, Int, const void*, Int, Number,
                  void*, Int);

struct Blas {
  const std::string* name;  // the flag's value it was loaded for
  bool has_long_sizes = false;
  void* gemm[kBlasElementCount] = {};
};

// How libraries name their functions: the suffix 64_ stands for 64-bit sizes.
struct Spelling {
  const char *prefix, *suffix;
  bool has_long_sizes;
};
constexpr Spelling kSpellings[] = {
    {"", "", false}, {"scipy_", "", false}, {"", "64_", true}, {"scipy_", "64_", true}};

ForkMutex& mutex() {
  static auto& instance = *new ForkMutex(ForkMutex::Order::kOuter);
  return instance;
}
const MadeAtLoad kMutex(mutex);

std::atomic<const Blas*> current{nullptr};

std::vector<std::unique_ptr<const Blas>>& all_loaded() {  // never unloaded: calls may be under way
  static auto& instance = *new std::vector<std::unique_ptr<const Blas>>;
  return instance;
}

bool is_named(const std::string& flag) { return !flag.empty() && flag != "auto" && flag != "none"; }

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  raise(ErrorKind::kNotFound,
        concat("matmul(): the BLAS '", name, "', which the flag 'blas' (EAGRE_BLAS) names, ",
               reason, "; name another library, or 'none' to use no BLAS"));
}

// The threads are ours: more of them would work against each other.
void use_one_thread(void* library) {
  for (const Spelling& spelling : kSpellings) {
    const std::string name = concat(spelling.prefix, "openblas_set_num_threads", spelling.suffix);
    if (void* set = dlsym(library, name.c_str())) reinterpret_cast<void (*)(int)>(set)(1);
  }
  if (void* set = dlsym(library, "MKL_Set_Num_Threads")) reinterpret_cast<void (*)(int)>(set)(1);
}

std::unique_ptr<const Blas> load(const std::string& name) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    refuse(name, concat("cannot be loaded (", reason == nullptr ? "no reason given" : reason, ")"));
  }
  auto blas = std::make_unique<Blas>();
  blas->name = &name;
  for (const Spelling& spelling : kSpellings) {
    constexpr const char* kFunctions[] = {"cblas_sgemm", "cblas_dgemm", "cblas_cgemm",
                                          "cblas_zgemm"};
    for (int i = 0; i < kBlasElementCount; ++i) {
      blas->gemm[i] =
          dlsym(library, concat(spelling.prefix, kFunctions[i], spelling.suffix).c_str());
    }
    if (blas->gemm[0] == nullptr || blas->gemm[1] == nullptr) continue;
    blas->has_long_sizes = spelling.has_long_sizes;
    use_one_thread(library);
    log_info("matmul(): large products go to the BLAS '", name, "'");
    return blas;
  }
  dlclose(library);
  refuse(name, "has no functions cblas_sgemm and cblas_dgemm");
}

const Blas* named_blas() {
  const std::string& name = flags().blas.get();
  if (!is_named(name)) return nullptr;
  const Blas* blas = current.load(std::memory_order_acquire);
  if (blas != nullptr && blas->name == &name) return blas;
  std::lock_guard hold(mutex());
  for (const auto& each : all_loaded()) {
    if (each->name != &name) continue;
    current.store(each.get(), std::memory_order_release);
    return each.get();
  }
  all_loaded().push_back(load(name));
  current.store(all_loaded().back().get(), std::memory_order_release);
  return all_loaded().back().get();
}

// How the C interface sees a matrix: transposed or not, and from one row or column to the next.
struct Leading {
  int order = 0;  // 0: cannot be said
  int64_t stride = 0;
};
Leading leading(const BlasOperand& matrix, int64_t rows, int64_t columns) {
  if (matrix.column_stride == 1 && matrix.row_stride >= columns) {
    return {kAsItIs, matrix.row_stride};
  }
  if (matrix.row_stride == 1 && matrix.column_stride >= rows) {
    return {kTransposed, matrix.column_stride};
  }
  return {};
}

template <class Int, class Number>
void call(void* gemm, const BlasProduct& p, const Leading& a, const Leading& b, Number one,
          Number beta) {
  reinterpret_cast<Gemm<Int, Number>*>(gemm)(
      kRowMajor, a.order, b.order, static_cast<Int>(p.rows), static_cast<Int>(p.columns),
      static_cast<Int>(p.depth), one, p.a.data, static_cast<Int>(a.stride), p.b.data,
      static_cast<Int>(b.stride), beta, p.c, static_cast<Int>(p.columns));
}

template <class Int>
void call(void* gemm, const BlasProduct& p, const Leading& a, const Leading& b) {
  constexpr Complex<float> kFloats[] = {0, 1};
  constexpr Complex<double> kDoubles[] = {0, 1};
  const int beta = p.accumulate ? 1 : 0;
  switch (p.element) {
    case BlasElement::kFloat: return call<Int, float>(gemm, p, a, b, 1, static_cast<float>(beta));
    case BlasElement::kDouble: return call<Int, double>(gemm, p, a, b, 1, beta);
    case BlasElement::kComplexFloat:
      return call<Int, const void*>(gemm, p, a, b, &kFloats[1], &kFloats[beta]);
    case BlasElement::kComplexDouble:
      return call<Int, const void*>(gemm, p, a, b, &kDoubles[1], &kDoubles[beta]);
  }
}

}  // namespace

bool multiply_with_blas(const BlasProduct& product) {
  const Blas* blas = named_blas();
  if (blas == nullptr) return false;
  void* gemm = blas->gemm[static_cast<size_t>(product.element)];
  const Leading a = leading(product.a, product.rows, product.depth);
  const Leading b = leading(product.b, product.depth, product.columns);
  if (gemm == nullptr || a.order == 0 || b.order == 0) return false;
  const int64_t longest =
      std::max({product.rows, product.columns, product.depth, a.stride, b.stride});
  if (!blas->has_long_sizes && longest > std::numeric_limits<int>::max()) return false;

  constexpr int64_t kSizes[] = {4, 8, 8, 16};
  const int64_t element = kSizes[static_cast<size_t>(product.element)];
  // Rows are shared as the shape says, never as the number of threads does: the library may sum in
  // another order for another number of rows.
  constexpr int64_t kChunkProducts = 1 << 24, kLeastRows = 64;
  const int64_t grain =
      std::max(kLeastRows, kChunkProducts / (product.columns * product.depth) + 1);
  parallel_for(0, product.rows, grain, [&](int64_t begin, int64_t end) {
    BlasProduct part = product;
    part.rows = end - begin;
    part.a.data = static_cast<const char*>(product.a.data) + begin * product.a.row_stride * element;
    part.c = static_cast<char*>(product.c) + begin * product.columns * element;
    if (blas->has_long_sizes) {
      call<int64_t>(gemm, part, a, b);
    } else {
      call<int>(gemm, part, a, b);
    }
  });
  return true;
}

}  // namespace eagre::kernels::cpu
