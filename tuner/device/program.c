/* program.c - see program.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/program.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

/* --- in the child -------------------------------------------------------- */

/* Its three streams, in memory. */
struct streams {
  int in, out, words;
};

static _Noreturn void become(const char *const *argv, const struct streams *s)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(s->in, STDIN_FILENO);
  dup2(s->out, STDOUT_FILENO);
  dup2(s->words, STDERR_FILENO);
  execvp(argv[0], (char *const *)argv);
  _exit(PROGRAM_MISSING);
}

/* Its exit status, or -1. */
static int run(const char *const *argv, const struct streams *s)
{
  int status;
  pid_t pid = fork();
  if (pid == 0)
    become(argv, s);
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

static void read_back(int fd, struct str *out)
{
  char part[65536];
  ssize_t n;
  lseek(fd, 0, SEEK_SET);
  while ((n = read(fd, part, sizeof part)) > 0 && out->len < PROGRAM_LARGEST)
    str_add_bytes(out, part, (size_t)n);
}

static int open_streams(struct streams *s, const struct str *input)
{
  *s = (struct streams){memfd_create("in", MFD_CLOEXEC),
                        memfd_create("out", MFD_CLOEXEC),
                        memfd_create("words", MFD_CLOEXEC)};
  return s->in >= 0 && s->out >= 0 && s->words >= 0 &&
         !file_write(s->in, str_text(input), input->len) &&
         lseek(s->in, 0, SEEK_SET) == 0;
}

/* A worker body: the request is the input; the reply is the status and what the
 * program said. */
static void body(int fd, void *user)
{
  struct str input = {0}, reply = {0}, out = {0}, words = {0};
  struct streams s;
  if (!message_read(fd, &input))
    return;
  int status = open_streams(&s, &input) ? run(user, &s) : -1;
  read_back(s.out, &out);
  read_back(s.words, &words);
  pack_u64(&reply, (uint64_t)status);
  pack_bytes(&reply, str_text(&out), out.len);
  pack_bytes(&reply, str_text(&words), words.len);
  message_write(fd, &reply);
}

/* --- in the program ------------------------------------------------------ */

static void take(struct unpack *r, struct str *out)
{
  size_t n;
  const void *bytes = unpack_bytes(r, &n);
  str_add_bytes(out, bytes ? bytes : "", n);
  str_add(out, "");
}

int program_run(const char *const *argv, const struct str *input,
                double seconds, struct program_said *said, struct err *e)
{
  static const struct str nothing;
  struct str reply = {0};
  *said = (struct program_said){.status = -1};
  if (worker_ask(body, (void *)argv, input ? input : &nothing, seconds, &reply,
                 e))
    return err_prefix(e, "%s: ", argv[0]);
  struct unpack r = unpack_from(&reply);
  said->status = (int)unpack_u64(&r);
  take(&r, &said->out);
  take(&r, &said->words);
  str_free(&reply);
  return 0;
}

void program_free(struct program_said *said)
{
  str_free(&said->out);
  str_free(&said->words);
}
