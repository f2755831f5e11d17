# Runs the generator when configuring; a changed record or generator configures again. Files are
# rewritten only when their text changes, so ninja rebuilds no more than that.
if(NOT EAGRE_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(EAGRE_PYTHON ${Python3_EXECUTABLE})
endif()

set(EAGRE_OPS_DIR ${CMAKE_CURRENT_SOURCE_DIR}/ops CACHE PATH "Folder of the operator records")
set(EAGRE_GEN_DIR ${CMAKE_CURRENT_BINARY_DIR}/gen)
file(GLOB generator_inputs CONFIGURE_DEPENDS ${EAGRE_OPS_DIR}/*.yaml
  ${CMAKE_CURRENT_SOURCE_DIR}/codegen/*.py ${CMAKE_CURRENT_SOURCE_DIR}/codegen/*.pyi
  # Stubs of what is written in Python follow its source.
  ${CMAKE_CURRENT_SOURCE_DIR}/python/eagre/*.py
  ${CMAKE_CURRENT_SOURCE_DIR}/python/eagre/array_api/__init__.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${generator_inputs})

set(generator ${EAGRE_PYTHON} -m codegen --ops ${EAGRE_OPS_DIR} --out ${EAGRE_GEN_DIR})
execute_process(COMMAND ${generator} --list WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  OUTPUT_VARIABLE generated RESULT_VARIABLE result ERROR_VARIABLE problem
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the generator failed:\n${problem}")
endif()
string(REPLACE "\n" ";" generated "${generated}")
list(TRANSFORM generated PREPEND ${EAGRE_GEN_DIR}/)
set(EAGRE_GEN_KERNELS ${generated})
list(FILTER EAGRE_GEN_KERNELS INCLUDE REGEX "/gen/kernels/isa/.*\\.cpp$")
set(EAGRE_GEN_SOURCES ${generated})
list(FILTER EAGRE_GEN_SOURCES INCLUDE REGEX "/gen/(kernels/once|dispatch|ops|api)/.*\\.cpp$")
set(EAGRE_GEN_PYTHON ${generated})
list(FILTER EAGRE_GEN_PYTHON INCLUDE REGEX "/gen/python/.*\\.cpp$")
set(EAGRE_GEN_PACKAGE ${generated})
list(FILTER EAGRE_GEN_PACKAGE INCLUDE REGEX "/gen/python/eagre/")
