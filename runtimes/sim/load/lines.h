/* lines.h - which line of the source an instruction came from.
 *
 * Reads .debug_line of a code object (DWARF 2 to 5, "Line Number Information"),
 * which compilers write with -g or -gline-tables-only. The bytes come from
 * outside: whatever they hold, a line is found or it is not.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_lines_h
#define sim_lines_h

#include <stddef.h>
#include <stdint.h>

struct bytes {
  uint8_t *at; /* NULL: the file has no such section */
  size_t n;
};

struct line_table {
  struct bytes line, line_str, str; /* .debug_line and what it names */
};

/* A place in the source. The name is cut, without its folders. */
struct source_line {
  char file[80];
  unsigned line;
};

/* The line of the code at an address of the file's own; 0: not known. */
int lines_find(const struct line_table *l, uint64_t address, struct source_line *out);

#endif
