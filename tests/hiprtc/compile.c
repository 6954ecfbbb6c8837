/* compile.c - compile ARCH FILE: does hiprtc compile this text? Its log is printed.
 *
 * Built by tests/suites/hiprtc7, which has a hiprtc and no headers of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

extern int hiprtcCreateProgram(void **program, const char *text, const char *name,
                               int headers, const char **of, const char **names);
extern int hiprtcCompileProgram(void *program, int n, const char **options);
extern int hiprtcGetProgramLogSize(void *program, size_t *size);
extern int hiprtcGetProgramLog(void *program, char *log);

int main(int argc, char **argv)
{
  static char text[1 << 20], arch[64];
  const char *options[] = {arch, "-O3"};
  void *program;
  FILE *f = argc == 3 ? fopen(argv[2], "r") : NULL;
  if (!f)
    return fprintf(stderr, "usage: compile ARCH FILE\n"), 2;
  fread(text, 1, sizeof text - 1, f);
  fclose(f);
  snprintf(arch, sizeof arch, "--offload-arch=%s", argv[1]);
  if (hiprtcCreateProgram(&program, text, argv[2], 0, NULL, NULL))
    return fprintf(stderr, "hiprtcCreateProgram failed\n"), 1;
  int rc = hiprtcCompileProgram(program, 2, options);
  size_t n = 0;
  if (!hiprtcGetProgramLogSize(program, &n) && n > 1) {
    char *log = calloc(n + 1, 1);
    if (log && !hiprtcGetProgramLog(program, log))
      puts(log);
    free(log);
  }
  return rc != 0;
}
