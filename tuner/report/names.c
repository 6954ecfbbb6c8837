/* names.c - see names.h. */
// SPDX-License-Identifier: MIT
#include "tuner/report/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

/* The slot of a text, or the free one where it belongs. */
static uint32_t *find(const struct names *s, const char *text)
{
  size_t at = hash_64(text, strlen(text)) & (s->slots - 1);
  while (s->slot[at] && strcmp(s->text[s->slot[at] - 1], text) != 0)
    at = (at + 1) & (s->slots - 1);
  return &s->slot[at];
}

static void grow(struct names *s)
{
  free(s->slot);
  s->slots = s->slots ? 2 * s->slots : 1024;
  s->slot = mem_array(s->slots, sizeof *s->slot);
  s->room = s->slots / 2;
  s->text = mem_resize(s->text, s->room * sizeof *s->text);
  for (size_t i = 0; i < s->n; i++)
    *find(s, s->text[i]) = (uint32_t)i + 1;
}

uint32_t names_add(struct names *s, const char *text)
{
  if (!s->n) {
    grow(s);
    s->text[s->n++] = mem_copy("");
    *find(s, "") = 1;
  }
  uint32_t *slot = find(s, text);
  if (*slot)
    return *slot - 1;
  if (s->n == s->room) {
    grow(s);
    slot = find(s, text);
  }
  s->text[s->n++] = mem_copy(text);
  *slot = (uint32_t)s->n;
  return *slot - 1;
}

const char *names_text(const struct names *s, uint32_t number)
{
  return number < s->n ? s->text[number] : "";
}

void names_free(struct names *s)
{
  for (size_t i = 0; i < s->n; i++)
    free(s->text[i]);
  free(s->text);
  free(s->slot);
  *s = (struct names){0};
}
