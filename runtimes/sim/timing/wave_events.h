/* wave_events.h - what the simulated waves of a launch did when.
 *
 * A launch that is to be traced has a struct wave_events with room; the first events
 * are kept, in the order of issue. An event's offset is the instruction's dword
 * in the object, here.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_wave_events_h
#define sim_wave_events_h

#include "runtimes/sim/hipsim.h"

struct wave_events {
  struct hipsim_event *list;
  uint32_t n, room;
  uint32_t waves; /* that have begun */
};

/* The number of the event, or events.room where there is none left. */
static inline uint32_t wave_events_add(struct wave_events *e, struct hipsim_event event)
{
  if (e->n == e->room)
    return e->room;
  e->list[e->n] = event;
  return e->n++;
}

/* The wave waited for others, behind event i. */
static inline void wave_events_wait(struct wave_events *e, uint32_t i, double cycles)
{
  if (i < e->n) {
    e->list[i].stall += cycles;
    e->list[i].latency += cycles;
  }
}

#endif
