/* record.c - see record.h. */
// SPDX-License-Identifier: MIT
#include "db/record.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/hash.h"
#include "base/mem.h"

static const char tail_format[] = " crc=%08x";
enum {TAIL = 13}; /* bytes of " crc=1a2b3c4d" */

struct field {
  char *name, *value;
};

struct record {
  size_t n, room;
  struct field *fields; /* in ascending order of their names */
  char *line; /* that it was made of, or NULL: names and values are in it, but
               * for those that were set since */
  size_t bytes; /* of line */
};

/* Of a name or value; an allocation for each would take longer than parsing. */
static void drop(const struct record *r, char *text)
{
  if (!r->line || text < r->line || text >= r->line + r->bytes)
    free(text);
}

struct record *record_new(void)
{
  return mem_alloc(sizeof(struct record));
}

void record_free(struct record *r)
{
  if (!r)
    return;
  for (size_t i = 0; i < r->n; i++) {
    drop(r, r->fields[i].name);
    drop(r, r->fields[i].value);
  }
  free(r->fields);
  free(r->line);
  free(r);
}

/* Where name is, or belongs. */
static size_t index_of(const struct record *r, const char *name, int *found)
{
  size_t low = 0, high = r->n;
  *found = 0;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = strcmp(r->fields[middle].name, name);
    if (!order) {
      *found = 1;
      return middle;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Insert an empty field at i; takes over the value. */
static void insert(struct record *r, size_t i, char *name, char *value)
{
  if (r->n == r->room) {
    r->room = r->room ? 2 * r->room : 16;
    r->fields = mem_resize(r->fields, r->room * sizeof *r->fields);
  }
  memmove(r->fields + i + 1, r->fields + i, (r->n - i) * sizeof *r->fields);
  r->fields[i] = (struct field){name, value};
  r->n++;
}

struct record *record_copy(const struct record *r)
{
  struct record *copy = record_new();
  for (size_t i = 0; i < r->n; i++)
    insert(copy, i, mem_copy(r->fields[i].name),
           mem_copy(r->fields[i].value));
  return copy;
}

static int name_byte(unsigned char c)
{
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static int legal_name(const char *name, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!name_byte((unsigned char)name[i]))
      return 0;
  return n > 0 && n <= RECORD_NAME && !(n == 3 && !memcmp(name, "crc", 3));
}

void record_set(struct record *r, const char *name, const char *format, ...)
{
  assert(legal_name(name, strlen(name)));
  va_list args;
  va_start(args, format);
  char *value;
  int n = vasprintf(&value, format, args);
  va_end(args);
  if (n < 0)
    value = mem_copy("");
  int found;
  size_t i = index_of(r, name, &found);
  if (found) {
    drop(r, r->fields[i].value);
    r->fields[i].value = value;
  } else {
    insert(r, i, mem_copy(name), value);
  }
}

const char *record_get(const struct record *r, const char *name)
{
  int found;
  size_t i = index_of(r, name, &found);
  return found ? r->fields[i].value : NULL;
}

const char *record_text(const struct record *r, const char *name)
{
  const char *value = record_get(r, name);
  return value ? value : "";
}

double record_number(const struct record *r, const char *name, double missing)
{
  const char *text = record_get(r, name);
  if (!text || !*text)
    return missing;
  char *end;
  double value = strtod(text, &end);
  return *end ? missing : value;
}

size_t record_size(const struct record *r)
{
  return r->n;
}

const char *record_name(const struct record *r, size_t i)
{
  assert(i < r->n);
  return r->fields[i].name;
}

const char *record_value(const struct record *r, size_t i)
{
  assert(i < r->n);
  return r->fields[i].value;
}

static int must_escape(unsigned char c)
{
  return c <= 0x20 || c == 0x7f || c == '%';
}

void record_escape(const char *value, struct str *out)
{
  while (*value) {
    size_t n = 0;
    while (!must_escape((unsigned char)value[n])) /* a NUL must */
      n++;
    str_add_bytes(out, value, n);
    value += n;
    if (*value)
      str_addf(out, "%%%02X", (unsigned char)*value++);
  }
}

/* CRC-32 of IEEE 802.3. */
static uint32_t sum(const char *bytes, size_t n)
{
  return (uint32_t)crc32_z(0, (const unsigned char *)bytes, n);
}

void record_format(const struct record *r, struct str *out)
{
  size_t start = out->len;
  for (size_t i = 0; i < r->n; i++) {
    if (i)
      str_add(out, " ");
    str_add(out, r->fields[i].name);
    str_add(out, "=");
    record_escape(r->fields[i].value, out);
  }
  uint32_t crc = sum(str_text(out) + start, out->len - start);
  str_addf(out, tail_format, (unsigned)crc);
}

uint64_t record_hash(const struct record *r)
{
  struct str line = {0};
  record_format(r, &line);
  uint64_t hash = hash_64(line.at, line.len);
  str_free(&line);
  return hash;
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/* Put the plain text of an escaped value, and a NUL, in its place. -1 where it
 * is not written as record_escape() writes it: a record has one form, so that
 * files can be compared byte by byte. */
static int unescape(char *at, size_t n)
{
  char *to = at;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)at[i];
    int escape = c == '%';
    if (escape) {
      int high = i + 2 < n ? hex_digit(at[i + 1]) : -1;
      int low = i + 2 < n ? hex_digit(at[i + 2]) : -1;
      c = high < 0 || low < 0 ? 0 : (unsigned char)(high * 16 + low);
      i += 2;
    }
    if (!c || escape != must_escape(c))
      return -1;
    *to++ = (char)c;
  }
  *to = 0;
  return 0;
}

/* One name=value of n bytes of the record's line, added behind those that r
 * holds; what stands behind them is overwritten. */
static int add_field(struct record *r, char *at, size_t n, size_t column,
                     struct err *e)
{
  char *equals = memchr(at, '=', n);
  size_t length = equals ? (size_t)(equals - at) : n;
  if (!equals || !legal_name(at, length))
    return err_set(e, ERR_FAILED, "column %zu: expected name=value", column);
  if (unescape(equals + 1, n - length - 1))
    return err_set(e, ERR_FAILED, "column %zu: bad escape or control byte",
                   column + length + 1);
  *equals = 0;
  if (r->n && strcmp(r->fields[r->n - 1].name, at) >= 0)
    return err_set(e, ERR_FAILED, "column %zu: '%s' is %s", column, at,
                   record_get(r, at) ? "given twice" : "out of order");
  insert(r, r->n, at, equals + 1);
  return 0;
}

int record_check(const char *line, size_t n, uint32_t *crc, struct err *e)
{
  if (n > RECORD_LINE)
    return err_set(e, ERR_FAILED, "longer than %d bytes", RECORD_LINE);
  if (n < TAIL || memcmp(line + n - TAIL, " crc=", 5))
    return err_set(e, ERR_FAILED, "does not end with a checksum");
  *crc = sum(line, n - TAIL);
  char want[8];
  for (int i = 0; i < 8; i++)
    want[i] = "0123456789abcdef"[*crc >> (28 - 4 * i) & 15];
  if (memcmp(line + n - 8, want, 8))
    return err_set(e, ERR_FAILED, "checksum does not match its text (crc=%08x)",
                   (unsigned)*crc);
  return 0;
}

const char *record_field(const char *line, size_t n, const char *name,
                         size_t *length)
{
  size_t wide = strlen(name);
  for (const char *at = line, *end = line + n; (size_t)(end - at) > wide;) {
    if (!memcmp(at, name, wide) && at[wide] == '=' &&
        (at == line || at[-1] == ' ')) {
      at += wide + 1;
      const char *blank = memchr(at, ' ', (size_t)(end - at));
      *length = (size_t)((blank ? blank : end) - at);
      return at;
    }
    at = memmem(at + 1, (size_t)(end - at - 1), name, wide);
    if (!at)
      break;
  }
  return NULL;
}

int record_parse(const char *line, size_t n, struct record **out,
                 struct err *e)
{
  *out = NULL;
  uint32_t crc;
  int code = record_check(line, n, &crc, e);
  if (code)
    return code;
  struct record *r = record_new();
  n -= TAIL;
  r->bytes = n + 1;
  r->line = mem_alloc(r->bytes);
  memcpy(r->line, line, n);
  for (size_t at = 0; n && at <= n && !code;) {
    char *from = r->line + at, *blank = memchr(from, ' ', n - at);
    size_t length = blank ? (size_t)(blank - from) : n - at;
    code = add_field(r, from, length, at + 1, e);
    at += length + 1;
  }
  if (code)
    record_free(r);
  else
    *out = r;
  return code;
}
