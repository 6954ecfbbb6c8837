/* signals.h - signals as events. */
// SPDX-License-Identifier: MIT
#ifndef tuner_signals_h
#define tuner_signals_h

#include <signal.h>

/* Ctrl-C and a polite kill become readable on the descriptor, so that nothing
 * is cut short. old: the mask to go back to. */
int signals_watch(sigset_t *old);

/* Was there any? A signal that nobody has read would kill the program once it
 * is let through again, before the result is told. */
int signals_take(int signals);

#endif
