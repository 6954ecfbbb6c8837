/* exchange.h - results in the formats of others.
 *
 * A format is written from records and read into records (exchange_formats).
 * One that has one problem in a file gets records of one provenance; those that
 * have no word for a field leave it out, and say so in docs/store.md.
 *
 * Readers refuse a damaged file whole, with "FILE:LINE" or "FILE:LINE:COLUMN" in
 * front of the sentence; what they give has no word yet of where it came from.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_exchange_h
#define tuner_store_exchange_h

#include "db/record.h"

/* Zero-initialise; the records are the list's own. */
struct results {
  size_t n, room;
  struct record **list;
};

void results_add(struct results *to, struct record *r);
void results_free(struct results *r);

struct exchange_format {
  const char *name, *end; /* the end of its files: ".json" */
  int one;                /* problem and provenance a file */
  void (*write)(const struct results *r, struct str *out);
  int (*read)(const char *path, const struct str *text, struct results *out,
              struct err *e);
};

/* Has it a time, or a reason for none? Results that are counted and not timed
 * have neither, and no word in formats of times. */
int result_is_timed(const struct record *r);

/* By its name; with NULL by what the text is. ERR_USAGE, ERR_FAILED. */
int exchange_find(const char *name, const struct str *text, const char *path,
                  const struct exchange_format **out, struct err *e);

/* ORDER EXCHANGE */
void t4_write(const struct results *r, struct str *out);
int t4_read(const char *path, const struct str *text, struct results *out,
            struct err *e);
void csv_write(const struct results *r, struct str *out);
int csv_read(const char *path, const struct str *text, struct results *out,
             struct err *e);
void cache_write(const struct results *r, struct str *out);
int cache_read(const char *path, const struct str *text, struct results *out,
               struct err *e);
void tunable_write(const struct results *r, struct str *out);
int tunable_read(const char *path, const struct str *text, struct results *out,
                 struct err *e);

#endif
