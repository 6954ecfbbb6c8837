/* card.c - the devices that the front knows. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ship/rocblas/mode.h"

enum {
  COMPUTE_UNITS = 63, /* hipDeviceAttributeMultiprocessorCount: since ROCm 5 */
  PROPERTIES = 8192,  /* bytes; more than the struct of any version */
  ARCH = 256,         /* bytes of its name */
};

static struct card *cards[CARDS]; /* atomic */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* --- stepping aside ------------------------------------------------------ */

void card_step_aside(struct card *c, const char *why)
{
  if (!__atomic_exchange_n(&c->aside, 1, __ATOMIC_ACQ_REL))
    mode_say("device %d: %s; its products go to rocBLAS", c->device, why);
}

/* --- making a card ------------------------------------------------------- */

/* "gfx906" of "gfx906:sramecc+:xnack-" */
static int arch_of(const struct runtime *r, int device, char out[ARCH])
{
  char *properties = calloc(1, PROPERTIES);
  int error = properties ? r->properties(properties, device) : -1;
  if (!error) {
    memcpy(out, properties + r->arch_at, ARCH - 1);
    out[ARCH - 1] = 0;
    out[strcspn(out, ":")] = 0;
  }
  free(properties);
  return error;
}

static int has_as_many_cus(const struct card *c, const struct runtime *r,
                           char *why, size_t room)
{
  int cus = 0, tuned_for = (int)tuned_cus(c->pack);
  if (r->hipDeviceGetAttribute(&cus, COMPUTE_UNITS, c->device)) {
    runtime_forget_error(r);
    cus = 0;
  }
  snprintf(why, room, "the pack is for %d compute units, this card has %d "
           "(TUNED_BLAS=any-cus serves it all the same)", tuned_for, cus);
  return cus == tuned_for || mode_get()->any_cus;
}

static void open_pack(struct card *c, const struct runtime *r)
{
  const struct tuned_hip hip = {r->hipModuleLoadData, r->hipModuleUnload,
                                r->hipModuleGetFunction,
                                r->hipModuleLaunchKernel};
  char why[300], arch[ARCH];
  if (arch_of(r, c->device, arch)) {
    runtime_forget_error(r);
    card_step_aside(c, "HIP does not tell its architecture");
    return;
  }
  c->alone = !library_has_kernels(arch);
  if (tuned_open(&c->pack, mode_get()->pack, arch, &hip, why))
    card_step_aside(c, why);
  else if (!has_as_many_cus(c, r, why, sizeof why))
    card_step_aside(c, why);
}

static struct card *make(const struct runtime *r, int device)
{
  struct card *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  c->device = device;
  for (int i = 0; i < CARD_STREAMS; i++)
    pthread_mutex_init(&c->streams[i].lock, NULL);
  open_pack(c, r);
  return c;
}

struct card *card_get(const struct runtime *r)
{
  int device;
  if (r->hipGetDevice(&device) || device < 0 || device >= CARDS)
    return NULL;
  struct card *c = __atomic_load_n(&cards[device], __ATOMIC_ACQUIRE);
  if (c)
    return c;
  pthread_mutex_lock(&making);
  c = cards[device];
  if (!c) {
    c = make(r, device);
    __atomic_store_n(&cards[device], c, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making);
  return c;
}

/* --- scratch ------------------------------------------------------------- */

static size_t place_of(void *stream)
{
  uint64_t hash = ((uintptr_t)stream + 1) * UINT64_C(0x9e3779b97f4a7c15);
  return hash >> 32;
}

/* Streams are never taken out: what has the place of a stream that was
 * destroyed is a new stream at the same address, and may have its memory. */
static struct scratch *find(struct card *c, void *stream, int *is_there)
{
  uintptr_t key = (uintptr_t)stream + 1;
  size_t at = place_of(stream);
  for (size_t i = 0; i < CARD_STREAMS; i++) {
    struct scratch *s = &c->streams[(at + i) & (CARD_STREAMS - 1)];
    uintptr_t has = __atomic_load_n(&s->stream, __ATOMIC_ACQUIRE);
    if (has == key || !has) {
      *is_there = has == key;
      return s;
    }
  }
  return NULL;
}

static void allocate(struct scratch *s, const struct runtime *r)
{
  int mode = runtime_relax(r);
  if (r->hipMalloc(&s->memory, CARD_SCRATCH)) {
    runtime_forget_error(r);
    s->memory = NULL;
  }
  runtime_restore(r, mode);
}

struct scratch *card_scratch(struct card *c, const struct runtime *r,
                             void *stream, int may_allocate)
{
  int is_there = 0;
  struct scratch *s = find(c, stream, &is_there);
  if (!s || is_there)
    return s && s->memory ? s : NULL;
  if (!may_allocate)
    return NULL;
  pthread_mutex_lock(&making);
  s = find(c, stream, &is_there);
  if (s && !is_there) {
    allocate(s, r);
    __atomic_store_n(&s->stream, (uintptr_t)stream + 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&making);
  return s && s->memory ? s : NULL;
}
