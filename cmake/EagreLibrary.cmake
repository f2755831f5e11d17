# The library: hand-written and generated sources, and CPU kernels once per instruction set.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/eagre/*.cpp)
set(isa_sources ${sources})
list(FILTER isa_sources INCLUDE REGEX "/kernels/cpu/isa/")
list(FILTER sources EXCLUDE REGEX "/kernels/cpu/isa/")

set(isa_flags_baseline "")
set(isa_flags_avx2 -mavx2 -mfma -mbmi -mbmi2)
set(isa_flags_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma -mbmi -mbmi2
  -mprefer-vector-width=512)
set(isa_flags_avx512_bf16 ${isa_flags_avx512} -mavx512bf16)
set(kernel_files ${isa_sources} ${EAGRE_GEN_KERNELS})
set(kernel_files_bf16 ${isa_sources})
list(FILTER kernel_files_bf16 INCLUDE REGEX "_bf16\\.cpp$")

# A file with flags of its own cannot use the precompiled headers of its target.
set(optimisation -O3)
if(EAGRE_SANITIZE)
  # There every minute of compiling is spent twice; what is checked does not depend on it. Kernels
  # are the code that runs long.
  set(optimisation -O1)
  set(kernels_of_no_isa ${sources} ${EAGRE_GEN_SOURCES})
  list(FILTER kernels_of_no_isa INCLUDE REGEX "/kernels/")
  set_source_files_properties(${kernels_of_no_isa} PROPERTIES
    COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
else()
  # Plain loops over memory, worth vectorising for the baseline.
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/eagre/kernels/cpu/cast.cpp PROPERTIES
    COMPILE_OPTIONS -O3 SKIP_PRECOMPILE_HEADERS ON)
  # Long functions, most of whose time is in products of matrices, which are compiled elsewhere: half
  # the size.
  set(long_kernels cholesky_ex determinant determinant_grad factored_solutions inverse_ex
    log_determinant lu_factor_ex matrix_exponential triangular_solutions)
  list(TRANSFORM long_kernels PREPEND ${EAGRE_GEN_DIR}/kernels/isa/)
  list(TRANSFORM long_kernels APPEND .cpp)
  set_source_files_properties(${long_kernels} PROPERTIES
    COMPILE_OPTIONS "-O2;-fvect-cost-model=dynamic" SKIP_PRECOMPILE_HEADERS ON)
endif()

# Builds faster, for machines that have it: unoptimised objects share inline functions, so that what
# was compiled for one instruction set may run with another.
set(EAGRE_OPTIMISED_ISA "" CACHE STRING "baseline, avx2 or avx512: only these kernels are optimised")

set(includes ${CMAKE_CURRENT_SOURCE_DIR} ${EAGRE_GEN_DIR}/include)
add_library(eagre SHARED ${sources} ${EAGRE_GEN_SOURCES})
foreach(isa baseline avx2 avx512 avx512_bf16)
  set(files ${kernel_files})
  if(isa STREQUAL avx512_bf16)
    set(files ${kernel_files_bf16})
  endif()
  add_library(eagre_cpu_${isa} OBJECT ${files})
  target_link_libraries(eagre_cpu_${isa} PRIVATE eagre_settings)
  target_include_directories(eagre_cpu_${isa} PRIVATE ${includes})
  target_compile_definitions(eagre_cpu_${isa} PRIVATE EAGRE_ISA=${isa})
  set(isa_optimisation ${optimisation})
  if(isa STREQUAL baseline AND NOT EAGRE_SANITIZE)
    # What few machines run: two thirds of the size, and of the time to compile it.
    set(isa_optimisation -O2)
  endif()
  if(EAGRE_OPTIMISED_ISA AND NOT isa MATCHES "^${EAGRE_OPTIMISED_ISA}")
    set(isa_optimisation -O0)
  endif()
  # No traps and no errno: loops with selections must become vector code. Integers wrap around.
  target_compile_options(eagre_cpu_${isa} PRIVATE ${isa_flags_${isa}} ${isa_optimisation}
    -fno-math-errno -fno-trapping-math -fwrapv)
  target_precompile_headers(eagre_cpu_${isa} PRIVATE <eagre/core/half.h>
    <eagre/kernels/cpu/kernel_table.h> <eagre/kernels/cpu/pointwise_loop.h>)
  target_sources(eagre PRIVATE $<TARGET_OBJECTS:eagre_cpu_${isa}>)
endforeach()

add_library(Eagre::eagre ALIAS eagre)
set_target_properties(eagre PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_compile_features(eagre PUBLIC cxx_std_20)
target_link_libraries(eagre PRIVATE $<BUILD_INTERFACE:eagre_settings> ${CMAKE_DL_LIBS})
target_include_directories(eagre PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}> $<BUILD_INTERFACE:${EAGRE_GEN_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# nodelete: workers of the thread pool run for ever.
target_link_options(eagre PRIVATE -Wl,--gc-sections -Wl,-z,now -Wl,-z,nodelete)
if(NOT EAGRE_SANITIZE)
  target_link_options(eagre PRIVATE -Wl,--no-undefined)
endif()
# Most of the time to compile a file goes into these headers, so they are parsed once. None of them
# changes with an operator. clang-tidy, which reads each file by itself, shows a forgotten include.
target_precompile_headers(eagre PRIVATE <algorithm> <eagre/autograd/tape/recording.h>
  <eagre/autograd/transforms/vmap.h> <eagre/autograd/transforms/forward_mode.h>
  <eagre/dispatch/pointwise.h>)
