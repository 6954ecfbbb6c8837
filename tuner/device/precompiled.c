/* precompiled.c - see precompiled.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/precompiled.h"

#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

enum {MAKE_LIMIT = 60}; /* seconds */

void precompiled_open(struct precompiled *p, const struct arch *a, const char *cache,
                      const char *compiler)
{
  struct str all = {0};
  char key[HASH_TEXT];
  *p = (struct precompiled){.arch = a};
  str_addf(&all, "%s\n", compiler);
  compiler_options(a, &all);
  hash_hex(all.at, all.len, key);
  str_add(&p->folder, "");
  if (*cache)
    str_addf(&p->folder, "%s/headers/%s", cache, key);
  str_free(&all);
}

void precompiled_close(struct precompiled *p)
{
  str_free(&p->folder);
}

void precompiled_path(const struct precompiled *p, struct str *out)
{
  str_addf(out, "%s/hiprtc_runtime.h.pch", p->folder.at);
}

/* --- making it ------------------------------------------------------------ */

struct order {
  const struct arch *arch;
  const char *folder; /* for temporary files, which are kept */
};

/* In a process of its own, as comgr reads the environment once, when it first
 * compiles. */
static void make(int fd, void *user)
{
  const struct order *o = user;
  struct str request = {0};
  struct rtc rtc;
  struct err e;
  if (message_read(fd, &request) && !setenv("TMPDIR", o->folder, 1) &&
      !setenv("AMD_COMGR_SAVE_TEMPS", "1", 1) && !compiler_open(&rtc, o->arch, &e))
    compiler_precompile(&rtc, o->arch);
  message_write(fd, &request); /* it is done, however it went */
  str_free(&request);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
  (void)st;
  (void)type;
  (void)ftw;
  return remove(path);
}

static void remove_all(const char *folder)
{
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void hash_path(const struct precompiled *p, struct str *out)
{
  str_addf(out, "%s/hash", p->folder.at);
}

static int hash_of(const char *path, char hash[HASH_TEXT])
{
  enum {MOST = 256 << 20};
  struct str all = {0};
  int found = !file_read(path, MOST, &all, NULL) && all.len;
  if (found)
    hash_hex(all.at, all.len, hash);
  str_free(&all);
  return found;
}

/* What clang wrote becomes the file, behind a hash of it. The header that it read stays
 * where it is: clang looks whether it is still the same. */
static int take(const struct precompiled *p, const char *made)
{
  struct str pattern = {0}, path = {0}, beside = {0};
  char hash[HASH_TEXT];
  glob_t found = {0};
  str_addf(&pattern, "%s/comgr-*/output/CompileSource.bc", made);
  precompiled_path(p, &path);
  hash_path(p, &beside);
  int taken = !glob(pattern.at, 0, NULL, &found) && found.gl_pathc == 1 &&
              hash_of(found.gl_pathv[0], hash) &&
              !file_replace(beside.at, hash, HASH_TEXT - 1, NULL) &&
              !rename(found.gl_pathv[0], path.at);
  globfree(&found);
  str_free(&pattern);
  str_free(&path);
  str_free(&beside);
  return taken;
}

/* Is the file as it was made? Clang may crash on one that is not. */
static int is_sound(const struct precompiled *p)
{
  struct str path = {0}, beside = {0}, said = {0};
  char hash[HASH_TEXT];
  precompiled_path(p, &path);
  hash_path(p, &beside);
  int sound = hash_of(path.at, hash) &&
              !file_read(beside.at, HASH_TEXT, &said, NULL) &&
              !strcmp(str_text(&said), hash);
  str_free(&path);
  str_free(&beside);
  str_free(&said);
  return sound;
}

/* Several processes may do this at once: each has a folder of its own, and the last one's
 * file stays. */
static void order(struct precompiled *p)
{
  struct str made = {0}, request = {0}, reply = {0};
  struct err e;
  p->tried = 1;
  str_addf(&made, "%s/%ld", p->folder.at, (long)getpid());
  pack_bytes(&request, "", 0);
  struct order o = {p->arch, made.at};
  if (file_mkdirs(made.at, NULL) ||
      worker_ask(make, &o, &request, MAKE_LIMIT, &reply, &e) || !take(p, made.at))
    remove_all(made.at);
  str_free(&made);
  str_free(&request);
  str_free(&reply);
}

/* --- using it ------------------------------------------------------------- */

/* Into the folder with the file; a descriptor of where this process was, or -1. */
static int enter(struct precompiled *p)
{
  int back = -1;
  if (!p->sound)
    p->sound = is_sound(p);
  if (p->sound)
    back = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (back >= 0 && chdir(p->folder.at)) {
    close(back);
    back = -1;
  }
  return back;
}

static void leave(int back)
{
  if (fchdir(back))
    _exit(1); /* this worker has lost its way: paths may be relative */
  close(back);
}

/* It was no good: another process makes it anew. */
static void drop(struct precompiled *p)
{
  struct str path = {0};
  p->sound = 0;
  precompiled_path(p, &path);
  unlink(path.at);
  str_free(&path);
}

/* enter(), where there is what to enter or it can be made. */
static int prepare(struct precompiled *p, const struct rtc *r)
{
  if (!p->folder.len || !compiler_precompiles(r))
    return -1;
  int back = enter(p);
  if (back >= 0 || p->tried)
    return back;
  order(p);
  return enter(p);
}

int precompiled_run(struct precompiled *p, const struct rtc *r, const char *file,
                    const char *text, struct str *code, struct str *log, struct err *e)
{
  int back = prepare(p, r), rc;
  p->tried = 1;
  if (back < 0)
    return compiler_run(r, p->arch, file, text, code, log, e);
  rc = compiler_run(r, p->arch, file, text, code, log, e);
  leave(back);
  if (!rc)
    return 0;
  str_clear(code);
  str_clear(log);
  rc = compiler_run(r, p->arch, file, text, code, log, e);
  if (!rc)
    drop(p);
  return rc;
}
