/* pack.c - see pack.h. */
// SPDX-License-Identifier: MIT
#include "tuner/pack/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/device/cache.h"
#include "tuner/device/device.h"
#include "tuner/pack/plan.h"
#include "tuner/pack/texts.h"
#include "tuner/pack/tried.h"

/* One table on its way into the pack. */
struct work {
  struct maker *maker;
  const struct arch *arch;
  struct family *family;
  const struct pack_view *view;
  struct packed *out;
  struct winners winners;
  struct texts texts;
  size_t *text; /* of each winner */
};

static void leave_out(struct work *w, const struct winner *winner,
                      const struct err *why)
{
  struct str said = {0};
  w->out->left_out++;
  str_addf(&said, "left out: %s: %s", record_text(winner->row, "problem"),
           why->text);
  w->view->notice(w->view->user, said.at);
  str_free(&said);
}

static int render(struct work *w, struct err *e)
{
  int code = 0;
  w->text = mem_array(w->winners.n + 1, sizeof *w->text);
  for (size_t i = 0; i < w->winners.n && !code; i++) {
    const struct winner *at = &w->winners.list[i];
    struct str text = {0};
    code = family_render(w->family, &at->problem, &at->config, &text, NULL, e);
    if (!code)
      w->text[i] = texts_add(&w->texts, &text);
    str_free(&text);
  }
  return code;
}

static int compile(struct work *w, size_t jobs, double timeout, struct err *e)
{
  struct str health_code = {0}, folder = {0};
  int code = device_code(w->arch, w->out->compiler, &health_code, 0, e);
  cache_folder(&folder);
  struct compile_job job = { w->family, NULL, w->arch, w->out->compiler,
                             folder.at };
  if (!code)
    code = texts_compile(&w->texts, &job, jobs, timeout, w->view->compiled,
                         w->view->user, e);
  w->out->kernels = w->texts.n;
  w->out->cached = w->texts.cached;
  str_free(&health_code);
  str_free(&folder);
  return code;
}

static void add(struct work *w)
{
  struct packed *out = w->out;
  for (size_t i = 0; i < w->winners.n; i++) {
    struct winner *at = &w->winners.list[i];
    const struct text *text = &w->texts.list[w->text[i]];
    struct err why = text->why;
    int is_new = 0;
    if (why.code || pack_add(w->maker, w->arch, w->family, at, &text->code,
                             &is_new, &why)) {
      leave_out(w, at, &why);
      continue;
    }
    if (!is_new) /* only alpha or the like is another */
      continue;
    out->winners++;
    out->stale += at->stale != 0;
    out->measured += !strcmp(record_text(at->row, "source"), "measured");
  }
}

static int go(struct work *w, const char *dir, size_t jobs, double timeout,
              struct err *e)
{
  const struct pack_view *v = w->view;
  int code = winners_open(&w->winners, w->family, dir, arch_name(w->arch),
                          v->notice, v->user, e);
  w->out->left_out = w->winners.left_out;
  if (code || w->winners.n == 0)
    return code;
  if (render(w, e) || compile(w, jobs, timeout, e))
    return e->code;
  maker_family(w->maker, family_name(w->family), family_serves(w->family));
  pack_keys(w->maker, w->family);
  add(w);
  return pack_tried(w->maker, w->family, &w->winners, &w->texts, w->text, e);
}

int pack_table(struct maker *m, const struct arch *a, struct family *f,
               const char *dir, size_t jobs, double timeout,
               const struct pack_view *view, struct packed *out,
               struct err *e)
{
  const struct pair *facts;
  size_t n = arch_facts(a, &facts);
  *out = (struct packed){.arch = arch_name(a), .family = family_name(f)};
  struct work w = { .maker = m, .arch = a, .family = f, .view = view,
                    .out = out };
  int code = family_set_arch(f, facts, n, e);
  if (!code)
    code = go(&w, dir, jobs, timeout, e);
  winners_close(&w.winners);
  texts_free(&w.texts);
  free(w.text);
  return code;
}
