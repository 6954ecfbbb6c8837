/* record.h - one line of the store: name=value pairs and a checksum.
 *
 *     arch=gfx906 config=tile_m=128,tile_n=128 ... time_us=12.5 crc=1a2b3c4d
 *
 * Names are sorted, a name stands once. In values the bytes space, tab,
 * newline, carriage return, '%' and anything below 0x20 or equal to 0x7f are
 * written as %XX, so that a line splits at blanks and a pair at its first
 * '='. crc is the last pair: CRC-32 (IEEE 802.3) of everything before " crc=".
 */
// SPDX-License-Identifier: MIT
#ifndef db_record_h
#define db_record_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum {
  RECORD_NAME = 63,    /* longest name */
  RECORD_LINE = 65536, /* longest line that the store writes and reads */
};

struct record; /* opaque: an ordered map of strings */

struct record *record_new(void);
void record_free(struct record *r);
struct record *record_copy(const struct record *r);

/* Set name to a printf-formatted value (replaces). Names match [a-z0-9_]+;
 * "crc" is taken. */
void record_set(struct record *r, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *record_get(const struct record *r, const char *name); /* or NULL */
const char *record_text(const struct record *r, const char *name); /* or "" */
/* The value as a number; `missing` where there is none or it is no number. */
double record_number(const struct record *r, const char *name, double missing);
size_t record_size(const struct record *r);
const char *record_name(const struct record *r, size_t i);
const char *record_value(const struct record *r, size_t i);

/* One line without its newline, with crc, appended to out. */
void record_format(const struct record *r, struct str *out);
/* hash_64() of that line: of two records with the same, both are alike. */
uint64_t record_hash(const struct record *r);
/* Parse a line of n bytes, any bytes; ERR_FAILED says what is wrong with it
 * (the caller puts file:line in front) and sets *out to NULL. */
int record_parse(const char *line, size_t n, struct record **out,
                 struct err *e);

/* Without making a record of it: is the line's checksum right? *crc is what it
 * is. */
int record_check(const char *line, size_t n, uint32_t *crc, struct err *e);
/* A value as it stands in a line (not ended by a NUL), or NULL. */
const char *record_field(const char *line, size_t n, const char *name,
                         size_t *length);
/* A value as it would stand in a line, appended to out. */
void record_escape(const char *value, struct str *out);

#endif
