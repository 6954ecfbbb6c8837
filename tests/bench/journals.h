/* journals.h - what benchmarks that read journals begin with. */
// SPDX-License-Identifier: MIT
#ifndef bench_journals_h
#define bench_journals_h

#include "arch/arch.h"
#include "db/journal.h"
#include "gen/family.h"

/* Opens the family on the arch, both by name, then shows the reader all journals of a
 * list that ends with NULL. *family, NULL at first, is the caller's to close, also after
 * an error. */
static inline int journals_read(struct family **family, const char *name,
                                const struct arch **arch, const char *arch_name,
                                char **journals, const struct journal_reader *reader,
                                struct err *e)
{
  const struct pair *facts;
  if (arch_need(arch_name, arch, e) || family_open(family, name, NULL, e))
    return e->code;
  size_t n = arch_facts(*arch, &facts);
  if (family_set_arch(*family, facts, n, e))
    return e->code;
  for (; *journals; journals++)
    if (journal_read(*journals, reader, e) < 0)
      return e->code;
  return 0;
}

#endif
