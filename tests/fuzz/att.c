/* att.c - libFuzzer entry for thread traces; `./check fuzz` builds and runs it. */
// SPDX-License-Identifier: MIT
#include "tuner/diagnose/att.h"

#include "tests/fuzz/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  struct err e = {0};
  struct att t = {0};
  size_t rows = 0;
  if (att_parse(&t, "code.json", (const char *)bytes, n, &e))
    MUST(e.code && !strncmp(e.text, "code.json", 9));
  for (size_t i = 0; !e.code && i < t.nkernels; i++) {
    const struct att_kernel *k = &t.kernels[i];
    rows += k->nrows;
    for (size_t j = 0; j < k->nrows; j++) {
      MUST(k->rows[j].text && k->rows[j].source);
      MUST(att_row_at(k, k->rows[j].address) < k->nrows);
    }
  }
  att_free(&t);
  return rows > n;
}
