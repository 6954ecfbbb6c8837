/* plan_text.c - how to launch what was rendered, for its head comment. */
// SPDX-License-Identifier: MIT
#include <string.h>

#include "gen/family.h"

/* A comment that grows by words. */
struct lines {
  struct str *out;
  size_t width, column;
};

static void start(struct lines *l, const char *indent)
{
  str_addf(l->out, " * %s", indent);
  l->column = strlen(" * ") + strlen(indent);
}

static void end(struct lines *l)
{
  str_add(l->out, "\n");
}

/* The first word of a line has no blank before it. */
static void add(struct lines *l, const char *word, int first)
{
  if (!first && l->column + 1 + strlen(word) > l->width) {
    end(l);
    start(l, "    ");
  } else if (!first) {
    str_add(l->out, " ");
    l->column++;
  }
  str_add(l->out, word);
  l->column += strlen(word);
}

static void add_buffers(struct lines *l, const struct plan *p)
{
  struct str word = {0};
  start(l, "");
  add(l, "Buffers:", 1);
  for (size_t i = 0; i < p->nbuffers; i++) {
    const struct buffer *b = &p->buffers[i];
    str_clear(&word);
    str_addf(&word, "%s %s%s[%zu] (%s%s%s", b->name, element_name(b->type),
             b->pointers ? "*" : "", b->pointers ? b->pointers : b->elements,
             role_name(b->role), b->pointers ? ", addresses" : "",
             b->planes ? ", in planes" : "");
    if (b->panel)
      str_addf(&word, " of panels of %zu rows", b->panel);
    str_addf(&word, "%s)%s", b->routed ? ", never falling" : "",
             i + 1 < p->nbuffers ? "," : ".");
    add(l, word.at, 0);
  }
  end(l);
  str_free(&word);
}

static void format_arg(const struct plan *p, const struct arg *a,
                       struct str *out)
{
  switch (a->kind) {
  case ARG_BUFFER:
    str_add(out, p->buffers[a->buffer].name);
    break;
  case ARG_I32:
    str_addf(out, "%lld", a->i);
    break;
  case ARG_I64:
    str_addf(out, "%lldll", a->i);
    break;
  case ARG_F32:
    str_addf(out, "(float)%.9g", a->d);
    break;
  }
}

static void add_launch(struct lines *l, const struct plan *p,
                       const struct launch *k)
{
  struct str word = {0};
  start(l, "  ");
  str_addf(&word, "%s<<<dim3(%u, %u, %u), dim3(%u, %u, %u), %u>>>(", k->kernel,
           k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
           k->block[2], k->lds);
  for (size_t i = 0; i < k->nargs; i++) {
    format_arg(p, &k->args[i], &word);
    str_add(&word, i + 1 < k->nargs ? "," : ");");
    add(l, word.at, i == 0);
    str_clear(&word);
  }
  if (k->nargs == 0) {
    str_add(&word, ");");
    add(l, word.at, 1);
  }
  end(l);
  str_free(&word);
}

void plan_text(const struct plan *p, size_t width, struct str *out)
{
  struct lines l = {out, width, 0};
  add_buffers(&l, p);
  str_addf(out, " * Launch%s, with bytes of dynamic LDS:\n",
           p->nlaunches > 1 ? "es on one stream, in this order" : "");
  for (size_t i = 0; i < p->nlaunches; i++)
    add_launch(&l, p, &p->launches[i]);
}
