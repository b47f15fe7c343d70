# What `cpack` makes of an installation: a .deb of the program, one for development, and a .tar.gz with both.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR "The CubicBench authors")
set(CPACK_PACKAGE_CONTACT "The CubicBench authors <cubicbench@example.org>" CACHE STRING "Maintainer that packages name")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "benchmark suite for co-design search on a simulated training cluster")
set(CPACK_PACKAGE_DESCRIPTION
    "CubicBench compares methods that search for the fastest way to distribute the
training of a large model. A simulator computes time and memory of a step, so a
search needs no cluster and can be repeated.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/as_debian_wants.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME cubicbench)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# `paper` and the pages of other commands draw with gnuplot.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "gnuplot-nox | gnuplot-qt | gnuplot-x11")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "The simulator and the reader of scenarios as static libraries with their
headers, for find_package(cubicbench).")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcubicbench-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtbb-dev, nlohmann-json3-dev")
include(CPack)
