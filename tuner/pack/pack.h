/* pack.h - from the tables of a store to one pack. */
// SPDX-License-Identifier: MIT
#ifndef tuner_pack_pack_h
#define tuner_pack_pack_h

#include "arch/arch.h"
#include "gen/family.h"
#include "ship/maker.h"
#include "tuner/device/compiler.h"

/* What became of one table. */
struct packed {
  const char *arch, *family;
  char compiler[COMPILER_VERSION];
  size_t winners, measured, stale, left_out;
  size_t kernels, cached; /* texts; of these, compiled before */
};

struct pack_view {
  void *user;
  void (*notice)(void *user, const char *text); /* what is left out, and why */
  void (*compiled)(void *user, size_t n, size_t of);
};

/* Add the winners of a table, compiled: those of the arch that maker_arch() was
 * called for. A table without any is nothing: out->winners is 0. */
int pack_table(struct maker *m, const struct arch *a, struct family *f,
               const char *dir, size_t jobs, double timeout,
               const struct pack_view *view, struct packed *out,
               struct err *e);

#endif
