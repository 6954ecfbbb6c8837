/* disassemble.c - see disassemble.h. */
// SPDX-License-Identifier: MIT
#include "tuner/device/disassemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tuner/device/comgr.h"
#include "tuner/device/message.h"
#include "tuner/device/worker.h"

enum {LIMIT = 30}; /* seconds */

/* --- in the child -------------------------------------------------------- */

/* One row, on its way through the callbacks. */
struct passage {
  const struct hipsim_instruction *row;
  struct str text;
};

static uint64_t read_code(uint64_t from, char *to, uint64_t size, void *user)
{
  const struct passage *p = user;
  uint64_t at = from - p->row->offset;
  uint64_t bytes = 4 * (uint64_t)p->row->nwords;
  if (at >= bytes)
    return 0;
  uint64_t n = size < bytes - at ? size : bytes - at;
  memcpy(to, (const char *)p->row->words + at, n);
  return n;
}

static void take_text(const char *text, void *user)
{
  struct passage *p = user;
  text += strspn(text, " \t");
  size_t n = strlen(text);
  while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
    n--;
  str_clear(&p->text);
  str_add_bytes(&p->text, text, n);
}

static void ignore_address(uint64_t address, void *user)
{
  (void)address, (void)user;
}

static int list(const char *isa, const struct hipsim_instruction *rows,
                size_t n, struct str *reply, struct err *e)
{
  struct comgr c = {0};
  struct passage p = {0};
  amd_comgr_disassembly_info_t info;
  if (comgr_open(&c, NULL, e))
    return e->code;
  if (c.create(isa, read_code, take_text, ignore_address, &info)
      != AMD_COMGR_STATUS_SUCCESS)
    return err_set(e, ERR_FAILED, "amd_comgr does not know %s", isa);
  for (size_t i = 0; i < n; i++) {
    uint64_t size = 0;
    p.row = &rows[i];
    str_clear(&p.text);
    if (c.disassemble(info, rows[i].offset, &p, &size)
        != AMD_COMGR_STATUS_SUCCESS)
      str_clear(&p.text);
    pack_text(reply, str_text(&p.text));
  }
  str_free(&p.text);
  return 0;
}

/* Request: target, rows. Reply: error, a text for each row. */
static void body(int fd, void *user)
{
  struct str request = {0}, reply = {0}, texts = {0};
  struct err e = {0};
  size_t n;
  (void)user;
  if (!message_read(fd, &request))
    return;
  struct unpack in = unpack_from(&request);
  const char *isa = unpack_text(&in);
  const void *bytes = unpack_bytes(&in, &n);
  struct hipsim_instruction *rows = mem_alloc(n + 1); /* aligned */
  memcpy(rows, bytes, n);
  list(isa, rows, n / sizeof *rows, &texts, &e);
  pack_text(&reply, e.text);
  str_add_bytes(&reply, texts.at, texts.len);
  message_write(fd, &reply);
}

/* --- outside ------------------------------------------------------------- */

static int take(struct listing *out, size_t n, struct err *e)
{
  struct unpack in = unpack_from(&out->bytes);
  const char *why = unpack_text(&in);
  if (why[0])
    return err_set(e, ERR_FAILED, "%s", why);
  out->n = n;
  out->text = mem_array(n + 1, sizeof *out->text);
  for (size_t i = 0; i < n; i++) {
    const char *text = unpack_text(&in);
    out->text[i] = text[0] ? text : NULL;
  }
  return in.bad ? err_set(e, ERR_FAILED, "the disassembler's process answered "
                          "rubbish") : 0;
}

int disassemble(const struct arch *a, const struct hipsim_instruction *rows,
                size_t n, struct listing *out, struct err *e)
{
  struct str request = {0}, isa = {0};
  *out = (struct listing){0};
  str_addf(&isa, "amdgcn-amd-amdhsa--%s", arch_name(a));
  pack_text(&request, str_text(&isa));
  pack_bytes(&request, rows, n * sizeof *rows);
  int code = worker_ask(body, NULL, &request, LIMIT, &out->bytes, e);
  if (!code)
    code = take(out, n, e);
  if (code)
    err_prefix(e, "disassembling");
  str_free(&request);
  str_free(&isa);
  return code;
}

void listing_free(struct listing *l)
{
  free(l->text);
  str_free(&l->bytes);
  *l = (struct listing){0};
}
