/* lds_plot.c - see lds_plot.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/lds_plot.h"

#include <stdio.h>
#include <string.h>

#include "tuner/study/gnuplot.h"
#include "tuner/cli/lds_text.h"

/* Pixels. */
enum {
  PICTURE_WIDTH = 1000, LEFT = 70, RIGHT = 20, TOP = 22,
  LINE = 18,             /* of the title */
  HEAD = 34, FOOT = 44, /* of a panel */
  CYCLE = 15,
};

enum {TITLE = 110 /* bytes of a line of the title that fit */};

/* Neighbouring phases differ; light enough for black digits (Okabe and Ito's
 * colours that stay apart for people who cannot tell red from green). */
static const char *const colours[] = {"#9ccbe8", "#f4cf7a", "#8fd3bd",
                                      "#e6b9d2"};

enum {COLOURS = sizeof colours / sizeof *colours};

struct panel {
  const struct lds_layout *y;
  const struct lds_access *a;
  const struct lds_phases *p;
  struct str *script;
  unsigned cycle, boxes; /* so far */
};

static unsigned words_of(const struct lds_access *a)
{
  return (a->bytes + 3) / 4;
}

/* Different words that a bank has served in this phase. */
struct served {
  unsigned n;
  uint64_t words[LDS_LANES];
};

/* The cycle of the phase in which a bank serves the word. */
static unsigned serve(struct served *s, uint64_t word)
{
  unsigned k = 0;
  while (k < s->n && s->words[k] != word)
    k++;
  if (k == s->n)
    s->words[s->n++] = word;
  return k;
}

/* The lane's box: its first bank, and the cycle in which the last of its
 * words comes. Lanes that share words share the box. */
static unsigned add_box(struct panel *f, struct served *banks, unsigned lane,
                        unsigned phase)
{
  uint64_t word = f->a->address[lane] / 4;
  unsigned wide = words_of(f->a), when = 0;
  unsigned bank = (unsigned)(word % f->p->banks);
  for (unsigned w = 0; w < wide; w++) {
    unsigned k = serve(&banks[(word + w) % f->p->banks], word + w);
    when = k > when ? k : when;
  }
  double top = f->cycle + when;
  str_addf(f->script,
           "set object %u rectangle from %u,%.2f to %u,%.2f fillcolor rgb "
           "'%s' fillstyle solid border linecolor rgb '#444444'\n",
           ++f->boxes, bank, top + 0.04, bank + wide, top + 0.96,
           colours[phase % COLOURS]);
  str_addf(f->script, "set label %u '%u' at %.1f,%.2f center font ',%d' front\n",
           f->boxes, lane, bank + wide / 2.0, top + 0.5,
           wide == 1 && f->p->banks > 32 ? 6 : 9);
  return when + 1;
}

/* Is `lane` the first of those from `lanes` on that wants its words? */
static int is_first(const struct lds_access *a, const uint8_t *lanes,
                    unsigned k)
{
  for (unsigned j = 0; j < k; j++)
    if (a->address[lanes[j]] / 4 == a->address[lanes[k]] / 4)
      return 0;
  return 1;
}

static void add_phase(struct panel *f, unsigned phase)
{
  struct served banks[LDS_BANKS];
  unsigned size = f->y->wave / f->p->phases, took = 0;
  const uint8_t *lanes = f->p->order + phase * size;
  for (unsigned b = 0; b < LDS_BANKS; b++)
    banks[b].n = 0;
  for (unsigned k = 0; k < size; k++)
    if (is_first(f->a, lanes, k)) {
      unsigned n = add_box(f, banks, lanes[k], phase);
      took = n > took ? n : took;
    }
  f->cycle += took;
}

static void add_heading(struct panel *f, unsigned cycles)
{
  unsigned conflicts;
  struct str text = {0};
  lds_access_cycles(f->y, f->a, &conflicts);
  str_addf(&text, "%s: %u cycles, %u of them for conflicts", f->a->name,
           cycles, conflicts);
  str_add(f->script, "set title ");
  gnuplot_quote(f->script, text.at);
  str_add(f->script, " offset 0,-0.5\n");
  str_free(&text);
}

static unsigned height(const struct lds_layout *y, const struct lds_access *a)
{
  unsigned conflicts;
  return HEAD + FOOT + CYCLE * lds_access_cycles(y, a, &conflicts);
}

/* From `top` pixels under the top of a picture `all` high. */
static void add_panel(const struct lds_layout *y, const struct lds_access *a,
                      unsigned top, unsigned all, struct str *script)
{
  enum lds_kind kind = a->write ? LDS_WRITE : LDS_READ;
  struct panel f = {y, a, lds_phases_find(y, kind, a->bytes), script, 0, 0};
  unsigned bottom = top + height(y, a) - FOOT;
  str_addf(script, "unset object\nunset label\nset lmargin at screen %.5f\n"
           "set rmargin at screen %.5f\nset tmargin at screen %.5f\n"
           "set bmargin at screen %.5f\n", (double)LEFT / PICTURE_WIDTH,
           1 - (double)RIGHT / PICTURE_WIDTH,
           1 - (double)(top + HEAD) / all, 1 - (double)bottom / all);
  for (unsigned phase = 0; phase < f.p->phases; phase++)
    add_phase(&f, phase);
  add_heading(&f, f.cycle);
  str_addf(script, "set xrange [0:%u]\nset yrange [%u:0]\nset xtics 4\n"
           "set ytics %u\nplot NaN notitle\n", f.p->banks, f.cycle,
           f.cycle > 16 ? 8 : f.cycle > 4 ? 2 : 1);
}

/* The title as gnuplot takes it, in lines that end behind a comma or blank;
 * how many. */
static unsigned add_title(const char *title, struct str *out)
{
  char line[TITLE + 1];
  unsigned lines = 1;
  for (; strlen(title) > TITLE; lines++) {
    size_t n = TITLE;
    while (n > 0 && !strchr(", ", title[n - 1]))
      n--;
    n = n ? n : TITLE;
    snprintf(line, sizeof line, "%.*s", (int)n, title);
    gnuplot_quote(out, line);
    str_add(out, ".\"\\n\".");
    title += n;
  }
  gnuplot_quote(out, title);
  return lines;
}

void lds_plot(const struct lds_layout *y, const struct lds_access *list,
              size_t n, const char *title, struct str *script)
{
  struct str quoted = {0};
  unsigned top = TOP + LINE * add_title(title, &quoted), all = top;
  for (size_t i = 0; i < n; i++)
    all += height(y, &list[i]);
  str_addf(script, "set terminal svg size %d,%u dynamic noenhanced font "
           "'sans,12' background '#ffffff'\nset encoding utf8\n"
           "set multiplot title ", PICTURE_WIDTH, all);
  str_add(script, quoted.at);
  str_free(&quoted);
  str_add(script, " font ',13'\nset border 3 linecolor '#444444'\n"
          "set tics nomirror out scale 0.5\nset xlabel 'bank; a box is a lane, a colour a phase' offset 0,0.6\n"
          "set ylabel 'cycle'\nset key off\n");
  for (size_t i = 0; i < n; i++) {
    add_panel(y, &list[i], top, all, script);
    top += height(y, &list[i]);
  }
  str_add(script, "unset multiplot\n");
}
