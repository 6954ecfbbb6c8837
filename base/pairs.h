/* pairs.h - "m=64,layout=nt", taken apart in place. */
// SPDX-License-Identifier: MIT
#ifndef base_pairs_h
#define base_pairs_h

/* The next name of *rest, which moves behind its pair, and its value: NULL where the
 * name has no '='. NULL at the end. *rest: the text, which is written to. */
char *pairs_next(char **rest, char **value);

#endif
