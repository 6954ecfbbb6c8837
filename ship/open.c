/* open.c - opening and closing a pack, and what codes mean; see tuned.h. */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ship/handle.h"

/* ORDER CODE */
static const char *const reasons[] = {
  "done",
  "no kernel of the pack fits the problem",
  "the pack cannot be opened",
  "the file is no pack",
  "the pack is newer than this library",
  "the pack is not whole",
  "the pack is damaged; make it again, or copy it again",
  "the pack has no kernels for this architecture",
  "the pack has none of this kernel family",
  "a key of the problem is unknown, given twice, or has no legal value",
  "there is no memory left",
  "the pack was opened without HIP's functions",
  "the pack was opened by another process, whose HIP this one cannot use",
  "tuned_load() must come before tuned_launch()",
  "not the buffers that the kernels take",
  "the weights are cut off, of another size, or have a scale that is not finite",
  "the offsets fall, or are outside of the activations",
  "the pack is older than this library: make it again",
};

typedef char reasons_in_order[sizeof reasons / sizeof *reasons ==
                                  TUNED_OLDER + 1 ? 1 : -1];

const char *tuned_reason(int code)
{
  if (code >= 0 && code <= TUNED_OLDER)
    return reasons[code];
  return code >= TUNED_HIP_ERROR ? "a call of HIP failed"
                                 : "there is no such code";
}

const char *tuned_version(void)
{
  return TUNED_VERSION;
}

static int fail(char *why, int code, const char *path, const char *what)
{
  if (why)
    snprintf(why, INDEX_WHY, "%.110s: %.140s", path, what);
  return code;
}

/* Map a whole, ordinary file. */
static int map(const char *path, void **bytes, size_t *n, char *why)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return fail(why, TUNED_NO_FILE, path, strerror(errno));
  int bad = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) ? 0 : EINVAL;
  if (!bad && st.st_size == 0) {
    close(fd);
    return fail(why, TUNED_FOREIGN, path, "it is empty");
  }
  *bytes = bad ? MAP_FAILED
               : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (!bad && *bytes == MAP_FAILED)
    bad = errno;
  close(fd);
  if (bad)
    return fail(why, bad == ENOMEM ? TUNED_NO_MEMORY : TUNED_NO_FILE, path,
                bad == EINVAL ? "it is no ordinary file" : strerror(bad));
  *n = (size_t)st.st_size;
  return TUNED_OK;
}

/* "it has gfx906, gfx90a, not gfx908" */
static void tell_archs(const struct index *v, const char *arch, char *out,
                       size_t room)
{
  size_t n = (size_t)snprintf(out, room, "it has ");
  for (uint64_t i = 0; i < v->head->part[PART_ARCHS].n && n < room; i++)
    n += (size_t)snprintf(out + n, room - n, "%s%s", i ? ", " : "",
                          v->text + v->archs[i].name);
  if (n < room)
    snprintf(out + n, room - n, ", not %s", arch);
}

static int open_index(tuned *t, const char *path, const char *arch, char *why)
{
  char what[INDEX_WHY - 64] = "";
  char text[INDEX_WHY];
  void *bytes = NULL;
  int code = map(path, &bytes, &t->size, why);
  if (code)
    return code;
  t->index.bytes = bytes;
  code = index_open(&t->index, bytes, t->size, text);
  if (code)
    return fail(why, code, path, text);
  t->arch = index_arch(&t->index, arch);
  if (t->arch)
    return TUNED_OK;
  tell_archs(&t->index, arch, what, sizeof what);
  return fail(why, TUNED_NO_ARCH, path, what);
}

int tuned_open(tuned **out, const char *path, const char *arch,
               const struct tuned_hip *hip, char *why)
{
  tuned *t = calloc(1, sizeof *t);
  *out = NULL;
  if (!t)
    return fail(why, TUNED_NO_MEMORY, path, "there is no memory left");
  t->owner = getpid();
  if (hip) {
    t->hip = *hip;
    t->has_hip = 1;
  }
  int code = open_index(t, path, arch, why);
  if (!code) {
    t->loaded = calloc(t->index.head->part[PART_PLANS].n + 1,
                       sizeof *t->loaded);
    t->memo = calloc(MEMO, MEMO_SIZE);
    if (!t->loaded || !t->memo)
      code = fail(why, TUNED_NO_MEMORY, path, "there is no memory left");
  }
  if (code)
    tuned_close(t);
  else
    *out = t;
  return code;
}

unsigned tuned_cus(const tuned *t)
{
  return t->arch->cus;
}

/* A child that was forked leaves its parent's modules alone. */
static void unload(tuned *t)
{
  for (uint64_t i = 0; i < t->index.head->part[PART_PLANS].n; i++) {
    if (t->loaded[i] && t->owner == getpid())
      t->hip.unload(t->loaded[i]->module);
    free(t->loaded[i]);
  }
}

void tuned_close(tuned *t)
{
  if (!t)
    return;
  if (t->loaded)
    unload(t);
  free(t->loaded);
  free(t->memo);
  if (t->index.bytes)
    munmap((void *)(size_t)t->index.bytes, t->size);
  free(t);
}
