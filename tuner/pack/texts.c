/* texts.c - see texts.h. */
// SPDX-License-Identifier: MIT
#include "tuner/pack/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "tuner/device/message.h"

static uint64_t hash(const struct str *text)
{
  const char *end = strstr(text->at, "*/\n"), *body = end ? end : text->at;
  return hash_64(body, strlen(body));
}

size_t texts_find(const struct texts *t, const struct str *rendering)
{
  uint64_t body = hash(rendering);
  size_t i = 0;
  while (i < t->n && t->list[i].hash != body)
    i++;
  return i;
}

size_t texts_add(struct texts *t, const struct str *rendering)
{
  size_t found = texts_find(t, rendering);
  if (found < t->n)
    return found;
  if (t->n == t->room) {
    t->room = t->room ? 2 * t->room : 16;
    t->list = mem_resize(t->list, t->room * sizeof *t->list);
  }
  t->list[t->n] = (struct text){.hash = hash(rendering)};
  str_add_bytes(&t->list[t->n].text, rendering->at, rendering->len);
  return t->n++;
}

void texts_free(struct texts *t)
{
  for (size_t i = 0; i < t->n; i++) {
    str_free(&t->list[i].text);
    str_free(&t->list[i].code);
  }
  free(t->list);
  *t = (struct texts){0};
}

static int take(struct texts *t, const struct event *event, struct err *e)
{
  struct text *text = &t->list[event->tag];
  struct compiled made;
  if (event->kind != EVENT_REPLY) {
    err_set(&text->why, ERR_FAILED, "%s", event->why);
    return 0;
  }
  if (compile_reply(&event->reply, &made))
    return err_set(e, ERR_FAILED, "a compile worker answered rubbish");
  if (made.broken)
    return err_set(e, ERR_FAILED, "%s", made.text);
  if (made.status != STATUS_OK)
    err_set(&text->why, ERR_FAILED, "%s", made.text);
  else
    str_add_bytes(&text->code, made.code, made.ncode);
  t->cached += made.cached != 0;
  return 0;
}

static int send(struct pool *p, const struct texts *t, size_t i, double limit,
                struct err *e)
{
  struct str request = {0};
  compile_text_request(&t->list[i].text, &request);
  int code = pool_send(p, pool_idle(p), i, &request, limit, e);
  str_free(&request);
  return code;
}

int texts_compile(struct texts *t, struct compile_job *job, size_t workers,
                  double limit,
                  void (*done)(void *user, size_t n, size_t of), void *user,
                  struct err *e)
{
  struct pool *pool;
  struct event event = {0};
  size_t sent = 0, ended = 0;
  int code = 0;
  pool_open(&pool, workers < t->n ? workers : t->n, compile_text_worker, job);
  while (ended < t->n && !code) {
    while (sent < t->n && pool_idle(pool) >= 0 && !code)
      code = send(pool, t, sent++, limit, e);
    if (code)
      break;
    pool_wait(&pool, 1, -1, 1, &event);
    if (event.kind != EVENT_NONE) {
      code = take(t, &event, e);
      done(user, ++ended, t->n);
    }
    if (pool_left(pool) == 0)
      code = err_set(e, ERR_FAILED, "no compile worker could be ended");
  }
  event_free(&event);
  pool_close(pool);
  return code;
}
