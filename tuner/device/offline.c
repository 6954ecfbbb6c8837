/* offline.c - see offline.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/offline.h"

#include <stdio.h>
#include <string.h>

#include "tuner/device/program.h"

#define CLANG "clang-22"

enum {ASK_LIMIT = 20, COMPILE_LIMIT = 300}; /* seconds */

int offline_version(char *out, size_t room, struct err *e)
{
  const char *const argv[] = {CLANG, "-dumpversion", NULL};
  struct program_said said;
  int code = program_run(argv, NULL, ASK_LIMIT, &said, e);
  if (!code && said.status == 0) {
    const char *version = str_text(&said.out);
    snprintf(out, room, "clang-%.*s", (int)strcspn(version, " \n"), version);
  } else if (!code) {
    code = err_set(e, ERR_FAILED, "there is no " CLANG "; " OFFLINE_INSTALL);
  }
  program_free(&said);
  return code;
}

int offline_run(const struct arch *a, const char *text, struct str *code,
                struct str *log, struct err *e)
{
  char target[64];
  snprintf(target, sizeof target, "--offload-arch=%s", arch_name(a));
  const char *const argv[] = {
      CLANG, "-x", "hip", target, "--offload-device-only", "-nogpuinc",
      "-nogpulib", "--no-gpu-bundle-output", "-O3", "-o", "-", "-", NULL};
  struct str input = {0};
  struct program_said said;
  str_add(&input, text);
  int rc = program_run(argv, &input, COMPILE_LIMIT, &said, e);
  str_add_bytes(log, str_text(&said.words), said.words.len);
  if (!rc && said.status == 0)
    str_add_bytes(code, str_text(&said.out), said.out.len);
  else if (!rc)
    rc = err_set(e, ERR_FAILED, CLANG ": %.300s", str_text(&said.words));
  program_free(&said);
  str_free(&input);
  return rc;
}
