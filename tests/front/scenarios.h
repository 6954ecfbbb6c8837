/* scenarios.h - programs before whose rocBLAS the front stands. */
// SPDX-License-Identifier: MIT
#ifndef tests_front_scenarios_h
#define tests_front_scenarios_h

/* Play one, as this process: the exit status. */
int play(const char *name);

/* random.c, typed.c, reasons.c */
void random_calls(void);
void types(void);
void wrong_types(void);
void batch_alone(void);
void batch_beside(void);
void each_reason(void);
void no_library(void);

#endif
