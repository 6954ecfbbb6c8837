/* turn.c - see turn.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/turn.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

/* Bytes of the file, each a lock. */
enum {BUSY /* who has the turn */, WAITS /* somebody that waits */};

#define LOOK 0.002   /* seconds between two looks at a lock */
#define BEAT 1.0     /* between two calls of alive() */
#define POLITE 0.02  /* for one who waits to begin */
#define PATIENCE 600 /* more than any request may take: --timeout */

/* The folder is anybody's, and so must the file be: where another user made it,
 * it must not be opened as if it were new (fs.protected_regular). */
static int open_in(const char *folder, const char *device)
{
  char path[80];
  snprintf(path, sizeof path, "%s/tune-%s.lock", folder, device);
  int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file >= 0)
    return file;
  file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file < 0) /* somebody may just have made it */
    return open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  fchmod(file, 0666); /* whatever the umask */
  return file;
}

struct turn turn_open(const struct device *d)
{
  struct turn t = {-1};
  if (d->modelled || !d->bus_id[0])
    return t;
  t.file = open_in("/run/lock", d->bus_id);
  if (t.file < 0)
    t.file = open_in("/tmp", d->bus_id);
  return t;
}

void turn_close(struct turn *t)
{
  if (t->file >= 0)
    close(t->file);
  t->file = -1;
}

static int set(const struct turn *t, int byte, short type)
{
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte,
                       .l_len = 1};
  return fcntl(t->file, F_SETLK, &lock);
}

/* The other process that has it; 0: none. */
static pid_t owner(const struct turn *t, int byte)
{
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET,
                       .l_start = byte, .l_len = 1};
  if (fcntl(t->file, F_GETLK, &lock) || lock.l_type == F_UNLCK)
    return 0;
  return lock.l_pid;
}

static void rest(void)
{
  usleep((useconds_t)(1e6 * LOOK));
}

static int wait_for(struct turn *t, void (*alive)(void *user), void *user,
                    struct err *e)
{
  double end = clock_now() + PATIENCE, beat = clock_now() + BEAT;
  set(t, WAITS, F_WRLCK); /* or another has it, who waits, too */
  while (set(t, BUSY, F_WRLCK)) {
    if (clock_now() >= end)
      return err_set(e, ERR_FAILED, "process %ld has had this device for %d s; "
                     "end it, or take another device (--device)",
                     (long)owner(t, BUSY), PATIENCE);
    if (clock_now() >= beat) {
      alive(user);
      beat = clock_now() + BEAT;
    }
    rest();
  }
  alive(user);
  return 0;
}

int turn_take(struct turn *t, void (*alive)(void *user), void *user,
              struct err *e)
{
  if (t->file < 0 || !set(t, BUSY, F_WRLCK))
    return 0;
  int code = wait_for(t, alive, user, e);
  set(t, WAITS, F_UNLCK);
  return code;
}

void turn_give(struct turn *t)
{
  if (t->file < 0)
    return;
  set(t, BUSY, F_UNLCK);
  double end = clock_now() + POLITE;
  while (owner(t, WAITS) && !owner(t, BUSY) && clock_now() < end)
    rest();
}
