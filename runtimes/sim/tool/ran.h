/* ran.h - what ran: the log that libhipsim wrote (hip_log.c), added up.
 *
 * The log is of programs that may have been killed: lines that are cut off or
 * unknown are left out.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_tool_ran_h
#define sim_tool_ran_h

#include <stddef.h>
#include <stdio.h>

struct ran_kernel {
  char *name;
  unsigned long long launches;
  double us;
};

struct ran_text { /* a fault, or a call that was refused */
  char *text;
  unsigned long long times;
};

struct ran_texts {
  struct ran_text *at;
  size_t n;
};

struct ran {
  struct ran_kernel *kernels;
  size_t nkernels;
  unsigned long long launches;
  double us;
  struct ran_texts faults, refused;
  struct ran_process *processes;
  size_t nprocesses;
};

void ran_read(struct ran *r, FILE *log);
void ran_free(struct ran *r);

/* The kernels by time. wide: their names in full, else what fits 80 columns. */
void ran_print(struct ran *r, int wide, FILE *out);

#endif
