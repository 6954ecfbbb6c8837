/* device_libraries.c - which runtimes and compilers are here: see device.h. */
// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/device/device.h"
#include "tuner/device/hip.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

enum {LIMIT = 30}; /* seconds */

/* What is said of one library. */
struct said {
  char version[COMPILER_VERSION], file[PATH_MAX];
  struct str targets;
};

/* Where to look, and how the library there is asked. */
struct lookup {
  const char *path;
  void (*ask)(const char *path, struct said *out);
};

/* --- in a child for each: two LLVMs in one process end it ----------------- */

static void ask_runtime(const char *path, struct said *out)
{
  struct hip h;
  if (hip_open(&h, path, NULL))
    return;
  if (h.hipcudaRuntime && h.hipInit(0) != hipSuccess)
    return; /* it is always here, its driver may not be */
  hip_version(&h, out->version, sizeof out->version);
  hip_file(h.library, "hipInit", out->file);
}

static void ask_compiler(const char *path, struct said *out)
{
  struct rtc r;
  if (rtc_open(&r, path, NULL))
    return;
  compiler_version(&r, out->version);
  compiler_targets(&r, &out->targets);
  hip_file(r.library, "hiprtcVersion", out->file);
}

/* Reply: version, file, targets; all "" where there is nothing. */
static void body(int fd, void *user)
{
  const struct lookup *p = user;
  struct str message = {0};
  struct said said = {0};
  if (!message_read(fd, &message))
    return;
  str_clear(&message);
  p->ask(p->path, &said);
  pack_text(&message, said.version);
  pack_text(&message, said.file);
  pack_text(&message, str_text(&said.targets));
  message_write(fd, &message);
}

/* --- outside -------------------------------------------------------------- */

/* A line for the library at p, unless its file has one already. */
static void find(struct str *out, const struct lookup *p)
{
  struct str request = {0}, reply = {0};
  if (!worker_ask(body, (void *)p, &request, LIMIT, &reply, NULL)) {
    struct unpack in = unpack_from(&reply);
    const char *version = unpack_text(&in), *file = unpack_text(&in);
    if (*version && !strstr(str_text(out), file)) {
      str_addf(out, "  %s  %s\n", version, file);
      const char *targets = unpack_text(&in);
      if (*targets)
        str_addf(out, "    %s\n", targets);
    }
  }
  str_free(&reply);
}

static void find_all(struct str *out, const struct rocm_paths *paths,
                     struct lookup p)
{
  char cuda[PATH_MAX];
  for (size_t i = 0; i < paths->n; i++) {
    p.path = paths->at[i];
    find(out, &p);
  }
  hip_beside(NULL, "libhipcuda.so", cuda);
  p.path = cuda;
  find(out, &p);
}

void runtimes_find(struct str *out)
{
  struct rocm_paths paths;
  hip_paths(&paths);
  find_all(out, &paths, (struct lookup){NULL, ask_runtime});
  rocm_paths_free(&paths);
}

void compilers_find(struct str *out)
{
  struct rocm_paths paths;
  rtc_paths(&paths);
  find_all(out, &paths, (struct lookup){NULL, ask_compiler});
  rocm_paths_free(&paths);
}
