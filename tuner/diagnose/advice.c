/* advice.c - see advice.h. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "tuner/diagnose/advice.h"

static void conflicts(const struct finding *f, const struct att_kernel *k,
                      const char *arch, struct str *out)
{
  const char *text = k->rows[f->first].text;
  if (f->same_banks)
    str_add(out, "Both words that a lane wants lie in the same banks: their "
            "offsets differ by a multiple of the number of banks. ");
  str_addf(out, "Its lanes meet in too few banks. `tune lds --solve --arch %s "
           "--set %s_width=%d` finds the pad or the XOR of a tile that parts "
           "them; --rows, --columns and --pattern describe the tile.",
           arch ? arch : "ARCH",
           flow_kind(text) == FLOW_LDS_READ ? "read" : "write",
           flow_width(text) == 3 ? 4 : flow_width(text));
}

static void distance(const struct finding *f, const struct att_kernel *k,
                     const char *arch, struct str *out)
{
  (void)k;
  if (f->distance)
    str_addf(out, "Only %zu instruction%s between an LDS write and this wait",
             f->distance, f->distance == 1 ? " lies" : "s lie");
  else
    str_add(out, "Nothing lies between an LDS write and this wait");
  str_addf(out, ", and a write takes about 64 cycles: put work between the two "
           "that does not need it, as loads of the next tile or arithmetic of "
           "this one. `tune explain lds --arch %s --vary write_ahead` shows what "
           "that gains.", arch ? arch : "ARCH");
}

static void exchange(const struct finding *f, const struct att_kernel *k,
                     const char *arch, struct str *out)
{
  (void)k, (void)arch;
  str_addf(out, "A wave meets %.3g barriers here, with little but LDS between "
           "them. Combine within a wave first, by DPP (row_shr, row_bcast) "
           "instead of LDS, and exchange one value a wave: that takes one "
           "barrier.", f->barriers);
}

/* ORDER TROUBLE */
static void (*const advices[TROUBLES])(const struct finding *,
                                       const struct att_kernel *,
                                       const char *, struct str *) = {
    conflicts, distance, exchange,
};

void advice(const struct finding *f, const struct att_kernel *k,
            const char *arch, struct str *out)
{
  advices[f->trouble](f, k, arch, out);
}

void advice_limits(int banks, struct str *out)
{
  const struct diagnose_limits *l = &diagnose_limits;
  str_addf(out, "Named is what makes %g %% of the stalls or more:\n",
           100 * l->least_share);
  str_addf(out, "%s: an LDS instruction stalls more than %g cycles a hit, or "
           "%g where its two offsets lie a multiple of %d words apart;\n",
           trouble_words[TROUBLE_CONFLICTS], l->conflict_stall, l->pair_stall,
           banks);
  str_addf(out, "%s: a wait for all of LDS, with at most %zu instructions "
           "between it and a write, stalls more than %g cycles a hit and %g "
           "in all;\n", trouble_words[TROUBLE_DISTANCE], l->near,
           l->wait_stall, l->wait_total);
  str_addf(out, "%s: a wave meets more than %g barriers, which stall more than "
           "%g cycles in all, with LDS, at most %zu instructions and at most %d "
           "words a lane between two of them.\n",
           trouble_words[TROUBLE_EXCHANGE], l->barriers, l->barrier_total,
           l->between, l->words);
}
