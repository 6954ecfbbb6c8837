# What `cmake --install` puts where, and the Debian packages that `cpack` makes
# of it: one for the program, one for libtuned, one to build with libtuned.
include(CMakePackageConfigHelpers)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/install)
set(private ${CMAKE_INSTALL_LIBDIR}/wavetune)
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/wavetune)

install(TARGETS tune RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  COMPONENT tune)
install(TARGETS hipsim hipcuda hipsim-run DESTINATION ${private}
  COMPONENT tune)
# It looks for libhipsim beside itself.
file(RELATIVE_PATH run ${CMAKE_INSTALL_FULL_BINDIR}
  ${CMAKE_INSTALL_PREFIX}/${private}/hipsim-run)
file(CREATE_LINK ${run} ${PROJECT_BINARY_DIR}/install/hipsim-run SYMBOLIC)
install(FILES ${PROJECT_BINARY_DIR}/install/hipsim-run
  DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tune)
install(DIRECTORY db/ DESTINATION ${CMAKE_INSTALL_DATADIR}/wavetune/db
  COMPONENT tune FILES_MATCHING PATTERN "*.table")
# Where systemd looks for users' units, whatever the library folder's name is.
install(FILES cmake/nightly/tune-sweep@.service
  cmake/nightly/tune-sweep@.timer
  DESTINATION lib/systemd/user COMPONENT tune)
install(FILES cmake/nightly/tune-sweep.cron
  DESTINATION ${CMAKE_INSTALL_DATADIR}/wavetune COMPONENT tune)
install(TARGETS tuned EXPORT wavetune
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    COMPONENT libtuned NAMELINK_COMPONENT libtuned-dev
  PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT libtuned-dev)
install(TARGETS tuned_rocblas LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT libtuned NAMELINK_SKIP)

# Pages are compressed, as Debian has them; -n leaves the time out.
foreach(page tune.1 hipsim-run.1 tuned_rocblas.1 libtuned.3)
  string(REGEX REPLACE ".*\\." "" section ${page})
  set(packed ${PROJECT_BINARY_DIR}/${page}.gz)
  add_custom_command(OUTPUT ${packed}
    COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/docs/${page} > ${packed}
    DEPENDS docs/${page} VERBATIM)
  list(APPEND pages ${packed})
  if(page MATCHES "^tuned")
    set(component libtuned)
  elseif(section EQUAL 1)
    set(component tune)
  else()
    set(component libtuned-dev)
  endif()
  install(FILES ${packed} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
    COMPONENT ${component})
endforeach()
add_custom_target(pages ALL DEPENDS ${pages})

# find_package(wavetune) and pkg-config, which find the rest from where they are
file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  ${CMAKE_INSTALL_PREFIX})
configure_file(ship/libtuned.pc.in ship/libtuned.pc @ONLY)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ship/wavetune-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT wavetune NAMESPACE wavetune:: FILE wavetune-targets.cmake
  DESTINATION ${cmake_files} COMPONENT libtuned-dev)
install(FILES ship/wavetune-config.cmake
  ${PROJECT_BINARY_DIR}/ship/wavetune-config-version.cmake
  DESTINATION ${cmake_files} COMPONENT libtuned-dev)
install(FILES ${PROJECT_BINARY_DIR}/ship/libtuned.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libtuned-dev)
install(DIRECTORY ship/example
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtuned-dev COMPONENT libtuned-dev)

include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
