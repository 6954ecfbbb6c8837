/* code.c - see code.h. */
// SPDX-License-Identifier: MIT
#include "tests/emitted/code.h"

#include <ctype.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

enum {LARGEST = 16 << 20};

/* --- tokens -------------------------------------------------------------- */

static size_t comment(const char *at)
{
  if (at[0] == '/' && at[1] == '/')
    return strcspn(at, "\n");
  if (at[0] != '/' || at[1] != '*')
    return 0;
  const char *end = strstr(at + 2, "*/");
  return end ? (size_t)(end + 2 - at) : strlen(at);
}

static size_t quoted(const char *at)
{
  size_t n = 1;
  if (*at != '"' && *at != '\'')
    return 0;
  while (at[n] && at[n] != *at)
    n += at[n] == '\\' && at[n + 1] ? 2 : 1;
  return n + (at[n] != 0);
}

/* What is for compilers that do not know __launch_bounds__. */
static size_t own_words(const char *at)
{
  static const char from[] = "#if defined __HIP__ && !defined __launch_bounds__";
  const char *end = strncmp(at, from, sizeof from - 1) ? NULL
                                                       : strstr(at, "\n#endif");
  return end ? (size_t)(end + 7 - at) : 0;
}

static void add_blank(struct str *out, char blank)
{
  char last = out->len ? out->at[out->len - 1] : '\n';
  if (last == '\n' || (last == ' ' && blank == ' '))
    return;
  if (last == ' ')
    out->at[--out->len] = 0;
  str_add_bytes(out, &blank, 1);
}

void code_tokens(const char *text, struct str *out)
{
  size_t n;
  for (const char *at = text; *at; at += n) {
    if ((n = comment(at)) || (n = own_words(at))) {
      add_blank(out, ' ');
    } else if ((n = quoted(at))) {
      str_add_bytes(out, at, n);
    } else if (n = 1, isspace((unsigned char)*at)) {
      add_blank(out, *at == '\n' ? '\n' : ' ');
    } else {
      str_add_bytes(out, at, 1);
    }
  }
}

/* --- code ---------------------------------------------------------------- */

int code_of(struct code_cache *c, const char *text, const struct str *tokens,
            struct str *code, struct err *e)
{
  struct str key = {0}, path = {0}, log = {0};
  char hash[HASH_TEXT];
  str_addf(&key, "%s %s\n%s", c->version, arch_name(c->arch), tokens->at);
  hash_hex(key.at, key.len, hash);
  str_addf(&path, "%s/%s.co", c->folder, hash);
  int failed = 0;
  if (file_exists(path.at)) {
    failed = file_read(path.at, LARGEST, code, e);
  } else {
    failed = compiler_run(&c->rtc, c->arch, "x.hip", text, code, &log, e);
    if (failed)
      err_set(e, ERR_FAILED, "does not compile: %.200s", str_text(&log));
    else
      failed = file_replace(path.at, code->at, code->len, e);
  }
  str_free(&key);
  str_free(&path);
  str_free(&log);
  return failed;
}

/* The i-th section, from 1, whose name starts so: NVIDIA's have a section of
 * text a kernel. */
static Elf_Data *section(Elf *elf, const char *name, int i)
{
  size_t names;
  GElf_Shdr h;
  if (elf_getshdrstrndx(elf, &names))
    return NULL;
  for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));) {
    const char *at = gelf_getshdr(s, &h) ? elf_strptr(elf, names, h.sh_name)
                                         : NULL;
    if (at && !strncmp(at, name, strlen(name)) && !--i)
      return elf_getdata(s, NULL);
  }
  return NULL;
}

/* A kernel descriptor is 64 bytes; those from 16 on say how far its code is. */
static int same_bytes(const Elf_Data *a, const Elf_Data *b, int descriptors)
{
  if (!a || !b || a->d_size != b->d_size)
    return 0;
  const char *p = a->d_buf, *q = b->d_buf;
  for (size_t i = 0; i < a->d_size; i++)
    if (p[i] != q[i] && !(descriptors && i % 64 >= 16 && i % 64 < 24))
      return 0;
  return 1;
}

static int same_sections(Elf *a, Elf *b, const char *name, int descriptors)
{
  Elf_Data *p, *q;
  int i = 1, same = 1;
  do {
    p = section(a, name, i);
    q = section(b, name, i);
    same = (!p && !q) || same_bytes(p, q, descriptors);
  } while (i++ && same && p && q);
  return same && i > 2; /* there was one */
}

int code_same(const struct str *a, const struct str *b)
{
  elf_version(EV_CURRENT);
  Elf *p = elf_memory(a->at, a->len), *q = elf_memory(b->at, b->len);
  int same = p && q && same_sections(p, q, ".text", 0) &&
             (same_sections(p, q, ".rodata", 1) || !section(p, ".rodata", 1));
  elf_end(p);
  elf_end(q);
  return same;
}
