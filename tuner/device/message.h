/* message.h - what the coordinator and its workers say to each other.
 *
 * A message is a string of bytes, packed with pack_*() and read back in the
 * same order with unpack_*(). On the wire it is framed by a magic word and
 * its length. A worker may die in mid-message or write rubbish: unpacking
 * never reads past the end, but sets r->bad and gives zeros and "".
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_message_h
#define tuner_message_h

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum {MESSAGE_MAX = 256 << 20}; /* longer ones are rubbish */

void pack_u64(struct str *s, uint64_t v);
void pack_f64(struct str *s, double v);
void pack_bytes(struct str *s, const void *bytes, size_t n);
void pack_text(struct str *s, const char *text);

struct unpack {
  const char *at;
  size_t left;
  int bad;
};

struct unpack unpack_from(const struct str *s);
uint64_t unpack_u64(struct unpack *r);
double unpack_f64(struct unpack *r);
const void *unpack_bytes(struct unpack *r, size_t *n); /* inside the message */
const char *unpack_text(struct unpack *r);

/* Append the framed message to wire. */
void frame_add(struct str *wire, const struct str *message);
/* Take the first whole frame off wire: 1 taken, 0 incomplete, -1 rubbish. */
int frame_take(struct str *wire, struct str *message);

/* Blocking, for the worker's side: 1 done, 0 the other side is gone or talks
 * rubbish. */
int message_read(int fd, struct str *message);
int message_write(int fd, const struct str *message);

#endif
