/* record.c - see record.h. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/record.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ship/rocblas/decide.h"
#include "ship/rocblas/library.h"
#include "ship/rocblas/mode.h"
#include "ship/rocblas/serve.h"

enum {MOST = 1 << 16}; /* products; more are not recorded */

struct asked {
  int m, n, k, lda, ldb, ldc; /* row-major, as serve.c asks for it */
  int batch, listed;           /* 0: one product; by a list of pointers? */
  int64_t stride_a, stride_b, stride_c;
  int align, has_beta;
  const char *layout;          /* each of few constants */
  const struct typing *typing;
  unsigned long long count;
};

static struct asked *list; /* under the lock */
static size_t n, room;
static int failed;
static pid_t owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- the file ------------------------------------------------------------ */

static int by_count(const void *a, const void *b)
{
  const struct asked *x = a, *y = b;
  return (x->count < y->count) - (x->count > y->count);
}

static void write_batch(FILE *out, const struct asked *a)
{
  fprintf(out, " batch=%d", a->batch);
  if (a->listed)
    fputs(" batch_by=pointers", out);
  else
    fprintf(out, " stride_a=%lld stride_b=%lld stride_c=%lld",
            (long long)a->stride_a, (long long)a->stride_b,
            (long long)a->stride_c);
}

static void write_line(FILE *out, const struct asked *a, const char *family)
{
  const char *type_c = a->typing->type_c;
  fprintf(out, "%s m=%d n=%d k=%d layout=%s dtype=%s%s lda=%d ldb=%d ldc=%d"
          "%s%s", family, a->m, a->n, a->k, a->layout, a->typing->dtype,
          a->has_beta ? " beta=1" : "", a->lda, a->ldb, a->ldc,
          type_c ? " type_c=" : "", type_c ? type_c : "");
  if (a->align != DECIDE_ALIGNED)
    fprintf(out, " align=%d", a->align);
  if (a->batch)
    write_batch(out, a);
  fprintf(out, " count=%llu\n", a->count);
}

/* A line for each family that a pack may have the product of. */
static void write_families(FILE *out, const struct asked *a)
{
  const char *family;
  for (int i = 0; (family = serve_family(i)); i++)
    if (serve_makes(i, a->m, a->n, a->typing->dtype, a->batch > 0))
      write_line(out, a, family);
}

/* Sorting the list itself moves what a search is about to find, which searches
 * from the front: so the frequent ones come first there, too. */
static int write_all(const char *path)
{
  FILE *out = fopen(path, "w");
  if (!out)
    return -1;
  qsort(list, n, sizeof *list, by_count);
  fputs("# products that a program asked rocBLAS for, by how often\n", out);
  for (size_t i = 0; i < n; i++)
    write_families(out, &list[i]);
  int bad = fflush(out) || fsync(fileno(out));
  return fclose(out) || bad ? -1 : 0;
}

static void save(void)
{
  char path[4096];
  const char *file = mode_get()->record;
  snprintf(path, sizeof path, "%s.%d", file, (int)getpid());
  if (failed || (!write_all(path) && !rename(path, file)))
    return;
  failed = 1;
  mode_say("TUNED_BLAS=record: %s: %s", file, strerror(errno));
  unlink(path);
}

static void __attribute__((destructor)) save_at_exit(void)
{
  if (n && getpid() == owner)
    save();
}

/* --- the list ------------------------------------------------------------ */

static int is_same(const struct asked *a, const struct asked *b)
{
  return a->m == b->m && a->n == b->n && a->k == b->k && a->lda == b->lda &&
         a->ldb == b->ldb && a->ldc == b->ldc && a->has_beta == b->has_beta &&
         a->batch == b->batch && a->listed == b->listed &&
         a->stride_a == b->stride_a && a->stride_b == b->stride_b &&
         a->stride_c == b->stride_c && a->align == b->align &&
         a->layout == b->layout && a->typing == b->typing;
}

static struct asked *find(const struct asked *a)
{
  for (size_t i = 0; i < n; i++)
    if (is_same(&list[i], a))
      return &list[i];
  return NULL;
}

static struct asked *add(const struct asked *a)
{
  if (n == room) {
    size_t more = room ? 2 * room : 64;
    struct asked *grown = more > MOST ? NULL
                                      : realloc(list, more * sizeof *list);
    if (!grown)
      return NULL;
    list = grown;
    room = more;
  }
  list[n] = *a;
  return &list[n++];
}

/* 0 where alpha and beta are out of reach. */
static int describe(const struct product *p, struct asked *out)
{
  const struct library *l = library_get();
  const struct typing *t = decide_typing(p);
  int mode = 1;
  if (!p->handle || !p->beta || !t || !l->rocblas_get_pointer_mode ||
      l->rocblas_get_pointer_mode(p->handle, &mode) || mode != 0)
    return 0;
  int listed = p->batching == BATCH_POINTERS;
  *out = (struct asked){
      .m = p->n, .n = p->m, .k = p->k, .lda = p->b.ld, .ldb = p->a.ld,
      .ldc = p->c.ld, .has_beta = decide_scalar(p, p->beta) != 0,
      .batch = listed || p->batch > 1 ? p->batch : 0, .listed = listed,
      .align = decide_align(p), .layout = serve_layout(p), .typing = t};
  if (out->batch && !listed) {
    out->stride_a = p->b.stride;
    out->stride_b = p->a.stride;
    out->stride_c = p->c.stride;
  }
  return p->m > 0 && p->n > 0 && p->k > 0 && (out->batch > 0 || p->batch == 1);
}

/* Of a count: the first time, and each doubling. */
static int is_power_of_two(unsigned long long count)
{
  return (count & (count - 1)) == 0;
}

void record_product(const struct product *p)
{
  struct asked a;
  if (!describe(p, &a))
    return;
  pthread_mutex_lock(&lock);
  if (!owner)
    owner = getpid();
  struct asked *known = find(&a);
  if (!known)
    known = add(&a);
  if (known && is_power_of_two(++known->count) && getpid() == owner)
    save();
  pthread_mutex_unlock(&lock);
}
