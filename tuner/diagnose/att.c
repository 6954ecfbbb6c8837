/* att.c - see att.h. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tuner/diagnose/att.h"

enum {
  LARGEST = 256 << 20, /* bytes: a kernel of 10^5 instructions has some 20 MB */
  FIELDS = 10,
};

/* ORDER ROW: the fields of a row. */
enum {ISA, UNUSED, LINE, SOURCE, OBJECT, ADDRESS, HIT, LATENCY, STALL, IDLE};

static const char header[] = "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, "
                             "Latency, Stall, Idle";

/* Cycles and counts: finite, and not negative. */
static int amount(const json_t *row, size_t field, double *to)
{
  const json_t *v = json_array_get(row, field);
  *to = json_number_value(v);
  return !json_is_number(v) || !isfinite(*to) || *to < 0;
}

static int whole(const json_t *row, size_t field, long long *to)
{
  const json_t *v = json_array_get(row, field);
  *to = json_integer_value(v);
  return !json_is_integer(v);
}

static int text(const json_t *row, size_t field, const char **to)
{
  *to = json_string_value(json_array_get(row, field));
  return !*to;
}

static int read_row(const json_t *row, struct att_row *to)
{
  long long address;
  if (json_array_size(row) != FIELDS || text(row, ISA, &to->text) ||
      text(row, SOURCE, &to->source) || whole(row, LINE, &to->line) ||
      whole(row, OBJECT, &to->object) || whole(row, ADDRESS, &address) ||
      amount(row, HIT, &to->hits) || amount(row, LATENCY, &to->latency) ||
      amount(row, STALL, &to->stall) || amount(row, IDLE, &to->idle))
    return -1;
  to->address = (uint64_t)address;
  return 0;
}

static int names_kernel(const struct att_row *row)
{
  return !strncmp(row->text, "; ", 2);
}

/* A kernel's name as in its source, or else the one in the code object. */
static const char *name_of(const struct att_row *row)
{
  return *row->source ? row->source : row->text + 2;
}

/* Is the row in another code object than the rows of the last kernel? */
static int elsewhere(const struct att *t, const struct att_row *row)
{
  const struct att_kernel *k = t->nkernels ? &t->kernels[t->nkernels - 1] : NULL;
  return k && k->nrows && k->rows->object != row->object;
}

/* Rows before the first name, as code without symbols has, are a kernel too. */
static struct att_kernel *kernel_for(struct att *t, const struct att_row *row)
{
  if (names_kernel(row) || !t->nkernels || elsewhere(t, row))
    t->kernels[t->nkernels++] = (struct att_kernel){
        names_kernel(row) ? name_of(row) : "(without a name)", NULL, 0};
  return &t->kernels[t->nkernels - 1];
}

static int read_rows(struct att *t, const json_t *code, const char *path,
                     struct err *e)
{
  size_t n = json_array_size(code), used = 0;
  t->rows = mem_array(n + 1, sizeof *t->rows);
  t->kernels = mem_array(n + 1, sizeof *t->kernels);
  for (size_t i = 0; i < n; i++) {
    struct att_row *row = &t->rows[used];
    if (read_row(json_array_get(code, i), row))
      return err_set(e, ERR_FAILED, "%s: row %zu of \"code\" is not of the form "
                     "%s; was it written by rocprofv3?", path, i + 1, header);
    struct att_kernel *k = kernel_for(t, row);
    if (names_kernel(row))
      continue;
    if (k->nrows && row->address <= k->rows[k->nrows - 1].address)
      return err_set(e, ERR_FAILED, "%s: row %zu of \"code\" has no later address "
                     "than the row before it; is the file whole?", path, i + 1);
    if (!k->nrows)
      k->rows = row;
    k->nrows++;
    used++;
  }
  if (!used)
    return err_set(e, ERR_FAILED, "%s: no instruction was traced; does the "
                   "trace select the kernel and a compute unit that ran it?",
                   path);
  return 0;
}

static int read_code(struct att *t, const char *path, struct err *e)
{
  const json_t *given = json_object_get(t->json, "header");
  const json_t *code = json_object_get(t->json, "code");
  if (!json_is_array(code))
    return err_set(e, ERR_FAILED, "%s: no \"code\" is in it, as rocprofv3's "
                   "code.json has; is it another file?", path);
  if (given && (!json_is_string(given) ||
                strcmp(json_string_value(given), header)))
    return err_set(e, ERR_FAILED, "%s: its columns are \"%.200s\"; this tune "
                   "reads \"%s\" (format 3.0.0)", path,
                   json_is_string(given) ? json_string_value(given) : "?",
                   header);
  return read_rows(t, code, path, e);
}

int att_parse(struct att *t, const char *path, const char *bytes, size_t n,
              struct err *e)
{
  json_error_t why;
  *t = (struct att){.json = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &why)};
  if (!t->json)
    return err_set(e, ERR_FAILED, "%s:%d: not JSON, as the code.json of a "
                   "thread trace is: %s", path, why.line, why.text);
  return read_code(t, path, e);
}

int att_read(struct att *t, const char *path, struct err *e)
{
  struct str bytes = {0};
  *t = (struct att){0};
  int failed = file_read(path, LARGEST, &bytes, e);
  failed = failed ? failed : att_parse(t, path, str_text(&bytes), bytes.len, e);
  str_free(&bytes);
  return failed;
}

void att_free(struct att *t)
{
  free(t->rows);
  free(t->kernels);
  json_decref(t->json);
  *t = (struct att){0};
}

size_t att_row_at(const struct att_kernel *k, uint64_t address)
{
  size_t low = 0, high = k->nrows;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (k->rows[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low < k->nrows && k->rows[low].address == address ? low : k->nrows;
}
