/* main.c - the program `tune`. */
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tuner/cli/cli.h"

/* Descriptors 0 to 2 belong to the streams: where one is closed, a journal
 * opened later would get its number, and the results printed into it. */
static void hold_streams(void)
{
  int fd;
  do
    fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (fd >= 0 && fd <= STDERR_FILENO);
  close(fd);
}

/* Results are printed whole: a line that goes out at once fits into the room
 * of the stream. Terminals have theirs by lines. */
static void make_room(void)
{
  static char room[1 << 18];
  if (!isatty(STDOUT_FILENO))
    setvbuf(stdout, room, _IOFBF, sizeof room);
}

int main(int argc, char **argv)
{
  hold_streams();
  make_room();
  return cli_main(argc, argv);
}
