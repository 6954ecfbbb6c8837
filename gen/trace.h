/* trace.h - what a configuration's launches are on other problems, as
 * formulas that C evaluates without Lua.
 *
 * A family that has the field
 *
 *   serves = function (cfg, problem, other, arch)
 *     return { { "k is a multiple of 8", other.k % 8 }, ... }
 *   end,
 *
 * says by it what a kernel that was made for `problem` asks of another problem
 * that it is to run: each expression must be 0 for it. Its launch, buffers and
 * cost are then run once with the keys of the problem as symbols (symbol.h).
 * How long it takes there is estimated in packs by what a workgroup of its first
 * kernel does, which the optional field `work` says:
 *
 *   work = function (cfg, problem, arch)
 *     return { steps = 512, flops = 65536, bytes = 8192, results = 1,
 *              written = 4096 }
 *   end,
 *
 * It takes so many steps, one after the other, each of so many operations and of
 * so many bytes that it loads. On the way it begins and ends so many results, of
 * so many bytes that it writes.
 *
 * Never symbols, and so the same in every problem that a kernel serves, are
 * words, keys with a list of values, and whatever is 0: numbers and lengths
 * that are 0 may change the text.
 *
 * A trace cannot see a comparison by == or ~=. Therefore each is compared
 * with what the family's functions give for the problem itself and for a few
 * others that are drawn.
 */
// SPDX-License-Identifier: MIT
#ifndef gen_trace_h
#define gen_trace_h

#include "base/formula.h"
#include "gen/family.h"

enum {FAMILY_NEEDS = 32};

struct formula {
  size_t n;
  struct formula_step step[];
};

/* Beside the number in struct plan that a formula stands for; NULL: the number
 * is the same for all problems. */
struct launch_trace {
  struct formula *grid[3], *lds, *args[FAMILY_ARGS];
};

struct need {
  char reason[120];
  struct formula *zero; /* must be 0 */
};

struct work_trace {
  struct formula *steps, *flops, *bytes, *results, *written; /* all or none */
};

struct trace {
  struct plan plan;
  struct launch_trace launches[FAMILY_LAUNCHES];
  struct formula *pointers[FAMILY_BUFFERS], *strides[FAMILY_BUFFERS];
  struct formula *elements[FAMILY_BUFFERS], *flops, *bytes;
  /* What `complete` makes of a key that is given as 0, or NULL. */
  struct formula *completed[FAMILY_KEYS];
  size_t nneeds;
  struct need needs[FAMILY_NEEDS];
  struct work_trace work;
};

/* Has the family the field `serves`? */
int family_serves(const struct family *f);

/* Trace cfg, made for p; trace_free() in any case. ERR_FAILED, with the reason,
 * where the family's functions cannot be traced. */
int family_trace(struct family *f, const struct problem *p,
                 const struct config *c, struct trace *out, struct err *e);
void trace_free(struct trace *t);

/* Is key k shown as a symbol where it is v? */
int trace_symbolic(const struct key *k, const struct value *v);

/* May the key be left at 0 for the family to fill in? */
int trace_open(const struct key *k);

/* The problem as formulas take it: integers, and 0 for all else. */
void trace_keys(const struct problem *p, int64_t out[FAMILY_KEYS]);

/* 1 where a kernel of this trace can run p, which must have the same words; 0
 * and the reason where not. */
int trace_serves(const struct trace *t, const struct problem *p,
                 const char **reason);

#endif
