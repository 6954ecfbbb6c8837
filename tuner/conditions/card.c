/* card.c - see card.h. */
// SPDX-License-Identifier: MIT
#include "tuner/conditions/card.h"

#include <stdlib.h>

#include "base/mem.h"

static const struct card_source *const sources[] = {&card_amdgpu, &card_nvml};

enum {SOURCES = sizeof sources / sizeof *sources};

/* More than any card has: what lies beyond is damage. */
enum {MHZ_MAX = 10000, WATTS_MAX = 3000, CELSIUS_MAX = 150};

static double within(double value, double most)
{
  return value > 0 && value <= most ? value : 0; /* not of NaN either */
}

double card_mhz(double mhz)
{
  return within(mhz, MHZ_MAX);
}

double card_watts(double watts)
{
  return within(watts, WATTS_MAX);
}

double card_celsius(double degrees)
{
  return within(degrees, CELSIUS_MAX);
}

int card_open(struct card **out, const char *bus_id, struct err *e)
{
  struct card *c = mem_alloc(sizeof *c);
  struct str all = {0};
  *out = NULL;
  for (size_t i = 0; i < SOURCES && !*out; i++) {
    struct err why = {0};
    c->source = sources[i];
    if (!sources[i]->open(c, bus_id, &why))
      *out = c;
    else
      str_addf(&all, "%s%s: %s", all.len ? "; " : "", sources[i]->name,
               why.text);
  }
  int code = *out ? 0 : err_set(e, ERR_FAILED, "%s", str_text(&all));
  str_free(&all);
  if (code)
    free(c);
  return code;
}

void card_close(struct card *c)
{
  if (!c)
    return;
  c->source->close(c);
  str_free(&c->driver);
  str_free(&c->firmware);
  free(c);
}

void card_read(struct card *c, struct reading *out)
{
  *out = READING_NONE;
  c->source->read(c, out);
}

const char *card_driver(const struct card *c)
{
  return str_text(&c->driver);
}

const char *card_firmware(const struct card *c)
{
  return str_text(&c->firmware);
}
