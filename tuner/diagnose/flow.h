/* flow.h - which memory operations may be under way when an instruction is
 * reached, whatever way through the kernel led there.
 *
 * A wait says which counter it waits for, not for what: lgkmcnt counts LDS
 * and scalar loads alike. So the kernel's ways are followed, branches
 * included, from every operation to the waits that it may meet.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_diagnose_flow_h
#define tuner_diagnose_flow_h

#include "tuner/diagnose/att.h"

/* What an instruction is; FLOW_OTHER: scalar arithmetic and the rest. */
enum flow_kind {
  FLOW_OTHER,
  FLOW_LDS_READ,
  FLOW_LDS_WRITE,    /* atomics too */
  FLOW_LDS_EXCHANGE, /* between lanes, by the LDS's crossbar: bpermute ... */
  FLOW_SCALAR_LOAD,
  FLOW_MEMORY,       /* global, buffer, flat, scratch */
  FLOW_WAIT,
  FLOW_BARRIER,
  FLOW_MATRIX,
  FLOW_VECTOR,
  FLOW_BRANCH,
  FLOW_KINDS,
};

/* What a wait waits for. */
enum {FLOW_WAITS_LDS = 1, FLOW_WAITS_MEMORY = 2};

struct flow {
  enum flow_kind kind;
  unsigned pending;  /* a bit 1 << kind for each that may be under way */
  unsigned waits;    /* of a wait: counters that it names */
  int all;           /* of a wait: until none that LDS counts is under way */
  size_t from_write; /* instructions between the nearest LDS write and this one;
                        SIZE_MAX: there is none */
};

enum flow_kind flow_kind(const char *text);

/* Words of 4 bytes that each access of an LDS instruction moves; those of two
 * addresses (ds_read2) make two. */
int flow_width(const char *text);

/* The row that the branch at row i leads to; k->nrows where that is not known. */
size_t flow_target(const struct att_kernel *k, size_t i);

/* One struct flow for each row of the kernel; the caller frees it. */
struct flow *flow_of(const struct att_kernel *k);

#endif
