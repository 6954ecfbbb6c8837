/* json.h - results for programs: one object a line. */
// SPDX-License-Identifier: MIT
#ifndef tuner_json_h
#define tuner_json_h

#include <jansson.h>
#include <stdio.h>

#include "db/record.h"
#include "tuner/session/session.h"

/* One line: type is "candidate" or "winner", or "stored" for rows of a table.
 * s gives the plan's cost and `evaluated`; NULL for stored rows. */
void json_record(FILE *to, const char *type, const struct record *r,
                 const struct session *s, size_t evaluated);

/* "a=1,b=x" as an object, numbers as numbers; the caller's. */
json_t *json_pairs(const char *pairs);

#endif
