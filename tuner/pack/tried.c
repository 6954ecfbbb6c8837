/* tried.c - see tried.h. */
// SPDX-License-Identifier: MIT
#include "tuner/pack/tried.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "db/tried.h"
#include "tuner/pack/plan.h"

struct trying {
  struct maker *maker;
  struct family *family;
  const struct winners *winners;
  const struct texts *texts;
  const size_t *text;
  char (*names)[TRIED_NAME]; /* of the winners' configurations */
};

static void name_of(const struct family *f, const struct config *c,
                    char out[TRIED_NAME])
{
  struct str text = {0};
  config_format(f, c, &text);
  tried_name(text.at, out);
  str_free(&text);
}

/* The time of this configuration on this winner's problem, to all kernels that it
 * is the time of. */
static int add_time(const struct trying *t, const struct winner *at,
                    const struct config *c, double us, struct err *e)
{
  const struct winners *w = t->winners;
  struct str text = {0};
  int64_t values[FAMILY_KEYS];
  int code = family_render(t->family, &at->problem, c, &text, NULL, e);
  size_t number = code ? t->texts->n : texts_find(t->texts, &text);
  pack_values(t->family, &at->problem, values);
  for (size_t i = 0; i < w->n && number < t->texts->n; i++)
    if (w->list[i].packed && t->text[i] == number)
      maker_tried(t->maker, values, w->list[i].plan, us);
  str_free(&text);
  return code;
}

static int take_entry(const struct trying *t, const struct winner *at,
                      const char *name, double us, struct err *e)
{
  const struct winners *w = t->winners;
  size_t i = 0;
  while (i < w->n && strcmp(t->names[i], name) != 0)
    i++;
  return i < w->n ? add_time(t, at, &w->list[i].config, us, e) : 0;
}

static int take_row(const struct trying *t, const struct winner *at,
                    struct err *e)
{
  const char *rest = record_text(at->row, "tried");
  char name[TRIED_NAME];
  double us;
  int code = 0;
  while (!code && tried_next(&rest, name, &us))
    code = take_entry(t, at, name, us, e);
  return code;
}

int pack_tried(struct maker *m, struct family *f, const struct winners *w,
               const struct texts *texts, const size_t *text, struct err *e)
{
  struct trying t = {m, f, w, texts, text, NULL};
  int code = 0;
  t.names = mem_array(w->n + 1, sizeof *t.names);
  for (size_t i = 0; i < w->n; i++)
    name_of(f, &w->list[i].config, t.names[i]);
  for (size_t i = 0; i < w->n && !code; i++)
    if (w->list[i].packed)
      code = take_row(&t, &w->list[i], e);
  free(t.names);
  return code;
}
