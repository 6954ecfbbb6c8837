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
#include "base/hip_versions.h"
#include "runtimes/sim/hipsim.h"
#pragma GCC visibility pop

#include "runtimes/sim/check/check.h"
#include "runtimes/sim/timing/card.h"
#include "runtimes/sim/timing/model.h"
#include "runtimes/sim/timing/wave_events.h"

/* What differs between the cards beyond the timing model's constants. */
struct board {
  const char *card, *title;
  uint64_t memory; /* bytes */
  const char *arch;
  int timed;       /* 0: the model knows no times of it (untimed.h) */
  int cus;         /* 0: those of the model, or of the arch's facts */
};

struct node_list { /* of a graph (hip_graph.h) */
  hipGraphNode_t *at;
  size_t n, room;
};

/* Handles are valid while they are in their list. */
struct ihipStream_t {
  struct ihipStream_t *next;
  unsigned flags;
  int priority;
  uint32_t mask[2]; /* CUs; 0: it was made without */
  struct capture *capture; /* NULL: it does what it is told */
  struct node_list last;   /* what it took down last */
};

struct ihipEvent_t {
  struct ihipEvent_t *next;
  int recorded, timed;
  double us;
  struct capture *capture; /* that it was recorded in; NULL: in none */
  struct node_list last;
};

struct ihipModuleSymbol_t {
  struct ihipModuleSymbol_t *next;
  const struct kernel *kernel;
  unsigned log; /* its number there; 0: none yet */
};

struct ihipModule_t {
  struct ihipModule_t *next;
  struct object *object;
  struct ihipModuleSymbol_t *functions;
};

struct fat_binary;  /* hip_register.c: code that a program was linked with */
struct host_memory; /* hip_host_memory.c: memory that is not hipMalloc's */

struct runtime {
  const struct board *board;
  const struct isa *isa; /* of the board's arch */
  char wish[16];       /* hipsimArch(): the arch that it is to be of */
  struct card card;    /* at the clock that was asked for */
  int other_clock;     /* than the card's own */
  struct arena *arena; /* NULL: there is no device; error says why */
  uint64_t limit;      /* instructions of a wave; 0: none */
  int mode;            /* enum hipsim_mode */
  int lds_open;        /* HIPSIM_LDS=card */
  unsigned threads;    /* of the host, for one launch */
  double us;           /* the device's clock */
  struct ihipStream_t *streams, per_thread;
  struct ihipEvent_t *events;
  struct ihipModule_t *modules;
  struct ihipGraph *graphs;
  struct hipGraphExec *execs;
  struct graph_memory *graph_memory;
  struct hipUserObject *objects;
  hipMemPool_t pools, default_pool, current_pool;
  struct pool_memory *pool_memory;
  struct capture *captures; /* that are under way */
  unsigned long long ncaptures;
  struct fat_binary *binaries;
  struct host_memory *hosts;
  int major; /* hip_major(); 0: not known yet */
  int log;   /* file descriptor; -1: none (hip_log.c) */
  int log_pid;
  unsigned log_names;
  struct check *check; /* HIPSIM_CHECK; NULL: nothing is looked for */
  int aware; /* the program uses hipsim.h, so it asks hipsimError() itself */
  hipError_t pending;
  char error[sizeof(((struct err *)0)->text)];
  struct hipsim_report report; /* size 0: nothing was launched */
  struct hipsim_instruction *rows;
  uint32_t nrows;
  struct wave_events wave_events; /* of the launch that was reported last */
};

/* hip_lock() does not start the runtime: for the start-up code of a program
 * that may never use the device. */
struct runtime *hip_lock(void);
void hip_unlock(void);
struct runtime *hip_enter(void);
hipError_t hip_leave(hipError_t result);

#define CALL(expression) \
  do { \
    struct runtime *r = hip_enter(); \
    return hip_leave(r->arena ? (expression) : hipErrorNoDevice); \
  } while (0)

/* While a stream takes down what it is told (hip_capture.c) some calls cannot
 * be made: those that do work at once, which the default stream would have to
 * wait for, and, as the captures' modes have it, those that allocate. The
 * captures are then worth nothing. */
hipError_t hip_capture_bars_work(struct runtime *r);
hipError_t hip_capture_bars_device(struct runtime *r);
hipError_t hip_capture_bars_waiting(struct runtime *r, hipStream_t stream);
hipError_t hip_capture_bars_memory(struct runtime *r);

#define CALL_UNLESS(barred, expression) \
  do { \
    struct runtime *r = hip_enter(); \
    hipError_t is_barred = r->captures ? (barred) : hipSuccess; \
    return hip_leave(!r->arena     ? hipErrorNoDevice \
                     : is_barred ? is_barred \
                                   : (expression)); \
  } while (0)
#define CALL_NOW(expression) \
  CALL_UNLESS(hip_capture_bars_work(r), expression)
#define CALL_MEMORY(expression) \
  CALL_UNLESS(hip_capture_bars_memory(r), expression)

/* The pending error, once. */
hipError_t hip_wait(struct runtime *r);

/* Say why: the text of hipsimError(), and a line on stderr for a program that
 * knows nothing of that. Returns code. */
hipError_t hip_fail(struct runtime *r, hipError_t code, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));

/* The version of HIP that the program was made for: 5, 6, 7 (hip_major.c). */
int hip_major(struct runtime *r);
/* The program's number of a memory type, and back. */
unsigned hip_memory_number(struct runtime *r, hipMemoryType type, int managed);
hipMemoryType hip_memory_type(struct runtime *r, unsigned number);

/* The same where the answer may be what the program asked for: no line. */
hipError_t hip_answer(struct runtime *r, hipError_t code, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

int hip_stream_valid(const struct runtime *r, hipStream_t s);
/* NULL for the default stream. */
struct ihipStream_t *hip_stream_of(struct runtime *r, hipStream_t s);
int hip_event_valid(const struct runtime *r, hipEvent_t e);
int hip_function_valid(const struct runtime *r, hipFunction_t f);

/* The device (hip_device.c); an attribute that is not known is -1. */
#define HIP_UUID "GPU-simulated906"
double hip_attribute(const struct runtime *r, hipDeviceAttribute_t id);
hipError_t hip_properties(struct runtime *r, hip5_properties *p, int device);
hipError_t hip_choose_device(int *device, const void *wish)
    NAMED(hipChooseDevice);

/* Modules (hip_module.c). */
hipError_t hip_module_load(struct runtime *r, hipModule_t *out,
                           const void *bytes, size_t n);
hipError_t hip_module_unload(struct runtime *r, hipModule_t m);
hipError_t hip_module_function(struct runtime *r, hipFunction_t *out,
                               hipModule_t m, const char *name);
hipError_t hip_module_global(struct runtime *r, hipDeviceptr_t *at,
                             size_t *bytes, hipModule_t m, const char *name);

/* The device's side of what a program knows by an address of its own: a
 * kernel by its stub, a variable by its shadow (hip_register.c). */
hipError_t hip_host_function(struct runtime *r, hipFunction_t *out,
                             const void *stub);
const void *hip_host_stub(const struct runtime *r, hipFunction_t f);
hipError_t hip_symbol_place(struct runtime *r, char **at, const void *shadow,
                            size_t n, size_t offset);
hipError_t hip_host_variable(struct runtime *r, hipDeviceptr_t *at,
                             size_t *bytes, const void *shadow);

/* Memory (hip_memory.c, hip_host_memory.c). */
int hip_on_device(const struct runtime *r, const void *p, size_t n);
hipError_t hip_allocate(struct runtime *r, void **out, size_t n);
hipError_t hip_release(struct runtime *r, void *p);
int hip_arena_free(struct runtime *r, void *p); /* as arena_free() */
hipError_t hip_copy(struct runtime *r, void *to, const void *from, size_t n,
                    hipMemcpyKind kind, hipStream_t stream);
hipError_t hip_copy_3d(struct runtime *r, const struct hipMemcpy3DParms *p,
                       hipStream_t stream);
/* For a copy in pieces: may it be made, where its ends reach so far? */
struct span {
  const void *at;
  size_t n;
};
hipError_t hip_copy_check(struct runtime *r, struct span to, struct span from,
                          hipMemcpyKind kind, hipStream_t stream);
/* count elements of 1, 2 or 4 bytes */
hipError_t hip_fill(struct runtime *r, void *to, uint32_t value, size_t width,
                    size_t count, hipStream_t stream);
hipError_t hip_managed(struct runtime *r, void **out, size_t n);
void hip_host_forget(struct runtime *r, const void *p);
void hip_pool_forget(struct runtime *r, const void *p); /* hip_pool.c */
hipError_t hip_pointer(struct runtime *r, hipPointerAttribute_t *out,
                       const void *p);

/* What a program said of managed memory, by the numbers with which it asks;
 * NULL of other memory, or where p and n are not the whole of it but must. */
struct advice {
  int read_mostly, preferred, accessed, prefetched, coarse;
};
#define NO_ADVICE \
  {.preferred = hipInvalidDeviceId, .accessed = hipInvalidDeviceId, \
   .prefetched = hipInvalidDeviceId}
struct advice *hip_advice(const struct runtime *r, const void *p, size_t n,
                          int whole);

/* d has grid and block; the rest is filled in (hip_launch.c). */
hipError_t hip_launch(struct runtime *r, hipFunction_t f, struct dispatch *d,
                      size_t dynamic, hipStream_t stream, void **params,
                      void **extra);
hipError_t hip_record(struct runtime *r, hipEvent_t e, hipStream_t s);

/* HIPSIM_CHECK (hip_check.c) */
hipError_t hip_check_open(struct runtime *r);

/* HIPSIM_LOG (hip_log.c) */
void hip_log_open(struct runtime *r);
void hip_log_launch(struct runtime *r, hipFunction_t f, double us);
void hip_log_fault(struct runtime *r, const char *text);
void hip_log_refused(struct runtime *r, const char *text);

/* Keep a launch's report and the kernel's rows. */
void hip_sim_keep(struct runtime *r, const struct dispatch *d,
                  const struct timing *t);

#endif
