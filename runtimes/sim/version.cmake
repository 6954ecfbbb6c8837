# version.cmake - the model's version: a hash of the files that decide what the
# simulated device answers, the same for every build of them, whatever the
# compiler. Folders and names do not count.
#
#   cmake -DOUT=HEADER -P version.cmake FILE...
cmake_minimum_required(VERSION 3.22)
set(hashes)
math(EXPR last "${CMAKE_ARGC} - 1")
set(seen OFF)
foreach(i RANGE ${last})
  set(file "${CMAKE_ARGV${i}}")
  if(seen)
    file(SHA256 "${file}" hash)
    list(APPEND hashes ${hash})
  elseif(file MATCHES "version\\.cmake$")
    set(seen ON)
  endif()
endforeach()
list(SORT hashes)
string(SHA256 version "${hashes}")
string(SUBSTRING ${version} 0 12 version)
file(CONFIGURE OUTPUT "${OUT}" CONTENT
  "/* made by runtimes/sim/version.cmake */\n#define MODEL_VERSION \"@version@\"\n"
  @ONLY)
