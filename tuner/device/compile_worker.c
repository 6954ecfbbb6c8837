/* compile_worker.c - see compile_worker.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/compile_worker.h"

#include <string.h>

#include "tuner/device/cache.h"
#include "tuner/device/message.h"
#include "tuner/device/precompiled.h"

/* The compiler's library is loaded by the first candidate that needs it. */
struct bench {
  const struct compile_job *job;
  struct rtc rtc;
  struct precompiled header;
  int loaded;
};

void compile_request(const struct config *c, struct str *request)
{
  str_clear(request);
  pack_bytes(request, c, sizeof *c);
}

int compile_reply(const struct str *reply, struct compiled *out)
{
  struct unpack in = unpack_from(reply);
  out->broken = unpack_u64(&in) != 0;
  out->cached = unpack_u64(&in) != 0;
  uint64_t status = unpack_u64(&in);
  out->status = (enum status)status;
  out->text = unpack_text(&in);
  out->code = unpack_bytes(&in, &out->ncode);
  return in.bad || status >= STATUS_N ? -1 : 0;
}

/* A request without a configuration is for the plain kernel. */
int compile_plain(const struct family *f, worker_body *body, void *user,
                  double seconds, struct str *code, struct err *e)
{
  struct str request = {0}, reply = {0};
  struct compiled made;
  if (family_reference(f))
    return 0;
  pack_bytes(&request, "", 0);
  int rc = worker_ask(body, user, &request, seconds, &reply, e);
  if (!rc && compile_reply(&reply, &made))
    rc = err_set(e, ERR_FAILED, "the compiler's worker answered rubbish");
  if (!rc && made.status != STATUS_OK)
    rc = err_set(e, ERR_FAILED, "%s", made.text);
  if (!rc)
    str_add_bytes(code, made.code, made.ncode);
  if (rc)
    err_prefix(e, "the reference of %s", family_name(f));
  str_free(&request);
  str_free(&reply);
  return rc;
}

static void answer(struct str *reply, int broken, int cached,
                   enum status status, const char *text,
                   const struct str *code)
{
  str_clear(reply);
  pack_u64(reply, (uint64_t)broken);
  pack_u64(reply, (uint64_t)cached);
  pack_u64(reply, status);
  pack_text(reply, text);
  pack_bytes(reply, code->at, code->len);
}

static int load(struct bench *b, struct err *e)
{
  if (b->loaded)
    return 0;
  if (compiler_open(&b->rtc, b->job->arch, e))
    return e->code;
  precompiled_open(&b->header, b->job->arch, b->job->cache, b->job->compiler);
  b->loaded = 1;
  return 0;
}

static void refuse(const struct bench *b, const struct linemap *map,
                   const struct str *log, const struct err *e,
                   struct str *reply)
{
  struct str mapped = {0};
  family_map_log(b->job->family, map, str_text(log), &mapped);
  answer(reply, 0, 0, STATUS_COMPILE, mapped.len ? mapped.at : e->text,
         &(struct str){0});
  str_free(&mapped);
}

static void compile(struct bench *b, const char *text,
                    const struct linemap *map, struct str *reply)
{
  const struct compile_job *j = b->job;
  struct str code = {0}, log = {0}, options = {0};
  struct err e = {0};
  char key[HASH_TEXT];
  compiler_options(j->arch, &options);
  cache_key(text, options.at, j->compiler, key);
  if (cache_take(j->cache, key, &code)) {
    answer(reply, 0, 1, STATUS_OK, "", &code);
  } else if (load(b, &e)) {
    answer(reply, 1, 0, STATUS_COMPILE, e.text, &code);
  } else if (precompiled_run(&b->header, &b->rtc, family_file(j->family), text, &code,
                             &log, &e)) {
    refuse(b, map, &log, &e, reply);
  } else {
    cache_put(j->cache, key, &code);
    answer(reply, 0, 0, STATUS_OK, "", &code);
  }
  str_free(&code);
  str_free(&log);
  str_free(&options);
}

/* c NULL: the plain kernel. */
static void work(struct bench *b, const struct config *c, struct str *reply)
{
  struct str text = {0};
  struct linemap map = {0};
  struct err e = {0};
  if (!c)
    family_plain(b->job->family, &text);
  if (c && family_render(b->job->family, b->job->problem, c, &text, &map, &e))
    answer(reply, 1, 0, STATUS_COMPILE, e.text, &(struct str){0});
  else
    compile(b, text.at, &map, reply);
  linemap_free(&map);
  str_free(&text);
}

static void close_bench(struct bench *b)
{
  if (b->loaded)
    precompiled_close(&b->header);
}

void compile_worker(int fd, void *user)
{
  struct bench bench = {.job = user};
  struct str message = {0};
  while (message_read(fd, &message)) {
    struct unpack in = unpack_from(&message);
    size_t n;
    const void *bytes = unpack_bytes(&in, &n);
    struct config c;
    if (n && n != sizeof c)
      return;
    memcpy(&c, bytes, n);
    work(&bench, n ? &c : NULL, &message);
    if (!message_write(fd, &message))
      break;
  }
  close_bench(&bench);
}

/* --- texts --------------------------------------------------------------- */

void compile_text_request(const struct str *text, struct str *request)
{
  str_clear(request);
  pack_text(request, text->at);
}

void compile_text_worker(int fd, void *user)
{
  struct bench bench = {.job = user};
  const struct linemap none = {0};
  struct str message = {0}, text = {0};
  while (message_read(fd, &message)) {
    struct unpack in = unpack_from(&message);
    str_clear(&text);
    str_add(&text, unpack_text(&in));
    if (in.bad)
      return;
    compile(&bench, text.at, &none, &message);
    if (!message_write(fd, &message))
      break;
  }
  close_bench(&bench);
}
