/* rival_code.h - a kernel of a code object on disk, to stand beside ours.
 *
 *   --against FILE:KERNEL     the file and the kernel's name in it
 *   --launch 'grid=64,64 block=256 args=a,b,c,m,n,k,1.0 lds=0'
 *
 * grid: workgroups; lds: bytes that the launch adds. An argument is a buffer of
 * the plan by its name, an integer or number of the problem by its name, or a
 * number. Metadata of the code object say how many bytes each takes. Without a
 * launch the kernel is looked at, and not executed.
 *
 * rival_code_parse and _names need no device; the others are for workers.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_device_rival_code_h
#define tuner_device_rival_code_h

#include "base/status.h"
#include "gen/family.h"
#include "tuner/device/hip.h"
#include "tuner/device/launch.h"

enum {RIVAL_ARGS = 64, RIVAL_WORD = 48};

struct rival_code {
  char path[PATH_MAX];
  const char *file;   /* of the path, without folders */
  const char *kernel; /* in the caller's text */
  int launched;       /* there is a --launch */
  unsigned grid[3], block[3], lds;
  size_t nargs;
  char args[RIVAL_ARGS][RIVAL_WORD];
  hipModule_t module;
  hipFunction_t function;
};

/* Is it FILE:KERNEL, not the name of a library? */
int rival_code_is(const char *against);

/* launch may be NULL. ERR_USAGE says which word is wrong. `against` outlives
 * *out. */
int rival_code_parse(struct rival_code *out, const char *against,
                     const char *launch, struct err *e);

/* ERR_USAGE where an argument is neither a buffer nor a value nor a number. */
int rival_code_names(const struct rival_code *r, const struct family *f,
                     const struct problem *p, const struct plan *plan,
                     struct err *e);

int rival_code_load(struct rival_code *r, const struct hip *h, struct err *e);
enum status rival_code_launch(const struct rival_code *r, const struct hip *h,
                              const struct family *f, const struct problem *p,
                              const struct plan *plan,
                              const struct buffers *set, struct err *e);

#endif
