/* file.h - reading whole files, and writing them so that nothing is lost.
 *
 * file_replace() writes a temporary file beside the target, flushes it,
 * renames it over the target and flushes the folder: after a crash or a
 * SIGKILL at any point, a reader finds the old contents or the new, whole.
 */
// SPDX-License-Identifier: MIT
#ifndef base_file_h
#define base_file_h

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* Open for reading: a descriptor, or -1 with e and errno set. Only ordinary
 * files, since a pipe or a device may never come to an end. */
int file_open(const char *path, struct err *e);

/* 0 where fd is open on an ordinary file. */
int file_ordinary(int fd, const char *path, struct err *e);

/* Append the contents of path to out; more than max bytes is an error. */
int file_read(const char *path, size_t max, struct str *out, struct err *e);

/* All of the bytes, however many calls it takes: 0, or -1 with errno set. */
int file_write(int fd, const void *bytes, size_t n);

int file_replace(const char *path, const void *bytes, size_t n,
                 struct err *e);

/* Make path and the folders above it, as `mkdir -p`. */
int file_mkdirs(const char *path, struct err *e);

int file_exists(const char *path); /* 1 or 0 */

/* Remove a folder with all that is in it, as far as that can be done. */
void file_remove_all(const char *folder);

/* Flush the folder that holds path: a file made in it is there for good. */
int file_flush_folder(const char *path, struct err *e);

/* Wait for the lock of an open, writable file and take it. It keeps other
 * processes out (a forked child is another one; a thread is not), and goes
 * with unlock, with close() of any descriptor of the file in this process,
 * and with the process. */
int file_lock(int fd, const char *path, struct err *e);
/* The same, with others who only read; fd need not be writable. */
int file_share(int fd, const char *path, struct err *e);
void file_unlock(int fd);

#endif
