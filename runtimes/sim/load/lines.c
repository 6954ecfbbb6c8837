/* lines.c - see lines.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/load/lines.h"

#include <stdio.h>
#include <string.h>

/* --- bytes, bounded ------------------------------------------------------- */

struct cursor {
  const uint8_t *at, *end;
  int bad; /* it was asked for more than there is */
};

static uint64_t fixed(struct cursor *c, unsigned bytes)
{
  uint64_t value = 0;
  if ((size_t)(c->end - c->at) < bytes || bytes > 8) {
    c->bad = 1;
    c->at = c->end;
    return 0;
  }
  memcpy(&value, c->at, bytes); /* little-endian */
  c->at += bytes;
  return value;
}

static void skip(struct cursor *c, uint64_t bytes)
{
  if ((uint64_t)(c->end - c->at) < bytes) {
    c->bad = 1;
    bytes = (uint64_t)(c->end - c->at);
  }
  c->at += bytes;
}

static uint64_t leb(struct cursor *c, int sign)
{
  uint64_t value = 0, byte;
  unsigned at = 0;
  do {
    byte = fixed(c, 1);
    if (at < 64)
      value |= (byte & 127) << at;
    at += 7;
  } while (byte & 128);
  if (sign && byte & 64 && at < 64)
    value |= ~(uint64_t)0 << at;
  return value;
}

static const char *text(struct cursor *c)
{
  const uint8_t *end = memchr(c->at, 0, (size_t)(c->end - c->at));
  const char *start = (const char *)c->at;
  if (!end) {
    c->bad = 1;
    c->at = c->end;
    return "";
  }
  c->at = end + 1;
  return start;
}

static const char *text_at(const struct bytes *b, uint64_t offset)
{
  if (offset >= b->n || !memchr(b->at + offset, 0, b->n - offset))
    return "";
  return (const char *)b->at + offset;
}

/* --- a unit's header ------------------------------------------------------ */

enum {DIRECTORY_FORMATS = 8, STANDARD_OPCODES = 256};

struct unit {
  const struct line_table *lines;
  unsigned version, wide; /* wide: bytes of an offset, 4 or 8 */
  unsigned step, first_special;
  int line_base;
  unsigned line_range;
  uint8_t operands[STANDARD_OPCODES];
  struct cursor files; /* from the first name on */
};

/* Content types and forms that DWARF 5 uses in these tables. */
enum {CONTENT_PATH = 1};
enum {FORM_BLOCK = 0x09, FORM_DATA1 = 0x0b, FORM_DATA2 = 0x05,
      FORM_DATA4 = 0x06, FORM_DATA8 = 0x07, FORM_DATA16 = 0x1e,
      FORM_STRING = 0x08, FORM_STRP = 0x0e, FORM_UDATA = 0x0f,
      FORM_LINE_STRP = 0x1f};

/* A value; the text where it is one, else NULL. */
static const char *form(const struct unit *u, struct cursor *c, uint64_t kind)
{
  switch (kind) {
  case FORM_STRING:
    return text(c);
  case FORM_LINE_STRP:
    return text_at(&u->lines->line_str, fixed(c, u->wide));
  case FORM_STRP:
    return text_at(&u->lines->str, fixed(c, u->wide));
  case FORM_UDATA:
    leb(c, 0);
    return NULL;
  case FORM_BLOCK:
    skip(c, leb(c, 0));
    return NULL;
  case FORM_DATA1:
  case FORM_DATA2:
  case FORM_DATA4:
  case FORM_DATA8:
  case FORM_DATA16:
    skip(c, kind == FORM_DATA1   ? 1
            : kind == FORM_DATA2 ? 2
            : kind == FORM_DATA4 ? 4
            : kind == FORM_DATA8 ? 8
                                 : 16);
    return NULL;
  default:
    c->bad = 1;
    return NULL;
  }
}

/* Read a table of DWARF 5; the path of entry `wanted`, or NULL. */
static const char *entries(const struct unit *u, struct cursor *c,
                           uint64_t wanted)
{
  uint64_t kinds[DIRECTORY_FORMATS][2], n = fixed(c, 1);
  const char *found = NULL;
  if (n > DIRECTORY_FORMATS)
    c->bad = 1;
  for (uint64_t k = 0; k < n && !c->bad; k++) {
    kinds[k][0] = leb(c, 0);
    kinds[k][1] = leb(c, 0);
  }
  uint64_t count = leb(c, 0);
  for (uint64_t e = 0; n && e < count && !c->bad; e++)
    for (uint64_t k = 0; k < n && !c->bad; k++) {
      const char *path = form(u, c, kinds[k][1]);
      if (e == wanted && kinds[k][0] == CONTENT_PATH)
        found = path;
    }
  return found;
}

static const char *file_name(const struct unit *u, uint64_t number)
{
  struct cursor c = u->files;
  if (u->version >= 5) {
    entries(u, &c, UINT64_MAX); /* folders */
    return c.bad ? NULL : entries(u, &c, number);
  }
  while (!c.bad && *text(&c))
    ; /* folders */
  for (uint64_t n = 1; !c.bad; n++) {
    const char *name = text(&c);
    leb(&c, 0), leb(&c, 0), leb(&c, 0); /* folder, time, length */
    if (!*name || n == number)
      return *name ? name : NULL;
  }
  return NULL;
}

/* c is behind the unit's length; then at its program. 0: not one we know. */
static int header(struct unit *u, struct cursor *c)
{
  u->version = (unsigned)fixed(c, 2);
  if (u->version < 2 || u->version > 5)
    return 0;
  if (u->version >= 5)
    skip(c, 2); /* sizes of addresses and segments */
  uint64_t length = fixed(c, u->wide);
  struct cursor program = *c;
  skip(&program, length);
  u->step = (unsigned)fixed(c, 1);
  if (u->version >= 4)
    skip(c, 1); /* operations an instruction */
  skip(c, 1);   /* default of is_stmt */
  u->line_base = (int8_t)fixed(c, 1);
  u->line_range = (unsigned)fixed(c, 1);
  u->first_special = (unsigned)fixed(c, 1);
  for (unsigned n = 1; n < u->first_special; n++)
    u->operands[n] = (uint8_t)fixed(c, 1);
  u->files = *c;
  int good = !c->bad && !program.bad && u->line_range && u->first_special;
  *c = program;
  return good;
}

/* --- a unit's program ----------------------------------------------------- */

enum {COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, CONST_ADD = 8,
      FIXED_ADVANCE};
enum {END_SEQUENCE = 1, SET_ADDRESS};

struct row {
  uint64_t address, file;
  unsigned line;
};

struct machine {
  struct row now, before; /* before: the row that was made last */
  int begun;              /* there is one in this sequence */
  uint64_t wanted;
  int found;              /* it is `before` */
};

static void start(struct machine *m)
{
  m->now = (struct row){0, 1, 1};
  m->begun = 0;
}

static void make_row(struct machine *m)
{
  if (m->begun && m->wanted >= m->before.address &&
      m->wanted < m->now.address) {
    m->found = 1;
    return;
  }
  m->before = m->now;
  m->begun = 1;
}

static void extended(struct machine *m, struct cursor *c)
{
  uint64_t length = leb(c, 0);
  struct cursor in = *c;
  skip(c, length);
  switch (length ? fixed(&in, 1) : 0) {
  case END_SEQUENCE:
    make_row(m);
    if (!m->found)
      start(m);
    break;
  case SET_ADDRESS:
    m->now.address = fixed(&in, length - 1 <= 8 ? (unsigned)length - 1 : 8);
    break;
  }
}

static void standard(const struct unit *u, struct machine *m, unsigned op,
                     struct cursor *c)
{
  switch (op) {
  case COPY:
    make_row(m);
    break;
  case ADVANCE_PC:
    m->now.address += leb(c, 0) * u->step;
    break;
  case ADVANCE_LINE:
    m->now.line += (unsigned)leb(c, 1);
    break;
  case SET_FILE:
    m->now.file = leb(c, 0);
    break;
  case CONST_ADD:
    m->now.address += (255 - u->first_special) / u->line_range * u->step;
    break;
  case FIXED_ADVANCE:
    m->now.address += fixed(c, 2);
    break;
  default:
    for (unsigned n = 0; n < u->operands[op]; n++)
      leb(c, 0);
  }
}

static void special(const struct unit *u, struct machine *m, unsigned op)
{
  unsigned by = op - u->first_special;
  m->now.address += by / u->line_range * u->step;
  m->now.line += (unsigned)(u->line_base + (int)(by % u->line_range));
  make_row(m);
}

static int run(const struct unit *u, struct cursor *c, struct machine *m)
{
  start(m);
  while (c->at < c->end && !c->bad && !m->found) {
    unsigned op = (unsigned)fixed(c, 1);
    if (op >= u->first_special)
      special(u, m, op);
    else if (op)
      standard(u, m, op, c);
    else
      extended(m, c);
  }
  return m->found;
}

static void name(const struct unit *u, const struct row *r, struct source_line *out)
{
  const char *path = file_name(u, r->file), *slash;
  if (path && (slash = strrchr(path, '/')))
    path = slash + 1;
  snprintf(out->file, sizeof out->file, "%s", path && *path ? path : "?");
  out->line = r->line;
}

int lines_find(const struct line_table *l, uint64_t address, struct source_line *out)
{
  if (!l->line.at)
    return 0;
  struct cursor c = {l->line.at, l->line.at + l->line.n, 0};
  while (c.at < c.end && !c.bad) {
    struct unit u = {.lines = l, .wide = 4};
    uint64_t length = fixed(&c, 4);
    if (length == UINT32_MAX) {
      u.wide = 8;
      length = fixed(&c, 8);
    }
    struct cursor in = c;
    skip(&c, length);
    in.end = c.at;
    struct machine m = {.wanted = address};
    if (!header(&u, &in) || !run(&u, &in, &m))
      continue;
    name(&u, &m.before, out);
    return m.before.line != 0;
  }
  return 0;
}
