/* device_conditions.c - what can be read of a device: see device.h. */
// SPDX-License-Identifier: MIT
#include "tuner/conditions/card.h"
#include "tuner/device/device.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

enum {LIMIT = 10}; /* seconds */

static void name_values(const struct reading *r, struct str *out)
{
  const struct {
    const char *name;
    int known;
  } values[] = {{"core clock", r->sclk_mhz > 0},
                {"memory clock", r->mclk_mhz > 0},
                {"power", r->power_w > 0},
                {"temperature", r->temp_c > 0},
                {"throttling", r->throttle >= 0 || r->counts}};
  const char *between = "";
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i].known) {
      str_addf(out, "%s%s", between, values[i].name);
      between = ", ";
    }
  if (!*between)
    str_add(out, "nothing");
}

static void describe(const char *bus_id, struct str *out)
{
  struct card *c;
  struct err why = {0};
  struct reading r;
  if (card_open(&c, bus_id, &why)) {
    str_addf(out, "conditions cannot be read: %s", why.text);
    return;
  }
  card_read(c, &r);
  str_addf(out, "%s%sconditions by %s: ", card_driver(c),
           *card_driver(c) ? "; " : "", c->source->name);
  name_values(&r, out);
  card_close(c);
}

static void body(int fd, void *user)
{
  struct str message = {0}, text = {0};
  if (!message_read(fd, &message))
    return;
  describe(user, &text);
  str_clear(&message);
  pack_text(&message, str_text(&text));
  message_write(fd, &message);
}

void device_conditions(const struct device *d, struct str *out)
{
  struct str request = {0}, reply = {0};
  struct err e = {0};
  if (d->modelled || !d->bus_id[0])
    return;
  if (worker_ask(body, (void *)d->bus_id, &request, LIMIT, &reply, &e)) {
    str_addf(out, "conditions cannot be read: %s", e.text);
  } else {
    struct unpack in = unpack_from(&reply);
    str_add(out, unpack_text(&in));
  }
  str_free(&reply);
}
