/* serve.c - from a product to the launch of a kernel.
 *
 * tune's matrices are row-major, and a column-major matrix is the transpose of
 * a row-major one: so D' = op(B)' op(A)' is made, with m and n exchanged, and
 * its layout has the operation of B before that of A.
 */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/serve.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "ship/rocblas/decide.h"
#include "ship/rocblas/mode.h"
#include "ship/rocblas/number.h"

enum {HOST = 0 /* rocblas_pointer_mode_host */, NOT_CAPTURING = 0};

/* A fitted kernel that is expected to lose more of the time of a tuned one than
 * this may well be slower than rocBLAS's, where that has one. */
static const float most_loss = 0.25f;

/* --- what HIP and the handle say ----------------------------------------- */

static enum reason ask_handle(const struct product *p, struct serving *s)
{
  const struct library *l = s->library;
  int mode = HOST;
  if (l->rocblas_is_device_memory_size_query(p->handle))
    return WHY_SIZE_QUERY;
  if (l->rocblas_get_pointer_mode(p->handle, &mode))
    return WHY_ARGUMENTS;
  if (mode != HOST)
    return WHY_POINTER_MODE;
  return l->rocblas_get_stream(p->handle, &s->stream) ? WHY_ARGUMENTS : SERVED;
}

/* The pack of the current device is no use in a stream of another. */
static enum reason ask_device(const struct serving *s)
{
  const struct runtime *r = s->runtime;
  int current = 0, device = 0;
  if (!s->stream || !r->hipStreamGetDevice)
    return SERVED;
  if (r->hipStreamGetDevice(s->stream, &device) || r->hipGetDevice(&current))
    return WHY_HIP;
  return device == current ? SERVED : WHY_DEVICE;
}

static enum reason ask_stream(struct serving *s)
{
  int status = NOT_CAPTURING;
  if (s->runtime->hipStreamIsCapturing(s->stream, &status))
    return WHY_HIP;
  s->capturing = status != NOT_CAPTURING;
  return ask_device(s);
}

/* --- the kernel ---------------------------------------------------------- */

enum {BUFFERS = 3 /* a, b, c */, KEYS = 17};

const char *serve_layout(const struct product *p)
{
  static const char *const layouts[] = {"nn", "nt", "tn", "tt"};
  return layouts[2 * (p->op_b != OP_NONE) + (p->op_a != OP_NONE)];
}

/* The families that make products: up to which of m and n the lesser, of which
 * type, where not of all, and whether of whole batches. */
static const struct {
  const char *name;
  int most;
  const char *dtype;
  int batches;
} families[] = {{"gemm", INT_MAX, NULL, 1}, {"skinny", 32, NULL, 0}};

enum {FAMILIES = sizeof families / sizeof *families};

int serve_makes(int family, int m, int n, const char *dtype, int batched)
{
  return (m < n ? m : n) <= families[family].most &&
         (families[family].batches || !batched) &&
         (!families[family].dtype || !strcmp(families[family].dtype, dtype));
}

const char *serve_family(int family)
{
  return family < FAMILIES ? families[family].name : NULL;
}

/* An exact answer goes before a fitted one, then the shorter time. */
static int is_better(const struct tuned_found *a, const struct tuned_found *b)
{
  return a->how != b->how ? a->how == TUNED_EXACT : a->us < b->us;
}

/* The keys of the product, row-major: how many. What has its usual value is left
 * out where packs from before the key came would not know it. */
static size_t keys_of(const struct product *p, int whole, int align,
                      struct tuned_key out[KEYS])
{
  const struct typing *t = decide_typing(p);
  const struct tuned_key keys[] = {
      TUNED_WHOLE("m", p->n), TUNED_WHOLE("n", p->m), TUNED_WHOLE("k", p->k),
      TUNED_WORD("layout", serve_layout(p)), TUNED_WORD("dtype", t->dtype),
      TUNED_NUMBER("alpha", decide_scalar(p, p->alpha)),
      TUNED_NUMBER("beta", decide_scalar(p, p->beta)),
      TUNED_WHOLE("lda", p->b.ld), TUNED_WHOLE("ldb", p->a.ld),
      TUNED_WHOLE("ldc", p->c.ld)};
  size_t n = sizeof keys / sizeof *keys;
  memcpy(out, keys, sizeof keys);
  if (t->type_c)
    out[n++] = (struct tuned_key)TUNED_WORD("type_c", t->type_c);
  if (align != DECIDE_ALIGNED)
    out[n++] = (struct tuned_key)TUNED_WHOLE("align", align);
  if (!whole)
    return n;
  out[n++] = (struct tuned_key)TUNED_WHOLE("batch", p->batch);
  if (p->batching == BATCH_POINTERS) {
    out[n++] = (struct tuned_key)TUNED_WORD("batch_by", "pointers");
    return n;
  }
  out[n++] = (struct tuned_key)TUNED_WHOLE("stride_a", p->b.stride);
  out[n++] = (struct tuned_key)TUNED_WHOLE("stride_b", p->a.stride);
  out[n++] = (struct tuned_key)TUNED_WHOLE("stride_c", p->c.stride);
  return n;
}

/* A kernel for matrices that are aligned to `align` bytes. */
static int find(const struct product *p, struct serving *s, int whole, int align)
{
  struct tuned_key keys[KEYS];
  struct tuned_found one;
  size_t nkeys = keys_of(p, whole, align, keys);
  const char *dtype = decide_typing(p)->dtype;
  int found = 0;
  for (int i = 0; i < FAMILIES; i++) {
    if (!serve_makes(i, p->m, p->n, dtype, whole) ||
        tuned_find(s->card->pack, families[i].name, keys, nkeys, TUNED_FITTED,
                   &one) ||
        one.nbuffers != BUFFERS || (found && !is_better(&one, &s->kernel)))
      continue;
    s->kernel = one;
    s->family = i;
    s->whole = whole;
    found = 1;
  }
  return found;
}

uint64_t serve_kind(const struct product *p, const struct serving *s)
{
  enum batching batching = s->whole ? p->batching : BATCH_NONE;
  int kind = (decide_kind(p, batching) * FAMILIES + s->family) % 64;
  return UINT64_C(1) << kind;
}

/* A kernel that needs less alignment does, too. */
static int find_aligned(const struct product *p, struct serving *s, int whole)
{
  int align = decide_align(p);
  int found = find(p, s, whole, align);
  while (!found && align < DECIDE_ALIGNED &&
         align > (int)number_bytes(p->a.type))
    found = find(p, s, whole, align /= 2);
  return found;
}

/* One launch a product is no match for a kernel of rocBLAS that takes the batch. */
static int find_any(const struct product *p, struct serving *s)
{
  int listed = p->batching == BATCH_POINTERS, batch = listed || p->batch > 1;
  int each = !listed && (!batch || s->card->alone || mode_get()->verify);
  return (batch && find_aligned(p, s, 1)) || (each && find_aligned(p, s, 0));
}

static enum reason not_found(const struct product *p)
{
  if (p->batching == BATCH_POINTERS || p->batch > 1)
    return WHY_BATCH;
  return decide_align(p) < DECIDE_ALIGNED ? WHY_ALIGNMENT : WHY_NO_KERNEL;
}

static enum reason look_up(const struct product *p, struct serving *s)
{
  double alpha = decide_scalar(p, p->alpha), beta = decide_scalar(p, p->beta);
  if (alpha == 0)
    return WHY_EMPTY;
  if (!isfinite(alpha) || !isfinite(beta))
    return WHY_SCALARS;
  if (!find_any(p, s))
    return not_found(p);
  if (s->kernel.stale)
    return WHY_STALE;
  int slow = s->kernel.loss < 0 || s->kernel.loss > most_loss;
  return slow && !s->card->alone && !mode_get()->verify ? WHY_LOSS : SERVED;
}

/* What fails once is not tried again: the program is not to wait for it. */
static enum reason done(const struct serving *s, int code)
{
  if (!code)
    return SERVED;
  card_step_aside(s->card, tuned_reason(code));
  return WHY_HIP;
}

/* Under capture nothing is loaded or allocated: rocBLAS makes the product. Where
 * it has no kernels the program would end there; then both are done by a thread
 * that HIP lets do it (runtime_relax), so that the capture survives. */
static int must_wait(const struct serving *s)
{
  return s->capturing && !s->card->alone;
}

static enum reason make_ready(struct serving *s)
{
  if (tuned_loaded(s->card->pack, &s->kernel))
    return SERVED;
  if (must_wait(s))
    return WHY_CAPTURE;
  int mode = runtime_relax(s->runtime);
  int code = tuned_load(s->card->pack, &s->kernel);
  runtime_restore(s->runtime, mode);
  return done(s, code);
}

enum reason serve_prepare(const struct product *p, struct serving *s)
{
  enum reason why = ask_handle(p, s);
  if (!why)
    why = ask_stream(s);
  if (why)
    return why;
  s->card = card_get(s->runtime);
  if (!s->card)
    return WHY_HIP;
  if (__atomic_load_n(&s->card->aside, __ATOMIC_ACQUIRE))
    return WHY_ASIDE;
  why = look_up(p, s);
  return why ? why : make_ready(s);
}

/* --- the launch ---------------------------------------------------------- */

static void *element_of(const struct matrix *x, const void *from, int i)
{
  int64_t bytes = x->stride * (int64_t)number_bytes(x->type);
  return (char *)(uintptr_t)from + i * bytes;
}

/* All products at once, or one after the other. */
static int launch_all(const struct product *p, const struct serving *s, void *d,
                      void *scratch)
{
  int code = 0, launches = s->whole ? 1 : p->batch;
  for (int i = 0; i < launches && !code; i++) {
    void *const buffers[BUFFERS] = {element_of(&p->b, p->b.at, i),
                                    element_of(&p->a, p->a.at, i),
                                    element_of(&p->c, d, i)};
    code = tuned_launch(s->card->pack, &s->kernel, buffers, BUFFERS, scratch,
                        s->stream);
  }
  return code;
}

enum reason serve_launch(const struct product *p, const struct serving *s,
                         void *d)
{
  struct scratch *scratch =
      card_scratch(s->card, s->runtime, s->stream, !must_wait(s));
  if (!s->kernel.scratch)
    return done(s, launch_all(p, s, d, NULL));
  if (!scratch || s->kernel.scratch > CARD_SCRATCH)
    return WHY_SCRATCH;
  pthread_mutex_lock(&scratch->lock);
  int code = launch_all(p, s, d, scratch->memory);
  pthread_mutex_unlock(&scratch->lock);
  return done(s, code);
}
