/* format_tunableop.c - the results of PyTorch's TunableOp.
 *
 *     Validator,GCN_ARCH_NAME,gfx906:sramecc+:xnack-
 *     GemmTunableOp_float_NT,nt_25088_4096_64,Gemm_Rocblas_1219,1.262
 *
 * operation with type and transposition, the problem, the solution, milliseconds.
 * The problem is BLAS's, by columns: m, n, k and (in newer files) ld with lda,
 * ldb, ldc. Ours is by rows, so that A and B, and m and n, change places. What
 * these columns cannot say (batches, biases, scales) is refused with its line.
 * A solution of ours is "wavetune:" and the configuration, with semicolons.
 */
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/store/exchange.h"

static const struct {
  const char *theirs, *ours;
} types[] = {{"float", "f32"}, {"double", "f64"}, {"Half", "f16"},
             {"c10::Half", "f16"}, {"BFloat16", "bf16"},
             {"c10::BFloat16", "bf16"}};

enum {TYPES = sizeof types / sizeof *types};

static const char operation[] = "GemmTunableOp_";
static const char solution_mark[] = "wavetune:";

/* --- writing ------------------------------------------------------------- */

/* The value of a key of a problem as text, or "". */
static void key(const char *problem, const char *name, char out[32])
{
  size_t n = strlen(name);
  *out = 0;
  for (const char *at = problem; *at; at += *at == ',') {
    size_t length = strcspn(at, ",");
    if (length > n && !strncmp(at, name, n) && at[n] == '=')
      snprintf(out, 32, "%.*s", (int)(length - n - 1 < 31 ? length - n - 1
                                                          : 31),
               at + n + 1);
    at += length;
  }
}

static const char *their_type(const char *ours)
{
  for (size_t i = 0; i < TYPES; i++)
    if (!strcmp(types[i].ours, ours))
      return types[i].theirs;
  return NULL;
}

static void add_solution(const char *config, struct str *out)
{
  const char own[] = "solution=";
  if (!strncmp(config, own, sizeof own - 1)) {
    str_add(out, config + sizeof own - 1);
    return;
  }
  str_add(out, solution_mark);
  for (; *config; config++)
    str_addf(out, "%c", *config == ',' ? ';' : *config);
}

/* Products alone, alpha 1 and beta 0 or whatever: the columns do not say. */
static void add_line(const struct record *r, struct str *out)
{
  const char *names[] = {"m", "n", "k", "lda", "ldb", "ldc", "layout",
                         "dtype"};
  char v[8][32];
  for (int i = 0; i < 8; i++)
    key(record_text(r, "problem"), names[i], v[i]);
  const char *type = their_type(v[7]);
  double us = record_number(r, "time_us", NAN);
  if (strcmp(record_text(r, "family"), "gemm") || strlen(v[6]) != 2 || !type ||
      !*v[0] || !*v[1] || !*v[2] || !(us > 0) ||
      strcmp(record_text(r, "status"), "ok"))
    return;
  int a = v[6][1], b = v[6][0]; /* theirs */
  str_addf(out, "%s%s_%c%c,%c%c_%s_%s_%s", operation, type, toupper(a),
           toupper(b), a, b, v[1], v[0], v[2]);
  if (*v[3] && *v[4] && *v[5])
    str_addf(out, "_ld_%s_%s_%s", v[4], v[3], v[5]);
  str_add(out, ",");
  add_solution(record_text(r, "config"), out);
  str_addf(out, ",%.9g\n", us * 1e-3);
}

/* The fastest of each problem: TunableOp has one solution for each. */
static int by_problem(const void *left, const void *right)
{
  const struct record *a = *(struct record *const *)left;
  const struct record *b = *(struct record *const *)right;
  int order = strverscmp(record_text(a, "problem"), record_text(b, "problem"));
  double s = record_number(a, "time_us", INFINITY);
  double t = record_number(b, "time_us", INFINITY);
  if (!order)
    order = (s > t) - (s < t);
  return order ? order : strcmp(record_text(a, "config"),
                                record_text(b, "config"));
}

void tunable_write(const struct results *r, struct str *out)
{
  struct record **list = mem_array(r->n + 1, sizeof *list);
  const char *last = NULL;
  if (r->n)
    memcpy(list, r->list, r->n * sizeof *list);
  qsort(list, r->n, sizeof *list, by_problem);
  str_addf(out, "Validator,GCN_ARCH_NAME,%s\n",
           r->n ? record_text(list[0], "arch") : "");
  for (size_t i = 0; i < r->n; i++) {
    const char *problem = record_text(list[i], "problem");
    if (strcmp(record_text(list[i], "status"), "ok") ||
        (last && !strcmp(problem, last)))
      continue;
    last = problem;
    add_line(list[i], out);
  }
  free(list);
}

/* --- reading ------------------------------------------------------------- */

enum {CELLS = 5};

struct head { /* of a file */
  char arch[32];
  struct str made; /* versions that its validators name */
};

/* Taken apart in place; how many there are. */
static int split(char *line, char *cells[CELLS])
{
  int n = 0;
  char *rest = line;
  while (n < CELLS && (cells[n] = strsep(&rest, ",")))
    n++;
  return rest ? CELLS + 1 : n;
}

static void take_validator(struct head *h, const char *name,
                           const char *value)
{
  if (!strcmp(name, "GCN_ARCH_NAME"))
    snprintf(h->arch, sizeof h->arch, "%.*s",
             (int)(strcspn(value, ":") < 31 ? strcspn(value, ":") : 31),
             value);
  else
    str_addf(&h->made, "%s%s %s", h->made.len ? ", " : "", name, value);
}

/* "float_NT": ours, or NULL. */
static const char *our_type(const char *text, const char letters[2])
{
  size_t n = strlen(text);
  if (n < 4 || text[n - 3] != '_' || text[n - 2] != toupper(letters[0]) ||
      text[n - 1] != toupper(letters[1]))
    return NULL;
  for (size_t i = 0; i < TYPES; i++)
    if (strlen(types[i].theirs) == n - 3 &&
        !strncmp(types[i].theirs, text, n - 3))
      return types[i].ours;
  return NULL;
}

static int is_letter(char c)
{
  return c == 'n' || c == 't';
}

/* "nt_25088_4096_64_ld_25088_4096_25088" */
static int read_problem(struct record *r, const char *type, const char *text,
                        struct err *e)
{
  long long v[6] = {0};
  char a = text[0], b = a ? text[1] : 0;
  int used = 0, more = 0;
  if (is_letter(a) && is_letter(b))
    sscanf(text + 2, "_%lld_%lld_%lld%n", &v[0], &v[1], &v[2], &used);
  if (used && text[2 + used])
    sscanf(text + 2 + used, "_ld_%lld_%lld_%lld%n", &v[3], &v[4], &v[5],
           &more);
  const char *dtype = used ? our_type(type, text) : NULL;
  if (!used || text[2 + used + more] || v[0] < 1 || v[1] < 1 || v[2] < 1 ||
      v[3] < 0 || v[4] < 0 || v[5] < 0)
    return err_set(e, ERR_FAILED, "'%.80s' is no product of m, n, k (and ld), "
                   "as nt_25088_4096_64", text);
  if (!dtype)
    return err_set(e, ERR_FAILED, "'%.60s' has a type or letters that gemm and "
                   "the problem have not", type);
  if (!more) { /* tight */
    v[3] = a == 'n' ? v[0] : v[2];
    v[4] = b == 'n' ? v[2] : v[1];
    v[5] = v[0];
  }
  record_set(r, "problem", "m=%lld,n=%lld,k=%lld,layout=%c%c,dtype=%s,alpha=1,"
             "beta=0,lda=%lld,ldb=%lld,ldc=%lld", v[1], v[0], v[2], b, a,
             dtype, v[4], v[3], v[5]);
  return 0;
}

static void set_solution(struct record *r, const char *text)
{
  size_t n = sizeof solution_mark - 1;
  if (strncmp(text, solution_mark, n)) {
    record_set(r, "config", "solution=%s", text);
    return;
  }
  char *copy = mem_copy(text + n);
  for (char *at = copy; *at; at++)
    *at = *at == ';' ? ',' : *at;
  record_set(r, "config", "%s", copy);
  free(copy);
}

static int read_line(const struct head *h, char *cells[CELLS],
                     struct record *r, struct err *e)
{
  size_t n = sizeof operation - 1;
  char *end;
  double ms = strtod(cells[3], &end);
  if (strncmp(cells[0], operation, n))
    return err_set(e, ERR_FAILED, "'%.60s': only GemmTunableOp says all that a "
                   "problem of gemm needs", cells[0]);
  if (!*cells[3] || *end || !(ms > 0) || !isfinite(ms))
    return err_set(e, ERR_FAILED, "'%.40s' is no time in milliseconds",
                   cells[3]);
  record_set(r, "family", "gemm");
  record_set(r, "status", "ok");
  record_set(r, "time_us", "%.6g", ms * 1e3);
  if (*h->arch)
    record_set(r, "arch", "%s", h->arch);
  if (h->made.len)
    record_set(r, "runtime", "%s", h->made.at);
  set_solution(r, cells[2]);
  return read_problem(r, cells[0] + n, cells[1], e);
}

static int take_line(struct head *h, char *line, struct results *out,
                     struct err *e)
{
  char *cells[CELLS];
  int n = split(line, cells);
  if (n == 3 && !strcmp(cells[0], "Validator")) {
    take_validator(h, cells[1], cells[2]);
    return 0;
  }
  if (n != 4)
    return err_set(e, ERR_FAILED, "%d cells: expected operation, problem, "
                   "solution and milliseconds", n);
  struct record *r = record_new();
  results_add(out, r);
  return read_line(h, cells, r, e);
}

int tunable_read(const char *path, const struct str *text,
                 struct results *out, struct err *e)
{
  struct head h = {0};
  size_t number = 0, n = text->len;
  int code = 0;
  for (const char *at = str_text(text), *end; n && !code; at = end) {
    const char *stop = memchr(at, '\n', n);
    size_t length = stop ? (size_t)(stop - at) : n;
    end = at + length + (stop != NULL);
    n -= (size_t)(end - at);
    number++;
    length -= length && at[length - 1] == '\r';
    char *line = strndup(at, length);
    if (strlen(line) != length)
      code = err_set(e, ERR_FAILED, "a NUL byte; is it a text?");
    else if (length)
      code = take_line(&h, line, out, e);
    free(line);
  }
  str_free(&h.made);
  return code ? err_prefix(e, "%s:%zu", path, number) : 0;
}
