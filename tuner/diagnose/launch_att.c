/* launch_att.c - the files of rocprofv3's thread trace: see launch_trace.h.
 *
 * Their form is that of rocprofiler-sdk's att-tool (code.cpp, wave.cpp,
 * occupancy.cpp, filenames.cpp, wstates.cpp), format 3.0.0. All waves are of
 * shader engine 0 and its compute unit 0.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "tuner/diagnose/flow.h"
#include "tuner/diagnose/launch_trace.h"

/* rocprofiler's trace_decoder_types.h. */
enum {INST_SMEM = 1, INST_SALU, INST_VMEM, INST_FLAT, INST_LDS, INST_VALU,
      INST_JUMP, INST_NEXT, INST_IMMED};
enum {WAVE_IDLE = 1, WAVE_EXEC, WAVE_WAIT, WAVE_STALL, WAVE_STATES};

#define VERSION "3.0.0"

/* A wave's events, and where it was. */
struct wave {
  const struct hipsim_event **events;
  size_t n, room;
  unsigned simd, slot, number; /* number: of those that had the slot */
  char file[64];
};

struct folder {
  const struct launch_trace *t;
  const char *path;
  struct flow *flow;
  struct wave *waves;
  size_t nwaves;
  /* How many waves enter a state, or leave it, when. */
  struct change {
    long long at;
    int by;
  } *changes[WAVE_STATES];
  size_t nchanges[WAVE_STATES];
};

static int put(const struct folder *f, const char *name, struct str *text,
               struct err *e)
{
  struct str path = {0};
  str_addf(&path, "%s/%s", f->path, name);
  int failed = file_replace(path.at, text->at, text->len, e);
  str_free(&path);
  str_free(text);
  return failed;
}

static long long cycle(double at)
{
  return llround(at);
}

/* --- code.json ----------------------------------------------------------- */

static void add_row(const struct att_row *r, struct str *out)
{
  str_add(out, ",\n[");
  launch_quote(r->text, out);
  str_addf(out, ",0,%lld,\"\",%lld,%llu,%.0f,%.0f,%.0f,%.0f]", r->line,
           r->object, (unsigned long long)r->address, r->hits, r->latency,
           r->stall, r->idle);
}

static int write_code(const struct folder *f, struct err *e)
{
  const struct att_kernel *k = &f->t->kernel;
  struct str out = {0}, name = {0};
  str_addf(&name, "; %s", k->name);
  str_add(&out, "{\"version\":\"" VERSION "\",\"device\":");
  launch_quote(f->t->device, &out);
  str_add(&out, ",\"header\":\"ISA, _, LineNumber, Source, Codeobj, Vaddr, "
          "Hit, Latency, Stall, Idle\",\"code\":[\n[");
  launch_quote(name.at, &out);
  str_add(&out, ",0,0,");
  launch_quote(k->name, &out);
  str_add(&out, ",1,0,0,0,0,0]");
  for (size_t i = 0; i < k->nrows; i++)
    add_row(&k->rows[i], &out);
  str_add(&out, "]}\n");
  str_free(&name);
  return put(f, "code.json", &out, e);
}

/* --- a file for each wave ------------------------------------------------ */

static int category(const struct folder *f, size_t row, int jumped)
{
  static const int categories[FLOW_KINDS] = {
      [FLOW_OTHER] = INST_SALU,        [FLOW_LDS_READ] = INST_LDS,
      [FLOW_LDS_WRITE] = INST_LDS,     [FLOW_LDS_EXCHANGE] = INST_LDS,
      [FLOW_SCALAR_LOAD] = INST_SMEM,  [FLOW_MEMORY] = INST_VMEM,
      [FLOW_WAIT] = INST_IMMED,        [FLOW_BARRIER] = INST_IMMED,
      [FLOW_MATRIX] = INST_VALU,       [FLOW_VECTOR] = INST_VALU,
      [FLOW_BRANCH] = INST_NEXT,
  };
  if (!strncmp(f->t->kernel.rows[row].text, "flat_", 5))
    return INST_FLAT;
  return jumped ? INST_JUMP : categories[f->flow[row].kind];
}

/* Did the wave go elsewhere than to the next row? */
static int jumps(const struct folder *f, const struct wave *w, size_t i,
                 size_t row)
{
  return f->flow[row].kind == FLOW_BRANCH && i + 1 < w->n &&
         launch_row(f->t, w->events[i + 1]) != row + 1;
}

static void change(struct folder *f, int state, long long at, int by)
{
  size_t n = f->nchanges[state];
  if (!(n & (n - 1))) /* room for a power of two */
    f->changes[state] = mem_resize(f->changes[state],
                                   (n ? 2 * n : 1) * sizeof **f->changes);
  f->changes[state][f->nchanges[state]++] = (struct change){at, by};
}

/* A wave's states, one after the other. */
struct timeline {
  int state;          /* the present one, since `from`; 0: none yet */
  long long from, at;
  struct str text;
};

static void end_state(struct folder *f, struct timeline *l)
{
  if (l->at > l->from) {
    str_addf(&l->text, "%s[%d,%lld]", l->text.len ? "," : "", l->state,
             l->at - l->from);
    change(f, l->state, l->from, 1);
    change(f, l->state, l->at, -1);
  }
  l->from = l->at;
}

static void stay(struct folder *f, struct timeline *l, int state,
                 long long until)
{
  if (until <= l->at)
    return;
  if (state != l->state)
    end_state(f, l);
  l->state = state;
  l->at = until;
}

static void add_event(struct folder *f, const struct wave *w, size_t i,
                      struct str *list, struct timeline *l)
{
  const struct hipsim_event *v = w->events[i];
  size_t row = launch_row(f->t, v);
  if (row == f->t->kernel.nrows)
    return;
  long long from = cycle(v->at), until = cycle(v->at + v->stall);
  long long end = cycle(v->at + v->latency);
  int waits = f->flow[row].kind == FLOW_WAIT ||
              f->flow[row].kind == FLOW_BARRIER;
  str_addf(list, "%s[%lld,%d,%lld,%lld,%lld]", list->len ? ",\n" : "", from,
           category(f, row, jumps(f, w, i, row)), until - from, end - from,
           f->t->kernel.rows[row].line);
  stay(f, l, WAVE_IDLE, from);
  stay(f, l, waits ? WAVE_WAIT : WAVE_STALL, until);
  stay(f, l, WAVE_EXEC, end);
}

static long long begin_of(const struct wave *w)
{
  return cycle(w->events[0]->at);
}

static long long end_of(const struct wave *w)
{
  const struct hipsim_event *last = w->events[w->n - 1];
  return cycle(last->at + last->latency);
}

static int write_wave(struct folder *f, const struct wave *w, struct err *e)
{
  struct str out = {0}, list = {0};
  struct timeline l = {.from = begin_of(w), .at = begin_of(w)};
  for (size_t i = 0; i < w->n; i++)
    add_event(f, w, i, &list, &l);
  end_state(f, &l);
  str_addf(&out, "{\"name\":\"SE0\",\"duration\":%lld,\"num_insts\":%zu,"
           "\"num_stitched\":%zu,\"wave\":{\"cu\":0,\"id\":%u,\"simd\":%u,"
           "\"slot\":%u,\"begin\":%lld,\"end\":%lld,\"instructions\":[%s],"
           "\"timeline\":[%s],\"waitcnt\":[]}}\n", end_of(w) - begin_of(w),
           w->n, w->n, w->number, w->simd, w->slot, begin_of(w), end_of(w),
           str_text(&list), str_text(&l.text));
  str_free(&list);
  str_free(&l.text);
  return put(f, w->file, &out, e);
}

/* --- what concerns all waves --------------------------------------------- */

static int write_occupancy(const struct folder *f, struct err *e)
{
  struct str out = {0};
  str_add(&out, "{\"version\":\"" VERSION "\",\"dispatches\":{\"1\":");
  launch_quote(f->t->kernel.name, &out);
  str_add(&out, "},\"0\":[");
  for (size_t i = 0; i < f->nwaves; i++) {
    const struct wave *w = &f->waves[i];
    str_addf(&out, "%s\n[%lld,0,%u,%u,1,1],[%lld,0,%u,%u,0,1]", i ? "," : "",
             begin_of(w), w->simd, w->slot, end_of(w), w->simd, w->slot);
  }
  str_add(&out, "]}\n");
  return put(f, "occupancy.json", &out, e);
}

static int compare_places(const void *a, const void *b)
{
  const struct wave *x = a, *y = b;
  if (x->simd != y->simd)
    return x->simd < y->simd ? -1 : 1;
  if (x->slot != y->slot)
    return x->slot < y->slot ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* {"0":{"SIMD":{"SLOT":{"NUMBER":["FILE",BEGIN,END]}}}}; waves are sorted. */
static int write_filenames(const struct folder *f, struct err *e)
{
  struct str out = {0};
  str_add(&out, "{\"version\":\"" VERSION "\",\"global_begin_time\":0,"
          "\"gfxv\":\"vega\",\"gfxip\":9,\"counter_names\":[],\"device\":");
  launch_quote(f->t->device, &out);
  str_add(&out, ",\"wave_filenames\":{\"0\":{");
  for (size_t i = 0; i < f->nwaves; i++) {
    const struct wave *w = &f->waves[i];
    int same_simd = i && w[-1].simd == w->simd;
    int same_slot = same_simd && w[-1].slot == w->slot;
    str_add(&out, !i ? "" : same_slot ? "," : same_simd ? "}," : "}},");
    if (!same_simd)
      str_addf(&out, "\"%u\":{", w->simd);
    if (!same_slot)
      str_addf(&out, "\"%u\":{", w->slot);
    str_addf(&out, "\"%u\":[\"%s\",%lld,%lld]", w->number, w->file,
             begin_of(w), end_of(w));
  }
  str_add(&out, f->nwaves ? "}}}}}\n" : "}}}\n");
  return put(f, "filenames.json", &out, e);
}

static int compare_changes(const void *a, const void *b)
{
  const struct change *x = a, *y = b;
  return (x->at > y->at) - (x->at < y->at);
}

/* How many waves are in a state, from when on. */
static int write_state(struct folder *f, int state, struct err *e)
{
  struct change *c = f->changes[state];
  size_t n = f->nchanges[state];
  struct str out = {0}, times = {0}, counts = {0};
  char name[32];
  int count = 0;
  if (!n)
    return 0;
  qsort(c, n, sizeof *c, compare_changes);
  for (size_t i = 0; i < n; i++) {
    count += c[i].by;
    if (i + 1 < n && c[i + 1].at == c[i].at)
      continue;
    str_addf(&times, "%s%lld", times.len ? "," : "", c[i].at);
    str_addf(&counts, "%s%d", counts.len ? "," : "", count);
  }
  snprintf(name, sizeof name, "wstates%d.json", state);
  str_addf(&out, "{\"name\":\"%s\",\"time\":[%s],\"state\":[%s]}\n", name,
           times.at, counts.at);
  str_free(&times);
  str_free(&counts);
  return put(f, name, &out, e);
}

/* --- the folder ---------------------------------------------------------- */

static void add_to_wave(struct folder *f, const struct hipsim_event *v)
{
  struct wave *w = &f->waves[v->wave];
  w->simd = v->simd;
  w->slot = v->slot;
  if (w->n == w->room) {
    w->room = w->room ? 2 * w->room : 64;
    w->events = mem_resize(w->events, w->room * sizeof *w->events);
  }
  w->events[w->n++] = v;
}

/* Waves without an event, which the trace has no room for, are left out. */
static void drop_empty(struct folder *f)
{
  size_t kept = 0;
  for (size_t i = 0; i < f->nwaves; i++)
    if (f->waves[i].n)
      f->waves[kept++] = f->waves[i];
  f->nwaves = kept;
}

static void name_waves(struct folder *f)
{
  for (size_t i = 0; i < f->nwaves; i++) {
    struct wave *w = &f->waves[i];
    for (size_t k = 0; k < i; k++)
      w->number += f->waves[k].simd == w->simd && f->waves[k].slot == w->slot;
    snprintf(w->file, sizeof w->file, "se0_sm%u_sl%u_wv%u.json", w->simd,
             w->slot, w->number);
  }
}

static void find_waves(struct folder *f)
{
  const struct launch_trace *t = f->t;
  for (size_t i = 0; i < t->nevents; i++)
    if (t->events[i].wave >= f->nwaves)
      f->nwaves = (size_t)t->events[i].wave + 1;
  f->waves = mem_array(f->nwaves + 1, sizeof *f->waves);
  for (size_t i = 0; i < t->nevents; i++)
    add_to_wave(f, &t->events[i]);
  drop_empty(f);
  name_waves(f);
}

static int write_all(struct folder *f, struct err *e)
{
  int failed = file_mkdirs(f->path, e);
  failed = failed ? failed : write_occupancy(f, e);
  qsort(f->waves, f->nwaves, sizeof *f->waves, compare_places);
  failed = failed ? failed : write_filenames(f, e);
  for (size_t i = 0; i < f->nwaves && !failed; i++)
    failed = write_wave(f, &f->waves[i], e);
  for (int s = 0; s < WAVE_STATES && !failed; s++)
    failed = write_state(f, s, e);
  return failed ? failed : write_code(f, e); /* last: now it is whole */
}

int launch_att(const struct launch_trace *t, const char *folder,
               struct err *e)
{
  struct folder f = {.t = t, .path = folder, .flow = flow_of(&t->kernel)};
  find_waves(&f);
  int failed = write_all(&f, e);
  for (size_t i = 0; i < f.nwaves; i++)
    free(f.waves[i].events);
  for (int s = 0; s < WAVE_STATES; s++)
    free(f.changes[s]);
  free(f.waves);
  free(f.flow);
  return failed;
}
