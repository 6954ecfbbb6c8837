/* message.c - see message.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct head {
  uint32_t magic, length;
};

enum {MAGIC = 0x316d7477}; /* "wtm1" */

void pack_u64(struct str *s, uint64_t v)
{
  str_add_bytes(s, &v, sizeof v);
}

void pack_f64(struct str *s, double v)
{
  str_add_bytes(s, &v, sizeof v);
}

void pack_bytes(struct str *s, const void *bytes, size_t n)
{
  pack_u64(s, n);
  str_add_bytes(s, bytes, n);
}

void pack_text(struct str *s, const char *text)
{
  pack_bytes(s, text, strlen(text) + 1);
}

struct unpack unpack_from(const struct str *s)
{
  return (struct unpack){.at = str_text(s), .left = s->len};
}

static const void *take(struct unpack *r, size_t n)
{
  if (r->bad || n > r->left) {
    r->bad = 1;
    return NULL;
  }
  const void *at = r->at;
  r->at += n;
  r->left -= n;
  return at;
}

uint64_t unpack_u64(struct unpack *r)
{
  uint64_t v = 0;
  const void *at = take(r, sizeof v);
  if (at)
    memcpy(&v, at, sizeof v);
  return v;
}

double unpack_f64(struct unpack *r)
{
  double v = 0;
  const void *at = take(r, sizeof v);
  if (at)
    memcpy(&v, at, sizeof v);
  return v;
}

const void *unpack_bytes(struct unpack *r, size_t *n)
{
  *n = unpack_u64(r);
  const void *at = take(r, *n);
  if (!at)
    *n = 0;
  return at;
}

const char *unpack_text(struct unpack *r)
{
  size_t n;
  const char *text = unpack_bytes(r, &n);
  if (!text || n == 0 || text[n - 1] != 0) {
    r->bad = 1;
    return "";
  }
  return text;
}

void frame_add(struct str *wire, const struct str *message)
{
  struct head head = {MAGIC, (uint32_t)message->len};
  str_add_bytes(wire, &head, sizeof head);
  str_add_bytes(wire, message->at, message->len);
}

static int head_bad(const struct head *head)
{
  return head->magic != MAGIC || head->length > MESSAGE_MAX;
}

int frame_take(struct str *wire, struct str *message)
{
  struct head head;
  if (wire->len < sizeof head)
    return 0;
  memcpy(&head, wire->at, sizeof head);
  if (head_bad(&head))
    return -1;
  size_t whole = sizeof head + head.length;
  if (wire->len < whole)
    return 0;
  str_clear(message);
  str_add_bytes(message, wire->at + sizeof head, head.length);
  memmove(wire->at, wire->at + whole, wire->len - whole);
  wire->len -= whole;
  return 1;
}

static int read_all(int fd, char *at, size_t n)
{
  while (n > 0) {
    ssize_t got = read(fd, at, n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return 0;
    at += got;
    n -= (size_t)got;
  }
  return 1;
}

int message_read(int fd, struct str *message)
{
  struct head head;
  char part[65536];
  str_clear(message);
  if (!read_all(fd, (char *)&head, sizeof head) || head_bad(&head))
    return 0;
  for (size_t left = head.length; left > 0;) {
    size_t n = left < sizeof part ? left : sizeof part;
    if (!read_all(fd, part, n))
      return 0;
    str_add_bytes(message, part, n);
    left -= n;
  }
  return 1;
}

int message_write(int fd, const struct str *message)
{
  struct str wire = {0};
  frame_add(&wire, message);
  size_t sent = 0;
  while (sent < wire.len) {
    ssize_t n = send(fd, wire.at + sent, wire.len - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    sent += (size_t)n;
  }
  int done = sent == wire.len;
  str_free(&wire);
  return done;
}
