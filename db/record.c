/* record.c - see record.h. */
// SPDX-License-Identifier: MIT
#include "db/record.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char tail_format[] = " crc=%08x";
enum {TAIL = 13}; /* bytes of " crc=1a2b3c4d" */

struct field {
  char *name, *value;
};

struct record {
  size_t n, room;
  struct field *fields; /* in ascending order of their names */
};

struct record *record_new(void)
{
  return mem_alloc(sizeof(struct record));
}

void record_free(struct record *r)
{
  if (!r)
    return;
  for (size_t i = 0; i < r->n; i++) {
    free(r->fields[i].name);
    free(r->fields[i].value);
  }
  free(r->fields);
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
    free(r->fields[i].value);
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

/* CRC-32 of IEEE 802.3, reflected, four bits a step. */
static uint32_t crc32(const char *bytes, size_t n)
{
  static const uint32_t step[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
    0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
  };
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < n; i++) {
    crc ^= (unsigned char)bytes[i];
    crc = crc >> 4 ^ step[crc & 15];
    crc = crc >> 4 ^ step[crc & 15];
  }
  return ~crc;
}

static int must_escape(unsigned char c)
{
  return c <= 0x20 || c == 0x7f || c == '%';
}

static void add_value(struct str *out, const char *value)
{
  for (; *value; value++) {
    unsigned char c = (unsigned char)*value;
    if (must_escape(c))
      str_addf(out, "%%%02X", c);
    else
      str_add_bytes(out, value, 1);
  }
}

void record_format(const struct record *r, struct str *out)
{
  size_t start = out->len;
  for (size_t i = 0; i < r->n; i++) {
    if (i)
      str_add(out, " ");
    str_add(out, r->fields[i].name);
    str_add(out, "=");
    add_value(out, r->fields[i].value);
  }
  uint32_t crc = crc32(str_text(out) + start, out->len - start);
  str_addf(out, tail_format, (unsigned)crc);
}

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/* The plain text of an escaped value, or NULL where it is not written as
 * add_value() writes it: a record has one form, so that files can be compared
 * byte by byte. */
static char *plain(const char *at, size_t n)
{
  char *out = mem_alloc(n + 1), *to = out;
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)at[i];
    int escape = c == '%';
    if (escape) {
      int high = i + 2 < n ? hex_digit(at[i + 1]) : -1;
      int low = i + 2 < n ? hex_digit(at[i + 2]) : -1;
      c = high < 0 || low < 0 ? 0 : (unsigned char)(high * 16 + low);
      i += 2;
    }
    if (!c || escape != must_escape(c)) {
      free(out);
      return NULL;
    }
    *to++ = (char)c;
  }
  return out;
}

/* One name=value of n bytes, added behind those that r holds. */
static int add_field(struct record *r, const char *at, size_t n, size_t column,
                     struct err *e)
{
  const char *equals = memchr(at, '=', n);
  size_t length = equals ? (size_t)(equals - at) : n;
  if (!equals || !legal_name(at, length))
    return err_set(e, ERR_FAILED, "column %zu: expected name=value", column);
  char *value = plain(equals + 1, n - length - 1);
  if (!value)
    return err_set(e, ERR_FAILED, "column %zu: bad escape or control byte",
                   column + length + 1);
  char *name = mem_alloc(length + 1);
  memcpy(name, at, length);
  if (r->n && strcmp(r->fields[r->n - 1].name, name) >= 0) {
    err_set(e, ERR_FAILED, "column %zu: '%s' is %s", column, name,
            record_get(r, name) ? "given twice" : "out of order");
    free(name);
    free(value);
    return ERR_FAILED;
  }
  insert(r, r->n, name, value);
  return 0;
}

static int check_sum(const char *line, size_t n, struct err *e)
{
  if (n > RECORD_LINE)
    return err_set(e, ERR_FAILED, "longer than %d bytes", RECORD_LINE);
  if (n < TAIL || memcmp(line + n - TAIL, " crc=", 5))
    return err_set(e, ERR_FAILED, "does not end with a checksum");
  char want[TAIL + 1];
  snprintf(want, sizeof want, tail_format,
           (unsigned)crc32(line, n - TAIL));
  if (memcmp(line + n - TAIL, want, TAIL))
    return err_set(e, ERR_FAILED, "checksum does not match its text (%s)",
                   want + 1);
  return 0;
}

int record_parse(const char *line, size_t n, struct record **out,
                 struct err *e)
{
  *out = NULL;
  int code = check_sum(line, n, e);
  if (code)
    return code;
  struct record *r = record_new();
  n -= TAIL;
  for (size_t at = 0; n && at <= n && !code;) {
    const char *blank = memchr(line + at, ' ', n - at);
    size_t length = blank ? (size_t)(blank - line) - at : n - at;
    code = add_field(r, line + at, length, at + 1, e);
    at += length + 1;
  }
  if (code)
    record_free(r);
  else
    *out = r;
  return code;
}
