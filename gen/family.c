/* family.c - opening, closing and asking a family; see family.h. */
// SPDX-License-Identifier: MIT
#include "gen/inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void *family_keep(struct family *f, size_t size)
{
  return keep_bytes(&f->kept, size);
}

const char *family_keep_text(struct family *f, const char *text)
{
  return keep_text(&f->kept, text);
}

int family_call(struct family *f, int file, lua_CFunction run, void *arg,
                const struct problem *p, const struct config *c,
                struct err *e)
{
  f->problem = p;
  f->config = c;
  int failed = sandbox_call(f->box, run, arg, f->source.file[file].path.at, e);
  f->problem = NULL;
  f->config = NULL;
  return failed;
}

static void add_file(struct str *out, const struct file *f)
{
  str_addf(out, "%s%zu:", str_text(&f->name), f->text.len);
  str_add_bytes(out, str_text(&f->text), f->text.len);
}

/* The hash covers all files and where each ends, that of the template what
 * writes its text. */
static void hash(struct family *f)
{
  struct str all = {0}, text = {0};
  const struct str *own = &f->source.file[SOURCE_HIP].text;
  str_add_bytes(&text, str_text(own), own->len);
  for (size_t i = 0; i < f->source.n; i++) {
    add_file(&all, &f->source.file[i]);
    if (i >= SOURCE_PARTS)
      add_file(&text, &f->source.file[i]);
  }
  hash_hex(all.at, all.len, f->hash);
  hash_hex(str_text(&text), text.len, f->template_hash);
  str_free(&all);
  str_free(&text);
}

int family_open(struct family **out, const char *name, const char *folder,
                struct err *e)
{
  struct family *f = mem_alloc(sizeof *f);
  for (int i = 0; i < FUNCTION_N; i++)
    f->functions[i] = LUA_NOREF;
  for (int i = 0; i < VIEW_N; i++)
    f->views[i] = LUA_NOREF;
  int failed = source_open(&f->source, name, folder, e);
  if (failed)
    goto failed;
  str_addf(&f->file, "%s.gen.hip", f->source.name.at);
  hash(f);
  if ((failed = sandbox_open(&f->box, e)) ||
      (failed = family_call(f, SOURCE_LUA, parts_open, f, NULL, NULL, e)) ||
      (failed = family_call(f, SOURCE_LUA, parts_compile_lua, f, NULL, NULL,
                            e)) ||
      (failed = family_call(f, SOURCE_LUA, family_load, f, NULL, NULL, e)) ||
      (failed = parts_compile(f, e)))
    goto failed;
  *out = f;
  return 0;

failed:
  family_close(f);
  return failed;
}

void family_close(struct family *f)
{
  if (!f)
    return;
  rules_forget(f);
  sandbox_close(f->box);
  source_free(&f->source);
  str_free(&f->file);
  keep_free(&f->kept);
  free(f);
}

const char *family_name(const struct family *f)
{
  return f->source.name.at;
}

const char *family_meaning(const struct family *f)
{
  return f->meaning;
}

const char *family_hash(const struct family *f)
{
  return f->hash;
}

const char *family_reference(const struct family *f)
{
  return f->reference;
}

const char *family_file(const struct family *f)
{
  return f->file.at;
}

size_t family_keys(const struct family *f, const struct key **keys)
{
  *keys = f->keys;
  return f->nkeys;
}

size_t family_tunables(const struct family *f, const struct tunable **list)
{
  *list = f->tunables;
  return f->ntunables;
}

size_t family_key(const struct family *f, const char *name)
{
  size_t i = 0;
  while (i < f->nkeys && strcmp(f->keys[i].name, name))
    i++;
  return i;
}

size_t family_tunable(const struct family *f, const char *name, size_t n)
{
  size_t i = 0;
  while (i < f->ntunables && (strlen(f->tunables[i].name) != n ||
                              memcmp(f->tunables[i].name, name, n)))
    i++;
  return i;
}

static int open_arch(lua_State *L)
{
  view_open(L, lua_touserdata(L, 1), VIEW_ARCH);
  return 0;
}

/* Are these the facts that it has? */
static int knows(const struct family *f, const struct pair *facts, size_t n)
{
  if (f->nfacts != n)
    return 0;
  for (size_t i = 0; i < n; i++)
    if (strcmp(f->facts[i].name, facts[i].name) != 0 ||
        !value_equal(&f->facts[i].value, &facts[i].value))
      return 0;
  return 1;
}

int family_set_arch(struct family *f, const struct pair *facts, size_t n,
                    struct err *e)
{
  if (knows(f, facts, n))
    return 0;
  rules_forget(f);
  f->facts = family_keep(f, n * sizeof *facts);
  f->nfacts = n;
  for (size_t i = 0; i < n; i++) {
    f->facts[i] = facts[i];
    f->facts[i].name = family_keep_text(f, facts[i].name);
    if (facts[i].value.kind == VALUE_STR)
      f->facts[i].value.s = family_keep_text(f, facts[i].value.s);
  }
  return family_call(f, SOURCE_LUA, open_arch, f, NULL, NULL, e);
}
