/* format_csv.c - every field of the store as a table for spreadsheets: RFC 4180,
 * the first line names the fields. An empty cell is a field that is not there. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/store/exchange.h"

enum {FIELDS = 256}; /* most columns */

struct columns {
  size_t n;
  char *name[FIELDS];
};

static void columns_free(struct columns *c)
{
  for (size_t i = 0; i < c->n; i++)
    free(c->name[i]);
  c->n = 0;
}

/* --- writing ------------------------------------------------------------- */

/* In the order of their names. */
static void add_column(struct columns *c, const char *name)
{
  size_t at = 0;
  while (at < c->n && strcmp(c->name[at], name) < 0)
    at++;
  if (c->n == FIELDS || (at < c->n && !strcmp(c->name[at], name)))
    return;
  memmove(c->name + at + 1, c->name + at, (c->n - at) * sizeof *c->name);
  c->name[at] = mem_copy(name);
  c->n++;
}

static void add_cell(struct str *out, const char *text)
{
  if (!text[strcspn(text, ",\"\r\n")]) {
    str_add(out, text);
    return;
  }
  str_add(out, "\"");
  for (; *text; text++)
    str_addf(out, *text == '"' ? "\"\"" : "%c", *text);
  str_add(out, "\"");
}

void csv_write(const struct results *r, struct str *out)
{
  struct columns c = {0};
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < record_size(r->list[i]); k++)
      add_column(&c, record_name(r->list[i], k));
  for (size_t k = 0; k < c.n; k++)
    str_addf(out, "%s%s", k ? "," : "", c.name[k]);
  str_add(out, "\n");
  for (size_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < c.n; k++) {
      add_cell(out, record_text(r->list[i], c.name[k]));
      str_add(out, k + 1 < c.n ? "," : "\n");
    }
  columns_free(&c);
}

/* --- reading ------------------------------------------------------------- */

struct cursor {
  const char *at, *end;
  size_t line;
};

/* What stands between quotes; the cursor is behind the first. */
static int read_quoted(struct cursor *c, struct str *cell, struct err *e)
{
  size_t begun = c->line;
  for (; c->at < c->end; c->at++) {
    if (*c->at == '"' && (c->at + 1 == c->end || c->at[1] != '"')) {
      c->at++;
      return 0;
    }
    c->at += *c->at == '"';
    c->line += *c->at == '\n';
    str_add_bytes(cell, c->at, 1);
  }
  return err_set(e, ERR_FAILED, "a quote that was opened in line %zu is not "
                 "closed", begun);
}

/* One cell and what ends it: *last where that is the line's end. */
static int read_cell(struct cursor *c, struct str *cell, int *last,
                     struct err *e)
{
  str_clear(cell);
  str_add(cell, "");
  if (c->at < c->end && *c->at == '"') {
    c->at++;
    if (read_quoted(c, cell, e))
      return e->code;
  } else {
    const char *from = c->at;
    while (c->at < c->end && !strchr(",\r\n\"", *c->at))
      c->at++;
    str_add_bytes(cell, from, (size_t)(c->at - from));
  }
  if (c->at < c->end && *c->at == '\r')
    c->at++;
  *last = c->at == c->end || *c->at == '\n';
  if (c->at < c->end && *c->at != ',' && *c->at != '\n')
    return err_set(e, ERR_FAILED, "a comma or the end of the line is missing "
                   "behind '%.60s'", cell->at);
  if (memchr(cell->at, 0, cell->len))
    return err_set(e, ERR_FAILED, "a NUL byte; is it a text?");
  c->line += c->at < c->end && *c->at == '\n';
  c->at += c->at < c->end;
  return 0;
}

static int legal(const char *name)
{
  size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
  return n && !name[n] && n <= RECORD_NAME && strcmp(name, "crc") != 0;
}

static int known(const struct columns *c, const char *name)
{
  size_t i = 0;
  while (i < c->n && strcmp(c->name[i], name) != 0)
    i++;
  return i < c->n;
}

static int read_head(struct cursor *at, struct columns *c, struct err *e)
{
  struct str cell = {0};
  int last = 0, code = 0;
  while (!last && !code && !(code = read_cell(at, &cell, &last, e))) {
    if (!legal(cell.at))
      code = err_set(e, ERR_FAILED, "'%.60s' is no name of a field: these are "
                     "small letters, digits and _", cell.at);
    else if (known(c, cell.at))
      code = err_set(e, ERR_FAILED, "the field %s is named twice", cell.at);
    else if (c->n == FIELDS)
      code = err_set(e, ERR_FAILED, "more than %d fields", FIELDS);
    else
      c->name[c->n++] = mem_copy(cell.at);
  }
  str_free(&cell);
  return code;
}

static int read_row(struct cursor *at, const struct columns *c,
                    struct record *r, struct err *e)
{
  struct str cell = {0};
  int last = 0, code = 0;
  size_t n = 0;
  while (!last && !(code = read_cell(at, &cell, &last, e)))
    if (n++ < c->n && cell.len)
      record_set(r, c->name[n - 1], "%s", cell.at);
  if (!code && n != c->n)
    code = err_set(e, ERR_FAILED, "%zu cells, and the first line names %zu",
                   n, c->n);
  str_free(&cell);
  return code;
}

int csv_read(const char *path, const struct str *text, struct results *out,
             struct err *e)
{
  struct cursor at = {str_text(text), str_text(text) + text->len, 1};
  struct columns c = {0};
  size_t line = 1;
  int code = read_head(&at, &c, e);
  while (!code && at.at < at.end) {
    line = at.line;
    if (*at.at == '\n') { /* an empty line */
      at.at++;
      at.line++;
      continue;
    }
    struct record *r = record_new();
    results_add(out, r);
    code = read_row(&at, &c, r, e);
  }
  columns_free(&c);
  return code ? err_prefix(e, "%s:%zu", path, line) : 0;
}
