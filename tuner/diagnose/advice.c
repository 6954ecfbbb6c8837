/* advice.c - see advice.h. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "tuner/diagnose/advice.h"

/* Words of 4 bytes that each of a lane's accesses moves. */
static int words(const char *text)
{
  static const struct {
    const char *in;
    int words;
  } widths[] = {{"b128", 4}, {"b96", 3}, {"b64", 2}, {"f64", 2}, {"u64", 2}};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    if (strstr(text, widths[i].in))
      return widths[i].words;
  return 1;
}

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
           words(text) == 3 ? 4 : words(text));
}

static void distance(const struct finding *f, const struct att_kernel *k,
                     const char *arch, struct str *out)
{
  (void)k, (void)arch;
  str_addf(out, "Only %zu instruction%s between an LDS write and this wait, "
           "and a write takes about 64 cycles: put work between the two that "
           "does not need it, as loads of the next tile or arithmetic of this "
           "one.", f->distance, f->distance == 1 ? " lies" : "s lie");
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
  str_addf(out, "%s: a wave meets more than %g barriers with LDS and at most "
           "%zu instructions between them, which stall more than %g cycles in "
           "all.\n", trouble_words[TROUBLE_EXCHANGE], l->barriers, l->between,
           l->barrier_total);
}
