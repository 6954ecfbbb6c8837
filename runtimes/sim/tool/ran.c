/* ran.c - see ran.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/tool/ran.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct ran_process { /* its numbers of kernels, from 1 on */
  long pid;
  size_t *kernels, n;
};

/* --- reading -------------------------------------------------------------- */

static struct ran_process *process(struct ran *r, long pid)
{
  for (size_t k = r->nprocesses; k-- > 0;)
    if (r->processes[k].pid == pid)
      return &r->processes[k];
  r->processes = mem_resize(r->processes,
                            (r->nprocesses + 1) * sizeof *r->processes);
  r->processes[r->nprocesses] = (struct ran_process){.pid = pid};
  return &r->processes[r->nprocesses++];
}

static size_t kernel(struct ran *r, const char *name)
{
  for (size_t k = 0; k < r->nkernels; k++)
    if (!strcmp(r->kernels[k].name, name))
      return k;
  r->kernels =
      mem_resize(r->kernels, (r->nkernels + 1) * sizeof *r->kernels);
  r->kernels[r->nkernels] = (struct ran_kernel){.name = mem_copy(name)};
  return r->nkernels++;
}

/* Numbers come in turn; any other is of a damaged line. */
static void add_kernel(struct ran *r, long pid, const char *rest)
{
  char *name;
  struct ran_process *p = process(r, pid);
  if (strtoull(rest, &name, 10) != p->n + 1 || *name != ' ')
    return;
  p->kernels = mem_resize(p->kernels, (p->n + 1) * sizeof *p->kernels);
  p->kernels[p->n++] = kernel(r, name + 1);
}

static void add_launch(struct ran *r, long pid, const char *rest)
{
  char *time, *end;
  const struct ran_process *p = process(r, pid);
  unsigned long long n = strtoull(rest, &time, 10);
  double us = strtod(time, &end);
  if (!n || n > p->n || end == time || *end || !(us >= 0))
    return;
  struct ran_kernel *k = &r->kernels[p->kernels[n - 1]];
  k->launches++, r->launches++;
  k->us += us, r->us += us;
}

static void add_text(struct ran_texts *l, const char *text)
{
  for (size_t k = 0; k < l->n; k++)
    if (!strcmp(l->at[k].text, text)) {
      l->at[k].times++;
      return;
    }
  l->at = mem_resize(l->at, (l->n + 1) * sizeof *l->at);
  l->at[l->n++] = (struct ran_text){mem_copy(text), 1};
}

static void add(struct ran *r, const char *line)
{
  char word[8], *rest;
  int n = 0;
  if (sscanf(line, "%7s %n", word, &n) != 1)
    return;
  long pid = strtol(line + n, &rest, 10);
  if (*rest++ != ' ')
    return;
  if (!strcmp(word, "kernel"))
    add_kernel(r, pid, rest);
  else if (!strcmp(word, "launch"))
    add_launch(r, pid, rest);
  else if (!strcmp(word, "fault"))
    add_text(&r->faults, rest);
  else if (!strcmp(word, "refused"))
    add_text(&r->refused, rest);
}

void ran_read(struct ran *r, FILE *log)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t n;
  *r = (struct ran){0};
  while ((n = getline(&line, &room, log)) > 0)
    if (line[n - 1] == '\n') {
      line[n - 1] = 0;
      add(r, line);
    }
  free(line);
}

static void free_texts(struct ran_texts *l)
{
  for (size_t k = 0; k < l->n; k++)
    free(l->at[k].text);
  free(l->at);
}

void ran_free(struct ran *r)
{
  for (size_t k = 0; k < r->nkernels; k++)
    free(r->kernels[k].name);
  for (size_t k = 0; k < r->nprocesses; k++)
    free(r->processes[k].kernels);
  free(r->kernels);
  free(r->processes);
  free_texts(&r->faults);
  free_texts(&r->refused);
}

/* --- printing ------------------------------------------------------------- */

static int slower_first(const void *a, const void *b)
{
  const struct ran_kernel *x = a, *y = b;
  return x->us != y->us ? (x->us < y->us) - (x->us > y->us)
                        : strcmp(x->name, y->name);
}

/* Names that differ do so at their ends, often. */
static void print_name(const char *name, int wide, FILE *out)
{
  enum {ROOM = 48, HALF = (ROOM - 3) / 2};
  size_t n = strlen(name);
  if (wide || n <= ROOM)
    fprintf(out, "%s\n", name);
  else
    fprintf(out, "%.*s...%s\n", HALF, name, name + n - HALF);
}

static void print_kernels(const struct ran *r, int wide, FILE *out)
{
  enum {MOST = 20};
  size_t shown = !wide && r->nkernels > MOST ? MOST : r->nkernels;
  fprintf(out, "  %9s %10s %6s  %s\n", "launches", "time, ms", "share",
          "kernel");
  for (size_t k = 0; k < shown; k++) {
    const struct ran_kernel *p = &r->kernels[k];
    fprintf(out, "  %9llu %10.3f %5.1f%%  ", p->launches, p->us / 1000,
            r->us > 0 ? 100 * p->us / r->us : 0);
    print_name(p->name, wide, out);
  }
  if (shown < r->nkernels)
    fprintf(out, "  and %zu more; --wide shows all\n", r->nkernels - shown);
}

static void print_texts(const struct ran_texts *l, const char *one,
                        const char *many, FILE *out)
{
  unsigned long long all = 0;
  for (size_t k = 0; k < l->n; k++)
    all += l->at[k].times;
  if (all)
    fprintf(out, "%llu %s:\n", all, all == 1 ? one : many);
  for (size_t k = 0; k < l->n; k++)
    if (l->at[k].times == 1)
      fprintf(out, "  %s\n", l->at[k].text);
    else
      fprintf(out, "  %llu times: %s\n", l->at[k].times, l->at[k].text);
}

void ran_print(struct ran *r, int wide, FILE *out)
{
  if (r->nkernels) {
    qsort(r->kernels, r->nkernels, sizeof *r->kernels, slower_first);
    r->nprocesses = 0; /* their numbers are no longer right */
    print_kernels(r, wide, out);
  }
  fprintf(out, "%llu launch%s of %zu kernel%s, %.3f ms modelled\n",
          r->launches, r->launches == 1 ? "" : "es", r->nkernels,
          r->nkernels == 1 ? "" : "s", r->us / 1000);
  print_texts(&r->faults, "fault", "faults", out);
  print_texts(&r->refused, "call is not supported", "calls are not supported",
              out);
}
