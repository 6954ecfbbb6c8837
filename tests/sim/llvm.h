/* llvm.h - asking LLVM's assembler and disassembler.
 *
 * llvm_mc() feeds a text to llvm-mc for gfx906, llvm_mc_for() for any target,
 * and gives what it prints; NULL where no llvm-mc that knows it is installed
 * (Debian: llvm-15, llvm-22; or LLVM_MC says where), which a test reports as
 * skipped. free() the answer.
 */
// SPDX-License-Identifier: MIT
#ifndef test_sim_llvm_h
#define test_sim_llvm_h

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

/* Whatever the newest is; LLVM 15 knows none of what came after gfx90a. */
static inline const char *llvm_mc_program(const char *cpu)
{
  const char *given = getenv("LLVM_MC");
  if (given && *given)
    return given;
  if (!strcmp(cpu, "gfx906") &&
      !system("command -v llvm-mc-15 >/dev/null 2>&1"))
    return "llvm-mc-15";
  if (!system("command -v llvm-mc-22 >/dev/null 2>&1"))
    return "llvm-mc-22";
  if (strncmp(cpu, "gfx94", 5) && strncmp(cpu, "gfx95", 5) &&
      strncmp(cpu, "gfx12", 5) &&
      !system("command -v llvm-mc-15 >/dev/null 2>&1"))
    return "llvm-mc-15";
  fprintf(stderr, "skipped: no llvm-mc for %s (Debian packages llvm-15, "
          "llvm-22)\n", cpu);
  return NULL;
}

static inline char *llvm_mc_for(const char *cpu, const char *options,
                                const char *input)
{
  char path[] = "/tmp/llvm_mc_XXXXXX", command[800];
  const char *program = llvm_mc_program(cpu);
  if (!program)
    return NULL;
  int fd = mkstemp(path);
  FILE *in = fdopen(fd, "w");
  fputs(input, in);
  fclose(in);
  snprintf(command, sizeof command,
           "%s -triple=amdgcn-amd-amdhsa -mcpu=%s %s %s 2>/dev/null", program,
           cpu, options, path);
  FILE *out = popen(command, "r");
  struct str text = {0};
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, out));)
    str_add_bytes(&text, part, n);
  pclose(out);
  unlink(path);
  return text.at ? text.at : calloc(1, 1);
}

static inline char *llvm_mc(const char *options, const char *input)
{
  return llvm_mc_for("gfx906", options, input);
}

#endif
