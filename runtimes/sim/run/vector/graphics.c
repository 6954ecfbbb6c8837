/* graphics.c - instructions that a compute kernel has no use for: they read
 * parameters of the rasteriser. They are known and not executed. */
// SPDX-License-Identifier: MIT
#include "runtimes/sim/run/vector/lane.h"

#define ABSENT(name) const struct vop VEC(name) = {.exec = NULL};

ABSENT(v_interp_p1_f32)
ABSENT(v_interp_p2_f32)
ABSENT(v_interp_mov_f32)
ABSENT(v_interp_p1ll_f16)
ABSENT(v_interp_p1lv_f16)
ABSENT(v_interp_p2_legacy_f16)
ABSENT(v_interp_p2_f16)
ABSENT(v_screen_partition_4se_b32)
