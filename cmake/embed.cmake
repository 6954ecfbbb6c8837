# cmake -D OUT=FILE.c -D TABLE=NAME -D ROOT=FOLDER -D FILES="a;b" -P embed.cmake:
# the files as a C table of struct embedded (gen/source.h) of that name, by their
# paths in FOLDER; those that lie elsewhere by their names alone.
set(text "/* Made by cmake/embed.cmake. */\n#include \"gen/source.h\"\n\n")
string(APPEND text "extern const struct embedded ${TABLE}[];\n"
  "const struct embedded ${TABLE}[] = {\n")
foreach(file ${FILES})
  file(RELATIVE_PATH name ${ROOT} ${file})
  if(name MATCHES "^\\.\\./")
    get_filename_component(name ${file} NAME)
  endif()
  file(READ ${file} hex HEX)
  file(SIZE ${file} size)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE
    "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  string(APPEND text
    "{ \"${name}\", ${size}, (const char *)(const unsigned char[]){\n"
    "${bytes}0 } },\n")
endforeach()
string(APPEND text "{ 0, 0, 0 },\n};\n")
file(WRITE ${OUT} "${text}")
