/* arch.h - facts of architectures, each with its source.
 *
 * One table (arch.c); arch_check() verifies the physics of every arch when the
 * program starts (granules divide, peaks follow from units and clock). Logic
 * tests capabilities ("dot4", "mfma", "wave"), never names of chips. The text
 * facts are "name" (gfx906) and "card" (MI50), all others are integers. Which
 * lanes share an LDS cycle is in lds_banks.h.
 */
// SPDX-License-Identifier: MIT
#ifndef arch_arch_h
#define arch_arch_h

#include <stddef.h>

#include "base/err.h"
#include "base/value.h"

struct arch; /* a row of the table */

const struct arch *arch_find(const char *name); /* NULL: unknown */
const struct arch *arch_at(size_t i);           /* NULL past the last */
const char *arch_name(const struct arch *a);
const char *arch_card(const struct arch *a); /* MI50: that the facts are of */

/* As arch_find, with ERR_USAGE and the nearest known name. */
int arch_need(const char *name, const struct arch **out, struct err *e);

/* All facts as pairs: integers and strings, under the names that templates
 * use (arch.wave, arch.lds_bytes, arch.max_threads, arch.vgprs, arch.dot4...).
 * Points into the table. */
size_t arch_facts(const struct arch *a, const struct pair **facts);
long long arch_fact(const struct arch *a, const char *name); /* assert known */
/* The source of a fact ("LLVM AMDGPUUsage", "[derived] ...") and its unit;
 * NULL where there is no such fact. */
const char *arch_source(const struct arch *a, const char *fact);
const char *arch_unit(const char *fact);

/* How many waves of so many VGPRs a SIMD holds. (SGPRs never allow fewer
 * than 7, LDS and barriers are up to the workgroup.) */
long long arch_waves(const struct arch *a, long long vgprs);

/* Verify the whole table, or the facts of one arch; says what is wrong. */
int arch_check(struct err *e);
int arch_check_facts(const struct pair *facts, size_t n, struct err *e);

#endif
