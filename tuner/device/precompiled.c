/* precompiled.c - see precompiled.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/precompiled.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

/* Seconds: for clang to make the file, or to compile with it; and for which nobody tries
 * where somebody did and may have hung, or crashed. */
enum {MAKE_LIMIT = 10, REST = 24 * 60 * 60};

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
  const char *folder; /* for temporary files, which are kept; that with the file */
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

/* Does clang compile with it? */
static void use(int fd, void *user)
{
  static const char text[] = "extern \"C\" __global__ void k() {}\n";
  const struct order *o = user;
  struct str request = {0}, code = {0}, log = {0};
  struct rtc rtc;
  struct err e;
  if (message_read(fd, &request) && !chdir(o->folder) &&
      !compiler_open(&rtc, o->arch, &e) &&
      !compiler_run(&rtc, o->arch, "x.hip", text, &code, &log, &e))
    message_write(fd, &request);
  str_free(&request);
  str_free(&code);
  str_free(&log);
}

static int ask(worker_body *body, struct order *o)
{
  struct str request = {0}, reply = {0};
  struct err e;
  pack_bytes(&request, "", 0);
  int code = worker_ask(body, o, &request, MAKE_LIMIT, &reply, &e);
  str_free(&request);
  str_free(&reply);
  return code;
}

static void drop(struct precompiled *p)
{
  struct str path = {0};
  precompiled_path(p, &path);
  p->sound = 0;
  unlink(path.at);
  str_free(&path);
}

/* Make the file in a new folder. */
static void order(struct precompiled *p)
{
  struct str made = {0};
  str_addf(&made, "%s/XXXXXX", p->folder.at);
  struct order with = {p->arch, p->folder.at};
  if (mkdtemp(made.at)) {
    struct order o = {p->arch, made.at};
    if (ask(make, &o) || !take(p, made.at))
      file_remove_all(made.at);
    else if (ask(use, &with))
      drop(p);
  }
  str_free(&made);
}

/* One process at a time does, which leaves a mark until it has the file: what hangs or
 * crashes there does so once a day, and not with every candidate. */
static void order_once(struct precompiled *p)
{
  struct str mark = {0};
  struct stat st;
  p->tried = 1;
  str_addf(&mark, "%s/under-way", p->folder.at);
  if (!file_mkdirs(p->folder.at, NULL)) {
    if (!stat(mark.at, &st) && time(NULL) - st.st_mtime > REST)
      unlink(mark.at);
    int fd = open(mark.at, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) {
      close(fd);
      order(p);
      if (is_sound(p))
        unlink(mark.at);
    }
  }
  str_free(&mark);
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

/* enter(), where there is what to enter or it can be made. */
static int prepare(struct precompiled *p, const struct rtc *r)
{
  if (!p->folder.len || !compiler_precompiles(r))
    return -1;
  int back = enter(p);
  if (back >= 0 || p->tried)
    return back;
  order_once(p);
  return enter(p);
}

int precompiled_run(struct precompiled *p, const struct rtc *r, const char *file,
                    const char *text, struct str *code, struct str *log, struct err *e)
{
  int back = prepare(p, r), rc;
  p->tried = 1;
  rc = compiler_run(r, p->arch, file, text, code, log, e);
  if (back < 0)
    return rc;
  leave(back);
  if (!rc)
    return 0;
  str_clear(code);
  str_clear(log);
  rc = compiler_run(r, p->arch, file, text, code, log, e);
  if (!rc)
    drop(p); /* it was no good: another process makes it anew */
  return rc;
}
