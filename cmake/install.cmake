# What `cmake --install` puts where: headers, libraries, program, package files, documents.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/loopcert)

install(DIRECTORY include/loopcert DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/include/loopcert/core/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/loopcert/core)

install(TARGETS loopcert_all EXPORT loopcert)
install(EXPORT loopcert NAMESPACE loopcert:: FILE loopcertTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/loopcertConfig.cmake.in loopcertConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(loopcertConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/loopcertConfig.cmake
              ${PROJECT_BINARY_DIR}/loopcertConfigVersion.cmake DESTINATION ${package_dir})

if(TARGET loopcert_program)
  install(TARGETS loopcert_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

if(TARGET loopcert_importer)
  install(TARGETS loopcert_importer
          RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/loopcert)
endif()

install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
