/* registers.c - registers and private memory that a wave begins with.
 *
 * The hardware sets some registers and leaves in the others what was there before;
 * the simulator puts a NaN into those (group.c), which tells them apart. Most of
 * them are written before they are read: such a register has one bit here, and an
 * entry as init.c keeps it only once an instruction touches it.
 *
 * Not followed: what lies behind the last of 102 SGPRs, but for VCC; a wave that has
 * named a register by a number in M0, or a VGPR above 255.
 */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/check/inside.h"

enum {SGPRS_OWN = 102};

/* What the simulator fills registers with (group.c). */
#define POISON 0x7fedcafeu

/* --- of an instruction ---------------------------------------------------- */

static void set(uint64_t *bits, unsigned n)
{
  bits[n / 64] |= (uint64_t)1 << n % 64;
}

/* By word; a site keeps them if they are few. */
static void add(uint64_t words[REGISTER_WORDS], const struct span *r,
                unsigned spans, unsigned first, unsigned room)
{
  for (unsigned k = 0; k < spans; k++)
    for (unsigned n = 0; n < r[k].n; n++)
      if (r[k].first + n < room)
        set(words, first + r[k].first + n);
}

static void words_of(const struct site *site, uint64_t words[REGISTER_WORDS])
{
  memset(words, 0, REGISTER_WORDS * sizeof *words);
  add(words, site->vread, site->vreads, 0, REGISTERS);
  add(words, site->vwrite, site->vwrites, 0, REGISTERS);
  add(words, site->sread, site->sreads, REGISTERS, CODE_INLINE);
  add(words, site->swrite, site->swrites, REGISTERS, CODE_INLINE);
}

void registers_of(struct site *site)
{
  uint64_t words[REGISTER_WORDS];
  unsigned n = site->anywhere ? TOUCH_MOST + 1 : 0;
  words_of(site, words);
  for (unsigned word = 0; word < REGISTER_WORDS && n <= TOUCH_MOST; word++)
    if (words[word] && n++ < TOUCH_MOST)
      site->touch[n - 1] = (struct register_bits){words[word], word};
  site->touches = (uint8_t)n;
}

/* --- of a wave ------------------------------------------------------------ */

void registers_begin(struct check *c, struct wave_check *s,
                     const struct wave *w)
{
  if (!(c->kinds & CHECK_INIT))
    return;
  for (unsigned n = 0; n < w->nv && n < 256; n++)
    if (w->v[n][0] == POISON)
      set(s->never, n);
  for (unsigned n = 0; n < w->na && n < 256; n++)
    set(s->never, 256 + n);
  for (unsigned n = 0; n < w->ns && n < SGPRS_OWN; n++)
    if (w->s[n] == POISON)
      set(s->never, REGISTERS + n);
  for (unsigned n = CODE_VCC; n < CODE_VCC + 2; n++)
    if (w->s[n] == POISON)
      set(s->never, REGISTERS + n);
  memcpy(s->maybe, s->never, sizeof s->maybe);
  if (w->scratch)
    init_unwritten(c, w->scratch, wave_private_bytes(w));
}

void registers_forget(struct wave_check *s)
{
  for (unsigned word = 0; word < REGISTER_WORDS; word++)
    for (uint64_t left = s->maybe[word] & ~s->never[word]; left;
         left &= left - 1)
      s->entries[word * 64 + (unsigned)__builtin_ctzll(left)].lanes = 0;
  memset(s->maybe, 0, sizeof s->maybe);
  memset(s->never, 0, sizeof s->never);
  s->unknown = 0;
}

void registers_reveal(struct group_check *g, const struct wave *w,
                      const struct site *site)
{
  struct wave_check *s = &g->waves[w->index];
  uint64_t words[REGISTER_WORDS];
  if (w->mode & (MODE_GPR_IDX | MODE_MSB) || site->anywhere) {
    registers_forget(s);
    return;
  }
  if (!g->unknown[w->index])
    g->unknown[w->index] = mem_array(UNKNOWN_ROOM, sizeof **g->unknown);
  s->entries = g->unknown[w->index];
  words_of(site, words);
  for (unsigned word = 0; word < REGISTER_WORDS; word++) {
    for (uint64_t left = s->never[word] & words[word]; left; left &= left - 1) {
      unsigned at = word * 64 + (unsigned)__builtin_ctzll(left);
      s->entries[at] = (struct unknown){.lanes = at < REGISTERS ? ~(uint64_t)0 : 1};
      s->unknown++;
    }
    s->never[word] &= ~words[word];
  }
}
