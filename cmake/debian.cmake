# The Debian packages: cpack in the build folder. tests/suites/packages has
# lintian look at them.
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tune libtuned libtuned-dev)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
# Nobody reads mail of the tree's own packages; who ships them names who does.
set(PACKAGE_CONTACT "wavetune developers <wavetune@localhost.invalid>" CACHE STRING
  "maintainer of the Debian packages")
set(CPACK_PACKAGE_CONTACT "${PACKAGE_CONTACT}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_TUNE_PACKAGE_NAME tune)
set(CPACK_DEBIAN_TUNE_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TUNE_PACKAGE_DEPENDS libamdhip64-5)
set(CPACK_COMPONENT_TUNE_DESCRIPTION "autotuner for GPU kernels
tune renders candidates of a kernel from a template, compiles each, checks
its result, times it, and stores the fastest per architecture in plain text.
Without a GPU the kernels run on a simulated one.")

set(CPACK_DEBIAN_LIBTUNED_PACKAGE_NAME libtuned0)
set(CPACK_DEBIAN_LIBTUNED_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBTUNED_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/debian/triggers)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/libtuned0.overrides
  DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME libtuned0
  COMPONENT libtuned)
set(CPACK_COMPONENT_LIBTUNED_DESCRIPTION "find and launch tuned GPU kernels
libtuned looks up the fastest known kernel for a problem in a pack that tune
has made, and launches it through the application's own HIP.

This package has the shared library.")

set(CPACK_DEBIAN_LIBTUNED-DEV_PACKAGE_NAME libtuned-dev)
set(CPACK_DEBIAN_LIBTUNED-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBTUNED-DEV_PACKAGE_DEPENDS
  "libtuned0 (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_LIBTUNED-DEV_DESCRIPTION
"find and launch tuned GPU kernels (development files)
libtuned looks up the fastest known kernel for a problem in a pack that tune
has made, and launches it through the application's own HIP.

This package has the header, the files for CMake and pkg-config, the manual
page and an example.")

# What the policy wants of every package: its licence and its changes.
foreach(component tune libtuned libtuned-dev)
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(folder ${PROJECT_BINARY_DIR}/debian/${name})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/changelog.in ${folder}/changelog
    @ONLY)
  add_custom_command(OUTPUT ${folder}/changelog.gz
    COMMAND gzip -9nc ${folder}/changelog > ${folder}/changelog.gz
    DEPENDS ${folder}/changelog VERBATIM)
  list(APPEND changelogs ${folder}/changelog.gz)
  install(FILES ${folder}/changelog.gz
    ${CMAKE_CURRENT_LIST_DIR}/debian/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endforeach()
add_custom_target(changelogs ALL DEPENDS ${changelogs})

include(CPack)
