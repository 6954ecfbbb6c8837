/* card.c - the cards by name; see card_table.h for the figures. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/timing/card.h"

#include <string.h>


static const struct card cards[] = {
#define CARD(name, mi50, mi60, vii, pro_vii, unit, source) mi50,
    {"mi50",
#include "runtimes/sim/timing/card_table.h"
    },
#undef CARD
#define CARD(name, mi50, mi60, vii, pro_vii, unit, source) mi60,
    {"mi60",
#include "runtimes/sim/timing/card_table.h"
    },
#undef CARD
#define CARD(name, mi50, mi60, vii, pro_vii, unit, source) vii,
    {"radeon-vii",
#include "runtimes/sim/timing/card_table.h"
    },
#undef CARD
#define CARD(name, mi50, mi60, vii, pro_vii, unit, source) pro_vii,
    {"radeon-pro-vii",
#include "runtimes/sim/timing/card_table.h"
    },
#undef CARD
};

static const struct constant constants[] = {
#define CARD(name, mi50, mi60, vii, pro_vii, unit, source)                    \
  {#name, unit, source, offsetof(struct card, name)},
#include "runtimes/sim/timing/card_table.h"
#undef CARD
};

const struct card *card_find(const char *name)
{
  for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
    if (!strcmp(cards[i].name, name))
      return &cards[i];
  return NULL;
}

const struct constant *card_constants(size_t *n)
{
  *n = sizeof constants / sizeof *constants;
  return constants;
}
