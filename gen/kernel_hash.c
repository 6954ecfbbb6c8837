/* kernel_hash.c - see kernel_hash.h. */
// SPDX-License-Identifier: MIT
#include "gen/kernel_hash.h"

#include <string.h>

enum {WIDTH = 80};

static const char *behind_head(const struct str *text)
{
  const char *end = strstr(str_text(text), "*/\n");
  return end ? end + 3 : str_text(text);
}

int kernel_hash(struct family *f, const struct problem *p,
                const struct config *c, char out[HASH_TEXT], struct err *e)
{
  struct str text = {0}, whole = {0};
  struct plan plan;
  int code = family_plan(f, p, c, &plan, e);
  if (!code)
    code = family_render(f, p, c, &text, NULL, e);
  if (!code) {
    plan_text(&plan, WIDTH, &whole);
    str_add(&whole, behind_head(&text));
    hash_hex(whole.at, whole.len, out);
  }
  str_free(&text);
  str_free(&whole);
  return code;
}

int kernel_changed(struct family *f, const struct problem *p,
                   const struct config *c, const char *files,
                   const char *kernel)
{
  char now[HASH_TEXT];
  if (!strcmp(files, family_hash(f)))
    return 0;
  return !*kernel || kernel_hash(f, p, c, now, NULL) || strcmp(now, kernel);
}
