/* rival_code.c - see rival_code.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/rival_code.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tuner/device/check.h"
#include "tuner/reference/problem.h"
#include "tuner/reference/reference.h"

enum {LARGEST = 1 << 30}; /* bytes of a code object */

int rival_code_is(const char *against)
{
  return strchr(against, ':') != NULL;
}

/* --- what is written ------------------------------------------------------ */

/* "4", "4,4" or "4,4,4"; what is not named is 1. */
static int dimensions(const char *text, unsigned out[3])
{
  for (int axis = 0; axis < 3; axis++)
    out[axis] = 1;
  for (int axis = 0; axis < 3; axis++) {
    char *end;
    unsigned long n = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (!n || n > UINT32_MAX)
      return -1;
    out[axis] = (unsigned)n;
    if (!*end)
      return 0;
    if (*end != ',')
      return -1;
    text = end + 1;
  }
  return -1;
}

static int list(struct rival_code *r, const char *text)
{
  while (*text) {
    size_t n = strcspn(text, ",");
    if (!n || n >= RIVAL_WORD || r->nargs == RIVAL_ARGS)
      return -1;
    memcpy(r->args[r->nargs++], text, n);
    text += n;
    if (*text == ',' && !*++text)
      return -1;
  }
  return 0;
}

static int bytes(const char *text, unsigned *out)
{
  char *end;
  unsigned long n = strtoul(text, &end, 10);
  *out = (unsigned)n;
  return *text < '0' || *text > '9' || *end || n > UINT32_MAX;
}

static int take(struct rival_code *r, const char *word, struct err *e)
{
  const char *value = strchr(word, '=');
  size_t n = value ? (size_t)(value - word) : 0;
  int bad = 1;
  if (n == 4 && !memcmp(word, "grid", n))
    bad = dimensions(value + 1, r->grid);
  else if (n == 5 && !memcmp(word, "block", n))
    bad = dimensions(value + 1, r->block);
  else if (n == 4 && !memcmp(word, "args", n))
    bad = list(r, value + 1);
  else if (n == 3 && !memcmp(word, "lds", n))
    bad = bytes(value + 1, &r->lds);
  return bad ? err_set(e, ERR_USAGE, "--launch: '%s' is not understood; write "
                       "'grid=X,Y,Z block=X,Y,Z args=a,b,m,1.0 lds=BYTES', "
                       "grid in workgroups", word)
             : 0;
}

static int read_launch(struct rival_code *r, const char *text, struct err *e)
{
  char word[RIVAL_ARGS * RIVAL_WORD];
  while (text += strspn(text, " \t"), *text) {
    size_t n = strcspn(text, " \t");
    if (n >= sizeof word)
      return err_set(e, ERR_USAGE, "--launch: a word is too long");
    memcpy(word, text, n);
    word[n] = 0;
    if (take(r, word, e))
      return e->code;
    text += n;
  }
  return r->grid[0] && r->block[0]
             ? 0
             : err_set(e, ERR_USAGE, "--launch: grid= and block= must be there, "
                       "as in 'grid=64,64 block=256 args=a,b,c,m,n,k'");
}

int rival_code_parse(struct rival_code *out, const char *against,
                     const char *launch, struct err *e)
{
  const char *colon = strrchr(against, ':');
  size_t n = (size_t)(colon - against);
  *out = (struct rival_code){.kernel = colon + 1, .launched = launch != NULL};
  if (!n || n >= sizeof out->path || !colon[1])
    return err_set(e, ERR_USAGE, "--against %s: write FILE:KERNEL, the code "
                   "object's path and the kernel's name in it", against);
  memcpy(out->path, against, n);
  const char *slash = strrchr(out->path, '/');
  out->file = slash ? slash + 1 : out->path;
  if (access(out->path, R_OK))
    return err_set(e, ERR_FAILED, "--against %s: cannot read %s: %s", against,
                   out->path, strerror(errno));
  return launch ? read_launch(out, launch, e) : 0;
}

/* --- arguments ------------------------------------------------------------ */

enum word_kind {WORD_BUFFER, WORD_INTEGER, WORD_NUMBER, WORD_UNKNOWN};

struct word {
  enum word_kind kind;
  int buffer;
  long long i;
  double d;
};

static struct word number_word(const char *text)
{
  char *end;
  long long i = strtoll(text, &end, 0);
  if (*text && !*end)
    return (struct word){.kind = WORD_INTEGER, .i = i};
  double d = strtod(text, &end);
  return *text && !*end ? (struct word){.kind = WORD_NUMBER, .d = d}
                        : (struct word){.kind = WORD_UNKNOWN};
}

static struct word word_of(const char *text, const struct family *f,
                           const struct problem *p, const struct plan *plan)
{
  int buffer = reference_buffer(plan, text);
  if (buffer >= 0)
    return (struct word){.kind = WORD_BUFFER, .buffer = buffer};
  const struct value *v = problem_value(f, p, text);
  if (v && v->kind == VALUE_INT)
    return (struct word){.kind = WORD_INTEGER, .i = v->i};
  if (v && v->kind == VALUE_NUM)
    return (struct word){.kind = WORD_NUMBER, .d = v->d};
  return number_word(text);
}

int rival_code_names(const struct rival_code *r, const struct family *f,
                     const struct problem *p, const struct plan *plan,
                     struct err *e)
{
  struct str has = {0};
  for (size_t n = 0; n < r->nargs; n++) {
    if (word_of(r->args[n], f, p, plan).kind != WORD_UNKNOWN)
      continue;
    for (size_t k = 0; k < plan->nbuffers; k++)
      str_addf(&has, "%s%s", k ? ", " : "", plan->buffers[k].name);
    err_set(e, ERR_USAGE, "--launch: argument %zu, '%s', is neither a number nor "
            "a value of this problem nor one of its buffers (%s)", n + 1,
            r->args[n], has.at);
    str_free(&has);
    return e->code;
  }
  return 0;
}

/* The bits of a number in so many bytes, into out; -1: there is no such float. */
static int put_number(double d, uint32_t size, void *out)
{
  float f = (float)d;
  if (size == sizeof f)
    memcpy(out, &f, sizeof f);
  else if (size == sizeof d)
    memcpy(out, &d, sizeof d);
  else
    return -1;
  return 0;
}

/* One argument, of whose kind and size the metadata say. */
static int put(const struct word *w, const struct hipsim_argument *a,
               const struct buffers *set, uint64_t *out)
{
  void *at = w->kind == WORD_BUFFER ? set->at[w->buffer].base + GUARD : NULL;
  int address = !!strstr(a->kind, "buffer") || !!strstr(a->kind, "pointer");
  *out = 0;
  if (a->bytes > sizeof *out || (w->kind == WORD_NUMBER && address))
    return -1;
  if (w->kind == WORD_NUMBER)
    return put_number(w->d, a->bytes, out);
  if (w->kind == WORD_INTEGER) {
    *out = (uint64_t)w->i;
    return 0;
  }
  memcpy(out, &at, sizeof at);
  return a->bytes == sizeof at ? 0 : -1;
}

/* What the kernel takes: "8 global_buffer, 4 by_value". */
static void describe(const struct rival_code *r, const struct hip *h,
                     struct str *out)
{
  struct hipsim_argument a = {.size = sizeof a};
  for (uint32_t n = 0; !h->hipsimArgument(r->function, n, &a); n++)
    str_addf(out, "%s%u %s", n ? ", " : "", a.bytes, a.kind);
}

static enum status refuse(const struct rival_code *r, const struct hip *h,
                          const char *what, struct err *e)
{
  struct str takes = {0};
  describe(r, h, &takes);
  err_set(e, ERR_FAILED, "--launch: %s; bytes and kinds that the kernel takes: "
          "%s", what, takes.len ? takes.at : "none");
  str_free(&takes);
  return STATUS_LAUNCH;
}

/* --- the device ----------------------------------------------------------- */

/* The simulator says more than the code of an error. */
static int failed(const struct hip *h, hipError_t rc, struct err *e)
{
  const char *said = h->hipsimError();
  return err_set(e, ERR_FAILED, "%s", *said ? said : h->hipGetErrorString(rc));
}

int rival_code_load(struct rival_code *r, const struct hip *h, struct err *e)
{
  struct str image = {0};
  if (!h->hipsimInspect)
    return err_set(e, ERR_FAILED, "--against FILE:KERNEL: only the simulated "
                   "device says what a kernel does; add --device sim");
  if (file_read(r->path, LARGEST, &image, e))
    return e->code;
  hipError_t rc = h->hipModuleLoadData(&r->module, str_text(&image));
  if (rc == hipSuccess)
    rc = h->hipModuleGetFunction(&r->function, r->module, r->kernel);
  str_free(&image);
  if (rc == hipSuccess)
    return 0;
  failed(h, rc, e);
  return err_prefix(e, "--against %s:%s", r->path, r->kernel);
}

static enum status inspect(const struct rival_code *r, const struct hip *h,
                           struct err *e)
{
  return launch_judge(h, (hipError_t)h->hipsimInspect(r->function),
                      "hipsimInspect", e);
}

enum status rival_code_launch(const struct rival_code *r, const struct hip *h,
                              const struct family *f, const struct problem *p,
                              const struct plan *plan,
                              const struct buffers *set, struct err *e)
{
  struct hipsim_argument a = {.size = sizeof a};
  uint64_t slots[RIVAL_ARGS];
  void *params[RIVAL_ARGS];
  char what[64];
  uint32_t n = 0;
  if (!r->launched)
    return inspect(r, h, e);
  for (; n < r->nargs && !h->hipsimArgument(r->function, n, &a); n++) {
    struct word w = word_of(r->args[n], f, p, plan);
    params[n] = &slots[n];
    snprintf(what, sizeof what, "argument %u cannot be %s", n + 1, r->args[n]);
    if (put(&w, &a, set, &slots[n]))
      return refuse(r, h, what, e);
  }
  snprintf(what, sizeof what, "it names %zu arguments", r->nargs);
  if (n < r->nargs || !h->hipsimArgument(r->function, n, &a))
    return refuse(r, h, what, e);
  hipError_t rc = h->hipModuleLaunchKernel(
      r->function, r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1],
      r->block[2], r->lds, NULL, params, NULL);
  if (rc == hipSuccess)
    rc = h->hipDeviceSynchronize();
  enum status status = launch_judge(h, rc, "a launch", e);
  if (status != STATUS_OK)
    failed(h, rc, e);
  return status;
}
