/* json_value.h - what records hold, as values of JSON. */
// SPDX-License-Identifier: MIT
#ifndef tuner_report_json_value_h
#define tuner_report_json_value_h

#include <jansson.h>

/* Text of records may be no UTF-8, which JSON cannot hold: a '?' then stands
 * for each byte that is not ASCII. */
json_t *json_text(const char *s);

/* JSON has no infinities and no NaN: null stands for them. */
json_t *json_finite(double x);

#endif
