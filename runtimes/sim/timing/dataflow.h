/* dataflow.h - which instructions make the values that others need.
 *
 * The owner adds the instructions of a stretch of code, links them by their
 * branches, and says which operands of which of them matter. dataflow_trace() goes
 * back from each such operand, over all ways that may have led there, to the
 * instructions that may have left its value: these run, and what their own operands
 * come from runs as well. A vector result leaves lanes alone that are off: where these
 * may be on again when the operand is read, what was there before counts too.
 *
 * Registers have the operand codes of inst.h: SGPRs, VCC, M0 and EXEC, then VGPRs and
 * AGPRs. SCC is left out, as the VALU does not write it.
 */
// SPDX-License-Identifier: MIT
#ifndef sim_dataflow_h
#define sim_dataflow_h

#include <stddef.h>
#include <stdint.h>

#include "runtimes/sim/isa/inst.h"

enum {
  DATAFLOW_MASK = 2, /* SGPRs that hold a bit a lane, or an address */
  DATAFLOW_NONE = 128, DATAFLOW_ANY, /* instead of an SGPR's number */
};

/* What is needed of a result. The lower half of a 64-bit sum needs no upper half of
 * what is added, which compilers leave undefined then. */
enum dataflow_part {DATAFLOW_LOWER = 1, DATAFLOW_ALL};

/* Registers side by side. */
struct dataflow_span {
  unsigned first, width;
};

struct dataflow_step {
  const struct inst *i;
  uint32_t pc;
  struct dataflow_span scalar, vector; /* that it writes */
  uint8_t whole;  /* of the vector, in the lanes that are on, nothing stays */
  uint8_t saves;  /* it saves EXEC in this SGPR and turns lanes off */
  uint8_t widens; /* it may turn lanes on: those of this SGPR, or DATAFLOW_ANY */
  uint8_t full;   /* all lanes of the wave are on: exec_mask.h */
  uint32_t jumps;  /* to it: the first of them, plus 1 */
  uint32_t target; /* the step to which it jumps, plus 1 */
  int runs;        /* the result: 0, or enum dataflow_part */
};

struct dataflow {
  const struct inst *code;
  unsigned makers; /* a bit for each enum unit whose results are traced; what others
                      leave in a register is there in any case */
  struct dataflow_step *steps; /* in order */
  uint32_t n;
  struct dataflow_jump *jumps;
  struct dataflow_use *uses; /* that are still to be traced */
  size_t njumps, jumps_room, nuses, uses_room;
  struct dataflow_place *path; /* of a trace: where it has yet to go on */
  unsigned char *seen; /* by register and step: with which lanes a trace came by, plus
                          1; 0: none did */
  unsigned char *made; /* of each register: a maker writes it */
};

/* *f, with the first two fields, is the caller's; `most` instructions will be
 * added, by ascending pc; then they are linked. */
void dataflow_open(struct dataflow *f, size_t most);
void dataflow_add(struct dataflow *f, uint32_t pc);
void dataflow_link(struct dataflow *f);
void dataflow_close(struct dataflow *f);

/* Step `at` needs these registers, unless their code is that of a constant. */
void dataflow_need(struct dataflow *f, uint32_t at, unsigned code, unsigned width);
/* It needs all of its sources and runs. */
void dataflow_run(struct dataflow *f, uint32_t at);
/* It needs the SGPRs of the address, of an instruction of memory; the condition, of
 * a branch. */
void dataflow_need_scalars(struct dataflow *f, uint32_t at);
void dataflow_trace(struct dataflow *f);

/* The dword to which the branch at pc goes. */
static inline uint32_t dataflow_target(const struct inst *code, uint32_t pc)
{
  return pc + 1 + (uint32_t)code[pc].imm;
}

/* Does i write EXEC, beside or as its scalar result? */
int dataflow_writes_exec(const struct inst *i, struct dataflow_span scalar);

/* Does the name of i begin with one of these? */
int dataflow_begins(const struct inst *i, const char *const *with, size_t n);
#define DATAFLOW_BEGINS(i, list) dataflow_begins(i, list, sizeof list / sizeof *list)

/* May what stands behind i be executed next? Step `at` behind the one before? */
int dataflow_goes_on(const struct inst *i);
int dataflow_follows(const struct dataflow *f, uint32_t at);

#endif
