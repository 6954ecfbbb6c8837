/* fake_nvrtc.c - stands in for libnvrtc, where the tests have none.
 *
 * "Code" is the program's text behind the line FAKE_CODE, which fake_cuda.c
 * loads. A text with "#error" does not compile; one with "#pragma crash" ends
 * the process, as a compiler may. With FAKE_NVRTC_REAL=LIBRARY, that one
 * compiles everything else.
 */
// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/cuda/driver.h"
#include "tests/cuda/fake.h"

struct _nvrtcProgram {
  char *text, *log;
  int compiled;
  nvrtcProgram real;
};

/* A function of the real library, or NULL. */
static void *real(const char *name)
{
  const char *path = getenv("FAKE_NVRTC_REAL");
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  return library ? dlsym(library, name) : NULL;
}

#define REAL(name) ((__typeof__(&name))real(#name))

static char *copy(const char *text)
{
  char *out = malloc(strlen(text) + 1);
  return out ? strcpy(out, text) : NULL;
}

int nvrtcVersion(int *major, int *minor)
{
  if (real("nvrtcVersion"))
    return REAL(nvrtcVersion)(major, minor);
  *major = 12;
  *minor = 6;
  return 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
  if (real("nvrtcVersion"))
    return REAL(nvrtcGetNumSupportedArchs)(count);
  *count = 2;
  return 0;
}

int nvrtcGetSupportedArchs(int *numbers)
{
  if (real("nvrtcVersion"))
    return REAL(nvrtcGetSupportedArchs)(numbers);
  numbers[0] = 80;
  numbers[1] = 90;
  return 0;
}

int nvrtcCreateProgram(nvrtcProgram *out, const char *text, const char *name,
                       int headers, const char *const *texts,
                       const char *const *names)
{
  nvrtcProgram p = calloc(1, sizeof *p);
  *out = p;
  p->text = copy(text);
  p->log = copy("");
  return real("nvrtcVersion") ? REAL(nvrtcCreateProgram)(
                                    &p->real, text, name, headers, texts, names)
                              : 0;
}

int nvrtcDestroyProgram(nvrtcProgram *program)
{
  nvrtcProgram p = *program;
  if (p->real)
    REAL(nvrtcDestroyProgram)(&p->real);
  free(p->text);
  free(p->log);
  free(p);
  *program = NULL;
  return 0;
}

int nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
  if (strstr(p->text, "#pragma crash"))
    abort();
  if (p->real)
    return REAL(nvrtcCompileProgram)(p->real, n, options);
  for (int i = 0; i < n; i++)
    if (strncmp(options[i], "--gpu-architecture=sm_", 22) != 0)
      return 5; /* NVRTC_ERROR_INVALID_OPTION */
  if (strstr(p->text, "#error")) {
    free(p->log);
    p->log = copy("x.hip(1): error: #error directive\n");
    return 6; /* NVRTC_ERROR_COMPILATION */
  }
  p->compiled = 1;
  return 0;
}

int nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes)
{
  if (p->real)
    return REAL(nvrtcGetProgramLogSize)(p->real, bytes);
  *bytes = strlen(p->log) + 1;
  return 0;
}

int nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
  if (p->real)
    return REAL(nvrtcGetProgramLog)(p->real, log);
  strcpy(log, p->log);
  return 0;
}

int nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes)
{
  if (p->real)
    return REAL(nvrtcGetCUBINSize)(p->real, bytes);
  *bytes = p->compiled ? strlen(FAKE_CODE) + strlen(p->text) + 1 : 0;
  return p->compiled ? 0 : 4; /* NVRTC_ERROR_INVALID_PROGRAM */
}

int nvrtcGetCUBIN(nvrtcProgram p, char *code)
{
  if (p->real)
    return REAL(nvrtcGetCUBIN)(p->real, code);
  sprintf(code, "%s%s", FAKE_CODE, p->text);
  return 0;
}
