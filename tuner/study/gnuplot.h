/* gnuplot.h - running gnuplot: a script in, a picture out.
 *
 * gnuplot runs in a child with a deadline, without the user's own settings.
 * The picture is an SVG file and appears whole or not at all. chart.h writes
 * scripts for the usual plots.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_gnuplot_h
#define tuner_gnuplot_h

#include "base/err.h"
#include "base/str.h"

enum {GNUPLOT_SECONDS = 30};

/* 0 where gnuplot can be run; else ERR_FAILED, naming the package. */
int gnuplot_find(struct err *e);

/* Run the script, which starts with "set terminal svg ..." and names no
 * output, and put what it draws at path. ERR_FAILED: gnuplot is missing, it
 * refused the script (with its own words), drew nothing, or took too long. */
int gnuplot_draw(const char *script, const char *path, double seconds,
                 struct err *e);

/* Append text to a script as one of gnuplot's strings, quotes included. */
void gnuplot_quote(struct str *script, const char *text);

#endif
