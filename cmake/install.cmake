# What `cmake --install` puts where: headers, libraries, program, package files, man pages, shell
# completions, documents, examples.
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

if(TARGET loopcert_verify)
  install(TARGETS loopcert_verify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

if(TARGET loopcert_importer)
  install(TARGETS loopcert_importer
          RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/loopcert)
endif()

# Man pages and completions are printed by the program, which must run where it is built.
if(TARGET loopcert_program AND NOT CMAKE_CROSSCOMPILING)
  set(pages ${PROJECT_BINARY_DIR}/share/man1)
  set(scripts ${PROJECT_BINARY_DIR}/share/completions)
  set(program $<TARGET_FILE:loopcert_program>)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/share/stamp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/share
    COMMAND ${CMAKE_COMMAND} -E make_directory ${scripts}
    COMMAND ${program} help --man --out ${pages}
    COMMAND ${program} completion bash > ${scripts}/loopcert
    COMMAND ${program} completion zsh > ${scripts}/_loopcert
    COMMAND ${program} completion fish > ${scripts}/loopcert.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/share/stamp
    DEPENDS loopcert_program
    COMMENT "Man pages and completions")
  add_custom_target(loopcert_pages ALL DEPENDS ${PROJECT_BINARY_DIR}/share/stamp)
  install(DIRECTORY ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${scripts}/loopcert
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${scripts}/_loopcert DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${scripts}/loopcert.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
