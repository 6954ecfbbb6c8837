/* main.c - the program `tune`. */
// SPDX-License-Identifier: MIT
#include <fcntl.h>
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

int main(int argc, char **argv)
{
  hold_streams();
  return cli_main(argc, argv);
}
