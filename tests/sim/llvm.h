/* llvm.h - asking LLVM's assembler and disassembler.
 *
 * llvm_mc() feeds a text to llvm-mc for gfx906 and gives what it prints; NULL
 * where no llvm-mc is installed (Debian: llvm-15), which a test reports as
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

static inline char *llvm_mc(const char *options, const char *input)
{
  char path[] = "/tmp/llvm_mc_XXXXXX", command[400];
  if (system("command -v llvm-mc-15 >/dev/null 2>&1")) {
    fprintf(stderr, "skipped: no llvm-mc-15 (Debian package llvm-15)\n");
    return NULL;
  }
  int fd = mkstemp(path);
  FILE *in = fdopen(fd, "w");
  fputs(input, in);
  fclose(in);
  snprintf(command, sizeof command,
           "llvm-mc-15 -arch=amdgcn -mcpu=gfx906 %s %s 2>/dev/null", options,
           path);
  FILE *out = popen(command, "r");
  struct str text = {0};
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, out));)
    str_add_bytes(&text, part, n);
  pclose(out);
  unlink(path);
  return text.at ? text.at : calloc(1, 1);
}

#endif
