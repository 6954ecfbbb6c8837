/* report.c - what is printed, once for each pair of instructions. */
// SPDX-License-Identifier: MIT
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "runtimes/sim/check/inside.h"
#include "runtimes/sim/isa/text.h"

/* Beyond so many of a kind findings are only counted. */
enum {PRINTED_MOST = 200, TEXT = 200};

static const struct {
  const char *word;
  const char *title;
} kinds[] = { /* ORDER CHECK */
    {"race", "race"},
    {"wait", "missing wait"},
    {"barrier", "barrier"},
    {"init", "never written"},
    {"bounds", "out of bounds"},
};
_Static_assert(sizeof kinds / sizeof *kinds == CHECK_KINDS, "ORDER CHECK");

int check_words(const char *words, unsigned *out, struct err *e)
{
  *out = 0;
  for (const char *at = words; *at;) {
    size_t n = strcspn(at, ","), k = 0;
    while (k < CHECK_KINDS && (strlen(kinds[k].word) != n ||
                               strncmp(kinds[k].word, at, n)))
      k++;
    if (k < CHECK_KINDS)
      *out |= 1u << k;
    else if (n == 3 && !strncmp(at, "all", 3))
      *out |= CHECK_ALL;
    else if (n == 9 && !strncmp(at, "conflicts", 9))
      *out |= CHECK_CONFLICTS;
    else
      return err_set(e, ERR_USAGE, "%.*s is none of race, wait, barrier, init, bounds, all, "
                     "conflicts",
                     (int)n, at);
    at += n + (at[n] == ',');
  }
  return 0;
}

/* --- which were there already --------------------------------------------- */

static size_t slot(const uint64_t *set, size_t room, uint64_t key)
{
  size_t at = (size_t)(key * 0x9e3779b97f4a7c15 >> 32) & (room - 1);
  while (set[at] && set[at] != key)
    at = (at + 1) & (room - 1);
  return at;
}

static void enlarge(struct check *c)
{
  size_t room = c->room_reported ? 2 * c->room_reported : 256;
  uint64_t *set = mem_array(room, sizeof *set);
  for (size_t n = 0; n < c->room_reported; n++)
    if (c->reported[n])
      set[slot(set, room, c->reported[n])] = c->reported[n];
  free(c->reported);
  c->reported = set;
  c->room_reported = room;
}

static int is_new(struct check *c, unsigned kind, const struct site *a,
                  const struct site *b)
{
  uint32_t one = a->number, two = b ? b->number : 0;
  uint64_t key = (uint64_t)kind << 48 |
                 (uint64_t)(one < two ? one : two) << 24 |
                 (one < two ? two : one);
  if (2 * c->nreported >= c->room_reported)
    enlarge(c);
  size_t at = slot(c->reported, c->room_reported, key);
  if (c->reported[at])
    return 0;
  c->reported[at] = key;
  c->nreported++;
  return 1;
}

/* --- text ----------------------------------------------------------------- */

/* Of what a header has, as __syncthreads(): the line of the kernel's own file
 * that comes before it. */
enum {NEAR = 64}; /* instructions' dwords */

static int caller_line(const struct kernel *k, const struct object *o,
                       uint64_t at, struct source_line *line)
{
  struct source_line own, here;
  uint64_t entry = k->object->text_base + (uint64_t)k->entry * 4;
  if (!object_line(k->object, entry, &own) || !object_line(o, at, &here) ||
      !strcmp(own.file, here.file))
    return 0;
  for (unsigned n = 1; n < NEAR && at - 4 * n >= o->text_base; n++)
    if (object_line(o, at - 4 * n, line) && !strcmp(line->file, own.file))
      return 1;
  return 0;
}

/* As in faults: from the kernel's entry, or in the function it belongs to. */
static void put_place(struct str *s, const struct check *c,
                      const struct site *site)
{
  const struct kernel *k = c->d->kernel;
  const struct object *o = site->object;
  uint64_t at = o->text_base + (uint64_t)site->pc * 4;
  uint64_t entry = k->object->text_base + (uint64_t)k->entry * 4;
  const struct symbol *f = object_function(o, at);
  struct source_line line, before;
  if (object_line(o, at, &line))
    str_addf(s, "%s:%u ", line.file, line.line);
  if (caller_line(k, o, at, &before))
    str_addf(s, "(behind %s:%u) ", before.file, before.line);
  if (f && f->address != entry)
    str_addf(s, "%.80s+0x%x", f->name, (unsigned)(at - f->address));
  else
    str_addf(s, "%c0x%x", at < entry ? '-' : '+',
             (unsigned)(at < entry ? entry - at : at - entry));
}

static void put_side(struct str *s, const struct check *c, struct side side,
                     uint64_t group)
{
  char text[TEXT];
  if (!side.site)
    return;
  inst_text(side.site->inst, text, sizeof text);
  str_add(s, "  ");
  put_place(s, c, side.site);
  str_addf(s, " %s: %s wave %u", text, side.did, side.wave);
  if (side.lane >= 0)
    str_addf(s, ", lane %d", side.lane);
  if (side.group != group)
    str_addf(s, " of workgroup %llu", (unsigned long long)side.group);
  str_add(s, "\n");
}

void report(struct check *c, unsigned kind, const struct group_check *g,
            struct side a, struct side b, const char *format, ...)
{
  unsigned k = (unsigned)__builtin_ctz(kind);
  struct str text = {0};
  char what[TEXT];
  va_list args;
  if (!(c->kinds & kind) || !is_new(c, k, a.site, b.site) ||
      c->counts[k]++ >= PRINTED_MOST)
    return;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  str_addf(&text, "libhipsim: %s: kernel %.200s, workgroup %llu: %s\n",
           kinds[k].title, c->d->kernel->name, (unsigned long long)g->index,
           what);
  put_side(&text, c, a, g->index);
  put_side(&text, c, b, g->index);
  fputs(str_text(&text), c->out);
  fflush(c->out);
  str_free(&text);
}

uint64_t check_count(const struct check *c, unsigned wanted)
{
  uint64_t n = 0;
  for (unsigned k = 0; k < CHECK_KINDS; k++)
    n += wanted >> k & 1 ? c->counts[k] : 0;
  return n;
}

void check_total(struct check *c)
{
  uint64_t all = check_count(c, c->kinds);
  fprintf(c->out, "libhipsim: checked %llu launches: %llu finding%s",
          (unsigned long long)c->launches, (unsigned long long)all,
          all == 1 ? "" : "s");
  for (unsigned k = 0; k < CHECK_KINDS; k++)
    if (c->kinds >> k & 1)
      fprintf(c->out, ", %s %llu", kinds[k].word,
              (unsigned long long)c->counts[k]);
  fprintf(c->out, "\n");
  fflush(c->out);
  if (c->kinds & CHECK_CONFLICTS) {
    sites_keep(c);
    conflicts_print(c);
  }
}
