/* file.c - see file.h. */
// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_ordinary(int fd, const char *path, struct err *e)
{
  struct stat is;
  if (fstat(fd, &is))
    return err_set(e, ERR_FAILED, "%s: %s", path, strerror(errno));
  if (S_ISREG(is.st_mode))
    return 0;
  return err_set(e, ERR_FAILED, "%s: is %s, and must be an ordinary file",
                 path, S_ISDIR(is.st_mode) ? "a folder" : "a pipe or device");
}

int file_open(const char *path, struct err *e)
{
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    int why = errno;
    err_set(e, ERR_FAILED, "%s: cannot read: %s", path, strerror(why));
    errno = why;
  } else if (file_ordinary(fd, path, e)) {
    close(fd);
    errno = EINVAL;
    fd = -1;
  }
  return fd;
}

int file_read(const char *path, size_t max, struct str *out, struct err *e)
{
  int fd = file_open(path, e);
  if (fd < 0)
    return ERR_FAILED;
  size_t start = out->len;
  char block[65536];
  ssize_t n;
  while ((n = read(fd, block, sizeof block)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      break;
    if (out->len - start + (size_t)n > max) {
      close(fd);
      return err_set(e, ERR_FAILED, "%s: larger than %zu bytes", path, max);
    }
    str_add_bytes(out, block, (size_t)n);
  }
  int failed = n < 0 ? errno : 0;
  close(fd);
  if (failed)
    return err_set(e, ERR_FAILED, "%s: %s", path, strerror(failed));
  return 0;
}

int file_write(int fd, const void *bytes, size_t n)
{
  const char *at = bytes;
  while (n) {
    ssize_t done = write(fd, at, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return -1;
    at += done;
    n -= (size_t)done;
  }
  return 0;
}

static int flush_folder(const char *path)
{
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[slash == folder] = 0;
  int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  int result = fsync(fd);
  if (result && errno == EINVAL) /* this file system cannot, and need not */
    result = 0;
  close(fd);
  return result;
}

int file_flush_folder(const char *path, struct err *e)
{
  if (!flush_folder(path))
    return 0;
  return err_set(e, ERR_FAILED, "%s: cannot flush its folder: %s", path,
                 strerror(errno));
}

int file_replace(const char *path, const void *bytes, size_t n, struct err *e)
{
  char temporary[PATH_MAX];
  if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >=
      (int)sizeof temporary)
    return err_set(e, ERR_FAILED, "%s: path too long", path);
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0)
    return err_set(e, ERR_FAILED, "%s: cannot write beside it: %s", path,
                   strerror(errno));
  if (file_write(fd, bytes, n) || fchmod(fd, 0644) || fsync(fd))
    goto failed;
  if (close(fd)) {
    fd = -1;
    goto failed;
  }
  fd = -1;
  /* the rename itself is durable only once its folder is flushed */
  if (rename(temporary, path) || flush_folder(path))
    goto failed;
  return 0;

failed:
  err_set(e, ERR_FAILED, "%s: cannot write: %s", path, strerror(errno));
  if (fd >= 0)
    close(fd);
  unlink(temporary);
  return ERR_FAILED;
}

static int make_folder(const char *path)
{
  struct stat is;
  if (!mkdir(path, 0777))
    return flush_folder(path);
  if (errno != EEXIST || stat(path, &is))
    return -1;
  errno = ENOTDIR;
  return S_ISDIR(is.st_mode) ? 0 : -1;
}

int file_mkdirs(const char *path, struct err *e)
{
  char at[PATH_MAX];
  if (snprintf(at, sizeof at, "%s", path) >= (int)sizeof at)
    return err_set(e, ERR_FAILED, "%s: path too long", path);
  for (char *slash = at + (*at == '/');; slash++) {
    char c = *slash;
    if (c != '/' && c)
      continue;
    *slash = 0;
    if (*at && make_folder(at))
      return err_set(e, ERR_FAILED, "%s: cannot make this folder: %s; name "
                     "one that you may write to", at, strerror(errno));
    if (!(*slash = c))
      return 0;
  }
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *ftw)
{
  (void)st;
  (void)type;
  (void)ftw;
  return remove(path);
}

void file_remove_all(const char *folder)
{
  enum {OPEN = 16}; /* folders at once */
  nftw(folder, remove_one, OPEN, FTW_DEPTH | FTW_PHYS);
}

int file_exists(const char *path)
{
  return access(path, F_OK) == 0;
}

static int set_lock(int fd, short type)
{
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
  int result;
  do
    result = fcntl(fd, F_SETLKW, &lock);
  while (result && errno == EINTR);
  return result;
}

static int lock(int fd, short type, const char *path, struct err *e)
{
  if (!set_lock(fd, type))
    return 0;
  return err_set(e, ERR_FAILED, "%s: cannot lock: %s", path, strerror(errno));
}

int file_lock(int fd, const char *path, struct err *e)
{
  return lock(fd, F_WRLCK, path, e);
}

int file_share(int fd, const char *path, struct err *e)
{
  return lock(fd, F_RDLCK, path, e);
}

void file_unlock(int fd)
{
  set_lock(fd, F_UNLCK);
}
