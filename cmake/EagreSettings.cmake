# Flags of all targets of this project; nothing of it reaches those who link the library.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(eagre_settings INTERFACE)
target_compile_options(eagre_settings INTERFACE -Wall -Wextra -Werror=return-type
  -ffunction-sections -fdata-sections -fno-semantic-interposition -fno-plt -ffp-contract=off)
if(EAGRE_WARNINGS_AS_ERRORS)
  target_compile_options(eagre_settings INTERFACE -Werror)
endif()

if(EAGRE_SANITIZE STREQUAL "address")
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(EAGRE_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(NOT EAGRE_SANITIZE STREQUAL "")
  message(FATAL_ERROR "EAGRE_SANITIZE must be empty, 'address' or 'thread', got '${EAGRE_SANITIZE}'")
endif()
if(sanitizers)
  # Free lists would hide a use after free from the sanitizer.
  target_compile_definitions(eagre_settings INTERFACE EAGRE_NO_CACHES)
  target_compile_options(eagre_settings INTERFACE ${sanitizers} -fno-omit-frame-pointer)
  target_link_options(eagre_settings INTERFACE ${sanitizers})
endif()
