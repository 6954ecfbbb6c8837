/* lds_text.c - see lds_text.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/lds_text.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum {WIDTH = 80, INDENT = 11};

/* A phase of an access: its lanes in rising order. */
struct phase {
  const struct lds_phases *p;
  const struct lds_access *a;
  unsigned n, lanes[LDS_LANES];
};

static enum lds_kind kind_of(const struct lds_access *a)
{
  return a->write ? LDS_WRITE : LDS_READ;
}

unsigned lds_access_cycles(const struct lds_layout *y,
                           const struct lds_access *a, unsigned *conflicts)
{
  unsigned phases;
  unsigned cycles = lds_cycles(y, kind_of(a), a->bytes, lds_wave(y),
                               a->address, &phases);
  *conflicts = cycles - phases;
  return cycles;
}

static struct phase phase_at(const struct lds_layout *y,
                             const struct lds_access *a, unsigned number)
{
  struct phase f = {.p = lds_phases_find(y, kind_of(a), a->bytes), .a = a};
  unsigned size = y->wave / f.p->phases;
  uint64_t lanes = 0;
  for (unsigned k = 0; k < size; k++)
    lanes |= (uint64_t)1 << f.p->order[number * size + k];
  for (unsigned l = 0; l < y->wave; l++)
    if (lanes >> l & 1)
      f.lanes[f.n++] = l;
  return f;
}

static unsigned phase_cycles(const struct lds_layout *y,
                             const struct phase *f)
{
  uint64_t lanes = 0;
  unsigned one;
  for (unsigned k = 0; k < f->n; k++)
    lanes |= (uint64_t)1 << f->lanes[k];
  return lds_cycles(y, kind_of(f->a), f->a->bytes, lanes, f->a->address, &one);
}

/* Words on lines of at most WIDTH, INDENT from the left; `column` is where
 * the line is. */
static void add_wrapped(struct str *out, size_t *column, const char *word,
                        const char *gap)
{
  size_t n = strlen(word);
  if (*column + strlen(gap) + n > WIDTH) {
    str_addf(out, "\n%*s", INDENT, "");
    *column = INDENT;
    gap = "";
  }
  str_addf(out, "%s%s", gap, word);
  *column += strlen(gap) + n;
}

static void add_lanes(struct str *out, const struct phase *f)
{
  for (unsigned k = 0, end; k < f->n; k = end) {
    for (end = k + 1; end < f->n && f->lanes[end] == f->lanes[end - 1] + 1;)
      end++;
    str_addf(out, end - k > 1 ? " %u-%u" : " %u", f->lanes[k],
             f->lanes[end - 1]);
  }
}

static uint64_t first_word(const struct lds_access *a, unsigned lane)
{
  return a->address[lane] / 4;
}

static unsigned bank_of(const struct phase *f, unsigned lane)
{
  return (unsigned)(first_word(f->a, lane) % f->p->banks);
}

/* The lanes that want what lane `like` wants, as one word: 0=2=5 or 0-63. */
static void add_sharers(const struct phase *f, unsigned like, char *text,
                        size_t room)
{
  size_t n = 0;
  for (unsigned k = 0, last = 0, run = 0; k <= f->n; k++) {
    int same = k < f->n &&
               first_word(f->a, f->lanes[k]) == first_word(f->a, like);
    if (same && run && f->lanes[k] == last + 1) {
      last++;
      run++;
      continue;
    }
    if (!same && k < f->n)
      continue;
    if (run > 2)
      n += (size_t)snprintf(text + n, room - n, "-%u", last);
    else if (run == 2)
      n += (size_t)snprintf(text + n, room - n, "=%u", last);
    if (same)
      n += (size_t)snprintf(text + n, room - n, "%s%u", n ? "=" : "",
                            f->lanes[k]);
    last = same ? f->lanes[k] : last;
    run = same;
  }
}

/* Is k the first of the phase's lanes to want its words? */
static int first_of_words(const struct phase *f, unsigned k)
{
  for (unsigned j = 0; j < k; j++)
    if (first_word(f->a, f->lanes[j]) == first_word(f->a, f->lanes[k]))
      return 0;
  return 1;
}

static void add_bank(struct str *out, size_t *column, const struct phase *f,
                     unsigned bank)
{
  unsigned wide = (f->a->bytes + 3) / 4, n = 0;
  char word[24 + 4 * LDS_LANES];
  for (unsigned k = 0; k < f->n; k++) {
    size_t used = 0;
    if (bank_of(f, f->lanes[k]) != bank || !first_of_words(f, k))
      continue;
    if (n == 0 && wide > 1)
      used = (size_t)snprintf(word, sizeof word, "%u-%u: ", bank,
                              (bank + wide - 1) % f->p->banks);
    else if (n == 0)
      used = (size_t)snprintf(word, sizeof word, "%u: ", bank);
    add_sharers(f, f->lanes[k], word + used, sizeof word - used);
    add_wrapped(out, column, word, n++ ? " " : *column > INDENT ? "  " : "");
  }
}

static void add_phase(struct str *out, const struct lds_layout *y,
                      const struct phase *f, unsigned number)
{
  unsigned cycles = phase_cycles(y, f);
  str_addf(out, "  phase %u, lanes", number);
  add_lanes(out, f);
  str_addf(out, ": %u cycle%s\n    banks  ", cycles, PLURAL(cycles));
  size_t column = INDENT;
  for (unsigned bank = 0; bank < f->p->banks; bank++)
    add_bank(out, &column, f, bank);
  str_add(out, "\n");
}

void lds_text(const struct lds_layout *y, const struct lds_access *a,
              struct str *out)
{
  const struct lds_phases *p = lds_phases_find(y, kind_of(a), a->bytes);
  unsigned conflicts, cycles = lds_access_cycles(y, a, &conflicts);
  str_addf(out, "\n%s: %u phases, %u banks: %u cycles, ", a->name, p->phases,
           p->banks, cycles);
  if (conflicts)
    str_addf(out, "%u of them for conflicts\n", conflicts);
  else
    str_add(out, "no conflicts\n");
  for (unsigned k = 0; k < p->phases; k++) {
    struct phase f = phase_at(y, a, k);
    add_phase(out, y, &f, k);
  }
  str_addf(out, "  lane groups: %s\n", p->source);
}
