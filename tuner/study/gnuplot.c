/* gnuplot.c - see gnuplot.h. */
// SPDX-License-Identifier: MIT
#include "tuner/study/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

enum {
  NOT_FOUND = 127,     /* as a shell says it */
  LARGEST = 32 << 20,  /* bytes of a picture */
};

/* --- in the child -------------------------------------------------------- */

/* Its three streams, in memory. */
struct streams {
  int script, picture, words;
};

static _Noreturn void become_gnuplot(const struct streams *s)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(s->script, STDIN_FILENO);
  dup2(s->picture, STDOUT_FILENO);
  dup2(s->words, STDERR_FILENO);
  execlp("gnuplot", "gnuplot", "--default-settings", "-", (char *)NULL);
  _exit(NOT_FOUND);
}

/* Its exit status, or -1. */
static int run(const struct streams *s)
{
  int status;
  pid_t pid = fork();
  if (pid == 0)
    become_gnuplot(s);
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

static void read_back(int fd, struct str *out)
{
  char part[65536];
  ssize_t n;
  lseek(fd, 0, SEEK_SET);
  while ((n = read(fd, part, sizeof part)) > 0 && out->len < LARGEST)
    str_add_bytes(out, part, (size_t)n);
}

static int open_streams(struct streams *s, const struct str *script)
{
  *s = (struct streams){ memfd_create("script", MFD_CLOEXEC),
                         memfd_create("picture", MFD_CLOEXEC),
                         memfd_create("words", MFD_CLOEXEC) };
  return s->script >= 0 && s->picture >= 0 && s->words >= 0 &&
         write(s->script, str_text(script), script->len) ==
             (ssize_t)script->len &&
         lseek(s->script, 0, SEEK_SET) == 0;
}

/* A worker body: the request is the script; the reply is gnuplot's status,
 * what it drew and what it said. */
static void body(int fd, void *user)
{
  (void)user;
  struct str script = {0}, reply = {0}, picture = {0}, words = {0};
  struct streams s;
  if (!message_read(fd, &script))
    return;
  int status = open_streams(&s, &script) ? run(&s) : -1;
  read_back(s.picture, &picture);
  read_back(s.words, &words);
  pack_u64(&reply, (uint64_t)status);
  pack_bytes(&reply, str_text(&picture), picture.len);
  pack_bytes(&reply, str_text(&words), words.len);
  message_write(fd, &reply);
}

/* --- in the program ------------------------------------------------------ */

static int missing(struct err *e)
{
  return err_set(e, ERR_FAILED, "gnuplot is not installed, and draws the "
                 "pictures; install the package gnuplot-nox");
}

int gnuplot_find(struct err *e)
{
  const char *path = getenv("PATH");
  struct str file = {0};
  int found = 0;
  for (const char *at = path ? path : ""; *at && !found;) {
    size_t n = strcspn(at, ":");
    str_clear(&file);
    str_addf(&file, "%.*s/gnuplot", (int)n, at);
    found = !access(file.at, X_OK);
    at += n + (at[n] == ':');
  }
  str_free(&file);
  return found ? 0 : missing(e);
}

/* The first line of gnuplot's words that says what is wrong; it shows the
 * line of the script and a caret first. */
static void find_words(const void *words, size_t n, struct str *out)
{
  const char *at = words, *end = at + n;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((stop ? stop : end) - at);
    if (memmem(at, length, "line ", 5) && memchr(at, ':', length)) {
      str_add_bytes(out, at, length < 200 ? length : 200);
      return;
    }
    at += length + 1;
  }
  str_add(out, "it did not say why");
}

static int take(const struct str *reply, const char *path, struct err *e)
{
  struct unpack r = unpack_from(reply);
  size_t npicture, nwords;
  uint64_t status = unpack_u64(&r);
  const void *picture = unpack_bytes(&r, &npicture);
  const void *words = unpack_bytes(&r, &nwords);
  if (status == NOT_FOUND)
    return missing(e);
  if (!r.bad && !status && npicture)
    return file_replace(path, picture, npicture, e);
  struct str why = {0};
  find_words(words, r.bad ? 0 : nwords, &why);
  err_set(e, ERR_FAILED, "%s: gnuplot drew nothing: %s", path, why.at);
  str_free(&why);
  return ERR_FAILED;
}

int gnuplot_draw(const char *script, const char *path, double seconds,
                 struct err *e)
{
  struct str request = {0}, reply = {0};
  str_add(&request, script);
  int failed = worker_ask(body, NULL, &request, seconds, &reply, e);
  if (failed)
    err_prefix(e, "%s: gnuplot: ", path);
  else
    failed = take(&reply, path, e);
  str_free(&request);
  str_free(&reply);
  return failed;
}

void gnuplot_quote(struct str *script, const char *text)
{
  str_add(script, "'");
  for (; *text; text++)
    if (*text == '\'')
      str_add(script, "''");
    else if (*text != '\n')
      str_add_bytes(script, text, 1);
  str_add(script, "'");
}
