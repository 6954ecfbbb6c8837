/* fitted.c - what a pack's answers for untuned problems lose.
 *
 *     fitted PACK ARCH [PART PARTS]
 *
 * Each winner of the pack is left out in turn, and its problem is looked up as
 * one that nobody tuned. The kernel that the look-up takes and the winner's own
 * are then launched for that problem on the simulated device, as an application
 * would, and timed. A line for each problem, by tabs:
 *
 *     problem  own us  fitted us  estimated us  promised loss  other problem
 *
 * Of PARTS parts of the winners, only those of PART (from 0).
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/sim/hipsim.h"
#include "ship/fit.h"
#include "ship/handle.h"

struct run {
  tuned *pack;
  const char *family;
  const struct pack_winner *winner; /* that is left out */
  struct query query;
  struct tuned_found own;
};

static void need(int code, const char *what)
{
  if (!code)
    return;
  fprintf(stderr, "fitted: %s: %d, %s\n", what, code, tuned_reason(code));
  exit(1);
}

/* The winner's problem, as an application would ask for it. */
static size_t write_keys(const struct run *r, struct tuned_key *out)
{
  const struct index *v = &r->pack->index;
  const struct pack_family *f = r->query.family;
  for (uint32_t i = 0; i < f->nkeys; i++) {
    const struct pack_key *k = &v->keys[f->key + i];
    int64_t value = v->values[r->winner->value + i];
    out[i] = (struct tuned_key){ .name = v->text + k->name,
                                 .kind = (enum tuned_kind)k->kind,
                                 .whole = value };
    memcpy(&out[i].number, &value, sizeof value);
    if (k->kind == PACK_WORD)
      out[i].word = v->text + v->words[k->word + value];
  }
  return f->nkeys;
}

/* "m=1,n=4096,...": whole numbers and words. */
static void print_problem(const struct run *r, const struct pack_winner *w)
{
  const struct index *v = &r->pack->index;
  const struct pack_family *f = r->query.family;
  const char *before = "";
  for (uint32_t i = 0; i < f->nkeys; i++) {
    const struct pack_key *k = &v->keys[f->key + i];
    int64_t value = v->values[w->value + i];
    if (k->kind == PACK_NUMBER || k->open)
      continue;
    printf("%s%s=", before, v->text + k->name);
    if (k->kind == PACK_WORD)
      fputs(v->text + v->words[k->word + value], stdout);
    else
      printf("%lld", (long long)value);
    before = ",";
  }
}

static void *allocate(size_t bytes)
{
  void *p = NULL;
  need(hipMalloc(&p, bytes ? bytes : 1), "hipMalloc");
  return p;
}

/* Microseconds of one launch of this answer, caches cold. */
static double time_launch(const struct run *r, const struct tuned_found *f)
{
  void *buffers[INDEX_BUFFERS] = {NULL}, *scratch = allocate(f->scratch);
  size_t bytes;
  float ms = 0;
  hipEvent_t start, stop;
  for (unsigned i = 0; i < f->nbuffers; i++) {
    tuned_buffer(r->pack, f, i, &bytes);
    buffers[i] = allocate(bytes);
  }
  need(tuned_load(r->pack, f), "tuned_load");
  need(hipEventCreate(&start) || hipEventCreate(&stop), "hipEventCreate");
  need(hipEventRecord(start, NULL), "hipEventRecord");
  need(tuned_launch(r->pack, f, buffers, f->nbuffers, scratch, NULL),
       "tuned_launch");
  need(hipEventRecord(stop, NULL), "hipEventRecord");
  need(hipEventSynchronize(stop), "hipEventSynchronize");
  need(hipEventElapsedTime(&ms, start, stop), "hipEventElapsedTime");
  for (unsigned i = 0; i < f->nbuffers; i++)
    need(hipFree(buffers[i]), "hipFree");
  need(hipFree(scratch), "hipFree");
  need(hipEventDestroy(start) || hipEventDestroy(stop), "hipEventDestroy");
  return 1e3 * (double)ms;
}

/* The answer that the same problem would get from this winner. */
static struct tuned_found answer_of(const struct run *r,
                                    const struct pack_winner *w)
{
  const struct index *v = &r->pack->index;
  const struct pack_plan *p = &v->plans[w->plan];
  struct tuned_found f = r->own;
  f.winner = (unsigned)(w - v->winners);
  f.nbuffers = 0;
  f.scratch = 0;
  for (uint32_t i = 0; i < p->nbuffers; i++) {
    const struct pack_buffer *b = &v->buffers[p->buffer + i];
    int64_t n = 0;
    if (b->role != BUFFER_SCRATCHED)
      f.nbuffers++;
    else if (!index_value(v, b->elements, r->query.keys, &n))
      f.scratch += ((size_t)n * b->size + 255) / 256 * 256;
  }
  return f;
}

static void judge(struct run *r)
{
  struct tuned_key keys[TUNED_KEYS];
  size_t n = write_keys(r, keys);
  need(tuned_find(r->pack, r->family, keys, n, TUNED_EXACT, &r->own),
       "tuned_find");
  need(query_read(&r->query, &r->pack->index, r->pack->arch, r->family, keys,
                  n), "query_read");
  struct fit fit = fit_find(&r->query, &r->pack->index, r->winner);
  print_problem(r, r->winner);
  if (!fit.winner) {
    printf("\t%g\tnone\n", time_launch(r, &r->own));
    return;
  }
  struct tuned_found fitted = answer_of(r, fit.winner);
  double own = time_launch(r, &r->own);
  printf("\t%g\t%g\t%g\t%g\t", own, time_launch(r, &fitted), fit.us,
         (double)r->query.class_->loss[fit.band]);
  print_problem(r, fit.winner);
  putchar('\n');
  fflush(stdout);
}

static int judge_family(struct run *r, const struct pack_family *f,
                        unsigned part, unsigned parts)
{
  const struct index *v = &r->pack->index;
  int n = 0;
  for (uint32_t i = 0; i < f->nclasses && f->serves; i++) {
    const struct pack_class *c = &v->classes[f->class_ + i];
    for (uint32_t j = 0; j < c->nwinners; j++) {
      if ((c->winner + j) % parts != part)
        continue;
      r->family = v->text + f->name;
      r->query.family = f;
      r->winner = &v->winners[c->winner + j];
      judge(r);
      n++;
    }
  }
  return n;
}

int main(int argc, char **argv)
{
  const struct tuned_hip hip = TUNED_HIP;
  char why[256];
  struct run r = {0};
  int n = 0;
  if (argc < 3 ||
      tuned_open(&r.pack, argv[1], argv[2], &hip, why)) {
    fprintf(stderr, "fitted: %s\n", argc < 3 ? "which pack and arch?" : why);
    return 2;
  }
  unsigned parts = argc > 4 ? (unsigned)atoi(argv[4]) : 1;
  unsigned part = argc > 4 ? (unsigned)atoi(argv[3]) : 0;
  need(hipsimSetMode(HIPSIM_SAMPLED), "hipsimSetMode");
  for (uint32_t i = 0; i < r.pack->arch->nfamilies; i++)
    n += judge_family(&r, &r.pack->index.families[r.pack->arch->family + i],
                      part, parts ? parts : 1);
  tuned_close(r.pack);
  return n ? 0 : 1;
}
