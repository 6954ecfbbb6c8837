/* cube.c - where a direction (a, b, c) meets a cube map. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "runtimes/sim/run/vector/lane.h"

INLINE int is_z(f32 a, f32 b, f32 c)
{
  return fabsf(c) >= fabsf(a) && fabsf(c) >= fabsf(b);
}
INLINE int is_y(f32 a, f32 b) { return fabsf(b) >= fabsf(a); }

/* Faces +x -x +y -y +z -z are 0 to 5. */
INLINE f32 face(f32 a, f32 b, f32 c)
{
  if (is_z(a, b, c))
    return c < 0 ? 5 : 4;
  if (is_y(a, b))
    return b < 0 ? 3 : 2;
  return a < 0 ? 1 : 0;
}

INLINE f32 face_s(f32 a, f32 b, f32 c)
{
  if (is_z(a, b, c))
    return c < 0 ? -a : a;
  if (is_y(a, b))
    return a;
  return a < 0 ? c : -c;
}

INLINE f32 face_t(f32 a, f32 b, f32 c)
{
  if (!is_z(a, b, c) && is_y(a, b))
    return b < 0 ? -c : c;
  return -b;
}

INLINE f32 major(f32 a, f32 b, f32 c)
{
  return 2 * (is_z(a, b, c) ? c : is_y(a, b) ? b : a);
}

OP3(v_cubeid_f32, f32, f32, f32, f32, face(a, b, c))
OP3(v_cubesc_f32, f32, f32, f32, f32, face_s(a, b, c))
OP3(v_cubetc_f32, f32, f32, f32, f32, face_t(a, b, c))
OP3(v_cubema_f32, f32, f32, f32, f32, major(a, b, c))
