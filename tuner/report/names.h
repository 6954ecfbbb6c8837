/* names.h - texts that come again and again, each kept once, as a number.
 *
 * Nights repeat the same devices, configurations and problems thousands of
 * times. Number 0 is the empty text. Zero-initialise, names_free() at the end;
 * texts live until then.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_names_h
#define tuner_report_names_h

#include <stddef.h>
#include <stdint.h>

struct names {
  size_t n, room, slots;
  char **text;
  uint32_t *slot; /* open addressing; number + 1, or 0 */
};

uint32_t names_add(struct names *s, const char *text); /* its number */
const char *names_text(const struct names *s, uint32_t number);
void names_free(struct names *s);

#endif
