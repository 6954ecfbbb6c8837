/* hip_state.c - starting the runtime, its lock, errors. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/api/hip.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "runtimes/sim/timing/untimed.h"

/* Memory of the cards: AMD's releases of 2018-11-06, 2019-01-09 and
 * 2020-05-13; ROCm documentation, GPU hardware specifications (the MI250X: one
 * of its two dies). The first of an architecture is the one that is taken. */
#define GIB(n) ((uint64_t)(n) << 30)
static const struct board boards[] = {
    {"mi50", "MI50", GIB(16), "gfx906", 1, 0},
    {"mi60", "MI60", GIB(32), "gfx906", 1, 0},
    {"radeon-vii", "Radeon VII", GIB(16), "gfx906", 1, 0},
    {"radeon-pro-vii", "Radeon Pro VII", GIB(16), "gfx906", 1, 0},
    {"mi100", "MI100", GIB(32), "gfx908", 0, 120},
    {"mi210", "MI210", GIB(64), "gfx90a", 0, 104},
    {"mi250x", "MI250X", GIB(64), "gfx90a", 0, 110},
    {"mi300x", "MI300X", GIB(192), "gfx942", 0, 304},
    {"mi325x", "MI325X", GIB(256), "gfx942", 0, 304},
    {"mi355x", "MI355X", GIB(288), "gfx950", 0, 256},
    {"mi455x", "MI455X", GIB(432), "gfx1250", 0, 256},
};

/* A wave on a real card takes at least 0.3 s for so many. */
static const uint64_t default_limit = (uint64_t)1 << 27;

/* MHz: what no card of this kind runs below or above is a slip of the pen. */
enum {CLOCK_MIN = 100, CLOCK_MAX = 3000};

/* HIP has one runtime a process, without a handle in its calls. */
static struct runtime runtime;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local hipError_t last;

static const struct board *board_of(const char *name)
{
  for (size_t n = 0; n < sizeof boards / sizeof *boards; n++)
    if (!strcmp(boards[n].card, name))
      return &boards[n];
  return NULL;
}

static hipError_t unknown_board(struct runtime *r, const char *name)
{
  struct str known = {0};
  for (size_t n = 0; n < sizeof boards / sizeof *boards; n++)
    str_addf(&known, "%s%s", n ? ", " : "", boards[n].card);
  hip_fail(r, hipErrorNoDevice, "HIPSIM_CARD=%s is no card that it knows: %s",
           name, str_text(&known));
  str_free(&known);
  return hipErrorNoDevice;
}

static const struct board *board_for(const char *arch)
{
  for (size_t n = 0; n < sizeof boards / sizeof *boards; n++)
    if (!strcmp(boards[n].arch, arch))
      return &boards[n];
  return NULL;
}

static void take(struct runtime *r, const struct board *board)
{
  const struct card *timed = card_find(board->card);
  r->board = board;
  r->isa = isa_find(board->arch);
  if (timed) {
    r->card = *timed;
    return;
  }
  card_of_arch(&r->card, arch_find(board->arch), card_find(boards[0].card));
  r->card.name = board->card;
  r->card.cus = board->cus;
}

/* A slip of the pen must not give another card's times: there is no device
 * then. The card that HIPSIM_CARD names is taken where it is of the arch that
 * the program asks for, or it asks for none. */
static hipError_t choose_board(struct runtime *r)
{
  const char *name = getenv("HIPSIM_CARD");
  const struct board *named = board_of(name ? name : boards[0].card);
  const struct board *fit = r->wish[0] ? board_for(r->wish) : named;
  if (named && fit && !strcmp(named->arch, fit->arch))
    fit = named;
  take(r, fit ? fit : &boards[0]);
  if (!named)
    return unknown_board(r, name);
  return fit ? hipSuccess
             : hip_fail(r, hipErrorNoDevice, "the simulated device is never a "
                        "%s", r->wish);
}

/* The card's own, or the one of HIPSIM_CLOCK: under load, or with a limit on
 * power, cards run slower than they are sold for. */
static hipError_t choose_clock(struct runtime *r)
{
  const char *wish = getenv("HIPSIM_CLOCK");
  char *end = NULL;
  if (!wish)
    return hipSuccess;
  double mhz = strtod(wish, &end);
  if (end == wish || *end || !(mhz >= CLOCK_MIN && mhz <= CLOCK_MAX))
    return hip_fail(r, hipErrorNoDevice, "HIPSIM_CLOCK=%s is no clock from %d "
                    "to %d MHz", wish, CLOCK_MIN, CLOCK_MAX);
  r->other_clock = r->card.clock_mhz != mhz;
  r->card.clock_mhz = mhz;
  return hipSuccess;
}

static hipError_t choose_limit(struct runtime *r)
{
  const char *wish = getenv("HIPSIM_LIMIT");
  char *end = NULL;
  errno = 0;
  r->limit = wish ? strtoull(wish, &end, 10) : default_limit;
  if (!wish || (*wish >= '0' && *wish <= '9' && !*end && !errno))
    return hipSuccess;
  return hip_fail(r, hipErrorNoDevice,
                  "HIPSIM_LIMIT=%s is no number of instructions", wish);
}

static hipError_t choose_lds(struct runtime *r)
{
  const char *wish = getenv("HIPSIM_LDS");
  r->lds_open = wish && !strcmp(wish, "card");
  if (!wish || r->lds_open || !strcmp(wish, "fault"))
    return hipSuccess;
  return hip_fail(r, hipErrorNoDevice,
                  "HIPSIM_LDS=%s is neither fault nor card", wish);
}

/* The processors that this process may use, or fewer (HIPSIM_THREADS). */
static unsigned host_threads(void)
{
  const char *wish = getenv("HIPSIM_THREADS");
  char *end = NULL;
  cpu_set_t set;
  long n = wish ? strtol(wish, &end, 10) : 0;
  if (wish && !*end && n > 0 && n <= CPU_SETSIZE)
    return (unsigned)n;
  if (wish)
    fprintf(stderr, "libhipsim: HIPSIM_THREADS=%s is no number of threads; "
            "taking all processors\n", wish);
  return sched_getaffinity(0, sizeof set, &set) ? 1
                                                : (unsigned)CPU_COUNT(&set);
}

static void start(struct runtime *r)
{
  hip_log_open(r);
  int bad = choose_board(r) || choose_clock(r) || choose_limit(r) ||
            choose_lds(r) || hip_check_open(r);
  r->threads = host_threads();
  r->arena = bad ? NULL : arena_open(r->board->memory);
  if (!bad && !r->arena)
    hip_fail(r, hipErrorNoDevice, "no room for %llu GiB of addresses: is there "
             "a limit (ulimit -v)?",
             (unsigned long long)(r->board->memory >> 30));
}

struct runtime *hip_lock(void)
{
  pthread_mutex_lock(&lock);
  return &runtime;
}

void hip_unlock(void)
{
  pthread_mutex_unlock(&lock);
}

struct runtime *hip_enter(void)
{
  struct runtime *r = hip_lock();
  if (!r->board)
    start(r);
  return r;
}

hipError_t hip_leave(hipError_t result)
{
  pthread_mutex_unlock(&lock);
  return last = result;
}

hipError_t hip_wait(struct runtime *r)
{
  hipError_t pending = r->pending;
  r->pending = hipSuccess;
  return pending;
}

hipError_t hip_fail(struct runtime *r, hipError_t code, const char *format,
                    ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(r->error, sizeof r->error, format, args);
  va_end(args);
  if (code == hipErrorNotSupported)
    hip_log_refused(r, r->error);
  if (!r->aware)
    fprintf(stderr, "libhipsim: %s\n", r->error);
  return code;
}

hipError_t hip_answer(struct runtime *r, hipError_t code, const char *format,
                      ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(r->error, sizeof r->error, format, args);
  va_end(args);
  return code;
}

hipError_t hipGetLastError(void)
{
  hipError_t error = last;
  last = hipSuccess;
  return error;
}

hipError_t hipPeekAtLastError(void)
{
  return last;
}
