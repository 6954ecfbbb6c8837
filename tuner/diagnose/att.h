/* att.h - what a thread trace says of each instruction of its kernels.
 *
 * rocprofv3's advanced thread trace (ATT) writes a folder for each dispatch; its
 * code.json has a row for each instruction, with cycles summed over the waves
 * that were traced. The fields are those of its header, "ISA, _, LineNumber,
 * Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle" (rocprofiler-sdk, att-tool,
 * code.cpp, format 3.0.0). A row whose text begins with "; " names the kernel
 * that begins there.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_diagnose_att_h
#define tuner_diagnose_att_h

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct att_row {
  const char *text;   /* "ds_read_b64 v[2:3], v1 offset:8" */
  const char *source; /* "/src/kernel.hip:12", or "" */
  long long line;     /* of the listing */
  long long object;   /* the code object that `address` is of */
  uint64_t address;   /* bytes */
  double hits;        /* waves that executed it, each time counted */
  double latency;     /* cycles from its turn to the next one's, of all hits */
  double stall;       /* of these, before it could issue */
  double idle;        /* cycles before its turn came, of all hits */
};

struct att_kernel {
  const char *name; /* as the program's author wrote it, where known */
  struct att_row *rows;
  size_t nrows;
};

struct att {
  struct att_kernel *kernels;
  size_t nkernels;
  struct att_row *rows; /* of all kernels */
  void *json;             /* holds the texts */
};

/* Read a code.json. ERR_FAILED names the path and, where one is wrong, the
 * row. att_free() also takes what a failed call left, and a zeroed one. */
int att_read(struct att *t, const char *path, struct err *e);
/* The same of its bytes; path is for messages. */
int att_parse(struct att *t, const char *path, const char *bytes, size_t n,
              struct err *e);
void att_free(struct att *t);

/* The row at an address, or nrows. A kernel's rows are of one code object and
 * stand in the order of addresses: att_parse() refuses others. */
size_t att_row_at(const struct att_kernel *k, uint64_t address);

#endif
