/* worker.c - see worker.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/clock.h"
#include "tuner/device/message.h"

enum {KILL_LIMIT = 5}; /* seconds for a killed process to end */

struct worker {
  pid_t pid; /* 0: the slot is empty */
  int lost;  /* it had one that does not end */
  int fd;    /* our end of the socket */
  int log;   /* what it writes to stderr, in memory */
  int busy;
  unsigned age; /* requests that it has had */
  uint64_t tag;
  double since, deadline;
  struct str in, out; /* bytes read; bytes still to be written */
};

struct pool {
  size_t n;
  worker_body *body;
  void *user, *const *users;
  double seconds;
  struct worker *workers;
};

void pool_open(struct pool **out, size_t n, worker_body *body, void *user)
{
  struct pool *p = mem_alloc(sizeof *p);
  *p = (struct pool){.n = n, .body = body, .user = user,
                     .workers = mem_array(n, sizeof *p->workers)};
  *out = p;
}

void pool_users(struct pool *p, void *const *users)
{
  p->users = users;
}

/* --- a worker's life ----------------------------------------------------- */

/* The child's side of fork: it must die with its parent, leave to it what a
 * terminal, timeout(1) or a service manager sends to the whole group, and keep
 * what libraries print away from our output. */
static _Noreturn void child(const struct pool *p, size_t slot, int fd,
                            int log, pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) /* it died before the line above */
    _exit(1);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  if (log >= 0)
    dup2(log, STDERR_FILENO);
  p->body(fd, p->users ? p->users[slot] : p->user);
  _exit(0);
}

static int start(struct pool *p, struct worker *w, struct err *e)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return err_set(e, ERR_FAILED, "cannot start a worker: %s",
                   strerror(errno));
  int log = memfd_create("worker", MFD_CLOEXEC);
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child(p, (size_t)(w - p->workers), ends[1], log, parent);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    if (log >= 0)
      close(log);
    return err_set(e, ERR_FAILED, "cannot start a worker: %s; use fewer "
                   "--jobs", strerror(errno));
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *w = (struct worker){.pid = pid, .fd = ends[0], .log = log};
  return 0;
}

/* Wait for a killed process; -1 where it does not end, else its status. */
static int await(pid_t pid)
{
  int status = 0;
  double until = clock_now() + KILL_LIMIT;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (clock_now() >= until)
      return -1;
    usleep(500);
  }
  return status;
}

/* Empty the slot; returns as await() does. */
static int reap(struct worker *w)
{
  kill(w->pid, SIGKILL);
  int status = await(w->pid);
  close(w->fd);
  if (w->log >= 0)
    close(w->log);
  str_free(&w->in);
  str_free(&w->out);
  *w = (struct worker){.lost = status < 0};
  return status;
}

/* All are killed before the first is waited for. */
void pool_close(struct pool *p)
{
  if (!p)
    return;
  for (size_t i = 0; i < p->n; i++)
    if (p->workers[i].pid)
      kill(p->workers[i].pid, SIGKILL);
  for (size_t i = 0; i < p->n; i++)
    if (p->workers[i].pid)
      reap(&p->workers[i]);
  free(p->workers);
  free(p);
}

/* The last line that the worker wrote to stderr, for the one who asks why. */
static void last_words(const struct worker *w, char *out, size_t room)
{
  char tail[200];
  out[0] = 0;
  off_t size = w->log >= 0 ? lseek(w->log, 0, SEEK_END) : 0;
  off_t from = size > (off_t)sizeof tail - 1 ? size - (off_t)sizeof tail + 1
                                             : 0;
  ssize_t n = size > 0 ? pread(w->log, tail, sizeof tail - 1, from) : 0;
  while (n > 0 && (tail[n - 1] == '\n' || tail[n - 1] == ' '))
    n--;
  if (n <= 0)
    return;
  tail[n] = 0;
  const char *line = strrchr(tail, '\n');
  snprintf(out, room, ": %s", line ? line + 1 : tail);
}

static void how_it_ended(int status, char *out, size_t room)
{
  if (status < 0)
    snprintf(out, room, "the worker does not end though it was killed");
  else if (WIFSIGNALED(status))
    snprintf(out, room, "the worker was killed by signal %d (%s)",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    snprintf(out, room, "the worker ended with status %d",
             WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* --- requests and events ------------------------------------------------- */

int pool_idle(const struct pool *p)
{
  for (size_t i = 0; i < p->n; i++)
    if (pool_free(p, (int)i))
      return (int)i;
  return -1;
}

int pool_free(const struct pool *p, int slot)
{
  return !p->workers[slot].busy && !p->workers[slot].lost;
}

int pool_lost(const struct pool *p, int slot)
{
  return p->workers[slot].lost;
}

size_t pool_left(const struct pool *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++)
    n += !p->workers[i].lost;
  return n;
}

unsigned pool_age(const struct pool *p, int slot)
{
  return p->workers[slot].age;
}

size_t pool_busy(const struct pool *p)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++)
    n += p->workers[i].busy != 0;
  return n;
}

double pool_seconds(const struct pool *p)
{
  return p->seconds;
}

/* Write what the socket takes; a dead reader shows up as an end of file. */
static void flush_out(struct worker *w)
{
  while (w->out.len > 0) {
    ssize_t n = send(w->fd, w->out.at, w->out.len, MSG_NOSIGNAL);
    if (n <= 0)
      return;
    memmove(w->out.at, w->out.at + n, w->out.len - (size_t)n);
    w->out.len -= (size_t)n;
  }
}

int pool_send(struct pool *p, int slot, uint64_t tag,
              const struct str *request, double seconds, struct err *e)
{
  struct worker *w = &p->workers[slot];
  if (!w->pid && start(p, w, e))
    return e->code;
  w->busy = 1;
  w->age++;
  w->tag = tag;
  w->since = clock_now();
  w->deadline = w->since + seconds;
  frame_add(&w->out, request);
  flush_out(w);
  return 0;
}

void pool_retire(struct pool *p, int slot)
{
  if (p->workers[slot].pid && !p->workers[slot].busy)
    reap(&p->workers[slot]);
}

void pool_drop(struct pool *p)
{
  for (size_t i = 0; i < p->n; i++)
    if (p->workers[i].busy)
      reap(&p->workers[i]);
}

static void settle(struct pool *p, struct worker *w, enum event_kind kind,
                   struct event *out)
{
  out->kind = kind;
  out->pool = p;
  out->slot = (int)(w - p->workers);
  out->tag = w->tag;
  out->age = w->age;
  out->seconds = clock_now() - w->since;
  p->seconds += out->seconds;
  w->busy = 0;
}

/* An end of file comes before the end of the process: give it the time to say
 * how it ends, before reap() kills it. 1 where it has ended. */
static int await_end(const struct worker *w)
{
  for (int i = 0; i < 100; i++) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
      return 0;
    if (info.si_pid == w->pid)
      return 1;
    usleep(2000);
  }
  return 0;
}

/* Signals that no code sends to itself by mistake: kill -9 and the kernel when
 * memory is short send the first, limits on the processor's time the other. */
static int from_outside(int status)
{
  return status >= 0 && WIFSIGNALED(status) &&
         (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU);
}

/* The worker is of no more use. One that dies idle costs nothing. Without
 * `why`, it ended by itself. */
static void lose(struct pool *p, struct worker *w, enum event_kind kind,
                 const char *why, struct event *out)
{
  char words[220], ended[100];
  last_words(w, words, sizeof words);
  int busy = w->busy;
  if (busy)
    settle(p, w, kind, out);
  int itself = !why && await_end(w);
  int status = reap(w), outside = itself && from_outside(status);
  how_it_ended(status, ended, sizeof ended);
  snprintf(out->why, sizeof out->why, "%s%s%s", why ? why : ended,
           outside ? ", from outside or for want of memory" : "", words);
  if (busy && outside)
    out->kind = EVENT_KILLED;
}

/* Read what is there: 1 a whole reply, 0 not yet, -1 the end, -2 rubbish. */
static int read_in(struct worker *w, struct str *reply)
{
  char part[65536];
  for (;;) {
    int got = frame_take(&w->in, reply);
    if (got != 0)
      return got > 0 ? 1 : -2;
    ssize_t n = read(w->fd, part, sizeof part);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
      return 0;
    if (n <= 0)
      return -1;
    str_add_bytes(&w->in, part, (size_t)n);
  }
}

/* An empty message: it has waited for something until now. */
static void begin_again(struct worker *w)
{
  double seconds = w->deadline - w->since;
  w->since = clock_now();
  w->deadline = w->since + seconds;
}

/* Look after one worker; 1 if that made an event. */
static int tend(struct pool *p, struct worker *w, struct event *out)
{
  flush_out(w);
  int got;
  while ((got = read_in(w, &out->reply)) == 1 && w->busy && !out->reply.len)
    begin_again(w);
  if (got == 1 && w->busy) {
    settle(p, w, EVENT_REPLY, out);
    return 1;
  }
  int busy = w->busy;
  char late[64];
  snprintf(late, sizeof late, "no answer within %.3g s",
           w->deadline - w->since);
  if (got == -1)
    lose(p, w, EVENT_CRASH, NULL, out);
  else if (got != 0) /* an answer that nobody asked for is rubbish too */
    lose(p, w, EVENT_CRASH, "the worker answered rubbish", out);
  else if (busy && clock_now() >= w->deadline)
    lose(p, w, EVENT_TIMEOUT, late, out);
  else
    return 0;
  return busy;
}

struct watch {
  struct pollfd *fds;
  size_t n;
  double until;
};

static void watch_pool(const struct pool *p, struct watch *watch)
{
  for (size_t i = 0; i < p->n; i++) {
    const struct worker *w = &p->workers[i];
    if (!w->pid)
      continue;
    short events = w->out.len > 0 ? POLLIN | POLLOUT : POLLIN;
    watch->fds[watch->n++] = (struct pollfd){w->fd, events, 0};
    if (w->busy && w->deadline < watch->until)
      watch->until = w->deadline;
  }
}

static int tend_all(struct pool *const *pools, size_t n, struct event *out)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < pools[i]->n; j++)
      if (pools[i]->workers[j].pid &&
          tend(pools[i], &pools[i]->workers[j], out))
        return 1;
  return 0;
}

void pool_wait(struct pool *const *pools, size_t n, int extra,
               double seconds, struct event *out)
{
  double end = clock_now() + seconds;
  size_t slots = 1;
  for (size_t i = 0; i < n; i++)
    slots += pools[i]->n;
  struct watch watch = {.fds = mem_array(slots, sizeof *watch.fds)};
  out->kind = EVENT_NONE;
  while (!tend_all(pools, n, out)) {
    watch.fds[0] = (struct pollfd){extra, POLLIN, 0};
    watch.n = 1;
    watch.until = end;
    for (size_t i = 0; i < n; i++)
      watch_pool(pools[i], &watch);
    double left = watch.until - clock_now();
    poll(watch.fds, watch.n, left > 0 ? (int)(left * 1000) + 1 : 0);
    if (extra >= 0 && watch.fds[0].revents) {
      out->kind = EVENT_SIGNAL;
      break;
    }
    if (clock_now() >= end && !tend_all(pools, n, out))
      break;
    if (out->kind != EVENT_NONE)
      break;
  }
  free(watch.fds);
}

void worker_waits(int fd)
{
  static const struct str nothing;
  message_write(fd, &nothing);
}

void event_free(struct event *e)
{
  str_free(&e->reply);
}

static int ask(worker_body *body, void *user, const struct str *request,
               double seconds, struct str *reply, int *killed, struct err *e)
{
  struct pool *p;
  struct event event = {0};
  pool_open(&p, 1, body, user);
  int code = pool_send(p, 0, 0, request, seconds, e);
  if (!code) {
    do
      pool_wait(&p, 1, -1, seconds + 1, &event);
    while (event.kind == EVENT_NONE);
    if (event.kind == EVENT_REPLY) {
      str_clear(reply);
      str_add_bytes(reply, event.reply.at, event.reply.len);
    } else {
      code = err_set(e, ERR_FAILED, "%s", event.why);
    }
  }
  *killed = event.kind == EVENT_KILLED;
  event_free(&event);
  pool_close(p);
  return code;
}

int worker_ask(worker_body *body, void *user, const struct str *request,
               double seconds, struct str *reply, struct err *e)
{
  double until = clock_now() + seconds;
  int killed = 1, code = 0;
  struct err why;
  for (int i = 0; i < WORKER_TRIES && killed; i++) {
    why = (struct err){0};
    code = ask(body, user, request, until - clock_now(), reply, &killed, &why);
  }
  return code ? err_set(e, code, "%s", why.text) : 0;
}
