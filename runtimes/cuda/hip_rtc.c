/* hip_rtc.c - hiprtc, on NVRTC. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "runtimes/cuda/hip.h"

enum {OPTIONS = 64, ARCHS = 64};

/* The results have the same numbers on both sides. */
#define RTC(call) \
  do { \
    const struct nvrtc *n = nvrtc_open(NULL); \
    return n ? (hiprtcResult)n->call : HIPRTC_ERROR_INTERNAL_ERROR; \
  } while (0)

EXPORT const char *hiprtcGetErrorString(hiprtcResult result)
{
  static const char *const texts[] = {
      "success", "out of memory", "cannot create the program",
      "invalid input", "invalid program", "invalid option",
      "compilation failed", "a builtin failed",
      "no name expressions after compilation",
      "no lowered names before compilation", "invalid name expression"};
  if (!nvrtc_open(NULL))
    return "no libnvrtc of CUDA 12 or 13 is here; HIPCUDA_NVRTC can name it";
  return (size_t)result < sizeof texts / sizeof *texts ? texts[result]
                                                       : "internal error";
}

EXPORT hiprtcResult hiprtcVersion(int *major, int *minor)
{
  RTC(nvrtcVersion(major, minor));
}

/* ROCm 7's header has more const here: under names of ours these fit all. */
EXPORT hiprtcResult create(hiprtcProgram *program, const char *text,
                           const char *name, int headers, const char **texts,
                           const char **names) __asm__("hiprtcCreateProgram");
EXPORT hiprtcResult compile(hiprtcProgram program, int n, const char **options)
    __asm__("hiprtcCompileProgram");

hiprtcResult create(hiprtcProgram *program, const char *text, const char *name,
                    int headers, const char **texts, const char **names)
{
  RTC(nvrtcCreateProgram((nvrtcProgram *)program, text, name, headers,
                         (const char *const *)texts,
                         (const char *const *)names));
}

EXPORT hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program)
{
  RTC(nvrtcDestroyProgram((nvrtcProgram *)program));
}

/* NVRTC optimises always, and takes no -O. */
hiprtcResult compile(hiprtcProgram program, int n, const char **options)
{
  const char *kept[OPTIONS];
  int count = 0;
  if (n > OPTIONS)
    return HIPRTC_ERROR_INVALID_OPTION;
  for (int i = 0; i < n; i++)
    if (strncmp(options[i], "-O", 2) != 0)
      kept[count++] = options[i];
  RTC(nvrtcCompileProgram((nvrtcProgram)program, count, kept));
}

EXPORT hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program,
                                            size_t *bytes)
{
  RTC(nvrtcGetProgramLogSize((nvrtcProgram)program, bytes));
}

EXPORT hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log)
{
  RTC(nvrtcGetProgramLog((nvrtcProgram)program, log));
}

EXPORT hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *bytes)
{
  RTC(nvrtcGetCUBINSize((nvrtcProgram)program, bytes));
}

EXPORT hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code)
{
  RTC(nvrtcGetCUBIN((nvrtcProgram)program, code));
}

EXPORT void hipcudaCompiler(char *out, size_t room)
{
  int major = 0, minor = 0;
  const struct nvrtc *n = nvrtc_open(NULL);
  out[0] = 0;
  if (n && n->nvrtcVersion(&major, &minor) == 0)
    snprintf(out, room, "nvrtc-%d.%d", major, minor);
}

EXPORT void hipcudaTargets(char *out, size_t room)
{
  int count = 0, numbers[ARCHS];
  const struct nvrtc *n = nvrtc_open(NULL);
  out[0] = 0;
  if (!n || n->nvrtcGetNumSupportedArchs(&count) != 0 || count > ARCHS ||
      n->nvrtcGetSupportedArchs(numbers) != 0)
    return;
  for (int i = 0; i < count; i++) {
    size_t used = strlen(out);
    snprintf(out + used, room - used, "%ssm_%d", used ? " " : "", numbers[i]);
  }
}
