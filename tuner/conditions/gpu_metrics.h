/* gpu_metrics.h - the table that amdgpu gives in its file gpu_metrics.
 *
 * The file is a C struct of Linux whose layout its first four bytes name: size,
 * format and content revision. Known are the layouts of graphics cards, 1.0 to
 * 1.6 (Linux, drivers/gpu/drm/amd/include/kgd_pp_interface.h). Fields that the
 * driver leaves out have all bits set, and are not known.
 */
// SPDX-License-Identifier: MIT
#ifndef tuner_conditions_gpu_metrics_h
#define tuner_conditions_gpu_metrics_h

#include <stddef.h>

#include "tuner/conditions/card.h"

enum {GPU_METRICS_MAX = 4096}; /* bytes; the largest known has 384 */

/* Take what the table says into *out, any bytes: 0, or -1 with *out as it was
 * where the layout is not known, or the table shorter than it says. */
int gpu_metrics_parse(const void *bytes, size_t n, struct reading *out);

#endif
