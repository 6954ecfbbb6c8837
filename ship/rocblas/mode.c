/* mode.c - TUNED_BLAS, read once. */
// SPDX-License-Identifier: MIT
#include "ship/rocblas/mode.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mode mode;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
  const char *word;
  size_t offset;
} words[] = {
    {"off", offsetof(struct mode, off)},
    {"stats", offsetof(struct mode, stats)},
    {"verify", offsetof(struct mode, verify)},
    {"trust", offsetof(struct mode, trust)},
    {"any-cus", offsetof(struct mode, any_cus)},
};

enum {WORDS = sizeof words / sizeof *words};

void mode_say(const char *format, ...)
{
  char line[512];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  fprintf(stderr, "tuned_rocblas: %s\n", line);
}

static void set(const char *word, size_t n)
{
  for (size_t i = 0; i < WORDS; i++)
    if (strlen(words[i].word) == n && !memcmp(word, words[i].word, n)) {
      *(int *)(void *)((char *)&mode + words[i].offset) = 1;
      return;
    }
  mode_say("TUNED_BLAS: '%.*s' is none of off, stats, verify, trust, any-cus, "
           "record:FILE; it is ignored", (int)n, word);
}

static void read_words(const char *at)
{
  static const char record[] = "record:";
  while (*at) {
    if (!strncmp(at, record, strlen(record))) {
      mode.record = at + strlen(record);
      return;
    }
    size_t n = strcspn(at, ",");
    if (n)
      set(at, n);
    at += n + (at[n] == ',');
  }
}

static void read_environment(void)
{
  const char *given = getenv("TUNED_BLAS");
  const char *pack = getenv("TUNED_PACK");
  const char *layer = getenv("ROCBLAS_LAYER");
  mode.pack = pack && *pack ? pack : TUNED_PACK_INSTALLED;
  mode.layer = layer && *layer && strcmp(layer, "0") != 0;
  if (given)
    read_words(given);
}

const struct mode *mode_get(void)
{
  pthread_once(&once, read_environment);
  return &mode;
}
