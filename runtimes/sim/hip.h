/* hip.h - the HIP runtime's inside: one process, one device, one lock.
 *
 * An API function is
 *
 *   hipError_t hipFoo(...) { CALL(foo(r, ...)); }
 *
 * where CALL takes the lock, starts the runtime on first use, and keeps the
 * result for hipGetLastError(). Work is done when a call returns; what goes
 * wrong in a kernel is kept in r->pending and reported by the next call that
 * would wait for it, as by a real device.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_hip_h
#define sim_hip_h

/* The API's functions are all that the library shows. */
#pragma GCC visibility push(default)
#include <hip/hip_runtime_api.h>

#include "runtimes/sim/hipsim.h"
#pragma GCC visibility pop

#include "runtimes/sim/card.h"
#include "runtimes/sim/model.h"

/* What differs between the cards beyond the timing model's constants. */
struct board {
  const char *card, *title;
  uint64_t memory; /* bytes */
};

/* Handles are valid while they are in their list. */
struct ihipStream_t {
  struct ihipStream_t *next;
};

struct ihipEvent_t {
  struct ihipEvent_t *next;
  int recorded, timed;
  double us;
};

struct ihipModuleSymbol_t {
  struct ihipModuleSymbol_t *next;
  const struct kernel *kernel;
};

struct ihipModule_t {
  struct ihipModule_t *next;
  struct object *object;
  struct ihipModuleSymbol_t *functions;
};

struct runtime {
  const struct board *board;
  const struct card *card;
  struct arena *arena; /* NULL: the host refused the address range */
  uint64_t limit;      /* instructions of a wave; 0: none */
  int mode;            /* enum hipsim_mode */
  unsigned threads;    /* of the host, for one launch */
  double us;           /* the device's clock */
  struct ihipStream_t *streams;
  struct ihipEvent_t *events;
  struct ihipModule_t *modules;
  hipError_t pending;
  char error[sizeof(((struct err *)0)->text)];
  struct hipsim_report report; /* size 0: nothing was launched */
  struct hipsim_instruction *rows;
  uint32_t nrows;
};

struct runtime *hip_enter(void);
hipError_t hip_leave(hipError_t result);

#define CALL(expression) \
  do { \
    struct runtime *r = hip_enter(); \
    return hip_leave(r->arena ? (expression) : hipErrorNoDevice); \
  } while (0)

/* The pending error, once. */
hipError_t hip_wait(struct runtime *r);

/* Say why: the text of hipsimError(). Returns code. */
hipError_t hip_fail(struct runtime *r, hipError_t code, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));

int hip_stream_valid(const struct runtime *r, hipStream_t s);
int hip_function_valid(const struct runtime *r, hipFunction_t f);

/* Keep a launch's report and the kernel's rows. */
void hip_sim_keep(struct runtime *r, const struct dispatch *d,
                  const struct timing *t);

#endif
