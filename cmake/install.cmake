# What `cmake --install` puts below its prefix, in components: `program` (with manual pages and completion, which the program
# itself writes), `development` (the libraries to the left of `datasets`, for find_package(cubicbench)) and, where it is built,
# `python`.
include(CMakePackageConfigHelpers)

install(TARGETS cubicbench RUNTIME COMPONENT program)
install(FILES LICENSE CHANGELOG.md README.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(NOT CMAKE_CROSSCOMPILING)
  # They are written when they are installed, which keeps them out of every other build.
  install(CODE "
    set(PROGRAM \"$<TARGET_FILE:cubicbench>\")
    set(PREFIX \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    set(MANUAL \"\${PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
    set(BASH \"\${PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/cubicbench\")
    set(ZSH \"\${PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_cubicbench\")
    set(FISH \"\${PREFIX}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/cubicbench.fish\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/package/written_by_program.cmake\")"
          COMPONENT program)
endif()

# The archives have names such as libsim.a, which a folder of their own keeps apart from everybody else's.
install(TARGETS sim support scenarios EXPORT cubicbench
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/cubicbench COMPONENT development
        FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cubicbench COMPONENT development)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cubicbench)
install(EXPORT cubicbench NAMESPACE cubicbench:: FILE cubicbench-targets.cmake DESTINATION ${config_dir} COMPONENT development)
configure_package_config_file(cmake/package/cubicbench-config.cmake.in ${PROJECT_BINARY_DIR}/generated/cubicbench-config.cmake
                              INSTALL_DESTINATION ${config_dir})
# Before 1.0 a minor version may change any of it.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/cubicbench-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/cubicbench-config.cmake
              ${PROJECT_BINARY_DIR}/generated/cubicbench-config-version.cmake
        DESTINATION ${config_dir} COMPONENT development)
