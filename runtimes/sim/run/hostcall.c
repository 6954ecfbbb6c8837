/* hostcall.c - see hostcall.h. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/hostcall.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtimes/sim/run/wave.h"

/* As many packets as the card holds waves, rounded up to a power of two. */
enum {PACKETS = 4096, SLOT_WORDS = 8, MESSAGES = 1 << 16, WORDS = 1 << 17};
enum {SERVICE_CALL = 1, SERVICE_PRINTF = 2, SERVICE_MEMORY = 3};
enum {CONTROL_READY = 1};
enum {FLAG_BEGIN = 1, FLAG_END = 2, LENGTH_AT = 5, ID_AT = 8};

struct packet {
  uint64_t next, lanes;
  uint32_t service, control;
};

struct payload {
  uint64_t slots[LANES][SLOT_WORDS];
};

/* amd_signal_t (hsa/amd_hsa_signal.h): the device adds to value, and sends
 * event_id where there is a mailbox. */
struct signal {
  int64_t kind, value;
  uint64_t mailbox;
  uint32_t event_id, reserved[9];
};

struct shared { /* with the device */
  uint64_t packets, payloads, doorbell, free, ready, mask;
  struct signal signal;
  uint64_t mailbox;
  struct packet packet[PACKETS];
  _Alignas(64) struct payload payload[PACKETS];
};

struct message {
  int live;
  size_t n;
  uint64_t *words;
};

struct hostcall {
  pthread_mutex_t lock;
  struct arena *arena;
  struct shared *shared;
  size_t n;
  struct message *messages;
};

/* A link is an index plus a tag above it that is never 0 for index 0. */
static void fill(struct shared *s)
{
  s->packets = (uint64_t)(uintptr_t)s->packet;
  s->payloads = (uint64_t)(uintptr_t)s->payload;
  s->doorbell = (uint64_t)(uintptr_t)&s->signal;
  s->signal.kind = 1; /* AMD_SIGNAL_KIND_USER */
  s->signal.mailbox = (uint64_t)(uintptr_t)&s->mailbox;
  s->mask = PACKETS - 1;
  s->free = PACKETS;
  for (unsigned k = 1; k < PACKETS; k++) {
    s->packet[k].next = s->free;
    s->free = k;
  }
}

struct hostcall *hostcall_open(struct arena *arena)
{
  struct shared *shared = arena_alloc(arena, sizeof *shared);
  if (!shared)
    return NULL;
  struct hostcall *h = mem_alloc(sizeof *h);
  pthread_mutex_init(&h->lock, NULL);
  h->arena = arena;
  h->shared = shared;
  fill(shared);
  return h;
}

void hostcall_close(struct hostcall *h)
{
  if (!h)
    return;
  for (size_t k = 0; k < h->n; k++)
    free(h->messages[k].words);
  free(h->messages);
  arena_free(h->arena, h->shared);
  pthread_mutex_destroy(&h->lock);
  free(h);
}

uint64_t hostcall_buffer(const struct hostcall *h)
{
  return (uint64_t)(uintptr_t)h->shared;
}

/* --- messages: printf's words come a few at a time ------------------------- */

static size_t new_message(struct hostcall *h)
{
  size_t k = 0;
  while (k < h->n && h->messages[k].live)
    k++;
  if (k == h->n && k < MESSAGES) {
    h->messages = mem_resize(h->messages, (k + 1) * sizeof *h->messages);
    h->messages[h->n++] = (struct message){0};
  }
  if (k < h->n)
    h->messages[k].live = 1;
  return k;
}

/* The message that a slot belongs to, its words added; NULL: damaged. */
static struct message *gather(struct hostcall *h, uint64_t *slot)
{
  uint64_t head = slot[0];
  size_t n = head >> LENGTH_AT & 7;
  uint64_t id = head & FLAG_BEGIN ? new_message(h) : head >> ID_AT;
  if (id >= h->n || !h->messages[id].live)
    return NULL;
  struct message *m = &h->messages[id];
  if (m->n + n > WORDS)
    return NULL;
  m->words = mem_resize(m->words, (m->n + n + 1) * sizeof *m->words);
  memcpy(m->words + m->n, slot + 1, n * sizeof *m->words);
  m->n += n;
  slot[0] = (head & 0xff & ~(uint64_t)FLAG_BEGIN) | id << ID_AT;
  return m;
}

static int print(struct hostcall *h, uint64_t *slot)
{
  struct str text = {0};
  int to_stderr = 0, end = (slot[0] & FLAG_END) != 0;
  struct message *m = gather(h, slot);
  if (!m)
    return -1;
  if (!end)
    return 0;
  int n = hostcall_format(m->words, m->n, &text, &to_stderr);
  fwrite(str_text(&text), 1, text.len, to_stderr ? stderr : stdout);
  str_free(&text);
  slot[0] = (uint64_t)(int64_t)n;
  m->live = 0;
  m->n = 0;
  return 0;
}

/* --- packets ---------------------------------------------------------------- */

static void refuse(struct wave *w, unsigned service)
{
  wave_fault(w, FAULT_LAUNCH, "it asks the host for service %u, %s; of these "
             "the simulated device has printf alone", service,
             service == SERVICE_CALL     ? "a function call"
             : service == SERVICE_MEMORY ? "memory (malloc in a kernel)"
                                         : "which is not known");
}

static void serve(struct hostcall *h, struct wave *w, struct packet *p,
                  struct payload *data)
{
  if (p->service != SERVICE_PRINTF) {
    refuse(w, p->service);
    return;
  }
  for (unsigned lane = 0; lane < LANES; lane++)
    if (p->lanes >> lane & 1 && print(h, data->slots[lane])) {
      wave_fault(w, FAULT_LAUNCH, "its printf of lane %u is damaged", lane);
      return;
    }
}

void hostcall_serve(struct hostcall *h, struct wave *w)
{
  struct shared *s = h->shared;
  pthread_mutex_lock(&h->lock);
  uint64_t link = __atomic_exchange_n(&s->ready, 0, __ATOMIC_ACQUIRE);
  for (unsigned k = 0; link && k < PACKETS; k++) {
    struct packet *p = &s->packet[link % PACKETS];
    struct payload *data = &s->payload[link % PACKETS];
    link = p->next;
    serve(h, w, p, data);
    __atomic_and_fetch(&p->control, ~(uint32_t)CONTROL_READY,
                       __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&h->lock);
}
