/* hipsim_run.c - hipsim-run PROGRAM...: a HIP program on the simulated card.
 *
 * Sets up the environment that libhipsim needs, runs the program, and says on
 * stderr what ran. Its exit status is the program's; as a shell's where there
 * is none: 126 and 127 where it cannot be run or found, 128 and the signal's
 * number where one ended it.
 */
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "runtimes/sim/tool/names.h"
#include "runtimes/sim/tool/ran.h"

enum {USAGE = 2, CANNOT_RUN = 126, NOT_FOUND = 127, SIGNALLED = 128};

static const char help[] =
    "hipsim-run [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Run a HIP program on a simulated card, and say what ran: launches,\n"
    "modelled time by kernel, faults.\n"
    "\n"
    "  --card NAME    mi50 (the default), mi60, radeon-vii, radeon-pro-vii;\n"
    "                 without times mi100, mi210, mi250x, mi300x, mi325x,\n"
    "                 mi355x, mi455x\n"
    "  --clock MHZ    its core clock\n"
    "  --check WORDS  look for mistakes: race, wait, barrier, init,\n"
    "                 bounds, or all; conflicts of LDS banks;\n"
    "                 see docs/checkers.md\n"
    "  --limit N      instructions after which a wave counts as endless\n"
    "  --lds card     LDS addresses that are out of range load 0 and store\n"
    "                 nothing, as on a card; without it they are faults\n"
    "  --threads N    processors that one launch may use\n"
    "  --quiet        do not say what ran\n"
    "  --wide         all kernels, with their names in full\n"
    "  --help         this text\n";

static const struct {
  const char *option, *variable;
} settings[] = {
    {"--card", "HIPSIM_CARD"},   {"--clock", "HIPSIM_CLOCK"},
    {"--limit", "HIPSIM_LIMIT"}, {"--threads", "HIPSIM_THREADS"},
    {"--lds", "HIPSIM_LDS"},     {"--check", "HIPSIM_CHECK"},
};

struct request {
  int quiet, wide;
  char **program;
};

/* --- the command line ----------------------------------------------------- */

static int usage(const char *what, const char *word)
{
  fprintf(stderr, "hipsim-run: %s%s; try hipsim-run --help\n", word, what);
  return USAGE;
}

/* The value of a setting: behind its `=`, or the next word. 0: no setting. */
static int set(char ***word)
{
  for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
    size_t n = strlen(settings[k].option);
    if (strncmp(**word, settings[k].option, n))
      continue;
    if ((**word)[n] == '=')
      return setenv(settings[k].variable, **word + n + 1, 1), 1;
    if (!(**word)[n] && (*word)[1])
      return setenv(settings[k].variable, *++*word, 1), 1;
  }
  return 0;
}

/* -1: go on; else an exit status. */
static int parse(struct request *r, char **word)
{
  for (word++; *word && !strncmp(*word, "--", 2); word++) {
    if (!strcmp(*word, "--help"))
      return fputs(help, stdout), 0;
    if (!strcmp(*word, "--quiet"))
      r->quiet = 1;
    else if (!strcmp(*word, "--wide"))
      r->wide = 1;
    else if (!(*word)[2]) {
      word++;
      break;
    } else if (!set(&word))
      return usage(" is no option, or lacks its value", *word);
  }
  r->program = word;
  return *word ? -1 : usage("which program?", "");
}

/* --- the surroundings ----------------------------------------------------- */

struct surroundings {
  char folder[PATH_MAX], log[PATH_MAX + 8], library[PATH_MAX];
};

/* libhipsim.so beside this program. */
static int find_library(char library[PATH_MAX], struct err *e)
{
  static const char name[] = "/libhipsim.so";
  ssize_t n = readlink("/proc/self/exe", library, PATH_MAX - sizeof name);
  if (n < 0)
    return err_set(e, ERR_FAILED, "/proc/self/exe: %s", strerror(errno));
  library[n] = 0;
  strcpy(strrchr(library, '/'), name);
  return access(library, R_OK)
             ? err_set(e, ERR_FAILED, "%s: %s; it stands beside hipsim-run",
                       library, strerror(errno))
             : 0;
}

/* Put `word` before what the variable holds. */
static void put_before(const char *variable, const char *word)
{
  const char *old = getenv(variable);
  char both[2 * PATH_MAX];
  if (old && *old)
    snprintf(both, sizeof both, "%s:%s", word, old);
  setenv(variable, old && *old ? both : word, 1);
}

/* The path that execvp() would take. */
static const char *search(const char *program, char path[PATH_MAX])
{
  const char *at = getenv("PATH");
  if (strchr(program, '/') || !at)
    return program;
  for (; *at; at += strspn(at, ":")) {
    size_t n = strcspn(at, ":");
    snprintf(path, PATH_MAX, "%.*s/%s", (int)n, at, program);
    if (!access(path, X_OK))
      return path;
    at += n;
  }
  return program;
}

static int prepare(struct surroundings *p, const char *program, struct err *e)
{
  char path[PATH_MAX];
  const char *temporary = getenv("TMPDIR");
  snprintf(p->folder, sizeof p->folder, "%s/hipsim-run-XXXXXX",
           temporary && *temporary ? temporary : "/tmp");
  if (find_library(p->library, e))
    return e->code;
  if (!mkdtemp(p->folder))
    return err_set(e, ERR_FAILED, "%s: %s", p->folder, strerror(errno));
  snprintf(p->log, sizeof p->log, "%s/log", p->folder);
  int links = names_link(search(program, path), p->library, p->folder, e);
  if (links < 0)
    return e->code;
  setenv("HIPSIM_LOG", p->log, 1);
  put_before("LD_PRELOAD", p->library);
  if (links)
    put_before("LD_LIBRARY_PATH", p->folder);
  return 0;
}

static void clean(const struct surroundings *p)
{
  char path[PATH_MAX + 32];
  unlink(p->log);
  for (int n = 5; n <= 7; n++) {
    snprintf(path, sizeof path, "%s/libamdhip64.so.%d", p->folder, n);
    unlink(path);
  }
  rmdir(p->folder);
}

/* --- the program ---------------------------------------------------------- */

static volatile sig_atomic_t running; /* the child that signals go on to */

static void pass_on(int number)
{
  if (running)
    kill((pid_t)running, number);
}

/* What a terminal sends reaches the program by itself. */
static void watch_signals(void)
{
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  struct sigaction pass = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &ignore, NULL);
  sigaction(SIGQUIT, &ignore, NULL);
  sigaction(SIGTERM, &pass, NULL);
  sigaction(SIGHUP, &pass, NULL);
}

static void become(char **program)
{
  execvp(*program, program);
  int missing = errno == ENOENT;
  fprintf(stderr, "hipsim-run: %s: %s\n", *program, strerror(errno));
  _exit(missing ? NOT_FOUND : CANNOT_RUN);
}

static int run(char **program)
{
  int status;
  pid_t child = fork();
  if (child < 0) {
    fprintf(stderr, "hipsim-run: fork: %s\n", strerror(errno));
    return CANNOT_RUN;
  }
  if (!child)
    become(program);
  running = child;
  watch_signals();
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return CANNOT_RUN;
  running = 0;
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  fprintf(stderr, "hipsim-run: %s: %s\n", *program,
          strsignal(WTERMSIG(status)));
  return SIGNALLED + WTERMSIG(status);
}

/* Without a log no call of HIP was made. */
static void tell(const struct request *r, const struct surroundings *p)
{
  struct ran ran;
  FILE *log = fopen(p->log, "r");
  if (!log) {
    fprintf(stderr, "hipsim-run: %s did not use HIP\n", *r->program);
    return;
  }
  ran_read(&ran, log);
  fclose(log);
  const char *card = getenv("HIPSIM_CARD");
  fprintf(stderr, "hipsim-run: on a simulated %s\n", card ? card : "mi50");
  ran_print(&ran, r->wide, stderr);
  ran_free(&ran);
}

int main(int n, char **words)
{
  struct request r = {0};
  struct surroundings p;
  struct err e = {0};
  (void)n;
  int status = parse(&r, words);
  if (status >= 0)
    return status;
  if (prepare(&p, *r.program, &e)) {
    fprintf(stderr, "hipsim-run: %s\n", e.text);
    return CANNOT_RUN;
  }
  fflush(NULL);
  status = run(r.program);
  if (!r.quiet && status != NOT_FOUND && status != CANNOT_RUN)
    tell(&r, &p);
  clean(&p);
  return status;
}
