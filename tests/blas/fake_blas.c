// A BLAS to be named by the flag `blas`: plain loops in double, and a count of calls. Compiled once per way in
// which libraries spell their functions and sizes, and once without the functions that matter.
#if defined(LONG_SIZES)
typedef long Size;
#define NAME(name) scipy_##name##64_
#elif defined(PREFIXED)
typedef int Size;
#define NAME(name) scipy_##name
#else
typedef int Size;
#define NAME(name) name
#endif

static int calls = 0, threads = 0;

int fake_blas_calls(void) { return __atomic_load_n(&calls, __ATOMIC_SEQ_CST); }
int fake_blas_threads(void) { return threads; }
void NAME(openblas_set_num_threads)(int count) { threads = count; }

#if !defined(WITHOUT_GEMM)
enum { kRowMajor = 101, kTransposed = 112 };

// Element (row, column) of a matrix as the C interface describes it.
static Size place(int order, Size leading, Size row, Size column) {
  return order == kTransposed ? column * leading + row : row * leading + column;
}

#define REAL_GEMM(name, T)                                                                        \
  void NAME(name)(int layout, int a_order, int b_order, Size m, Size n, Size k, T alpha,          \
                  const T* a, Size a_leading, const T* b, Size b_leading, T beta, T* c,           \
                  Size c_leading) {                                                               \
    __atomic_fetch_add(&calls, layout == kRowMajor ? 1 : 1000, __ATOMIC_SEQ_CST);                 \
    for (Size i = 0; i < m; ++i) {                                                                \
      for (Size j = 0; j < n; ++j) {                                                              \
        double sum = 0;                                                                           \
        for (Size l = 0; l < k; ++l) {                                                            \
          sum += (double)a[place(a_order, a_leading, i, l)] * b[place(b_order, b_leading, l, j)]; \
        }                                                                                         \
        T* out = c + i * c_leading + j;                                                           \
        *out = (T)(alpha * sum + (beta == 0 ? 0 : beta * *out));                                  \
      }                                                                                           \
    }                                                                                             \
  }

#define COMPLEX_GEMM(name, T)                                                              \
  void NAME(name)(int layout, int a_order, int b_order, Size m, Size n, Size k,            \
                  const T* alpha, const T* a, Size a_leading, const T* b, Size b_leading,  \
                  const T* beta, T* c, Size c_leading) {                                   \
    __atomic_fetch_add(&calls, layout == kRowMajor ? 1 : 1000, __ATOMIC_SEQ_CST);          \
    if (alpha[0] != 1 || alpha[1] != 0 || beta[0] != 0 || beta[1] != 0) return;            \
    for (Size i = 0; i < m; ++i) {                                                         \
      for (Size j = 0; j < n; ++j) {                                                       \
        double real = 0, imag = 0;                                                         \
        for (Size l = 0; l < k; ++l) {                                                     \
          const T* x = a + 2 * place(a_order, a_leading, i, l);                            \
          const T* y = b + 2 * place(b_order, b_leading, l, j);                            \
          real += (double)x[0] * y[0] - (double)x[1] * y[1];                               \
          imag += (double)x[0] * y[1] + (double)x[1] * y[0];                               \
        }                                                                                  \
        c[2 * (i * c_leading + j)] = (T)real;                                              \
        c[2 * (i * c_leading + j) + 1] = (T)imag;                                          \
      }                                                                                    \
    }                                                                                      \
  }

REAL_GEMM(cblas_sgemm, float)
REAL_GEMM(cblas_dgemm, double)
#if !defined(PREFIXED)
COMPLEX_GEMM(cblas_cgemm, float)
COMPLEX_GEMM(cblas_zgemm, double)
#endif
#endif
