/* launch.c - loading and launching an answer; see tuned.h. */
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "ship/handle.h"

static const struct pack_plan *plan_of(const tuned *t,
                                       const struct tuned_found *f)
{
  return &t->index.plans[t->index.winners[f->winner].plan];
}

static struct loaded **place_of(const tuned *t, const struct tuned_found *f)
{
  return &t->loaded[t->index.winners[f->winner].plan];
}

static struct loaded *loaded_of(const tuned *t, const struct tuned_found *f)
{
  return __atomic_load_n(place_of(t, f), __ATOMIC_ACQUIRE);
}

static int usable(const tuned *t)
{
  if (!t->has_hip)
    return TUNED_NO_HIP;
  return t->owner == getpid() ? TUNED_OK : TUNED_FORKED;
}

int tuned_loaded(const tuned *t, const struct tuned_found *f)
{
  return loaded_of(t, f) != NULL;
}

/* --- loading ------------------------------------------------------------- */

static int unpack(const struct index *v, const struct pack_code *c,
                  unsigned char *out)
{
  const unsigned char *packed = v->bytes + c->at;
  if (XXH3_64bits(packed, c->packed) != c->sum)
    return TUNED_DAMAGED;
  size_t n = ZSTD_decompress(out, c->plain, packed, c->packed);
  if (!ZSTD_isError(n) && n == c->plain)
    return TUNED_OK;
  return ZSTD_isError(n) && ZSTD_getErrorCode(n) ==
                                ZSTD_error_memory_allocation
             ? TUNED_NO_MEMORY : TUNED_DAMAGED;
}

static int find_functions(const tuned *t, const struct pack_plan *p,
                          struct loaded *l)
{
  int error = 0;
  for (uint32_t i = 0; i < p->nlaunches && !error; i++)
    error = t->hip.function(&l->functions[i], l->module,
                            t->index.text +
                                t->index.launches[p->launch + i].kernel);
  return error;
}

static int make(const tuned *t, const struct pack_plan *p,
                struct loaded **out)
{
  const struct pack_code *c = &t->index.codes[p->code];
  struct loaded *l = calloc(1, sizeof *l + c->plain);
  if (!l)
    return TUNED_NO_MEMORY;
  int code = unpack(&t->index, c, l->code);
  if (!code) {
    int error = t->hip.load(&l->module, l->code);
    if (!error && (error = find_functions(t, p, l)))
      t->hip.unload(l->module);
    code = error ? TUNED_HIP_ERROR + error : TUNED_OK;
  }
  if (code)
    free(l);
  else
    *out = l;
  return code;
}

/* Of several threads that load the same at once one wins. */
int tuned_load(tuned *t, const struct tuned_found *f)
{
  struct loaded *made = NULL, *none = NULL;
  int code = usable(t);
  if (code || loaded_of(t, f))
    return code;
  code = make(t, plan_of(t, f), &made);
  if (!code && !__atomic_compare_exchange_n(place_of(t, f), &none, made, 0,
                                            __ATOMIC_ACQ_REL,
                                            __ATOMIC_ACQUIRE)) {
    t->hip.unload(made->module);
    free(made);
  }
  return code;
}

/* --- launching ----------------------------------------------------------- */

/* Pointers of all buffers of a plan: the application's, and parts of the
 * scratch. */
static int place_buffers(const struct index *v, const struct pack_plan *p,
                         const struct tuned_found *f, void *const *given,
                         size_t n, void *scratch, void **out)
{
  int64_t keys[TUNED_KEYS];
  char *at = scratch;
  size_t used = 0;
  if (n != f->nbuffers || (f->scratch && !scratch))
    return TUNED_BAD_BUFFER;
  for (uint32_t i = 0; i < TUNED_KEYS; i++)
    keys[i] = f->keys[i];
  for (uint32_t i = 0; i < p->nbuffers; i++) {
    const struct pack_buffer *b = &v->buffers[p->buffer + i];
    int64_t elements = 0;
    if (b->role != BUFFER_SCRATCHED) {
      if (used == n || !given[used])
        return TUNED_BAD_BUFFER;
      out[i] = given[used++];
      continue;
    }
    index_value(v, b->elements, keys, &elements); /* as tuned_find() did */
    out[i] = at;
    at += ((size_t)elements * b->size + 255) / 256 * 256;
  }
  return TUNED_OK;
}

union slot {
  void *pointer;
  int32_t i32;
  int64_t i64;
  float f32;
};

/* -1 where a number does not fit. */
static int fill(const struct index *v, const struct pack_arg *a,
                const int64_t *keys, void *const *buffers, union slot *out)
{
  int64_t i = 0;
  double d;
  switch (a->kind) {
  case PACK_BUFFER:
    out->pointer = buffers[a->value];
    return 0;
  case PACK_I32:
    if (index_value(v, (int32_t)a->value, keys, &i) || i < INT32_MIN ||
        i > INT32_MAX)
      return -1;
    out->i32 = (int32_t)i;
    return 0;
  case PACK_I64:
    return index_value(v, (int32_t)a->value, keys, &out->i64);
  case PACK_F32_KEY:
    memcpy(&d, &keys[a->value], sizeof d);
    out->f32 = (float)d;
    return 0;
  default: /* PACK_F32 */
    memcpy(&d, &a->value, sizeof d);
    out->f32 = (float)d;
    return 0;
  }
}

static int extent(const struct index *v, int32_t formula, const int64_t *keys,
                  int64_t least, unsigned *out)
{
  int64_t n = 0;
  if (index_value(v, formula, keys, &n) || n < least || n > INT_MAX)
    return -1;
  *out = (unsigned)n;
  return 0;
}

static int start(const tuned *t, const struct pack_launch *l, void *function,
                 const int64_t *keys, void *const *buffers, void *stream)
{
  const struct index *v = &t->index;
  union slot slots[INDEX_ARGS];
  void *args[INDEX_ARGS];
  unsigned grid[3], lds;
  if (extent(v, l->lds, keys, 0, &lds))
    return TUNED_NONE;
  for (int i = 0; i < 3; i++)
    if (extent(v, l->grid[i], keys, 1, &grid[i]))
      return TUNED_NONE;
  for (uint32_t i = 0; i < l->nargs; i++) {
    if (fill(v, &v->args[l->arg + i], keys, buffers, &slots[i]))
      return TUNED_NONE;
    args[i] = &slots[i];
  }
  int error = t->hip.launch(function, grid[0], grid[1], grid[2], l->block[0],
                            l->block[1], l->block[2], lds, stream, args, NULL);
  return error ? TUNED_HIP_ERROR + error : TUNED_OK;
}

int tuned_launch(const tuned *t, const struct tuned_found *f,
                 void *const *buffers, size_t nbuffers, void *scratch,
                 void *stream)
{
  const struct pack_plan *p = plan_of(t, f);
  const struct loaded *l = loaded_of(t, f);
  void *all[INDEX_BUFFERS];
  int64_t keys[TUNED_KEYS];
  int code = usable(t);
  if (!code && !l)
    code = TUNED_NOT_LOADED;
  if (!code)
    code = place_buffers(&t->index, p, f, buffers, nbuffers, scratch, all);
  for (uint32_t i = 0; i < TUNED_KEYS; i++)
    keys[i] = f->keys[i];
  for (uint32_t i = 0; i < p->nlaunches && !code; i++)
    code = start(t, &t->index.launches[p->launch + i], l->functions[i], keys,
                 all, stream);
  return code;
}

const char *tuned_buffer(const tuned *t, const struct tuned_found *f,
                         unsigned i, size_t *bytes)
{
  const struct index *v = &t->index;
  const struct pack_plan *p = plan_of(t, f);
  int64_t keys[TUNED_KEYS], elements = 0;
  for (uint32_t k = 0; k < TUNED_KEYS; k++)
    keys[k] = f->keys[k];
  for (uint32_t j = 0; j < p->nbuffers; j++) {
    const struct pack_buffer *b = &v->buffers[p->buffer + j];
    if (b->role == BUFFER_SCRATCHED || i-- > 0)
      continue;
    index_value(v, b->elements, keys, &elements);
    if (bytes)
      *bytes = (size_t)elements * b->size;
    return v->text + b->name;
  }
  return NULL;
}
