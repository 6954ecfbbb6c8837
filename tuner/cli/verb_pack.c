/* verb_pack.c - tune pack [FAMILY...]: winners and their code, as one file. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/source.h"
#include "base/file.h"
#include "base/mem.h"
#include "tuner/cli/cli.h"
#include "tuner/pack/pack.h"
#include "tuner/session/history.h"

static const char usual_name[] = "wavetune.pack";

struct making {
  const struct options *request;
  struct str folder; /* of the store */
  struct maker *maker;
  size_t winners;
};

static void on_compiled(void *user, size_t n, size_t of)
{
  const struct making *p = user;
  if (!p->request->quiet && isatty(STDERR_FILENO))
    fprintf(stderr, "\rcompiled %zu of %zu%s", n, of, n == of ? "\n" : "");
}

static void print_json(const struct packed *t)
{
  json_t *o = json_pack(
      "{ss ss ss ss sI sI sI sI sI sI}", "type", "packed", "arch", t->arch,
      "family", t->family, "compiler", t->compiler, "winners",
      (json_int_t)t->winners, "measured", (json_int_t)t->measured, "stale",
      (json_int_t)t->stale, "left_out", (json_int_t)t->left_out, "kernels",
      (json_int_t)t->kernels, "cached", (json_int_t)t->cached);
  json_dumpf(o, stdout, JSON_COMPACT);
  putchar('\n');
  json_decref(o);
}

static void print_table(const struct packed *t)
{
  struct str label = {0}, text = {0};
  str_addf(&label, "%s %s", t->arch, t->family);
  str_addf(&text, "%zu winner%s, %zu measured and %zu modelled", t->winners,
           PLURAL(t->winners), t->measured, t->winners - t->measured);
  if (t->kernels)
    str_addf(&text, "; %zu kernel%s by %s, %zu of them from the cache",
             t->kernels, PLURAL(t->kernels), t->compiler, t->cached);
  if (t->stale)
    str_addf(&text, "; %zu stale: found before the templates changed",
             t->stale);
  if (t->left_out)
    str_addf(&text, "; %zu left out", t->left_out);
  cli_row(label.at, text.at);
  str_free(&label);
  str_free(&text);
}

static int pack_family(struct making *p, const struct arch *a,
                       const char *name, struct err *e)
{
  const struct options *r = p->request;
  const struct pack_view view = {p, cli_notice, on_compiled};
  struct family *f;
  struct packed t;
  int code = family_open(&f, name, r->templates, e);
  if (code)
    return code;
  code = pack_table(p->maker, a, f, p->folder.at, (size_t)r->jobs, r->timeout,
                    &view, &t, e);
  if (!code && (t.winners || t.left_out)) {
    if (r->json)
      print_json(&t);
    else
      print_table(&t);
  }
  p->winners += code ? 0 : t.winners;
  family_close(f);
  return code;
}

/* Those named, or all. */
static int pack_arch(struct making *p, const struct arch *a, struct err *e)
{
  const struct options *r = p->request;
  int code = 0;
  maker_arch(p->maker, arch_name(a), (uint32_t)arch_fact(a, "cus"));
  for (size_t i = 1; i < r->nwords && !code; i++)
    code = pack_family(p, a, r->words[i], e);
  if (r->nwords > 1)
    return code;
  char **names;
  size_t n = source_list(r->templates, &names);
  for (size_t i = 0; i < n && !code; i++)
    code = pack_family(p, a, names[i], e);
  free(names);
  return code;
}

/* --arch A,B,..., or all that the program knows. */
static int pack_archs(struct making *p, struct err *e)
{
  const struct arch *a;
  int code = 0;
  if (!p->request->arch) {
    for (size_t i = 0; (a = arch_at(i)) && !code; i++)
      code = pack_arch(p, a, e);
    return code;
  }
  char *copy = mem_copy(p->request->arch), *rest = copy, *name;
  while (!code && (name = strsep(&rest, ","))) {
    size_t before = p->winners;
    if (!(code = arch_need(name, &a, e)))
      code = pack_arch(p, a, e);
    if (!code && p->winners == before)
      code = err_set(e, ERR_FAILED, "%s holds no winner of %s; `tune FAMILY "
                     "--arch %s` finds one", p->folder.at, name, name);
  }
  free(copy);
  return code;
}

static int write_file(struct making *p, const char *path, struct err *e)
{
  struct str bytes = {0}, text = {0};
  int code = maker_finish(p->maker, &bytes, e);
  if (!code)
    code = file_replace(path, bytes.at, bytes.len, e);
  if (!code && !p->request->json) {
    const struct pack_head *h = (const void *)bytes.at;
    str_addf(&text, "%zu bytes: %llu of index, the rest compressed code",
             bytes.len, (unsigned long long)h->index);
    cli_row(path, text.at);
  }
  str_free(&bytes);
  str_free(&text);
  return code;
}

static int run(const struct options *r, struct err *e)
{
  const char *path = r->out ? r->out : usual_name;
  struct making p = {.request = r};
  int code = options_keys(r, NULL, e);
  if (!code)
    code = history_folder(r->db, &p.folder, e);
  if (code)
    return code;
  p.maker = maker_open();
  if (!r->json)
    printf("pack of %s\n", p.folder.at);
  code = pack_archs(&p, e);
  if (!code && !p.winners)
    code = err_set(e, ERR_FAILED, "%s holds no winner; `tune FAMILY --arch "
                   "ARCH` finds one", p.folder.at);
  if (!code)
    code = write_file(&p, path, e);
  maker_close(p.maker);
  str_free(&p.folder);
  return code;
}

const struct verb verb_pack = {
    "pack", "pack [FAMILY...] [--arch A,B]",
    "winners and their code, for libtuned", run,
    "Compiles the stored winners (of all families and architectures, if none\n"
    "are named) and writes them to one file, wavetune.pack or --out FILE, from\n"
    "which an application launches them by libtuned (man libtuned). An\n"
    "existing file is replaced at once, when all is done. --jobs compile at a\n"
    "time; what was compiled before comes from the cache.\n"};
