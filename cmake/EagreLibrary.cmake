# The library: hand-written and generated sources, and CPU kernels once per instruction-set level.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/eagre/*.cpp)
set(level_sources ${sources})
list(FILTER level_sources INCLUDE REGEX "/kernels/cpu/levels/")
list(FILTER sources EXCLUDE REGEX "/kernels/cpu/levels/")

set(level_flags_baseline "")
set(level_flags_avx2 -mavx2 -mfma -mbmi -mbmi2)
set(level_flags_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx2 -mfma -mbmi -mbmi2
  -mprefer-vector-width=512)

set(optimise_level -O3)
if(EAGRE_SANITIZE)
  # There every minute of compiling is spent twice; what is checked does not depend on it. Kernels
  # are the code that runs long. Headers are parsed once; other builds show if one is forgotten.
  set(optimise_level -O1)
  set(kernels_of_no_level ${sources} ${EAGRE_GEN_SOURCES})
  list(FILTER kernels_of_no_level INCLUDE REGEX "/kernels/")
  set_source_files_properties(${kernels_of_no_level} PROPERTIES
    COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
else()
  # Plain loops over memory, worth vectorising for the baseline.
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/eagre/kernels/cpu/cast.cpp PROPERTIES
    COMPILE_OPTIONS -O3)
endif()

set(includes ${CMAKE_CURRENT_SOURCE_DIR} ${EAGRE_GEN_DIR}/include)
add_library(eagre SHARED ${sources} ${EAGRE_GEN_SOURCES})
foreach(level baseline avx2 avx512)
  add_library(eagre_cpu_${level} OBJECT ${level_sources} ${EAGRE_GEN_KERNELS})
  target_link_libraries(eagre_cpu_${level} PRIVATE eagre_settings)
  target_include_directories(eagre_cpu_${level} PRIVATE ${includes})
  target_compile_definitions(eagre_cpu_${level} PRIVATE EAGRE_LEVEL=${level})
  # No traps and no errno: loops with selections must become vector code. Integers wrap around.
  target_compile_options(eagre_cpu_${level} PRIVATE ${level_flags_${level}} ${optimise_level}
    -fno-math-errno -fno-trapping-math -fwrapv)
  target_sources(eagre PRIVATE $<TARGET_OBJECTS:eagre_cpu_${level}>)
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
if(EAGRE_SANITIZE)
  target_precompile_headers(eagre PRIVATE <algorithm> <eagre/autograd/recording.h>
    <eagre/autograd/transforms/batching.h> <eagre/autograd/transforms/forward_mode.h>
    <eagre/autograd/transforms/rules.h> <eagre/dispatch/pointwise.h>)
else()
  target_link_options(eagre PRIVATE -Wl,--no-undefined)
endif()
