/* terminal.h - text in the width of who reads it.
 *
 * Results for people take 80 columns, or those of a narrower terminal.
 * Messages are broken at blanks on a terminal only: what reads them from a
 * file or a pipe wants a sentence on one line.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_cli_terminal_h
#define tuner_cli_terminal_h

#include <stdio.h>

/* Columns that a line of results to this stream may take. */
size_t terminal_columns(FILE *to);

/* "  label        text", continued at commas, blanks and ends of lines under the
 * text. */
void terminal_row(FILE *to, const char *label, const char *text,
                  size_t columns);

/* The rest of a line that has `indent` columns already: continued under its
 * beginning. */
void terminal_continue(FILE *to, const char *text, size_t indent,
                       size_t columns);

/* Lines of at most so many columns, each continued under its beginning. */
void terminal_lines(FILE *to, const char *text, size_t columns);

/* Print a message to stderr: "tune: text". */
void terminal_message(const char *text);

/* Lines of at most so many columns, broken at blanks; a word that is longer
 * stands alone, and a line that begins with a blank stays as it is. */
void terminal_wrap(FILE *to, const char *text, size_t columns);

#endif
