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

/* The same as an object of the caller's, to add to. */
json_t *json_of_record(const char *type, const struct record *r);
json_t *json_of_session(const char *type, const struct record *r,
                        const struct session *s, size_t evaluated);

/* Print o as one line, at once and by one write (main.c has the room), so that
 * whoever reads a pipe has each result when it is known, and a killed run does
 * not end in half an object; frees o. */
void json_line(FILE *to, json_t *o);

/* Add what launching it takes: `buffers`, and `launches` in their order, with
 * `grid` in workgroups, `block` in threads, `dynamic_lds` in bytes and `args`. */
void json_plan(json_t *o, const struct plan *p);

/* "a=1,b=x" as an object, numbers as numbers; the caller's. */
json_t *json_pairs(const char *pairs);

#endif
