/* launch.h - a loaded candidate and its buffers on the device.
 *
 * To be called in device workers only. Functions return a verdict: STATUS_OK,
 * or what the HIP error means for the candidate, with the error's text in e.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_launch_h
#define tuner_launch_h

#include "base/status.h"
#include "gen/family.h"
#include "tuner/device/hip.h"

struct kernels {
  hipModule_t module;
  hipFunction_t functions[FAMILY_LAUNCHES];
  /* Of the kernel with the most VGPRs: others prepare its inputs or add up its
   * results. -1: the runtime won't say. */
  int vgprs, lds, spills;
};

enum status kernels_load(const struct hip *h, const struct str *code,
                         const struct plan *plan, struct kernels *out,
                         struct err *e);
void kernels_unload(const struct hip *h, struct kernels *k);

/* The plan's buffers, each between two guards of GUARD bytes, and no better
 * aligned than it asks for where that is below BUFFER_ALIGN. Place 0 is where they
 * were allocated; at each other one every buffer is a multiple of 8 KiB further on, by
 * chance. */
struct buffers {
  size_t n;
  uint64_t place; /* the caller's, for the next buffers_fit() */
  struct {
    char *raw;  /* what was allocated */
    char *base; /* of the first guard */
    char *list; /* of addresses, which kernels get instead; NULL: none */
    size_t bytes; /* without guards */
    int written;  /* has its contents: buffers_reset */
    int planes;   /* ... and their layout, */
    size_t panel, row;
    size_t routed; /* ... and the rows that were dealt out */
  } at[FAMILY_BUFFERS];
};

/* Make *b hold the plan's buffers; what fits already is kept. */
enum status buffers_fit(const struct hip *h, const struct plan *plan,
                        struct buffers *b, struct err *e);
/* Random inputs, poisoned outputs, canaries in the guards. Inputs that were
 * not given to a kernel as outputs are left as they are. */
enum status buffers_reset(const struct hip *h, const struct plan *plan,
                          uint64_t seed, struct buffers *b, struct err *e);
/* STATUS_WRONG where a guard was written, naming the buffer. */
enum status buffers_guarded(const struct hip *h, const struct plan *plan,
                            const struct buffers *b, struct err *e);
void buffers_free(const struct hip *h, struct buffers *b);

/* Start launch i of the plan, or all in order, without waiting. */
enum status launch_one(const struct hip *h, const struct plan *plan, size_t i,
                       const struct kernels *k, const struct buffers *b,
                       struct err *e);
enum status launch_all(const struct hip *h, const struct plan *plan,
                       const struct kernels *k, const struct buffers *b,
                       struct err *e);
/* What the result of a HIP call says about the candidate; e is set where it is
 * no success. */
enum status launch_judge(const struct hip *h, hipError_t rc, const char *call,
                         struct err *e);
enum status launch_wait(const struct hip *h, struct err *e);

#endif
