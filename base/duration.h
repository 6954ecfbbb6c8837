/* duration.h - a time as text for people. */
// SPDX-License-Identifier: MIT
#ifndef base_duration_h
#define base_duration_h

#include <stddef.h>

/* "12.3 ms", "4.56 us": three digits and a unit, from microseconds. */
void duration_format(double us, char *out, size_t room);

#endif
