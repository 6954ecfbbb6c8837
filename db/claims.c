/* claims.c - see claims.h. */
// SPDX-License-Identifier: MIT
#include "db/claims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

struct claims {
  int fd;
};

int claims_open(struct claims **out, const char *path, struct err *e)
{
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  *out = NULL;
  if (fd < 0)
    return err_set(e, ERR_FAILED,
                   "%s: cannot open for writing: %s; "
                   "choose a folder that you may write to with --db",
                   path, strerror(errno));
  *out = mem_alloc(sizeof **out);
  (*out)->fd = fd;
  return 0;
}

void claims_close(struct claims *c)
{
  if (!c)
    return;
  close(c->fd);
  free(c);
}

/* A byte of the file for each 4 values: the last is at 2^62. */
static int set(const struct claims *c, uint64_t what, short type)
{
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET,
                       .l_start = (off_t)(what >> 2), .l_len = 1};
  int result;
  do
    result = fcntl(c->fd, F_SETLK, &lock);
  while (result && errno == EINTR);
  return result;
}

int claims_take(struct claims *c, uint64_t what)
{
  return !set(c, what, F_WRLCK) || (errno != EACCES && errno != EAGAIN);
}

void claims_drop(struct claims *c, uint64_t what)
{
  set(c, what, F_UNLCK);
}
