/* pack.c - see pack.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/pack.h"

#include <string.h>

static size_t left(const struct pack *p)
{
  return (size_t)(p->end - p->at);
}

static uint64_t big_endian(const uint8_t *at, unsigned bytes)
{
  uint64_t value = 0;
  for (unsigned n = 0; n < bytes; n++)
    value = value << 8 | at[n];
  return value;
}

/* A head byte, then a number of `bytes` bytes; moves past both. */
static int number(struct pack *p, unsigned bytes, uint64_t *value)
{
  if (left(p) < 1 + (size_t)bytes)
    return 0;
  *value = big_endian(p->at + 1, bytes);
  p->at += 1 + bytes;
  return 1;
}

/* A count: in the low bits of the head where the others are `fix`, or in the
 * bytes after the heads first, first + 1, ... (1 or 2 bytes, doubling). */
static int count(struct pack *p, uint8_t fix, uint8_t mask, uint8_t first,
                 unsigned bytes, uint64_t *n)
{
  if (!left(p))
    return 0;
  uint8_t head = *p->at;
  if ((head & ~mask) == fix) {
    *n = head & mask;
    p->at++;
    return 1;
  }
  for (unsigned k = 0; bytes << k <= 4; k++)
    if (head == first + k)
      return number(p, bytes << k, n);
  return 0;
}

int pack_map(struct pack *p, uint32_t *n)
{
  uint64_t value;
  if (!count(p, 0x80, 0x0f, 0xde, 2, &value))
    return 0;
  *n = (uint32_t)value;
  return 1;
}

int pack_array(struct pack *p, uint32_t *n)
{
  uint64_t value;
  if (!count(p, 0x90, 0x0f, 0xdc, 2, &value))
    return 0;
  *n = (uint32_t)value;
  return 1;
}

int pack_string(struct pack *p, struct pack_text *text)
{
  struct pack q = *p;
  uint64_t n;
  if (!count(&q, 0xa0, 0x1f, 0xd9, 1, &n) || n > left(&q))
    return 0;
  *text = (struct pack_text){(const char *)q.at, n};
  p->at = q.at + n;
  return 1;
}

int pack_uint(struct pack *p, uint64_t *value)
{
  if (!left(p))
    return 0;
  uint8_t head = *p->at;
  if (head < 0x80) {
    *value = head;
    p->at++;
    return 1;
  }
  return head >= 0xcc && head <= 0xcf && number(p, 1u << (head - 0xcc), value);
}

int pack_real(struct pack *p, double *value)
{
  uint64_t bits;
  if (!left(p) || *p->at != 0xcb || !number(p, sizeof bits, &bits))
    return 0;
  memcpy(value, &bits, sizeof *value);
  return 1;
}

int pack_fields(struct pack *p, pack_field *field, void *to)
{
  uint32_t n;
  struct pack_text key;
  if (!pack_map(p, &n))
    return 0;
  while (n--)
    if (!pack_string(p, &key) || !field(p, key, to))
      return 0;
  return 1;
}

/* Bytes after the head of a value without a variable part; -1: no such. */
static int fixed_size(uint8_t head)
{
  static const int8_t sizes[] = { /* 0xc0 to 0xdb */
      0, -1, 0, 0, -1, -1, -1, -1, -1, -1, 4, 8, 1, 2,
      4, 8,  1, 2, 4,  8,  2,  3,  5,  9,  17, -1, -1, -1,
  };
  if (head < 0x80 || head >= 0xe0)
    return 0;
  return head >= 0xc0 && head < 0xc0 + sizeof sizes ? sizes[head - 0xc0] : -1;
}

/* bin 8/16/32 (0xc4) and ext 8/16/32 (0xc7), which has one byte of type. */
static int skip_blob(struct pack *p)
{
  uint8_t head = *p->at;
  if (head < 0xc4 || head > 0xc9)
    return 0;
  unsigned ext = head >= 0xc7;
  uint64_t n;
  if (!number(p, 1u << (head - (ext ? 0xc7 : 0xc4)), &n) ||
      n + ext > left(p))
    return 0;
  p->at += n + ext;
  return 1;
}

int pack_skip(struct pack *p)
{
  struct pack_text text;
  uint32_t n;
  for (uint64_t todo = 1; todo; todo--) {
    if (!left(p))
      return 0;
    int size = fixed_size(*p->at);
    if (size >= 0) {
      if (left(p) < 1 + (size_t)size)
        return 0;
      p->at += 1 + size;
    } else if (pack_map(p, &n)) {
      todo += 2 * (uint64_t)n;
    } else if (pack_array(p, &n)) {
      todo += n;
    } else if (!pack_string(p, &text) && !skip_blob(p)) {
      return 0;
    }
  }
  return 1;
}

int pack_is(struct pack_text text, const char *word)
{
  return strlen(word) == text.len && !memcmp(text.at, word, text.len);
}
