# find_package(Eagre): a relocatable package.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Eagre)
install(TARGETS eagre EXPORT EagreTargets COMPONENT cpp)
foreach(include_root ${CMAKE_CURRENT_SOURCE_DIR}/eagre ${EAGRE_GEN_DIR}/include/eagre)
  install(DIRECTORY ${include_root} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT cpp
    FILES_MATCHING PATTERN "*.h")
endforeach()
install(EXPORT EagreTargets NAMESPACE Eagre:: DESTINATION ${package_dir} COMPONENT cpp)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/EagreConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/EagreConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/EagreConfig.cmake INSTALL_DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/EagreConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/EagreConfigVersion.cmake DESTINATION ${package_dir} COMPONENT cpp)
