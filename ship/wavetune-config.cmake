# find_package(wavetune): the target wavetune::tuned, libtuned.
include(${CMAKE_CURRENT_LIST_DIR}/wavetune-targets.cmake)
