/* exchange.h - what must hold of the readers of other formats for any bytes. */
// SPDX-License-Identifier: MIT
#ifndef tests_fuzz_exchange_h
#define tests_fuzz_exchange_h

#include "tests/fuzz/store.h"
#include "tuner/store/exchange.h"

/* Each refuses them with a sentence that begins with the file, or gives records
 * that the store's own reader takes. */
static inline int exchange_bytes(const char *bytes, size_t n)
{
  static const char *const names[] = {"t4", "csv", "kernel-tuner",
                                      "tunableop"};
  int read = 0;
  for (int i = 0; i < 4; i++) {
    const struct exchange_format *f;
    struct results r = {0};
    struct str text = {0}, line = {0};
    struct err e = {0};
    str_add_bytes(&text, bytes, n);
    MUST(!exchange_find(names[i], NULL, NULL, &f, &e));
    if (f->read("file", &text, &r, &e))
      MUST(e.code == ERR_FAILED && !strncmp(e.text, "file", 4));
    else
      read++;
    for (size_t k = 0; !e.code && k < r.n; k++) {
      str_clear(&line);
      record_format(r.list[k], &line);
      MUST(line.len > RECORD_LINE || store_line(line.at, line.len));
    }
    results_free(&r);
    str_free(&text);
    str_free(&line);
  }
  return read;
}

#endif
