/* signals.c - see signals.h. */
// SPDX-License-Identifier: MIT
#include "tuner/session/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

int signals_watch(sigset_t *old)
{
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGHUP);
  sigprocmask(SIG_BLOCK, &mask, old);
  return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals_take(int signals)
{
  struct signalfd_siginfo info;
  int any = 0;
  while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
    any = 1;
  return any;
}
