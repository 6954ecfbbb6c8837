/* exchange_json.h - what the two formats in JSON share (inside store only). */
// SPDX-License-Identifier: MIT
#ifndef tuner_store_exchange_json_h
#define tuner_store_exchange_json_h

#include <jansson.h>

#include "base/status.h"
#include "db/record.h"

/* "tile_m=64,mode=fast" as an object, and back: numbers where the text is how
 * they are written. ERR_FAILED where a value is no number, word or truth. */
json_t *json_config(const char *text);
int json_config_text(const json_t *o, struct str *out, struct err *e);

/* A number, or a string that is one; NAN otherwise. */
double json_as_number(const json_t *v);

/* The fields of a result that one file has in common: family, problem, arch,
 * device and how it was made. */
json_t *json_common(const struct record *r);
void json_take_common(const json_t *o, struct record *r);

/* "2023-12-21 10:44:42.2+00:00" as the store's date; nothing where it is none. */
void json_take_date(const json_t *v, struct record *r);

/* Parse a whole file: NULL, and "PATH:LINE:COLUMN: why". */
json_t *json_parse(const char *path, const char *text, size_t n,
                   struct err *e);

/* The list as text, with a newline. */
void json_print(json_t *o, struct str *out);

#endif
