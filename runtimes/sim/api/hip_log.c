/* hip_log.c - HIPSIM_LOG=FILE: what ran, a line each, for hipsim-run.
 *
 *   kernel PID N NAME        the process calls this kernel N from now on
 *   launch PID N MICROSECONDS
 *   fault PID TEXT           a kernel failed
 *   refused PID TEXT         a call is not supported
 *
 * A line is one write to the end of the file: several processes share it, and
 * one that is killed leaves what it wrote.
 */
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "runtimes/sim/api/hip.h"

void hip_log_open(struct runtime *r)
{
  const char *path = getenv("HIPSIM_LOG");
  r->log = -1;
  if (!path)
    return;
  r->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (r->log < 0)
    fprintf(stderr, "libhipsim: HIPSIM_LOG=%s cannot be written\n", path);
}

/* Where the disk is full the log ends: the program has nothing to do with
 * it. */
static void put(struct runtime *r, const struct str *line)
{
  if (write(r->log, line->at, line->len) == (ssize_t)line->len)
    return;
  close(r->log);
  r->log = -1;
}

static void put_text(struct runtime *r, const char *word, const char *text)
{
  struct str line = {0};
  str_addf(&line, "%s %ld %.*s\n", word, (long)getpid(),
           (int)strcspn(text, "\n"), text);
  put(r, &line);
  str_free(&line);
}

/* The numbers of a process that forked are not its child's. */
static void name(struct runtime *r, hipFunction_t f)
{
  if (r->log_pid != getpid()) {
    r->log_pid = getpid();
    r->log_names = 0;
    for (struct ihipModule_t *m = r->modules; m; m = m->next)
      for (struct ihipModuleSymbol_t *p = m->functions; p; p = p->next)
        p->log = 0;
  }
  if (f->log)
    return;
  struct str line = {0};
  f->log = ++r->log_names;
  str_addf(&line, "kernel %ld %u %s\n", (long)getpid(), f->log,
           f->kernel->name);
  put(r, &line);
  str_free(&line);
}

void hip_log_launch(struct runtime *r, hipFunction_t f, double us)
{
  if (r->log < 0)
    return;
  name(r, f);
  char text[64];
  snprintf(text, sizeof text, "%u %.3f", f->log, us);
  put_text(r, "launch", text);
}

void hip_log_fault(struct runtime *r, const char *text)
{
  if (r->log >= 0)
    put_text(r, "fault", text);
}

void hip_log_refused(struct runtime *r, const char *text)
{
  if (r->log >= 0)
    put_text(r, "refused", text);
}
